// When did the page change last? Streamlit's own marks of a running script do not count.

window.stillness = {
  at: 0,
  changes: [], // what changed, and when
  quiet: 700, // milliseconds without a change, and no script running: the page is still

  note(node) {
    stillness.at = performance.now();
    stillness.changes.push([node, stillness.at]);
  },

  observe(root) {
    const seen = (records) =>
      records.forEach(({ target, addedNodes }) => (addedNodes.length ? addedNodes : [target]).forEach(stillness.note));
    const options = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["data-ready"] };
    new MutationObserver(seen).observe(root, options);
  },

  // The last change since the clock began; `inView`: of what can be seen without scrolling.
  last(inView = false) {
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
        const changes = stillness.changes.splice(0).filter(([node, at]) => at >= clock.started && (!inView || visible(node)));
        if (!changes.length) reject(new Error("nothing changed"));
        resolve(Math.max(...changes.map(([, at]) => at)) - clock.started);
      };
      check();
    });
  },
};

const visible = (node) => {
  const element = node instanceof Element ? node : node.parentElement ?? node.host;
  if (!element?.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false; // such as Streamlit's buttons over a chart, which wait for the mouse
  const box = element.getBoundingClientRect();
  return box.width > 0 && box.top < innerHeight && box.bottom > 0;
};

// A chart that is drawn anew on its canvas leaves no trace in the page.
const clear = CanvasRenderingContext2D.prototype.clearRect;
CanvasRenderingContext2D.prototype.clearRect = function (...box) {
  stillness.note(this.canvas);
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
