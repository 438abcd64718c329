// Texts that the user's language lacks stand in English: they are marked so, and one line at the end counts them.
{
  const MAY = "p, label, h1, h2, h3, a, button, summary, th, td, li, span, option, .gf-lead";
  let english = new Set();

  const mark = () => {
    for (const node of document.querySelectorAll("[data-english]")) {
      if (english.has(node.textContent.trim())) continue;
      for (const name of ["lang", "dir", "data-english"]) node.removeAttribute(name);
    }
    if (!english.size) return;
    for (const node of document.querySelectorAll(`[data-testid=stApp] :is(${MAY})`)) {
      if (node.lang || !english.has(node.textContent.trim())) continue;
      Object.assign(node, { lang: "en", dir: "ltr" }).dataset.english = "";
    }
  };

  const look = () => {
    const lists = [...document.querySelectorAll(".gf-english")].map((node) => JSON.parse(node.dataset.texts));
    english = new Set(lists.flat());
    const line = document.querySelector(".gf-untranslated");
    const text = line && english.size ? line.dataset.text.replace("{count}", english.size) : "";
    if (line && line.textContent !== text) line.textContent = text;
    mark();
  };

  let waits = false;
  new MutationObserver(() => {
    if (waits || !document.querySelector(".gf-english, [data-english]")) return;
    waits = true;
    requestAnimationFrame(() => {
      waits = false;
      look();
    });
  }).observe(document.documentElement, { subtree: true, childList: true, characterData: true });
}
