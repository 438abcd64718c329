// While the server does not answer, the page can still be read: what Streamlit lays over it goes, ours says why.
{
  const away = document.querySelector(".gf-away");
  let met = false; // whether it has answered before
  let timer = 0;

  if (navigator.language.startsWith("zh")) document.documentElement.lang = "zh-CN"; // until the first run says it

  const look = () => {
    const state = document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState;
    if (state === "CONNECTED" || state === "DISCONNECTED_FOREVER") {
      met = true;
      clearTimeout(timer);
      timer = 0;
      away.hidden = true;
      return;
    }
    document.querySelector("[data-testid=stDialog] button")?.click();
    timer ||= setTimeout(() => (away.hidden = false), met ? 2_000 : 10_000); // a class at once may have to wait
  };

  new MutationObserver(look).observe(document.body, { childList: true });
  const state = { subtree: true, attributes: true, attributeFilter: ["data-test-connection-state"] };
  new MutationObserver(look).observe(document.body, state);
}
