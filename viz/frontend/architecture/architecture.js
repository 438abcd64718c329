const NARROW = 640;

export default function ({ parentElement, data, setTriggerValue }) {
  const root = parentElement.querySelector(".gf-architecture");
  const pictures = JSON.parse(data);
  let shown = "";

  function show() {
    const wanted = root.clientWidth < NARROW ? "tall" : "wide";
    if (wanted === shown) return;
    shown = wanted;
    const parsed = new DOMParser().parseFromString(pictures[wanted], "image/svg+xml");
    root.replaceChildren(document.importNode(parsed.documentElement, true));
    root.dataset.layout = wanted;
    root.dataset.ready = "true";
  }

  root.onclick = (event) => {
    const door = event.target.closest("[data-door]");
    const newTab = event.ctrlKey || event.metaKey || event.shiftKey;
    if (!door || newTab) return;
    event.preventDefault(); // a plain link would start a new session
    setTriggerValue("open", door.dataset.block);
  };
  const watcher = new ResizeObserver(show);
  watcher.observe(root);
  show();
  return () => watcher.disconnect();
}
