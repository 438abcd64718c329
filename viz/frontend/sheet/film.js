// The pass as a film: which parts are computed at each stop, and what is new, cached or still to come.

import { actionButton, add, clamp, el, fill, HAN, say } from "../common/dom.js";
import { titleOf } from "./drawing/groups.js";

const PACE = { shortest: 1400, letter: 45, sign: 150, longest: 9000, slow: 2.2 }; // ms for a stop; for a letter, a Chinese sign; times
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

// What parts cover, with the tokens on the left: a later pass reads weights only, and its rows are small beside them.
function boundsOf(parts) {
  const pieces = parts.flatMap((part) => part.pieces);
  if (!pieces.length) return null;
  const [x, y] = [Math.min(...pieces.map((piece) => piece.x)) - 10, Math.min(...pieces.map((piece) => piece.y)) - 5];
  const right = Math.max(...pieces.map((piece) => piece.x + piece.columns));
  const bottom = Math.max(...pieces.map((piece) => piece.y + piece.rows));
  return { x, y, width: right - x, height: bottom - y + 5 };
}

// Whether the rows, or of turned keys the columns, of a part are the tokens of the decoder.
function tokenAxis(part) {
  if (part.frame.path[0] !== "decoder") return "";
  const isToken = (axis) => axis === "target" || axis === "output";
  return isToken(part.rowAxis) ? "rows" : isToken(part.columnAxis) ? "columns" : "";
}

// How long a sentence is shown: as long as it takes to read, and one that was just shown as short as can be.
export function paceOf(text, before) {
  if (text === before) return PACE.shortest;
  const letters = [...text].reduce((sum, sign) => sum + (HAN.test(sign) ? PACE.sign : PACE.letter), 0);
  return clamp(letters, PACE.shortest, PACE.longest);
}

// What is computed at a stop, in a sentence: in the first pass what the part is, later what is new and what is kept.
export function sentenceOf(sheet, { parts, pass }, words, roles) {
  const [{ frame, role }] = parts;
  const at = sheet.given - 1 + pass; // the row of the token that is read
  const [side, , sublayer] = frame.path;
  const [written, ends] = sheet.written?.[at] ?? [];
  const result = written === undefined ? "" : fill(words[ends ? "writes_end" : "writes"], { token: written });
  if (!pass) {
    const last = side === "decoder" && role === "logits";
    return [roles[role], last && result].filter(Boolean).join(" ");
  }
  const key = sublayer ?? (frame.path[1] === "embedding" ? "embedding" : "output");
  return [fill(words[`pass_${key}`], { token: sheet.tokens.target[at], label: sheet.tokens.output[at] }), key === "output" && result].filter(Boolean).join(" ");
}

// Whether a stop ends with what makes a token likely.
const isOutput = ({ parts }) => parts[0].frame.path[0] === "decoder" && parts.some(({ role }) => role === "logits");

// The output as far as it is written at a stop: what the pass whose last values are there made likeliest.
function writtenAt(sheet, stops, at) {
  const passes = stops.slice(0, at + 1).filter(isOutput).length;
  return passes ? sheet.written?.[sheet.given - 2 + passes]?.[2] ?? "" : "";
}

export class Film {
  constructor(figure) {
    this.figure = figure;
    this.at = null; // the stop, or null before the film
    this.node = this.build();
  }

  // Another sheet of the same model keeps the stop.
  load(sheet) {
    this.stop();
    const at = this.sheet && this.sheet.weights !== sheet.weights ? null : this.at;
    this.sheet = sheet;
    this.stops = stopsOf(sheet);
    this.index();
    this.slider.max = String(this.stops.length - 1);
    this.show(at !== null && at < this.stops.length ? at : null, { follows: false });
  }

  // To a stop that a link names; the film begins anew where there is none of this number.
  jump(at) {
    this.stop();
    this.show(at !== null && at < this.stops.length ? at : null, { follows: false });
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
    const button = (label, act) => actionButton(label, act, "gf-plain");
    this.player = button(words.play, () => (this.timer ? this.stop() : this.play()));
    this.player.classList.add("gf-player"); // as wide as its longer word
    const back = button(words.back, () => this.go(-1));
    const step = button(words.step, () => this.go(1));
    this.slow = el("input", "", { type: "checkbox" });
    this.end = button(words.end, () => this.leave());
    this.slider = el("input", "gf-stops", { type: "range", min: "0", value: "0", "aria-label": words.stops });
    this.slider.addEventListener("input", () => {
      this.stop();
      this.show(Number(this.slider.value));
    });
    this.text = el("p", "gf-said", { "aria-live": "polite" });
    const pace = add(el("label", "gf-slow"), this.slow, words.slow);
    return add(el("div", "gf-film"), add(el("div", "gf-bar"), this.player, back, step, this.slider, pace, this.end), this.text);
  }

  play() {
    if (this.at === null || this.at === this.stops.length - 1) this.show(0);
    else this.next();
    this.wait();
  }

  wait() {
    clearTimeout(this.timer);
    const pace = paceOf(this.about, this.before);
    this.timer = setTimeout(() => this.next() && this.wait(), this.slow.checked ? pace * PACE.slow : pace);
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

  stop() {
    if (this.timer) this.figure.rested(); // what was not told while it played
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

  show(at, { follows = true } = {}) {
    const { figure } = this;
    const moves = this.at !== at;
    this.at = at;
    if (at === null) this.goal = null;
    this.end.hidden = at === null;
    this.before = this.about;
    this.about = at === null ? "" : sentenceOf(this.sheet, this.stops[at], figure.words, figure.roles);
    say(this.text, at === null ? figure.words.film : `${this.place()}: ${this.about}`);
    this.slider.value = String(at ?? 0);
    this.slider.setAttribute("aria-valuetext", this.text.textContent);
    if (at !== null && follows) {
      figure.letGo(false);
      this.follow();
    }
    if (moves && follows) figure.rested();
    figure.redraw();
  }

  writes(at) {
    return isOutput(this.stops[at]);
  }

  written(at) {
    return writtenAt(this.sheet, this.stops, at);
  }

  // Which stop, and where in the model it is.
  place() {
    const { figure, sheet } = this;
    const { path } = this.stops[this.at].parts[0].frame;
    const way = sheet.frames.filter((frame) => frame.depth <= 2 && frame.path.every((name, i) => path[i] === name));
    const number = fill(figure.words.stop, { number: this.at + 1, count: this.stops.length });
    return `${number} · ${way.map((frame) => titleOf(figure, frame)).join(" › ")}`;
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
    figure.camera.fit(pass ? boundsOf(parts.filter((part) => part.frame === frame)) ?? frame : frame, { margin: 0.03 });
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
