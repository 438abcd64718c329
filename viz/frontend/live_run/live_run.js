// A training run as it goes: once a second its new numbers are read from the server and drawn in place.

import { readHeader } from "../common/data.js";
import { add, el, fill, say, shownToken, speak } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { Figure } from "../attention/figure.js";
import { MORE_CHARTS, chartsOf } from "./charts.js";
import { Curves } from "./curves.js";
import { whole } from "../common/numbers.js";
import { shareText, short3 } from "./number_format.js";
import { RunData } from "./run_data.js";
import { drawSamples } from "./samples.js";
import { SnapshotSlider } from "./snapshot_slider.js";

const TICK = 1000; // ms
const LATER = 5000; // ms, for a run that pauses and a server that does not answer
const HIDDEN = 60_000; // ms, so that a run in another tab does not pass for one that nobody watches

const NUMBERS = ["exact_held_out", "exact_training", "accuracy", "left"];
const MORE_NUMBERS = ["step", "loss_train", "loss_validation", "rate", "norm", "speed"];
class LiveRun {
  constructor(root) {
    this.root = root;
    this.onShown = () => !document.hidden && this.tick();
    document.addEventListener("visibilitychange", this.onShown);
    this.observer = new ResizeObserver(() => this.drawCharts());
    this.observer.observe(root);
  }

  destroy() {
    clearTimeout(this.timer);
    this.gone = true;
    this.figure?.destroy();
    this.moments?.destroy();
    this.observer.disconnect();
    document.removeEventListener("visibilitychange", this.onShown);
  }

  receive(text) {
    const data = JSON.parse(text);
    this.words = data.words;
    const said = JSON.stringify([data.words, data.heads]);
    if (said !== this.said) this.build(data.heads);
    this.said = said;
    if (data.run !== this.story?.id) {
      this.story = new RunData(data.run);
      this.told = data.state;
      this.lookOf = -1;
    }
    if (data.beside !== (this.beside?.id ?? "")) this.beside = data.beside ? new RunData(data.beside) : null;
    if (data.details !== this.data?.details) this.details.open = data.details;
    this.data = data;
    this.receiveMoments(data);
    this.draw();
    this.tick();
  }

  receiveMoments({ run, live, moments, moment, language }) {
    const steps = live ? [] : moments;
    const told = JSON.stringify([run, language, steps]);
    if (told !== this.momentsOf) {
      this.momentsOf = told;
      this.moments?.destroy();
      this.moments = null;
      this.back.hidden = !steps.length;
      if (!steps.length) return;
      const loaded = new Map();
      const load = (step) => {
        const found = this.loadMoment(run, step, language);
        loaded.set(step, found);
        found.then((moment) => moment ?? loaded.delete(step)); // asked for again, it may come
        return found;
      };
      this.moments = new SnapshotSlider(steps, this.words, {
        load: (step) => loaded.get(step) ?? load(step),
        show: (found) => this.drawMoment(found),
        tell: (step) => this.trigger("moment", step),
      });
      this.slot.replaceChildren(this.moments.node);
    }
    this.moments?.hear(moment);
  }

  // ---- reading

  async tick() {
    clearTimeout(this.timer);
    if (this.reading || this.gone) return;
    this.reading = true;
    let wait = document.hidden ? HIDDEN : TICK; // shown again, it goes on at once
    try {
      const { story, beside } = this;
      const open = [story, beside].filter((one) => one && !(one.over && one.next));
      await Promise.all(open.map((one) => one.read()));
      await this.readLook(story);
      this.problem = "";
      if (story.state === "paused") wait = Math.max(wait, LATER);
    } catch {
      this.problem = this.words.unreachable;
      wait = LATER;
    }
    this.reading = false;
    if (this.gone) return;
    this.draw();
    this.tell();
    const waiting = [this.story, this.beside].some((one) => one && !one.over);
    if (waiting || this.problem) this.timer = setTimeout(() => this.tick(), wait);
  }

  async readLook(story) {
    const newest = story.points("token_accuracy").length;
    if (!this.data.live || !story.watched || newest === this.lookOf) return;
    const path = `runs/${story.id}/look?language=${this.data.language}`;
    const answer = await fetch(new URL(path, window.location.href));
    if (!answer.ok || story !== this.story) return;
    this.lookOf = newest;
    await this.drawLook(new Uint8Array(await answer.arrayBuffer()), story.watched);
  }

  // What was saved: its length, what it wrote then, and its attention, as the route packs them.
  async loadMoment(run, step, language) {
    try {
      const answer = await fetch(new URL(`runs/${run}/moments/${step}?language=${language}`, window.location.href));
      if (!answer.ok) throw new Error(answer.status);
      const { header, body } = readHeader(new Uint8Array(await answer.arrayBuffer()));
      return { ...header, bytes: body.slice() };
    } catch {
      say(this.status, this.words.unreachable);
      return null;
    }
  }

  // Python draws what depends on the state: one run of the page for each change, none for a tick.
  tell() {
    const { state } = this.story;
    if (!state || state === this.told) return;
    this.told = state;
    this.send("state", state);
  }

  // ---- drawing

  build(heads) {
    const { words } = this;
    this.status = el("p", "gf-status", { role: "status", "aria-live": "polite" });
    this.bar = add(el("div", "gf-progress", { role: "progressbar", "aria-label": words.progress, "aria-valuemin": 0 }), el("span"));
    this.numbers = {};
    const [shown, more] = [chartsOf(heads, words), MORE_CHARTS].map((charts) => charts.map((chart) => new Curves(chart, words)));
    this.charts = [...shown, ...more];
    this.samples = el("div", "gf-samples");
    this.look = el("div", "gf-look");
    this.slot = el("div");
    this.energy = el("p", "gf-share");
    this.back = add(el("div", "gf-back"), add(el("h3"), words.moments), add(el("p", "gf-share"), words.moments_hint), this.slot);
    this.momentsOf = "";
    this.share = el("p", "gf-share");
    this.figure?.destroy();
    this.figure = null;
    this.lookOf = -1;
    this.note = add(el("p", "gf-beside"), el("i"), words.beside);
    this.details = add(el("details", "gf-details"), add(el("summary"), words.details), this.list(MORE_NUMBERS), grid(more), this.energy, this.share);
    this.details.addEventListener("toggle", () => this.unfolded());
    const now = add(el("div", "gf-now"), this.samples, this.look);
    const list = this.list(NUMBERS);
    this.root.replaceChildren(this.status, this.bar, list, this.back, now, this.note, grid(shown), this.details);
  }

  // Numbers with their names; what they are is written later.
  list(names) {
    const list = el("dl", "gf-numbers");
    for (const name of names) {
      this.numbers[name] = add(el("dd"), "–");
      add(list, add(el("div"), add(el("dt"), this.words[name]), this.numbers[name]));
    }
    return list;
  }

  // Python keeps whether the details are open, so that a link shows them. Charts could not be drawn while they were not.
  unfolded() {
    const { open } = this.details;
    if (open !== this.data.details) this.trigger("details", open);
    this.drawCharts();
  }

  draw() {
    const { story, words, data } = this;
    const step = story.last("step") ?? 0;
    const steps = story.steps || 0;
    const template = words[`state_${story.state || "asking"}`];
    const about = { step: whole(step), steps: whole(steps), position: story.position, wait: this.about(story.wait || 0) };
    say(this.status, this.problem || fill(template, about));
    this.bar.setAttribute("aria-valuemax", steps || 1);
    this.bar.setAttribute("aria-valuenow", step);
    this.bar.firstChild.style.width = `${(100 * step) / (steps || 1)}%`;
    this.drawNumbers(story, step, steps);
    this.drawCharts();
    const share = story.last("evaluation_share");
    say(this.share, share === null ? "" : fill(words.share, { share: shareText(share) }));
    this.note.hidden = !this.beside;
    this.samples.hidden = this.look.hidden = !data.live && !this.moments;
    if (data.live) drawSamples(this.samples, story.samples, words, data.languages);
    this.root.dataset.state = story.state;
    this.root.dataset.step = step;
    this.root.dataset.moment = this.moments?.step ?? "";
  }

  drawNumbers(story, step, steps) {
    const last = (name, show) => {
      const value = story.last(name);
      return value === null ? "–" : show(value);
    };
    const of = (name, count) => {
      const total = story.last(count);
      return last(name, (value) => fill(this.words.of, { right: Math.round(value * total), count: total }));
    };
    const still = story.over || story.state === "paused"; // nobody knows when it will go on
    const values = {
      step: `${whole(step)} / ${whole(steps)}`,
      loss_train: last("loss", short3),
      loss_validation: last("validation_loss", short3),
      accuracy: last("token_accuracy", shareText),
      exact_held_out: of("exact_held_out", "held_out"),
      exact_training: of("exact_training", "training"),
      rate: last("learning_rate", short3),
      norm: last("gradient_norm", short3),
      speed: last("steps_per_second", short3),
      left: last(still ? "seconds" : "seconds_left", (s) => this.time(s)),
    };
    for (const name in values) say(this.numbers[name], values[name]);
    // a text that goes on is never right or wrong as a whole
    for (const name of ["exact_held_out", "exact_training"]) {
      this.numbers[name].parentNode.hidden = story.last("token_accuracy") !== null && values[name] === "–";
    }
    say(this.numbers.left.previousSibling, still ? this.words.took : this.words.left);
  }

  time(seconds) {
    const minutes = Math.floor(seconds / 60);
    const rest = seconds < 10 ? seconds.toFixed(1) : String(Math.round(seconds - 60 * minutes));
    return fill(minutes ? this.words.minutes : this.words.seconds, { minutes, seconds: rest });
  }

  // A wait is a guess: tens of seconds, then whole minutes.
  about(seconds) {
    const minutes = Math.round(seconds / 60);
    if (seconds < 90) return fill(this.words.seconds, { seconds: Math.max(10, 10 * Math.ceil(seconds / 10)) });
    return fill(this.words.whole_minutes, { minutes });
  }

  drawCharts() {
    if (!this.story || !this.root.clientWidth) return;
    for (const chart of this.charts) chart.draw(this.story, this.beside, this.moments?.step);
  }

  async drawMoment({ samples, watched, energy: [embedding, position], bytes }) {
    const { words } = this;
    const numbers = { embedding: short3(embedding), position: short3(position), ratio: short3(embedding / position) };
    say(this.energy, fill(position ? words.energy : words.no_position, numbers));
    drawSamples(this.samples, samples, words, this.data.languages);
    await this.drawLook(bytes, watched);
    this.draw();
  }

  // The attention figure of every other page, fed from here; a head chosen in it stays chosen.
  async drawLook(bytes, [sentence, output]) {
    if (!this.figure) {
      this.caption = el("p", "gf-watched");
      this.frame = el("div", "gf-attention");
      this.look.replaceChildren(add(el("h3"), this.words.look), this.caption, this.frame);
      this.figure = new LiveFigure(this.frame);
      this.figure.asked = this.data.selection;
    }
    this.figure.hand = (name, value) => name === "selection" && !this.data.live && this.trigger(name, value);
    const written = shownToken(output);
    this.caption.replaceChildren(spoken(sentence, this.data.languages.source), " → ", spoken(written, this.data.languages.target));
    await this.figure.receive(bytes);
  }
}

function grid(charts) {
  return add(el("div", "gf-charts"), ...charts.map((chart) => chart.node));
}

// What was chosen here, or before that by a link, stays chosen as long as there is such a head.
class LiveFigure extends Figure {
  adopt(header) {
    const at = this.locked ?? this.asked;
    const panel = this.panels.get(at?.kind);
    super.adopt(panel && at.layer < panel.layers && at.head < panel.heads ? { ...header, selection: at } : header);
  }
}

function spoken(text, language) {
  const node = add(el("span"), text);
  speak(node, language, text);
  return node;
}

export default mount(".gf-run", LiveRun);
