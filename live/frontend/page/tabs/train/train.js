// Train: a small model learns in the page. Its curves, its outputs and its attention as it learns, beside the run before.

import { add, el, say, shownToken } from "../../../../../viz/frontend/common/dom.js";
import { percent, whole } from "../../../../../viz/frontend/common/numbers.js";
import { Curves } from "../../../../../viz/frontend/live_run/curves.js";
import { short3 } from "../../../../../viz/frontend/live_run/number_format.js";
import { drawSamples } from "../../../../../viz/frontend/live_run/samples.js";
import { SnapshotSlider } from "../../../../../viz/frontend/live_run/snapshot_slider.js";
import { attentionMessage, panelsOf } from "../../figure_data.js";
import { Shown } from "../../figures.js";
import { button, card, heading, Pills, table, text } from "../../parts.js";
import { section, sentences, words } from "../../words.js";
import { DataCard } from "./data.js";

const CHARTS = [
  { name: "loss", log: true, lines: [["loss", "loss_train", "a"], ["validation_loss", "loss_validation", "b"]] },
  { name: "right", low: 0, high: 1, percent: true, lines: [["exact_training", "exact_training", "a"], ["exact_held_out", "exact_held_out", "b"]] },
];
const SHOWN_NUMBERS = ["loss_train", "loss_validation", "exact_held_out", "exact_training", "left"];
const DIFFERENT = 12; // outputs of both runs beside each other

export class TrainTab {
  static texts = { name: "pages.train", question: "train.question", lead: "live_train.lead" };

  constructor(app) {
    this.app = app;
    this.node = el("div", "panel");
    this.node.dataset.main = "";
    this.status = text(words("live_train.loading"));
    this.status.setAttribute("role", "status");
    this.node.append(this.status);
    this.update = () => app.isOn(this) && this.built && this.show();
    this.observer = new ResizeObserver(() => this.drawCharts());
  }

  async draw() {
    if (this.built) return this.show();
    if (this.asked) return undefined;
    this.asked = true;
    const trainings = await this.app.trainings().catch((error) => this.app.fail(error));
    if (!trainings || this.gone) return undefined;
    this.trainings = trainings;
    trainings.listeners.add(this.update);
    this.build();
    return this.show();
  }

  build() {
    const { trainings } = this;
    this.built = true;
    this.words = section("train_figure");
    this.figure = new Shown("attention", { selection: (at) => (this.at = at) });
    this.data = new DataCard(trainings);
    this.compare = card();
    this.charts = CHARTS.map((chart) => new Curves(chart, this.words));
    this.node.replaceChildren(this.controls(), this.progress(), this.compare, this.data.node);
    this.data.draw();
    this.observer.observe(this.node);
    this.node.dataset.done = "";
  }

  // ---- what is built once

  controls() {
    const { trainings } = this;
    const { description } = trainings;
    this.tasks = new Pills(words("train.task"), (name) => {
      trainings.choose(name);
      this.data.draw();
      this.show();
    });
    this.about = text("", "caption");
    const parts = add(el("fieldset", "choice"), el("legend"));
    say(parts.firstChild, words("live_train.parts"));
    const row = add(el("div", "row"));
    for (const name of description.switches) row.append(this.part(name));
    this.go = button("", () => this.press(), "button main");
    this.one = button(words("live_train.one"), () => trainings.go(1));
    this.again = button(words("live_train.again"), () => this.startAgain());
    const size = description.parameters.reduce((sum, [, shape]) => sum + shape.reduce((product, each) => product * each, 1), 0);
    const facts = { parameters: size, steps: description.steps, batch: description.batch, pairs: trainings.pairs.original.length, held: trainings.task.heldOut.length };
    this.note = text("", "caption");
    return card(
      heading(words("live_train.title")), text(words("live_train.size", facts), "caption"), this.tasks.node, this.about,
      add(parts, row), text(words("live_train.parts_hint"), "caption"), add(el("div", "row"), this.go, this.one, this.again), this.note,
    );
  }

  part(name) {
    const { trainings } = this;
    const box = el("input", "", { type: "checkbox" });
    box.checked = trainings.off[name] !== 0;
    box.addEventListener("change", () => {
      const { [name]: _, ...others } = trainings.off;
      trainings.off = box.checked ? others : { ...others, [name]: 0 };
      this.show();
    });
    const label = el("span");
    say(label, words(`live_train.part_${name}`));
    return add(el("label", "switch"), box, label);
  }

  progress() {
    const { words: own, trainings } = this;
    this.status = el("p", "gf-status", { role: "status", "aria-live": "polite" });
    this.bar = add(el("div", "gf-progress", { role: "progressbar", "aria-label": own.progress, "aria-valuemin": 0, "aria-valuemax": trainings.description.steps }), el("span"));
    this.numbers = {};
    const list = el("dl", "gf-numbers");
    for (const name of SHOWN_NUMBERS) {
      this.numbers[name] = el("dd");
      const term = el("dt");
      say(term, own[name]);
      add(list, add(el("div"), term, this.numbers[name]));
    }
    this.kept = text("", "caption");
    this.slot = el("div", "gf-back");
    this.samples = el("div", "gf-samples");
    this.beside = add(el("p", "gf-beside"), el("i"), own.beside);
    const charts = add(el("div", "gf-charts"), ...this.charts.map((chart) => chart.node));
    const numbers = add(el("div", "stack"), charts, this.beside, this.samples);
    this.shownParts = add(el("div"), this.slot, add(el("div", "gf-now"), numbers, this.look()));
    return card(add(el("div", "gf-run"), this.status, this.bar, list, this.kept, this.shownParts));
  }

  look() {
    const { trainings } = this;
    this.field = el("input", "", { type: "text", autocomplete: "off", spellcheck: "false", maxlength: trainings.description.letters });
    const name = el("span");
    say(name, words("live_train.watch"));
    this.field.addEventListener("change", () => {
      const typed = this.field.value.trim().toLowerCase();
      this.wrong.hidden = trainings.pairs.isWord(typed);
      if (this.wrong.hidden) trainings.watch(typed);
    });
    this.wrong = text(words("live_train.letters", { letters: trainings.description.letters }), "notice");
    this.wrong.hidden = true;
    this.caption = el("p", "gf-watched");
    const title = heading(this.words.look, "h3");
    return add(el("div", "gf-look"), title, add(el("label", "field"), name, this.field), this.wrong, this.caption, this.figure.node);
  }

  // ---- what a reader does

  press() {
    const { trainings } = this;
    if (trainings.state === "running") return trainings.pause();
    if (trainings.state === "finished") return this.startAgain();
    return trainings.go();
  }

  async startAgain() {
    await this.trainings.begin();
    this.trainings.state = "paused";
    this.trainings.go();
  }

  // ---- what changes

  show() {
    const { trainings } = this;
    const { run, state, description, task } = trainings;
    const isRunning = state === "running";
    this.tasks.show(description.tasks.map(({ name }) => [name, words(`train_task.${name}`)]), task.name);
    say(this.about, words(`train_about.${task.name}`));
    const isOver = state === "finished";
    say(this.go, isRunning ? words("train.pause") : run && !isOver ? words("train.resume") : isOver ? words("live_train.again") : words("train.start"));
    this.one.disabled = isRunning || isOver;
    this.again.hidden = !run || isOver;
    say(this.note, sentences(trainings.isChanged && words("live_train.later"), trainings.off.causal === 0 && words("live_train.sees")));
    this.showRun(run, state);
    this.showCompare();
  }

  showRun(run, state) {
    const { description, isKept } = this.trainings;
    const { steps } = description;
    const step = run?.step ?? 0;
    const at = { step: whole(step), steps: whole(steps) };
    const said = { running: "train_figure.state_running", finished: "train_figure.state_finished", hidden: "live_train.hidden", restored: "live_train.restored" };
    say(this.status, run ? words(said[state] ?? "train_figure.state_paused", at) : words("live_train.idle"));
    this.bar.setAttribute("aria-valuenow", step);
    this.bar.firstChild.style.width = `${(100 * step) / steps}%`;
    const of = (name, show) => (run?.last(name) === null || !run ? "–" : show(run.last(name)));
    const seconds = run?.pace && state === "running" ? words("train_figure.seconds", { seconds: run.left.toFixed(0) }) : "–";
    say(this.numbers.loss_train, of("loss", short3));
    say(this.numbers.loss_validation, of("validation_loss", short3));
    for (const name of ["exact_held_out", "exact_training"]) say(this.numbers[name], of(name, (share) => percent(share, 1)));
    say(this.numbers.left, seconds);
    say(this.kept, isKept === null ? "" : words(isKept ? "live_train.kept" : "live_train.lost"));
    this.shownParts.hidden = !run?.moments.length;
    this.node.dataset.state = state;
    this.node.dataset.step = step;
    if (this.shownParts.hidden) return;
    this.showMoments(run, state);
    this.drawCharts();
  }

  // The last moment while it learns; then any of them.
  showMoments(run, state) {
    const steps = run.moments.map(({ step }) => step);
    const isStill = state !== "running" && steps.length > 1;
    const form = isStill ? JSON.stringify([steps, run.moments.at(-1).watched]) : "";
    if (form !== this.momentsOf) {
      this.momentsOf = form;
      this.moments?.destroy();
      this.moments = null;
      this.slot.replaceChildren();
      if (isStill) {
        this.moments = new SnapshotSlider(steps, this.words, {
          load: async (step) => run.moments.find((moment) => moment.step === step),
          show: (moment) => this.showMoment(moment),
          tell: () => {},
        });
        this.slot.append(heading(this.words.moments, "h3"), this.moments.node);
        this.moments.hear(steps.at(-1));
      }
    }
    if (!this.moments) this.showMoment(run.moments.at(-1));
  }

  showMoment({ samples, look, watched: [word, output] }) {
    const { description } = this.trainings;
    drawSamples(this.samples, samples, this.words, {});
    if (document.activeElement !== this.field) this.field.value = this.trainings.watched;
    say(this.caption, `${word} → ${output ? shownToken(output) : this.words.nothing}`);
    const panels = panelsOf(description, look);
    const at = this.at ?? { kind: "cross", layer: 0, head: 0 };
    this.figure.show(attentionMessage(panels, { view: "matrix", kind: at.kind, layer: at.layer, head: at.head, words: section("attention_figure") }));
    this.drawCharts();
  }

  drawCharts() {
    const { run, before } = this.trainings;
    if (!run || !this.charts) return;
    this.beside.hidden = !before;
    for (const chart of this.charts) chart.draw(run, before, this.moments?.step);
  }

  // Which outputs for held-out words differ between the two runs.
  showCompare() {
    const { run, before, task } = this.trainings;
    this.compare.hidden = !(run?.answers && before?.answers);
    if (this.compare.hidden) return;
    const other = task.heldOut.map(([, right], at) => ({ at, right })).filter(({ at }) => run.answers[at] !== before.answers[at]);
    const rows = other.slice(0, DIFFERENT).map(({ at, right }) => [task.heldOut[at][0], right, marked(before.answers[at], right), marked(run.answers[at], right)]);
    const heads = ["head_source", "head_right", "before", "now"].map((key) => words(`live_train.${key}`));
    this.compare.replaceChildren(
      heading(words("live_train.compare")),
      text(words("live_train.compare_runs", { before: given(before), now: given(run) }), "caption"),
      text(words("live_train.compare_right", { before: percent(before.last("exact_held_out"), 1), now: percent(run.last("exact_held_out"), 1) })),
      text(words("live_train.compare_count", { count: other.length, total: task.heldOut.length })),
      ...(rows.length ? [table(heads, rows, undefined, "gf-plain train-words")] : []),
    );
  }

  remove() {
    this.gone = true;
    this.trainings?.listeners.delete(this.update);
    this.observer.disconnect();
    this.moments?.destroy();
    this.figure?.remove();
  }
}

const marked = (answer, right) => `${answer === right ? "✓" : "✗"} ${answer || words("train_figure.nothing")}`;

// What a run was given: its data, and the parts that it lacked.
function given({ changed, removed, off }) {
  const data = changed || removed ? words("live_train.given_changed", { changed, removed }) : words("live_train.given_all");
  const lacking = Object.keys(off).map((name) => words("live_train.given_without", { part: words(`live_train.part_${name}`) }));
  return [data, ...lacking].join(words("notice.between"));
}
