// Go to a view, `attention?head=3`, without loading the app anew.

const KEPT = ["language", "visible", "embed"]; // of this browser's own address

export function open(base, view) {
  const [page, query] = [view.split("?")[0], view.split("?").slice(1).join("?")];
  const settings = new URLSearchParams(query);
  const here = new URLSearchParams(window.location.search);
  for (const key of KEPT) if (here.has(key) && !settings.has(key)) settings.set(key, here.get(key));
  const path = `${base}/${page}`;
  const search = settings.toString();
  // Streamlit hears of it as of the browser's Back: the page is drawn once, from its address
  window.history.pushState({}, "", search ? `${path}?${search}` : path);
  window.dispatchEvent(new PopStateEvent("popstate", { state: {} }));
  return path;
}
