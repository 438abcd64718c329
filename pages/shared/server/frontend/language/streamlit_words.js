// What Streamlit says in English only, in the user's language. Both stand in `[streamlit]` of the texts, `{…}` for any words.
{
  const SAID = [
    "[data-testid=stSkipToContent]",
    "[data-testid=stFileUploaderDropzone] :is(p, span)",
    "[data-testid=stTooltipContent] :is(p, div)",
    "[data-testid=stSelectboxVirtualDropdown] [data-empty] span",
    "[data-testid^=stDataFrameColumn] *",
  ].join();
  const NAMED = ":is(button, input, section, kbd):is([aria-label], [placeholder]):not([data-testid=stHtml] *), .modebar-btn";
  const NAMES = ["aria-label", "placeholder", "data-title"];
  const texts = JSON.parse(document.querySelector(".gf-streamlit").textContent); // by the tag of a language, in the same order
  const language = () => document.documentElement.lang;

  const pattern = (text) => new RegExp(`^${text.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, "(?<$1>.+)")}$`, "s");
  const rules = {}; // into a language: what another one says as a pattern, and its own words
  for (const [into, own] of Object.entries(texts)) {
    const others = Object.keys(texts).filter((other) => other !== into);
    rules[into] = others.flatMap((other) => texts[other].map((text, i) => [pattern(text), own[i]]));
  }

  const translated = (text) => {
    for (const [from, to] of rules[language()] ?? []) {
      const match = from.exec(text);
      if (match) return to.replace(/\{(\w+)\}/g, (_, name) => match.groups[name]);
    }
    return text;
  };

  const say = (node) => {
    for (const text of node.childNodes) {
      if (text.nodeType !== Node.TEXT_NODE) continue;
      const words = translated(text.data);
      if (words !== text.data) text.data = words;
    }
  };

  const name = (node) => {
    for (const name of NAMES) {
      const text = node.getAttribute(name);
      const words = text && translated(text);
      if (words !== text) node.setAttribute(name, words);
    }
  };

  const translate = (top) => {
    if (top.matches(SAID)) say(top);
    if (top.matches(NAMED)) name(top);
    top.querySelectorAll(SAID).forEach(say);
    top.querySelectorAll(NAMED).forEach(name);
  };

  // What a change concerns: elements that are new, and those whose text or name is another one.
  const concerned = ({ type, target, addedNodes }) => {
    if (type !== "childList") return [target.nodeType === Node.TEXT_NODE ? target.parentElement : target];
    const texts = [...addedNodes].some((node) => node.nodeType === Node.TEXT_NODE) ? [target] : [];
    return [...texts, ...[...addedNodes].filter((node) => node.nodeType === Node.ELEMENT_NODE)];
  };

  const root = document.documentElement;
  const heard = (changes) => {
    const spoken = changes.some(({ target, attributeName }) => target === root && attributeName === "lang");
    const nodes = spoken ? [root] : new Set(changes.flatMap(concerned));
    for (const node of nodes) if (node?.isConnected) translate(node);
  };

  translate(root);
  const all = { subtree: true, childList: true, characterData: true, attributes: true, attributeFilter: ["lang", ...NAMES] };
  new MutationObserver(heard).observe(root, all);
}
