// Train: a small model learns in the page. Its curves, its outputs and its attention as it learns, beside the run before.

import { add, el, say, shownToken } from "../../../../../viz/frontend/common/dom.js";
import { percent, whole } from "../../../../../viz/frontend/common/numbers.js";
import { Curves } from "../../../../../viz/frontend/live_run/curves.js";
import { short3 } from "../../../../../viz/frontend/live_run/number_format.js";
import { drawSamples } from "../../../../../viz/frontend/live_run/samples.js";
import { SnapshotSlider } from "../../../../../viz/frontend/live_run/snapshot_slider.js";
import { attentionMessage, panelsOf } from "../../figure_data.js";
import { Shown } from "../../figures.js";
import { button, card, heading, labelled, Pills, Switch, table, text } from "../../parts.js";
import { section, sentences, words } from "../../words.js";
import { DataCard, lettersText } from "./data.js";
import { ModelCard } from "./model.js";
import { OwnPairs } from "./own.js";
import { OWN_TASK } from "./own_pairs.js";
import { OwnText } from "./own_text.js";
import { QuestionCard } from "./question.js";
import { TEXT_TASK } from "./text_task.js";

const CHARTS = [
  { name: "loss", log: true, lines: [["loss", "loss_train", "a"], ["validation_loss", "loss_validation", "b"]] },
  { name: "right", low: 0, high: 1, percent: true, lines: [["exact_training", "exact_training", "a"], ["exact_held_out", "exact_held_out", "b"]] },
];
const OF_TEXT = { ...CHARTS[1], name: "letters", lines: [["exact_training", "letters_training", "a"], ["exact_held_out", "letters_held_out", "b"]] };
const COPYING = { name: "copying", low: 0, high: 1, percent: true, lines: [["induction", "chart_induction", "a"], ["previous", "chart_previous", "b"]] };
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
    const { app, trainings } = this;
    this.built = true;
    this.words = { ...section("train_figure"), ...section("live_train_text") };
    this.figure = new Shown("attention", { selection: (at) => (this.at = at) });
    this.data = new DataCard(trainings);
    this.compare = card();
    this.model = new ModelCard(trainings, (model) => app.take(model, trainings.run.moments.at(-1).watched[0]));
    this.question = new QuestionCard(trainings, () => this.tried(() => this.startAgain()));
    this.charts = [...CHARTS, OF_TEXT, COPYING].map((chart) => new Curves(chart, this.words));
    this.node.replaceChildren(this.controls(), this.progress(), this.compare, this.question.node, this.data.node, this.model.node);
    this.data.draw();
    this.observer.observe(this.node);
    this.node.dataset.done = "";
  }

  // ---- what is built once

  controls() {
    const { trainings } = this;
    const { header } = trainings;
    this.tasks = new Pills(words("train.task"), (name) => this.choose(name));
    const { task: asked } = this.app.view;
    const bring = (task) => {
      trainings.bring(task);
      this.choose(task.name);
    };
    this.own = new OwnPairs({ ...header, ...header.kinds.letters }, bring);
    this.text = new OwnText(header.kinds.text, (task) => bring(task));
    if (trainings.text) this.text.field.value = trainings.text.text + trainings.text.held;
    if (!trainings.run && asked) trainings.choose(asked);
    if (!trainings.run && asked === TEXT_TASK) trainings.bring(this.text.task());
    this.asksOwn = (asked ?? trainings.task.name) === OWN_TASK; // whether the field for own pairs is open
    this.sizes = el("select", "", { id: "train-size" });
    this.sizes.addEventListener("change", () => {
      trainings.size = this.sizes.value;
      this.show();
    });
    this.about = text("", "caption");
    this.size = text("", "caption");
    this.boxes = {}; // by switch
    const row = add(el("div", "row"), ...header.switches.map((name) => this.part(name)));
    const parts = add(el("fieldset", "choice"), add(el("legend"), words("live_train.parts")), row);
    this.go = button("", () => this.tried(() => this.press()), "button main");
    this.one = button(words("live_train.one"), () => this.tried(() => trainings.go(1)));
    this.again = button(words("live_train.again"), () => this.tried(() => this.startAgain()));
    this.note = text("", "caption");
    return card(
      heading(words("live_train.title")), this.size, this.tasks.node, this.about, text(words("live_train.modular"), "caption"), this.own.node, this.text.node, labelled(words("live_train.size_choice"), this.sizes),
      parts, text(words("live_train.parts_hint"), "caption"), add(el("div", "row"), this.go, this.one, this.again), this.note,
    );
  }

  part(name) {
    const { trainings } = this;
    const part = new Switch((isOn) => {
      const { [name]: _, ...others } = trainings.off;
      trainings.off = isOn ? others : { ...others, [name]: 0 };
      this.show();
    }, words(`live_train.part_${name}`));
    this.boxes[name] = part.input;
    return part.node;
  }

  progress() {
    const { words: own } = this;
    this.status = el("p", "gf-status", { role: "status", "aria-live": "polite" });
    this.bar = add(el("div", "gf-progress", { role: "progressbar", "aria-label": own.progress, "aria-valuemin": 0 }), el("span"));
    this.numbers = {};
    this.terms = {};
    const list = el("dl", "gf-numbers");
    for (const name of SHOWN_NUMBERS) {
      this.numbers[name] = el("dd");
      this.terms[name] = el("dt");
      say(this.terms[name], own[name]);
      add(list, add(el("div"), this.terms[name], this.numbers[name]));
    }
    this.kept = text("", "caption");
    this.slot = el("div", "gf-back");
    this.samples = el("div", "gf-samples");
    this.beside = add(el("p", "gf-beside"), el("i"), own.beside);
    const charts = add(el("div", "gf-charts"), ...this.charts.map((chart) => chart.node));
    this.copied = text("");
    const numbers = add(el("div", "stack"), charts, this.copied, this.beside, this.samples);
    this.shownParts = add(el("div"), this.slot, add(el("div", "gf-now"), numbers, this.look()));
    return card(add(el("div", "gf-run"), this.status, this.bar, list, this.kept, this.shownParts));
  }

  look() {
    const { trainings } = this;
    this.field = el("input", "", { type: "text", autocomplete: "off", spellcheck: "false" });
    this.fieldName = el("span");
    this.field.addEventListener("change", () => {
      const { task: { text: own }, pairs } = trainings;
      const typed = own ? this.field.value.trim() : pairs.cased(this.field.value.trim());
      this.wrong.hidden = own ? [...typed].length > 0 && [...typed].every((letter) => own.includes(letter)) : pairs.isWord(typed);
      say(this.wrong, own ? words("live_train.text_letters", { letters: trainings.description.letters }) : lettersText(pairs));
      if (this.wrong.hidden) trainings.watch(typed);
    });
    this.wrong = text("", "notice");
    this.wrong.hidden = true;
    this.caption = el("p", "gf-watched");
    const title = heading(this.words.look, "h3");
    return add(el("div", "gf-look"), title, add(el("label", "field"), this.fieldName, this.field), this.wrong, this.caption, this.figure.node);
  }

  // ---- what a reader does

  choose(name) {
    this.asksOwn = name === OWN_TASK;
    if (name === TEXT_TASK && !this.trainings.text) this.trainings.bring(this.text.task());
    if (!this.asksOwn || this.trainings.own) this.trainings.choose(name);
    else if (this.trainings.task.kind !== "letters") this.trainings.choose(this.trainings.header.tasks[0].name);
    this.app.choose({ task: name }, { quiet: true });
    this.data.draw();
    this.show();
  }

  // Say what a training fails by.
  async tried(act) {
    await act().catch((error) => this.app.fail(error));
  }

  async press() {
    const { trainings } = this;
    if (trainings.state === "running") return trainings.pause();
    if (trainings.state === "finished") return this.startAgain();
    return trainings.go();
  }

  async startAgain() {
    await this.trainings.begin();
    this.trainings.state = "paused";
    await this.trainings.go();
  }

  // ---- what changes

  show() {
    const { trainings } = this;
    const { run, state, description, header, task } = trainings;
    const isRunning = state === "running";
    const chosen = this.asksOwn ? OWN_TASK : task.name;
    this.tasks.show([...header.tasks.map(({ name }) => name), OWN_TASK].map((name) => [name, words(`train_task.${name}`)]), chosen);
    say(this.about, words(`train_about.${chosen}`));
    this.own.node.hidden = !this.asksOwn;
    const isText = chosen === TEXT_TASK;
    this.text.node.hidden = !isText;
    this.data.node.hidden = Boolean(task.text);
    say(this.size, sizeText(description, trainings));
    this.showSizes();
    const isOver = state === "finished";
    say(this.go, isRunning ? words("train.pause") : run && !isOver ? words("train.resume") : isOver ? words("live_train.again") : words("train.start"));
    this.one.disabled = isRunning || isOver;
    this.again.hidden = !run || isOver;
    say(this.note, sentences(trainings.isChanged && words("live_train.later"), trainings.off.causal === 0 && words("live_train.sees")));
    for (const [name, box] of Object.entries(this.boxes)) box.checked = trainings.off[name] !== 0;
    this.field.maxLength = description.letters;
    say(this.fieldName, words(task.text ? "live_train.text_watch" : "live_train.watch"));
    this.model.show();
    this.question.show();
    this.showRun(run, state);
    this.showCompare();
  }

  showRun(run, state) {
    const { description, isKept } = this.trainings;
    const { step = 0, steps = description.steps } = run ?? {};
    this.bar.setAttribute("aria-valuemax", steps);
    const at = { step: whole(step), steps: whole(steps) };
    const said = { running: "train_figure.state_running", finished: "train_figure.state_finished", hidden: "live_train.hidden", restored: "live_train.restored" };
    if (this.trainings.isBeginning) say(this.status, words("live_train.loading"));
    else say(this.status, run ? words(said[state] ?? "train_figure.state_paused", at) : words("live_train.idle"));
    this.bar.setAttribute("aria-valuenow", step);
    this.bar.firstChild.style.width = `${(100 * step) / steps}%`;
    const of = (name, show) => (run?.last(name) === null || !run ? "–" : show(run.last(name)));
    const seconds = run?.pace && state === "running" ? words("train_figure.seconds", { seconds: run.left.toFixed(0) }) : "–";
    say(this.numbers.loss_train, of("loss", short3));
    say(this.numbers.loss_validation, of("validation_loss", short3));
    for (const name of ["exact_held_out", "exact_training"]) say(this.numbers[name], of(name, (share) => percent(share, 1)));
    say(this.numbers.left, seconds);
    this.charts[1].node.hidden = Boolean(run?.text);
    this.charts[2].node.hidden = !run?.text;
    this.charts[3].node.hidden = !run?.points("induction").length;
    for (const end of ["held_out", "training"]) say(this.terms[`exact_${end}`], this.words[`${run?.text ? "letters" : "exact"}_${end}`]);
    say(this.kept, isKept === null ? "" : words(isKept ? "live_train.kept" : "live_train.lost"));
    this.shownParts.hidden = !run?.moments.length;
    this.node.dataset.state = state;
    this.node.dataset.step = step;
    this.node.toggleAttribute("data-busy", this.trainings.isBusy);
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

  showMoment({ samples, look, copying, watched: [word, output] }) {
    drawSamples(this.samples, samples, this.words, {});
    if (document.activeElement !== this.field) this.field.value = this.trainings.watched;
    say(this.caption, `${word} → ${output ? shownToken(output) : this.words.nothing}`);
    say(this.copied, copying ? sentences(...["induction", "previous"].map((name) => copiedText(name, copying[name]))) : "");
    const { model } = this.trainings.run;
    const panels = panelsOf(model, look);
    const kind = panels.at(-1).kind;
    const isThere = this.at && this.at.layer < model.layers[this.at.kind] && this.at.head < model.config.heads;
    const at = isThere ? this.at : { kind, layer: 0, head: 0 };
    this.figure.show(attentionMessage(panels, { view: "matrix", kind: at.kind, layer: at.layer, head: at.head, words: section("attention_figure") }));
    this.drawCharts();
  }

  drawCharts() {
    const { run, before } = this.trainings;
    if (!run || !this.charts) return;
    this.beside.hidden = !before;
    for (const chart of this.charts) if (!chart.node.hidden) chart.draw(run, before, this.moments?.step);
  }

  // Which outputs for held-out words differ between the two runs.
  showCompare() {
    const { run, before } = this.trainings;
    this.compare.hidden = !(run?.answers && before?.answers);
    if (this.compare.hidden) return;
    const { heldOut } = run;
    const other = heldOut.map(([, right], at) => ({ at, right })).filter(({ at }) => run.answers[at] !== before.answers[at]);
    const mark = run.text ? (answer) => answer || this.words.nothing : marked;
    const rows = other.slice(0, DIFFERENT).map(({ at, right }) => [heldOut[at][0], right, mark(before.answers[at], right), mark(run.answers[at], right)]);
    const heads = (run.text ? ["source", "reference"].map((key) => this.words[key]) : ["source", "right"].map((key) => words(`live_train.head_${key}`)));
    heads.push(words("live_train.before"), words("live_train.now"));
    const count = { count: other.length, total: heldOut.length };
    this.compare.replaceChildren(
      heading(words("live_train.compare")),
      text(words("live_train.compare_runs", { before: given(before), now: given(run) }), "caption"),
      text(words(run.text ? "live_train.text_right" : "live_train.compare_right", { before: percent(before.last("exact_held_out"), 1), now: percent(run.last("exact_held_out"), 1) })),
      text(words(run.text ? "live_train.text_count" : "live_train.compare_count", count)),
      ...(rows.length ? [table(heads, rows, undefined, "gf-plain train-words")] : []),
    );
  }

  showSizes() {
    const { header: { sizes }, task, size, description } = this.trainings;
    const isAlone = description.config.architecture === "decoder";
    if (this.sizesOf !== task.kind) {
      this.sizesOf = task.kind;
      this.sizes.replaceChildren(...Object.keys(sizes).map((name) => new Option(sizeName(sizes[name], isAlone), name)));
    }
    this.sizes.value = size;
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

// Of the head that does something most, how much.
const copiedText = (name, { layer, head, share }) => words(`live_train.copied_${name}`, { layer, head, share: percent(share, 1) });

// A size as a choice names it.
const sizeName = ({ layers, heads, d_model: width }, isAlone) => words(isAlone ? "live_train.size_text" : "live_train.size_letters", { layers, heads, width });

// How large the model and its training are.
function sizeText({ parameters: { total: parameters }, batch, lengths, steps }, { pairs, task: { text: own, held, heldOut } }) {
  if (!own) return words("live_train.size", { parameters, steps, batch, pairs: pairs.original.length, held: heldOut.length });
  const [letters, left] = [own, held].map((part) => [...part].length);
  return words("live_train.text_size", { parameters, steps, batch, window: lengths[0] - 1, letters, different: new Set(own).size, held: left });
}

// What a run was given: its size, its data, and the parts that it lacked; and how far it has come, which may be less far than
// the other.
function given({ model: { layers, config }, text: own, changed, removed, off, from, step }) {
  const size = sizeName({ layers: layers.encoder ?? layers.decoder, heads: config.heads, d_model: config.d_model }, config.architecture === "decoder");
  const key = own ? "live_train.text_all" : "live_train.given_all";
  const data = changed || removed ? words("live_train.given_changed", { changed, removed }) : words(key);
  const lacking = Object.keys(off).map((name) => words("live_train.given_without", { part: words(`live_train.part_${name}`) }));
  const start = from ? [words("live_train.given_from", { file: from })] : [];
  return [size, data, ...lacking, ...start, words("live_train.given_step", { step: whole(step) })].join(words("notice.between"));
}
