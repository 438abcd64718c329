// Go to a view, `attention?head=3`, without loading the app anew.

const OWN_SETTINGS = ["language", "visible", "embed", "computed"]; // of this browser's own address

export function open(base, view) {
  const [page, query] = [view.split("?")[0].replace(/^\//, ""), view.split("?").slice(1).join("?")];
  const settings = new URLSearchParams(query);
  const here = new URLSearchParams(window.location.search);
  for (const key of OWN_SETTINGS) if (here.has(key) && !settings.has(key)) settings.set(key, here.get(key));
  const path = `${base}/${page}`;
  if (path !== window.location.pathname) nearer(document.querySelector("[data-testid=stMainBlockContainer]"), "start");
  const search = settings.toString();
  // Streamlit hears of it as of the browser's Back: the page is drawn once, from its address
  window.history.pushState({}, "", search ? `${path}?${search}` : path);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  return path;
}

// Scroll what is there into view; who opens another page begins at its title, also where the last one was scrolled.
export function nearer(node, block) {
  const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  node?.scrollIntoView({ block, behavior: still || block === "start" ? "auto" : "smooth" });
}
