// The steps of a decoding: a time line of words, played here without asking Python, and the candidates of one step.

import { actionButton, add, clamp, el, fill, help, say, shownToken } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { PACES, REST } from "../common/playing.js";
import { candidateRows, captionOf } from "./candidate_rows.js";


class Player {
  constructor(root) {
    this.root = root;
    this.heard = null; // the step that Python last sent
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    root.addEventListener("keydown", (event) => this.key(event));
  }

  destroy() {
    clearTimeout(this.timer);
    clearTimeout(this.telling);
  }

  receive(text) {
    const data = JSON.parse(text);
    const picture = JSON.stringify({ ...data, step: 0 });
    if (picture !== this.picture) {
      this.stop();
      clearTimeout(this.telling);
      this.told = [];
      this.picture = picture;
      this.data = data;
      this.words = data.words;
      this.at = data.step;
      this.build();
    } else if (data.step !== this.heard && !this.told.includes(data.step) && !this.timer) {
      clearTimeout(this.telling);
      this.at = data.step;
    }
    // an answer may come when the next step has long been sent, or never, where that overtook it
    this.told = this.told.slice(this.told.indexOf(data.step) + 1);
    this.heard = data.step;
    this.draw();
    this.root.dataset.ready = "true";
  }

  // ---- what a person does

  go(at, tell = true) {
    this.at = clamp(at, 0, this.data.steps.length - 1);
    this.draw();
    if (tell) this.tell();
  }

  // A quick second move replaces the first.
  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      if (this.at === this.heard) return;
      this.told.push(this.at);
      this.send("step", this.at);
    }, REST);
  }

  toggle(pace) {
    const again = this.pace === pace;
    this.stop();
    if (again) return this.tell();
    clearTimeout(this.telling);
    this.pace = pace;
    if (this.at === this.data.steps.length - 1) this.go(0, false);
    this.tick();
    this.draw();
  }

  tick() {
    this.timer = setTimeout(() => {
      this.go(this.at + 1, this.pace === "slow"); // slow enough for the figures below to follow
      if (this.at < this.data.steps.length - 1) this.tick();
      else {
        this.stop();
        this.tell();
      }
    }, PACES[this.pace]);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.pace = null;
    if (this.buttons) this.draw();
  }

  key(event) {
    const move = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1, Home: 0, End: this.data.steps.length - 1 };
    if (!(event.key in move) || event.target.closest(".gf-candidates")) return;
    event.preventDefault();
    this.stop();
    this.go(move[event.key]);
    this.chips[this.at].focus();
  }

  // ---- drawing

  build() {
    const inside = this.root.contains(this.root.getRootNode().activeElement);
    const button = (label, act) => actionButton(label, act, "gf-button");
    this.buttons = {
      back: button(`← ${this.words.back}`, () => this.move(-1)),
      next: button(`${this.words.next} →`, () => this.move(1)),
      play: button("", () => this.toggle("play")),
      slow: button("", () => this.toggle("slow")),
    };
    this.count = el("span", "gf-count");
    const bar = el("div", "gf-bar", { role: "group", "aria-label": this.words.figure });
    add(bar, this.buttons.back, this.buttons.next);
    if (!this.still.matches && this.data.steps.length > 1) add(bar, this.buttons.play, this.buttons.slow);
    add(bar, this.count);
    this.chips = this.data.steps.map((step, at) => this.chip(step, at));
    const line = add(el("div", "gf-line", { role: "group", "aria-label": this.words.line }), ...this.prompt(), ...this.chips);
    this.caption = el("p", "gf-caption");
    this.status = el("p", "gf-hidden", { role: "status", "aria-live": "polite" });
    this.list = el("ol", "gf-candidates", { "aria-label": this.words.candidates });
    if (this.data.sampled) this.list.dataset.sampled = "true";
    this.drawn = null;
    this.root.replaceChildren(bar, line, this.caption, this.list, this.legend(), this.status);
    if (inside) this.chips[this.at].focus();
  }

  legend() {
    if (this.data.sampled) return add(el("p", "gf-help"), this.words.sampled);
    return this.data.fixed ? el("p", "gf-help") : help(this.words.help, this.words.keys);
  }

  move(by) {
    this.stop();
    this.go(this.at + by);
  }

  // A long prompt is the sentence in view: its end is enough.
  prompt() {
    return this.data.prompt.map((token) => add(el("span", "gf-read"), shownToken(token)));
  }

  chip(step, at) {
    const node = el("button", "gf-chip", { type: "button" });
    add(node, add(el("small"), String(at)), add(el("span"), shownToken(step.word)));
    if (step.forced) node.dataset.forced = "true";
    node.addEventListener("click", () => {
      this.stop();
      this.go(at);
    });
    return node;
  }

  draw() {
    const { steps } = this.data;
    const step = steps[this.at];
    this.chips.forEach((chip, at) => {
      chip.dataset.when = at < this.at ? "before" : at === this.at ? "now" : "later";
      chip.setAttribute("aria-pressed", String(at === this.at));
      chip.tabIndex = at === this.at ? 0 : -1;
    });
    for (const pace of ["play", "slow"]) {
      this.buttons[pace].textContent = this.pace === pace ? `❚❚ ${this.words.pause}` : `▶ ${this.words[pace]}`;
    }
    this.buttons.back.disabled = this.at === 0;
    this.buttons.next.disabled = this.at === steps.length - 1;
    say(this.count, fill(this.words.count, { step: this.at, last: steps.length - 1 }));
    const caption = captionOf(step, this.words);
    say(this.caption, caption);
    if (!this.timer) say(this.status, caption);
    if (this.drawn !== step) this.list.replaceChildren(...this.rows(step));
    this.drawn = step;
    this.root.dataset.step = this.at;
    this.root.dataset.playing = this.pace || "";
  }

  rows(step) {
    return candidateRows(step, this.words).map((row) => {
      const still = row.isRest || row.isChosen || this.data.fixed;
      const node = row.isRest || this.data.fixed ? el("div", "gf-candidate") : el("button", "gf-candidate", { type: "button" });
      if (row.isRest) node.classList.add("gf-others");
      if (row.isChosen) node.setAttribute("aria-current", "true");
      if (!still) {
        node.title = fill(this.words.force, { word: row.word });
        node.addEventListener("click", () => this.force(row.id));
      }
      this.bar(node, row);
      return add(el("li"), node);
    });
  }

  bar(node, { name, share, drawn, text }) {
    const track = el("span", "gf-track", { "aria-hidden": "true" });
    const full = el("span", "gf-full");
    full.style.width = `${100 * share}%`;
    add(track, full);
    if (drawn !== null) {
      const frame = el("span", "gf-drawn");
      frame.style.width = `${100 * drawn}%`;
      add(track, frame);
    }
    add(node, add(el("span", "gf-name"), name), track, add(el("span", "gf-share"), text));
  }

  force(id) {
    this.stop();
    clearTimeout(this.telling);
    this.trigger("force", { step: this.at, id });
  }
}

export default mount(".gf-player", Player);
