// Fetch a file before it is saved: if that fails, the page says why in one sentence, not the browser.
{
  const notice = document.querySelector(".gf-failed");
  let timer = 0;

  const fail = (sentence) => {
    notice.textContent = sentence;
    notice.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (notice.hidden = true), 10_000);
  };

  const save = async (link) => {
    const headers = { "Accept-Language": document.documentElement.lang }; // of a sentence that says why not
    const answer = await fetch(link.href, { headers }).catch(() => null);
    if (!answer) return; // the server is gone; away.js says so
    if (!answer.ok) return fail(await answer.text());
    const address = URL.createObjectURL(await answer.blob());
    Object.assign(document.createElement("a"), { href: address, download: link.download }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".gf-file");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.ariaBusy === "true") return;
    link.ariaBusy = "true";
    await save(link).finally(() => (link.ariaBusy = null));
  });
}
