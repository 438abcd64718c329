// The search: by the words that the picture shows and by recorded names, in any order. Enter goes from hit to hit.

import { actionButton, add, el, fill, HAN, say } from "../../common/dom.js";
import { titleOf } from "../drawing/groups.js";

const SHOWN = 8; // hits in the list at once
const RUN = /\p{Script=Han}+|\d+|(?:(?!\p{Script=Han})\p{L})+/gu; // Chinese signs, a number, or a word

export class Search {
  constructor(figure) {
    const { words } = figure;
    this.figure = figure;
    this.input = el("input", "", { type: "search", placeholder: words.find, "aria-label": words.find, autocomplete: "off" });
    this.list = el("div", "gf-hits", { hidden: "" });
    this.node = add(el("div", "gf-search"), this.input, this.list);
    this.input.addEventListener("input", () => this.look());
    this.input.addEventListener("focus", () => this.look());
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.next(event.shiftKey ? -1 : 1);
      else if (event.key === "ArrowDown" && !this.list.hidden) this.list.querySelector("button")?.focus();
      else return;
      event.preventDefault();
    });
    this.load();
  }

  load() {
    Object.assign(this, { entries: null, text: "", hits: [], at: -1 });
    this.close();
  }

  // What is typed, as a list of hits.
  look() {
    const text = this.input.value.trim();
    if (text !== this.text) {
      this.entries ??= this.figure.sheet ? entriesOf(this.figure) : null;
      Object.assign(this, { text, at: -1, hits: this.entries && text ? hitsOf(this.entries, text) : [] });
      say(this.figure.notice, text && !this.hits.length ? fill(this.figure.words.nothing_found, { text }) : "");
    }
    this.show();
  }

  show() {
    const { figure, hits, at } = this;
    const first = Math.max(0, Math.min(at - SHOWN / 2, hits.length - SHOWN));
    this.list.replaceChildren(
      ...hits.slice(first, first + SHOWN).map(({ title }, i) =>
        actionButton(title, () => this.go(first + i), "gf-hit", { "aria-current": String(first + i === at) })),
    );
    if (hits.length > SHOWN) {
      const rest = add(el("p", "gf-hits-count"), fill(figure.words.hits, { number: Math.max(at + 1, 1), count: hits.length }));
      this.list.append(rest);
    }
    this.list.hidden = !hits.length;
  }

  next(step) {
    this.look();
    const { length } = this.hits;
    if (length) this.go((this.at + step + (this.at < 0 && step < 0 ? 1 : 0) + length) % length, true);
  }

  go(at, stays = false) {
    this.at = at;
    const { frame, part, title } = this.hits[at];
    if (frame) this.figure.goToGroup(frame);
    else this.figure.goTo(part.index);
    this.show();
    if (!stays) this.close();
    say(this.figure.notice, this.hits.length > 1 ? `${fill(this.figure.words.hits, { number: at + 1, count: this.hits.length })} · ${title}` : "");
  }

  // Whether there was something to close.
  close() {
    const open = !this.list.hidden;
    this.list.hidden = true;
    return open;
  }
}

// Groups with the titles on the way to them, then parts with these and their own name.
function entriesOf(figure) {
  const { sheet } = figure;
  const titles = new Map(sheet.frames.map((frame) => [frame.path.join(), titleOf(figure, frame)]));
  const wayTo = (path) => path.map((_, i) => titles.get(path.slice(0, i + 1).join())).join(" › ");
  const groups = sheet.frames.map((frame) => ({ frame, title: wayTo(frame.path), name: frame.path.join(".") }));
  const parts = sheet.parts.filter((part) => part.kind !== 3).map((part) => ({ part, title: part.name, name: part.name, way: wayTo(part.frame.path) }));
  return [...groups, ...parts];
}

// Without accents: á is found by a.
const runsOf = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase().match(RUN) ?? [];

// The entries that have all that was typed, and of those the ones in which most of it stands together as it was typed:
// so `head 2` is no layer 2. Groups come first. A recorded name is found as it is spelled.
export function hitsOf(entries, text) {
  const typed = text.toLowerCase();
  if (/[._[]/.test(typed)) {
    const named = entries.filter(({ part, name }) => part && name.toLowerCase().includes(typed));
    if (named.length) return named;
  }
  const wanted = runsOf(text);
  let most = 0;
  let hits = [];
  for (const entry of wanted.length ? entries : []) {
    entry.runs ??= runsOf(`${entry.way ?? entry.title} ${entry.name}`);
    entry.joined ??= entry.runs.join("");
    if (!wanted.every((run) => has(entry, run))) continue;
    const pairs = wanted.slice(1).filter((run, i) => entry.runs.some((own, j) => own.startsWith(wanted[i]) && entry.runs[j + 1]?.startsWith(run))).length;
    if (pairs > most) hits = [];
    most = Math.max(most, pairs);
    if (pairs === most) hits.push(entry);
  }
  return hits.sort((a, b) => (a.part ? 1 : 0) - (b.part ? 1 : 0));
}

// Words are found by their beginning, Chinese anywhere, numbers whole.
function has({ runs, joined }, run) {
  if (/^\d/.test(run)) return runs.includes(run);
  return runs.some((own) => own.startsWith(run)) || (HAN.test(run) && joined.includes(run));
}
