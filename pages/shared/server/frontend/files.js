// Fetch a file before it is saved: if that fails, the page says why in one sentence, not the browser.
{
  const notice = document.querySelector(".gf-failed");
  const unknown = notice.innerHTML; // why is not known: the server is gone, or something between it and us answers
  let timer = 0;

  const fail = (sentence) => {
    if (sentence) notice.textContent = sentence;
    else notice.innerHTML = unknown;
    notice.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (notice.hidden = true), 10_000);
  };

  const save = async (link) => {
    const headers = { "Accept-Language": document.documentElement.lang }; // of a sentence that says why not
    const answer = await fetch(link.href, { headers });
    if (!answer.ok) return fail(answer.headers.get("X-Reason") && (await answer.text()));
    const address = URL.createObjectURL(await answer.blob());
    Object.assign(document.createElement("a"), { href: address, download: link.download }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };

  // The menu of a figure closes with a click beside it and with Escape, and one that opens closes the others.
  const close = (kept) => {
    for (const menu of document.querySelectorAll(".gf-take[open]")) if (menu !== kept) menu.open = false;
  };
  document.addEventListener("click", (event) => close(event.target.closest?.(".gf-take")));
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    document.querySelector(".gf-take[open]:focus-within > summary")?.focus();
    close();
  });

  document.addEventListener("click", async (event) => {
    const link = event.target.closest?.(".gf-file");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.ariaBusy === "true") return;
    link.ariaBusy = "true";
    await save(link).catch(() => fail()).finally(() => (link.ariaBusy = null));
  });
}
