// The pass as a film: which parts are computed at each stop, and what is new, cached or still to come.

import { add, el, fill, say } from "../common/dom.js";
import { titleOf } from "./drawing/groups.js";

const PACE = { normal: 1400, slow: 3500 }; // ms for a stop
const WITH = { k_transposed: "k", v_again: "v" }; // copies stand where the original is needed again
const CACHED = new Set(["k", "v", "k_transposed", "v_again", "memory"]);

// Stops in the order of the computation. A stop has the parts of one kind, all heads together. After the first pass of
// the decoder, which reads `given` tokens at once, it reads one token at a time: a stop has a whole sublayer then.
export function stopsOf(sheet) {
  const values = sheet.parts.filter((part) => part.kind !== 0);
  const first = grouped(values, (part) => [...part.frame.path.slice(0, 3), WITH[part.role] ?? part.role].join()).map((parts) => ({ parts, pass: 0 }));
  const passes = Math.max(0, sheet.tokens.target.length - sheet.given);
  const later = grouped(values.filter((part) => part.frame.path[0] === "decoder"), (part) => part.frame.path.slice(0, 3).join());
  const stops = [...first];
  for (let pass = 1; pass <= passes; pass++) stops.push(...later.map((parts) => ({ parts, pass })));
  return stops;
}

// Parts with the same key, the keys in the order in which they first appear.
function grouped(parts, keyOf) {
  const groups = new Map();
  for (const part of parts) {
    const key = keyOf(part);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(part);
  }
  return [...groups.values()];
}

// Whether the rows, or of turned keys the columns, of a part are the tokens of the decoder.
function tokenAxis(part) {
  if (part.frame.path[0] !== "decoder") return "";
  const isToken = (axis) => axis === "target" || axis === "output";
  return isToken(part.rowAxis) ? "rows" : isToken(part.columnAxis) ? "columns" : "";
}

export class Film {
  constructor(figure) {
    this.figure = figure;
    this.at = null; // the stop, or null before the film
    this.node = this.build();
  }

  load(sheet) {
    this.stop();
    this.sheet = sheet;
    this.stops = stopsOf(sheet);
    this.index();
    this.show(null);
  }

  // Of each part, the number of the stop at which each pass computes it.
  index() {
    this.firsts = new Map();
    this.stops.forEach(({ parts, pass }, number) => {
      for (const { index } of parts) {
        if (!this.firsts.has(index)) this.firsts.set(index, []);
        this.firsts.get(index)[pass] = number;
      }
    });
  }

  build() {
    const { words } = this.figure;
    const button = (label, act) => {
      const node = el("button", "gf-plain", { type: "button" });
      say(node, label);
      node.addEventListener("click", act);
      return node;
    };
    this.player = button(words.play, () => (this.timer ? this.pause() : this.play()));
    const back = button(words.back, () => this.go(-1));
    const step = button(words.step, () => this.go(1));
    this.slow = el("input", "", { type: "checkbox" });
    this.end = button(words.end, () => this.leave());
    this.text = el("p", "gf-said", { "aria-live": "polite" });
    const pace = add(el("label", "gf-slow"), this.slow, words.slow);
    return add(el("div", "gf-film"), add(el("div", "gf-bar"), this.player, back, step, pace, this.end), this.text);
  }

  play() {
    if (this.at === null || this.at === this.stops.length - 1) this.show(0);
    else this.next();
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.next() && this.wait(), this.slow.checked ? PACE.slow : PACE.normal);
    say(this.player, this.figure.words.pause);
  }

  // The stop after this one; at the end the film stays where it is.
  next() {
    if (this.at + 1 >= this.stops.length) {
      this.stop();
      return false;
    }
    this.show(this.at + 1);
    return true;
  }

  pause() {
    this.stop();
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    say(this.player, this.figure.words.play);
  }

  go(direction) {
    this.stop();
    const at = this.at === null ? (direction > 0 ? 0 : this.stops.length - 1) : this.at + direction;
    this.show(Math.min(Math.max(at, 0), this.stops.length - 1));
  }

  leave() {
    this.stop();
    this.show(null);
    this.figure.camera.whole();
  }

  show(at) {
    this.at = at;
    if (at === null) this.goal = null;
    this.end.hidden = at === null;
    const { figure } = this;
    say(this.text, at === null ? figure.words.film : this.sentence());
    if (at !== null) {
      figure.letGo(false);
      this.follow();
    }
    figure.redraw();
  }

  sentence() {
    const { figure, sheet } = this;
    const { parts, pass } = this.stops[this.at];
    const { words } = figure;
    const place = fill(words.stop, { number: this.at + 1, count: this.stops.length });
    const way = sheet.frames.filter((frame) => frame.depth <= 2 && frame.path.every((name, i) => parts[0].frame.path[i] === name));
    const where = way.map((frame) => titleOf(figure, frame)).join(" › ");
    const token = sheet.tokens.target[sheet.given - 1 + pass];
    const about = pass ? fill(words.one_token, { token }) : figure.roles[parts[0].role] ?? "";
    return `${place} · ${where}: ${about}`;
  }

  // The camera goes along: to the sublayer, and where it has heads to the first of them.
  follow() {
    const { figure, sheet } = this;
    const { parts, pass } = this.stops[this.at];
    const { path } = (pass && parts.find((part) => part.frame.depth === 3) || parts[0]).frame;
    const frame = sheet.frames.find((each) => each.path.join() === path.join());
    const goal = path.join() + figure.camera.width;
    if (goal === this.goal) return;
    this.goal = goal;
    figure.camera.fit(frame, { margin: 0.03 });
  }

  // What covers a piece: lists of [first, count, state] along its token axis, or over all of it.
  covers(part) {
    if (this.at === null || part.kind === 0) return [];
    const axis = tokenAxis(part);
    const firsts = this.firsts.get(part.index);
    const { pass } = this.stops[this.at];
    if (!axis) {
      const state = firsts[0] > this.at ? "later" : firsts[0] === this.at ? "new" : pass && CACHED.has(part.role) && part.frame.path[0] === "decoder" ? "cached" : "done";
      return [{ axis: "", first: 0, count: 0, state }];
    }
    const count = axis === "rows" ? part.rows : part.columns;
    const covers = [];
    for (let i = 0; i < count; i++) {
      const of = Math.max(0, i - this.sheet.given + 1);
      const number = firsts[of];
      const earlier = of < pass;
      const state = number > this.at ? "later" : number === this.at ? "new" : earlier && CACHED.has(part.role) ? "cached" : earlier ? "before" : "done";
      covers.push({ axis, first: i, count: 1, state });
    }
    return covers;
  }
}
