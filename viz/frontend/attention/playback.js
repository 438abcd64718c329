// The output appears token by token, each with the lines that it used. Plays by itself for a new sentence.

import { actionButton, add, clamp, el, fill, say, speak } from "../common/dom.js";

const STEP = 1150; // ms for a token
const GROW = 550; // ms in which its lines grow

export class Playback {
  constructor(figure) {
    this.figure = figure;
    this.at = null; // the query that is written now; null shows the whole output
    this.grown = 1; // share of the lines of this query that is drawn
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
  }

  // A new sentence: `written` is the text after each query. Where it is `paused`, it waits at the first.
  begin(written, paused) {
    this.stop();
    this.written = written;
    this.at = paused ? 0 : null;
    if (!paused && !this.still.matches) this.play();
    this.show();
  }

  get last() {
    return this.written.length - 1;
  }

  isHidden(query) {
    return this.at !== null && query > this.at;
  }

  // ---- what a person does

  toggle() {
    if (this.playing) this.stop();
    else this.play();
    this.show();
  }

  move(by) {
    this.stop();
    this.go(clamp((this.at ?? this.last) + by, 0, this.last));
  }

  play() {
    this.playing = true;
    this.go(this.at === null || this.at === this.last ? 0 : this.at + 1);
  }

  // The whole output, for a user who points at a token.
  finish() {
    if (this.at === null) return;
    this.stop();
    this.at = null;
    this.show();
  }

  stop() {
    this.playing = false;
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this.grown = 1;
  }

  // ---- time

  go(at) {
    this.at = at;
    this.figure.pointer = null;
    clearTimeout(this.timer);
    if (this.playing) this.timer = setTimeout(() => this.on(), STEP);
    if (this.still.matches) this.grown = 1;
    else this.grow(performance.now());
    this.show();
  }

  on() {
    if (this.at < this.last) this.go(this.at + 1);
    else this.finish();
  }

  grow(start) {
    cancelAnimationFrame(this.frame);
    const tick = (now) => {
      this.grown = clamp((now - start) / GROW, 0, 1);
      this.figure.draw();
      if (this.grown < 1) this.frame = requestAnimationFrame(tick);
    };
    this.grown = 0;
    this.frame = requestAnimationFrame(tick);
  }

  // ---- drawing

  build() {
    const { words } = this.figure;
    this.button = actionButton("", () => this.toggle(), "gf-action gf-play");
    this.back = actionButton(`← ${words.back}`, () => this.move(-1), "gf-action");
    this.next = actionButton(`${words.next} →`, () => this.move(1), "gf-action");
    this.count = el("span", "gf-count");
    this.text = el("p", "gf-written");
    this.bar = add(el("div", "gf-playback", { role: "group", "aria-label": words.written }), this.button, this.back, this.next, this.count);
  }

  show() {
    if (!this.button) return;
    const { words, root } = this.figure;
    const at = this.at ?? this.last;
    say(this.button, this.playing ? `❚❚ ${words.pause}` : `▶ ${words.play}`);
    this.back.disabled = at === 0;
    this.next.disabled = at === this.last;
    say(this.count, fill(words.step, { step: at + 1, count: this.last + 1 }));
    say(this.text, this.written[at] ?? "");
    speak(this.text, this.figure.languages.target);
    root.dataset.playing = String(Boolean(this.playing));
    root.dataset.step = at;
    this.figure.parts.readout.setAttribute("aria-live", this.playing ? "off" : "polite"); // not each token as it comes
    if (this.figure.frameNode) this.figure.redraw();
  }
}
