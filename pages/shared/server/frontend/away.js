// While the server does not answer, the page can still be read: what Streamlit lays over it goes, ours says why.
{
  const away = document.querySelector(".gf-away");
  const OWN = ".gf-file, .gf-class-bar, .gf-board"; // ask routes of ours, and say themselves where none answers
  let met = false; // whether it has answered before
  let gone = false; // whether it does not answer now
  let timer = 0;

  // a class at once may have to wait; who has never been answered still sees the notice of loading (loading.js)
  const unreached = () => window.dispatchEvent(new Event("gf-unreached"));

  const look = () => {
    const app = document.querySelector("[data-testid=stApp]");
    if (!app) return; // it loads: nobody has been asked yet
    const state = app.dataset.testConnectionState;
    if (state === "CONNECTED" || state === "DISCONNECTED_FOREVER") {
      if (met && gone) window.dispatchEvent(new Event("gf-back"));
      met = true;
      gone = false;
      clearTimeout(timer);
      timer = 0;
      away.hidden = true;
      return;
    }
    gone = true;
    document.querySelector("[data-testid=stDialog] button")?.click();
    timer ||= met ? setTimeout(() => (away.hidden = false), 2_000) : setTimeout(unreached, 10_000);
  };

  // A choice that nobody can answer is none: a figure would show it, and the page would not know.
  const hold = (event) => {
    if (!gone || !event.isTrusted || (event.type === "keydown" && !["Enter", " "].includes(event.key))) return;
    if (event.composedPath()[0].closest?.(OWN)) return; // a figure lives in a shadow root
    event.stopPropagation();
    event.preventDefault();
  };
  for (const kind of ["click", "keydown"]) document.addEventListener(kind, hold, { capture: true });

  new MutationObserver(look).observe(document.body, { childList: true });
  const state = { subtree: true, attributes: true, attributeFilter: ["data-test-connection-state"] };
  new MutationObserver(look).observe(document.body, state);
}
