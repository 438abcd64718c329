// When did the page change last? Streamlit's own marks of a running script do not count.

window.stillness = {
  at: 0,
  quiet: 700, // milliseconds without a change, and no script running: the page is still

  observe(root) {
    const seen = (records) => {
      for (const { addedNodes } of records) addedNodes.forEach((node) => stillness.inside(node));
      stillness.at = performance.now();
    };
    const options = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-ready"] };
    new MutationObserver(seen).observe(root, options);
  },

  // Components live in shadow trees, which need an observer of their own.
  inside(node) {
    if (!(node instanceof Element)) return;
    for (const host of [node, ...node.querySelectorAll("*")]) {
      if (host.shadowRoot && !host.watched) {
        host.watched = true;
        stillness.observe(host.shadowRoot);
      }
    }
  },

  last() {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error("not still within 60 s")), 60_000);
      const check = () => {
        stillness.inside(document.body);
        const app = document.querySelector("[data-testid=stApp]");
        const running = app?.dataset.testScriptState !== "notRunning";
        if (running || performance.now() - stillness.at < stillness.quiet || stillness.at < clock.started) {
          setTimeout(check, 50);
          return;
        }
        clearTimeout(limit);
        resolve(stillness.at - clock.started);
      };
      check();
    });
  },
};

// A chart that is drawn anew on its canvas leaves no trace in the page.
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  stillness.at = performance.now();
  return clear.apply(this, box);
};

addEventListener("DOMContentLoaded", () => {
  stillness.observe(document.body);
  stillness.inside(document.body);
});
