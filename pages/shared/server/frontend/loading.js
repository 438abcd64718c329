// Until Streamlit has drawn its first text, a notice says what the page is and that it loads, or that it cannot.
{
  const notice = document.querySelector(".gf-loading");
  const [loads, fails] = [...notice.children].slice(-2);
  const drawn = new MutationObserver(() => {
    if (!document.querySelector("[data-testid=stMainBlockContainer]")?.innerText.trim()) return;
    drawn.disconnect();
    notice.remove();
  });
  drawn.observe(document.body, { childList: true, subtree: true });

  const say = () => {
    loads.hidden = true;
    fails.hidden = false;
  };
  window.addEventListener("gf-unreached", say); // by away.js
  const failed = (event) => event.target instanceof HTMLScriptElement && say();
  window.addEventListener("error", failed, { capture: true });
}
