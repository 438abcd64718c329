// The language of what the model reads and writes, where Streamlit draws it: for screen readers and fonts.
{
  const DRAWN = {
    source: ":is(.st-key-source, .st-key-sentence input, .st-key-examples button)",
    target: ".st-key-target",
  };
  const root = document.documentElement;
  const inside = (top, selector) => [...(top.matches(selector) ? [top] : []), ...top.querySelectorAll(selector)];

  const speak = (top) => {
    for (const [side, selector] of Object.entries(DRAWN)) {
      for (const node of inside(top, selector)) {
        if (root.dataset[side]) node.lang = root.dataset[side];
        else node.removeAttribute("lang");
      }
    }
  };

  const added = (changes) => changes.flatMap((change) => [...change.addedNodes]).filter((node) => node.nodeType === Node.ELEMENT_NODE);
  new MutationObserver((changes) => added(changes).forEach(speak)).observe(root, { subtree: true, childList: true });
  new MutationObserver(() => speak(root)).observe(root, { attributeFilter: ["data-source", "data-target"] });
}
