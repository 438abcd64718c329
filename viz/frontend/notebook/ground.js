// Whether the page is dark where an element stands, and a watch for changes of that.

export function isDark(element) {
  const page = element.ownerDocument;
  const code = page.body?.dataset.vscodeThemeKind; // its ground is transparent
  if (code) return code.includes("dark") || code === "vscode-high-contrast";
  const pen = page.createElement("canvas").getContext("2d", { willReadFrequently: true });
  for (let node = element.parentNode; node; node = node.parentNode || node.host) {
    if (node.nodeType !== 1) continue;
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = page.defaultView.getComputedStyle(node).backgroundColor;
    pen.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = pen.getImageData(0, 0, 1, 1).data;
    if (alpha > 127) return 0.2126 * red + 0.7152 * green + 0.0722 * blue < 110;
  }
  const scheme = page.defaultView.getComputedStyle(page.documentElement).colorScheme;
  const system = page.defaultView.matchMedia("(prefers-color-scheme: dark)");
  return scheme.includes("dark") && (!scheme.includes("light") || system.matches);
}

export function watchGround(element, changed) {
  const page = element.ownerDocument;
  const observer = new MutationObserver(changed);
  for (const node of [page.documentElement, page.body]) if (node) observer.observe(node, { attributes: true });
  const system = page.defaultView.matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    system.removeEventListener("change", changed);
  };
}
