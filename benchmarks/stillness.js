// When did the page change last? Streamlit's own marks of a running script do not count.

window.stillness = {
  at: 0,
  quiet: 700, // milliseconds without a change, and no script running: the page is still

  observe(root) {
    const seen = () => (stillness.at = performance.now());
    const options = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-ready"] };
    new MutationObserver(seen).observe(root, options);
  },

  last() {
    return new Promise((resolve, reject) => {
      const limit = setTimeout(() => reject(new Error("not still within 60 s")), 60_000);
      const check = () => {
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

// Components live in shadow trees, which need an observer of their own.
const attach = Element.prototype.attachShadow;
Element.prototype.attachShadow = function (...options) {
  const root = attach.apply(this, options);
  stillness.observe(root);
  return root;
};

addEventListener("DOMContentLoaded", () => stillness.observe(document.body));
