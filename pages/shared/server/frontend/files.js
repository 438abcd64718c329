// Fetch a file before it is saved: if that fails, the page says why in one sentence, not the browser.
{
  const notice = document.querySelector(".gf-failed");
  const unknown = notice.innerHTML; // why is not known: the server is gone, or something between it and us answers
  const SETTLE = 600; // ms
  const EDGE = 8; // px between a menu and the edge of the screen
  let timer = 0;

  const fail = (sentence) => {
    if (sentence) notice.textContent = sentence;
    else notice.innerHTML = unknown;
    notice.hidden = false;
    clearTimeout(timer);
    timer = setTimeout(() => (notice.hidden = true), 10_000);
  };

  // What takes longer than a second says so; a file with charts is made in some seconds the first time.
  const waiting = async (link, work) => {
    link.ariaBusy = "true";
    let said = false;
    const late = setTimeout(() => {
      said = true;
      fail(link.dataset.making);
    }, 1000);
    try {
      await work;
      if (said) notice.hidden = true;
    } catch (problem) {
      fail(problem.sentence);
    } finally {
      clearTimeout(late);
      link.ariaBusy = null;
    }
  };

  const isDark = () => {
    const app = document.querySelector(".stApp");
    return !!app && getComputedStyle(app).colorScheme === "dark";
  };

  const answerOf = async (address) => {
    const headers = { "Accept-Language": document.documentElement.lang }; // of a sentence that says why not
    const answer = await fetch(address, { headers });
    if (answer.ok) return answer.blob();
    throw Object.assign(new Error("not made"), { sentence: answer.headers.get("X-Reason") && (await answer.text()) });
  };

  const hand = (blob, name) => {
    const address = URL.createObjectURL(blob);
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  };

  const save = async (link) => hand(await answerOf(link.href), link.download);

  // The clipboard is asked at once, and gets its picture later: a browser allows it only as the answer to a click.
  const copy = async (button) => {
    const picture = answerOf(button.dataset.picture);
    try {
      await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    } catch {
      await picture; // it says itself why it was not made
      throw Object.assign(new Error("no clipboard"), { sentence: button.dataset.refused });
    }
    const label = button.textContent;
    button.textContent = button.dataset.done;
    setTimeout(() => (button.textContent = label), 2000);
  };

  // This browser makes a film; the button says how far it is, and ends it with a second click.
  const films = new WeakMap();
  const film = async (button) => {
    if (films.has(button)) return films.get(button).abort();
    const stop = new AbortController();
    films.set(button, stop);
    const { message, module, name, stop: stopping, saved } = button.dataset;
    const label = button.textContent;
    const progress = (share) => {
      if (!button.isConnected) stop.abort(); // another page
      button.textContent = stopping.replace("{percent}", Math.round(100 * share));
    };
    let said = label;
    try {
      progress(0);
      const [data, { default: make }] = await Promise.all([answerOf(message), import(module)]);
      const bytes = new Uint8Array(await data.arrayBuffer());
      const { blob, seconds, megabytes } = await make(bytes, { mode: isDark() ? "dark" : "light", progress, signal: stop.signal });
      hand(blob, name);
      said = saved.replace("{seconds}", seconds.toFixed(1)).replace("{megabytes}", megabytes.toFixed(1));
    } catch (problem) {
      if (!stop.signal.aborted) fail(problem.sentence);
    }
    films.delete(button);
    button.textContent = said;
    setTimeout(() => films.has(button) || (button.textContent = label), 5000);
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

  // It stays on the screen, also where its button stands at the left of a phone.
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!target.matches?.(".gf-take[open]")) return;
      const box = target.querySelector(":scope > div");
      box.style.translate = "";
      const { left, right } = box.getBoundingClientRect();
      const most = document.documentElement.clientWidth - EDGE;
      box.style.translate = `${left < EDGE ? EDGE - left : Math.min(0, most - right)}px`;
    },
    true, // a toggle does not bubble
  );

  // Figures are drawn for the width of the paper before the browser prints. A dark page is printed as its negative.
  const root = document.documentElement;
  const print = () => {
    root.dataset.print = "";
    setTimeout(() => {
      window.print();
      delete root.dataset.print;
    }, SETTLE);
  };
  window.addEventListener("beforeprint", () => {
    root.toggleAttribute("data-print-dark", isDark());
  });

  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".gf-file");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.ariaBusy === "true") return;
    if (link.matches(".gf-print")) {
      close();
      print();
    } else if (link.matches(".gf-film")) film(link);
    else waiting(link, link.matches(".gf-copy") ? copy(link) : save(link));
  });
}
