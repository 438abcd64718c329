// The language of what the model reads and writes, where Streamlit draws it: for screen readers and fonts.
{
  const DRAWN = {
    source: ":is(.st-key-source, .st-key-sentence input, .st-key-examples button)",
    target: ".st-key-target",
  };
  // texts of which each is a token or a word of the page: in charts, tables and buttons
  const WORDS = ":is(.vega-embed text, .gf-plain :is(th, td), .gf-weights th, .gf-numbers th, [data-testid=stButtonGroup] button p)";
  const NUMBERED = / \(?\d+\)?$/; // a token that stands there twice has its place beside it
  const HAN = /\p{Script=Han}/u;
  const LATIN = /\p{Script=Latin}/u;

  const root = document.documentElement;
  const inside = (top, selector) => [...(top.matches(selector) ? [top] : []), ...top.querySelectorAll(selector)];
  const name = (node, tag) => (tag ? node.setAttribute("lang", tag) : node.removeAttribute("lang"));
  const wordOf = (node) => node.textContent.trim().replace(NUMBERED, "");

  // The tokens of the sentence in view and of its output.
  const tokens = () => {
    const told = document.querySelector(".gf-tokens")?.dataset ?? {};
    return Object.fromEntries(Object.keys(DRAWN).map((side) => [side, new Set(JSON.parse(told[side] ?? "[]"))]));
  };

  // What stands on the same axis, in the same column or in the same row of buttons.
  const besides = (node) => {
    const cells = node.closest("table")?.querySelectorAll(`tbody :is(th, td):nth-child(${node.cellIndex + 1})`);
    return [...(cells ?? node.closest("g.mark-text, [data-testid=stButtonGroup]")?.querySelectorAll("text, button p") ?? [node])];
  };

  const sideOf = (node, sides) => {
    const known = Object.keys(sides).filter((side) => sides[side].has(wordOf(node)));
    if (known.length < 2) return known[0];
    const group = besides(node);
    return known.find((side) => group.every((each) => sides[side].has(wordOf(each)))) ?? "target";
  };

  // Characters are Chinese whatever the model is; other words on a Chinese page are English, as its formulas are.
  const tagOf = (node, sides) => {
    const word = wordOf(node);
    const chinese = root.lang.startsWith("zh");
    if (HAN.test(word)) return chinese ? "" : "zh-CN";
    if (!LATIN.test(word)) return "";
    return root.dataset[sideOf(node, sides)] || (chinese ? "en" : "");
  };

  const speak = (top) => {
    for (const [side, selector] of Object.entries(DRAWN)) {
      for (const node of inside(top, selector)) name(node, root.dataset[side]);
    }
    const words = inside(top, WORDS);
    if (!words.length) return;
    const sides = tokens();
    for (const node of words) name(node, tagOf(node, sides));
  };

  const isElement = (node) => node.nodeType === Node.ELEMENT_NODE;
  // a chart that is drawn again only gets other texts
  const drawn = ({ target, addedNodes }) => [...addedNodes].map((node) => (isElement(node) ? node : target)).filter(isElement);
  new MutationObserver((changes) => {
    const nodes = new Set(changes.flatMap(drawn));
    const told = [...nodes].some((node) => inside(node, ".gf-tokens").length);
    for (const node of told ? [root] : nodes) speak(node);
  }).observe(root, { subtree: true, childList: true });
  new MutationObserver(() => speak(root)).observe(root, { attributeFilter: ["lang", "data-source", "data-target"] });
}
