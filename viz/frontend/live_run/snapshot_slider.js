// Back through training: a slider over the saved snapshots, played here without asking Python.

import { actionButton, add, clamp, el, fill, say } from "../common/dom.js";
import { whole } from "../common/numbers.js";
import { PACES, REST } from "../common/playing.js";


export class SnapshotSlider {
  // `load(step)` promises what `show` is to draw; `tell(step)` hears where the user has come to rest.
  constructor(steps, words, { load, show, tell }) {
    Object.assign(this, { steps, words, load, show, tell, at: steps.length - 1, heard: steps.length - 1 });
    this.still = window.matchMedia("(prefers-reduced-motion: reduce)");
    this.build();
  }

  destroy() {
    clearTimeout(this.timer);
    clearTimeout(this.telling);
    this.gone = true;
  }

  get step() {
    return this.steps[this.at];
  }

  // What Python says; its echo of what was said here is no news.
  hear(step) {
    const at = this.steps.includes(step) ? this.steps.indexOf(step) : this.steps.length - 1;
    const news = at !== this.heard && at !== this.told && !this.pace;
    if (at === this.told) this.told = null;
    this.heard = at;
    if (this.shown === undefined || news) this.go(news ? at : this.heard, false);
  }

  // The picture of before stays until that of the new moment is there; a newer one may have overtaken it.
  async go(at, tell = true) {
    this.at = clamp(at, 0, this.steps.length - 1);
    this.draw();
    if (tell) this.say();
    const { step } = this;
    const found = await this.load(step);
    if (this.gone || !found || step !== this.step) return;
    this.shown = step;
    this.show(found);
  }

  say() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => {
      if (this.at === this.heard) return;
      this.told = this.at;
      this.tell(this.step);
    }, REST);
  }

  move(to) {
    this.stop();
    this.go(to);
  }

  toggle(pace) {
    const again = this.pace === pace;
    this.stop();
    if (again) return this.say();
    clearTimeout(this.telling);
    this.pace = pace;
    if (this.at === this.steps.length - 1) this.go(0, false);
    this.tick();
    return this.draw();
  }

  tick() {
    this.load(this.steps[this.at + 1]); // in the meantime
    this.timer = setTimeout(async () => {
      const { pace } = this;
      await this.go(this.at + 1, false);
      if (this.gone || this.pace !== pace) return;
      if (this.at < this.steps.length - 1) return this.tick();
      this.stop();
      this.say();
    }, PACES[this.pace]);
  }

  stop() {
    clearTimeout(this.timer);
    this.pace = "";
    this.draw();
  }

  // ---- drawing

  build() {
    const { words } = this;
    const button = (label, act) => actionButton(label, act, "gf-button");
    this.buttons = {
      back: button(`← ${words.back}`, () => this.move(this.at - 1)),
      next: button(`${words.next} →`, () => this.move(this.at + 1)),
      play: button("", () => this.toggle("play")),
      slow: button("", () => this.toggle("slow")),
    };
    const most = this.steps.length - 1;
    this.slider = el("input", "", { type: "range", min: 0, max: most, step: 1, "aria-label": words.moment });
    this.slider.addEventListener("input", () => this.move(Number(this.slider.value)));
    this.label = el("span", "gf-step");
    const { back, next, play, slow } = this.buttons;
    const paces = this.still.matches || !most ? [] : [play, slow];
    const bar = add(el("div", "gf-paces", { role: "group", "aria-label": words.moments }), back, next, ...paces);
    this.node = add(el("div", "gf-moments"), bar, add(el("div", "gf-slide"), this.slider, this.label));
  }

  draw() {
    const { words, buttons } = this;
    const said = fill(words.after_step, { step: whole(this.step) });
    this.slider.value = this.at;
    this.slider.setAttribute("aria-valuetext", said);
    say(this.label, said);
    buttons.back.disabled = this.at === 0;
    buttons.next.disabled = this.at === this.steps.length - 1;
    for (const pace of ["play", "slow"]) {
      say(buttons[pace], this.pace === pace ? `❚❚ ${words.pause}` : `▶ ${words[pace]}`);
    }
    this.node.dataset.playing = this.pace || "";
  }
}
