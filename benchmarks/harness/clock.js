// The clock of the benchmark, in every page before the page's own scripts.
//
// It starts with the page's navigation, and anew with each click and each Enter key: at the time stamp
// of the event itself. It stops in the frame after the one that shows the picture, or later if asked:
// a picture of hundreds of thousands of lines is handed over to the compositor by its own frame and
// is not on the screen before the frame after the next can start.

window.clock = {
  started: 0,

  // `there` says whether the picture is in the page; it is asked once per frame.
  watch(there, framesAfter = 1) {
    let after = 0;
    clock.drawn = new Promise((resolve, reject) => {
      setTimeout(() => reject(new Error("not drawn within 60 s")), 60_000);
      const frame = () => {
        if (after > 0 || there()) after++;
        if (after > framesAfter) resolve(performance.now() - clock.started);
        else requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    });
  },

  // The root of our figure, which lies in a shadow tree; null until it is drawn.
  figure() {
    if (clock.host?.isConnected) return clock.host.shadowRoot.querySelector(".gf-attention[data-ready=true]");
    clock.host = [...document.querySelectorAll("*")].find((node) => node.shadowRoot?.querySelector(".gf-attention"));
    return clock.host ? clock.figure() : null;
  },
};

addEventListener("click", (event) => (clock.started = event.timeStamp), true);
addEventListener("keydown", (event) => /^(Enter|Arrow)/.test(event.key) && (clock.started = event.timeStamp), true);
