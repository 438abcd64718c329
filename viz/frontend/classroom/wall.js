// The sentences that a class typed: each with its output and a small picture of its attention, and one of them in large.

import { LABEL_MOST, roomAbove, turnsOf } from "../common/column_labels.js";
import { actionButton, add, el, fill, labelToken, say, shownToken, speak, widths } from "../common/dom.js";

const CELL = 5; // px of a weight in a thumbnail
const LARGE = 30; // px of a weight in the large picture
const SAID = 8000; // ms for which it is said who sees a sentence

export class Wall {
  constructor(words, base, send) {
    Object.assign(this, { words, base, send, cards: new Map() });
    this.list = el("div", "gf-cards");
    this.empty = add(el("p", "gf-empty"), words.nothing);
    this.large = el("dialog", "gf-large", { "aria-label": words.enlarge });
    this.hidden = el("input", "", { type: "checkbox" });
    this.hidden.onchange = () => this.draw(this.sentences, this.theme, this.names);
    this.title = el("h2");
    const toggle = add(el("label", "gf-toggle"), this.hidden, words.show_hidden);
    this.node = add(el("div", "gf-wall"), add(el("div", "gf-row"), this.title, toggle), this.empty, this.list, this.large);
    this.large.onclick = () => this.large.close();
  }

  // `names` says what the members are called.
  draw(sentences, theme, names) {
    Object.assign(this, { sentences, theme, names });
    const shown = sentences.filter(({ hidden }) => this.hidden.checked || !hidden);
    say(this.title, this.words.sentences.replace("{count}", shown.length));
    this.empty.hidden = sentences.length > 0;
    const known = this.cards;
    this.cards = new Map();
    // the newest first; a card that is there stays as it is, so that nobody's focus is lost
    const cards = shown.toReversed().map((sentence) => {
      const is = `${sentence.hidden} ${theme.mode} ${names.get(sentence.member)}`;
      const before = known.get(sentence.id);
      const card = before?.is === is ? before : { is, node: this.card(sentence) };
      this.cards.set(sentence.id, card);
      return card.node;
    });
    if (cards.some((card, at) => this.list.children[at] !== card) || this.list.children.length !== cards.length) {
      this.list.replaceChildren(...cards);
    }
  }

  card(sentence) {
    const { words } = this;
    const about = `${words.enlarge}: ${sentence.text}`;
    const enlarge = el("button", "gf-picture", { type: "button", "aria-label": about, title: this.place(sentence.picture) });
    add(enlarge, picture(sentence.picture, CELL, this.theme), add(el("span"), words.enlarge));
    enlarge.onclick = () => this.enlarge(sentence);
    const [text, output, misfit] = textsOf(sentence);
    const open = add(el("a", "", { href: this.address(sentence), target: "_blank" }), words.open);
    const said = el("p", "gf-said", { role: "status" });
    const show = this.button(words.show, { do: "show", view: this.address(sentence).slice(this.base.length) }, () => {
      say(said, words.shown);
      setTimeout(() => say(said, ""), SAID);
    });
    const hide = this.button(sentence.hidden ? words.unhide : words.hide, { do: "hide", sentence: sentence.id, hidden: !sentence.hidden });
    const by = [this.names.get(sentence.member), sentence.picture.own && words.own];
    const row = add(el("div", "gf-row"), add(el("span", "gf-by"), by.filter(Boolean).join(" · ")), show, open, hide);
    return add(el("article", "", { "data-hidden": String(sentence.hidden) }), enlarge, add(el("div"), text, output, misfit, row, said));
  }

  button(label, content, done = () => {}) {
    return actionButton(label, async () => (await this.send(content)) && done());
  }

  // Its lines, on the first page: nobody needs to know more to see what the model did.
  address({ checkpoint, text }) {
    return `${this.base}/?${new URLSearchParams({ checkpoint, sentence: text })}`;
  }

  // Which head a picture is of; what was typed before an update does not say.
  place({ kind, layer, head }) {
    return layer === undefined ? "" : fill(this.words.head_name, { kind: this.words[kind], layer, head });
  }

  enlarge(sentence) {
    const { rows, columns, kind, languages = {} } = sentence.picture; // before an update none were kept
    const grid = el("div", "gf-labelled");
    const above = columnsOf(columns.map(shownToken), `15px ${getComputedStyle(this.node).fontFamily}`, languages[kind === "decoder" ? "target" : "source"]);
    const beside = add(el("div", "gf-beside"), ...rows.map((token) => spoken("span", "", shownToken(token), languages[kind === "encoder" ? "source" : "target"])));
    add(grid, el("span"), above, beside, picture(sentence.picture, LARGE, this.theme));
    const close = add(el("button", "", { type: "button", autofocus: "" }), this.words.shut);
    const place = add(el("p", "gf-place", { "data-kind": sentence.picture.kind }), this.place(sentence.picture));
    this.large.replaceChildren(...textsOf(sentence), place, grid, close);
    this.large.showModal();
  }
}

function spoken(tag, className, text, language) {
  const node = add(el(tag, className), text);
  speak(node, language, text);
  return node;
}

// What was typed, what the model wrote, and why it cannot read it.
function textsOf({ text, output, misfit, picture: { languages = {} } }) {
  return [
    spoken("p", "gf-text", text, languages.source), spoken("p", "gf-output", output, languages.target),
    add(el("p", "gf-misfit"), misfit),
  ];
}

// The labels above the large picture.
function columnsOf(labels, font, language = "") {
  const wide = widths(labels, font).map((width) => Math.min(LABEL_MOST, width));
  const turns = turnsOf(labels, wide, LARGE);
  const { top, spill } = roomAbove(turns, wide, [...labels.keys()], LARGE, labels.length);
  const columns = add(el("div", "gf-columns"), ...labels.map((label, at) => labelToken(label, at, { "data-turn": turns[at], lang: language })));
  for (const [name, value] of [["--cell-w", LARGE], ["height", top], ["margin-right", spill]]) columns.style.setProperty(name, `${value}px`);
  return columns;
}

// Rows are queries and columns keys, as on every page.
function picture({ kind, rows, columns, cells }, size, theme) {
  const weights = Uint8Array.from(atob(cells), (letter) => letter.charCodeAt(0));
  const { colours } = theme.lookups[kind];
  const canvas = el("canvas", "", { width: columns.length * size, height: rows.length * size });
  const pen = canvas.getContext("2d");
  weights.forEach((weight, at) => {
    pen.fillStyle = colours[weight];
    pen.fillRect((at % columns.length) * size, Math.floor(at / columns.length) * size, size, size);
  });
  return canvas;
}
