// Glossary: the terms by topic, or those that a search finds.

import TERMS from "../../../../viz/frontend/common/terms.json" with { type: "json" };
import { add, el } from "../../../../viz/frontend/common/dom.js";
import { card, heading, labelled, Pills, text } from "../parts.js";
import { words } from "../words.js";
import { Tab } from "./tab.js";

const folded = (name) => name.normalize("NFKD").replace(/[\p{M}\s\-_·]/gu, "").toLowerCase();

export class GlossaryTab extends Tab {
  static texts = { name: "pages.glossary", question: "glossary.question", lead: "live_glossary.lead" };

  constructor(app) {
    super(app);
    this.field = el("input", "", { type: "text", maxlength: "60", autocomplete: "off", placeholder: words("glossary.find_hint") });
    this.field.addEventListener("input", () => app.choose({ find: this.field.value || null }, { quiet: true }));
    this.topics = new Pills(words("glossary.topics"), (show) => app.choose({ show, find: null }), "pills", "tabs");
    this.list = el("div", "stack");
    this.node = add(el("div", "panel"), labelled(words("glossary.find"), this.field), this.topics.node, this.list);
    this.node.dataset.main = "";
  }

  draw() {
    const { find = "", show } = this.app.view;
    if (document.activeElement !== this.field) this.field.value = find;
    const topic = show in TERMS ? show : Object.keys(TERMS)[0];
    this.topics.node.hidden = Boolean(find);
    this.topics.show(Object.keys(TERMS).map((name) => [name, words(`glossary_topics.${name}`)]), topic);
    const groups = find ? found(find) : { [words(`glossary_topics.${topic}`)]: Object.keys(TERMS[topic]) };
    const cards = Object.entries(groups).map(([title, terms]) => card(heading(title), add(el("div", "gf-glossary"), ...terms.map(entry))));
    this.list.replaceChildren(...(cards.length ? cards : [text(words("glossary.none", { query: find }))]));
  }
}

// Terms for a search, by heading: those with it in a name, and those that mention it.
function found(query) {
  const wanted = folded(query);
  const terms = Object.values(TERMS).flatMap((each) => Object.keys(each));
  const has = (...texts) => texts.some((each) => folded(each).includes(wanted));
  const named = terms.filter((term) => has(term, words(`term_${term}.name`), words(`term_${term}.aliases`)));
  const mentioned = terms.filter((term) => !named.includes(term) && has(words(`term_${term}.text`)));
  const groups = { [words("glossary.named")]: named, [words("glossary.mentioned")]: mentioned };
  return Object.fromEntries(Object.entries(groups).filter(([, each]) => each.length));
}

function entry(term) {
  const name = words(`term_${term}.name`);
  const aliases = words(`term_${term}.aliases`);
  const said = add(el("div"), heading(name, "h3"));
  if (aliases) said.append(add(el("small"), words("glossary.also", { aliases })));
  const about = add(el("div"), text(words(`term_${term}.text`)));
  const formula = Object.values(TERMS).find((each) => term in each)[term];
  if (formula) about.append(text(formula, "gf-formula"));
  return add(el("article"), said, about);
}
