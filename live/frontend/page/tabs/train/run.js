// Trainings of a page: the one under way, the one before, and the data. They go on while other tabs are in view.

import { sourceOf, startEngine } from "../../../files.js";
import { chosen } from "../../../training_choice.js";
import { Pairs } from "./pairs.js";
import { keep, kept } from "./store.js";

const CHUNK = 10; // steps between two reports
const KEEP = 90; // steps between two records of a run under way
const SAMPLES = 6; // held-out words whose outputs are shown
const EXAMPLES = 5; // on the card of a file
const LEARNED = 100; // pairs whose answers are asked for
const READ = 1000; // letters of a text that are asked for
const RECORD = "trainings"; // in the browser's database

export class Trainings {
  constructor(files) {
    this.files = files;
    this.listeners = new Set();
    this.state = "loading"; // "idle", "running", "paused", "hidden", "finished"
    this.own = this.text = null; // of a reader's own pairs, and of a text
    this.off = {}; // switches that are 0
    this.start = null; // { file, kind, size, weights } of a checkpoint file to start from, in place of the starting weights
    this.run = this.before = null;
    this.guess = ""; // what a reader expects of the next run
    this.isBeginning = false; // until the graphs are there and the first outputs are measured
    this.isBusy = false; // until all is measured after the last step
    this.isKept = null; // whether this browser keeps the run
    document.addEventListener("visibilitychange", () => document.hidden && this.state === "running" && this.pause("hidden"));
  }

  async open() {
    this.engine = await startEngine(this.files);
    this.header = await this.engine.openTraining(sourceOf(this.files.training));
    this.choose(this.header.tasks[0].name);
    this.state = "idle";
    await this.resume();
  }

  // A task of ours, or one that was brought.
  choose(name) {
    const { header: { tasks }, task: { kind } = {} } = this;
    this.task = [this.own, this.text].find((task) => task?.name === name) ?? tasks.find((task) => task.name === name && task.pairs) ?? tasks[0];
    if (this.task.kind !== kind) this.size = this.header.kinds[this.task.kind].usual;
    const { letters, answer, batch, ids } = this.description;
    this.pairs = new Pairs(this.task.pairs ?? [], { letters, answer, alphabet: ids.letters, least: batch });
    this.watched = this.task.heldOut.reduce((longest, [word]) => (word.length > longest.length ? word : longest), "");
  }

  // Of the model that the next start begins with.
  get description() {
    return chosen(this.header, this.task.kind, this.size);
  }

  // Learn what a reader brought, see `ownTask` and `textTask`.
  bring(task) {
    this[task.name] = task;
    this.choose(task.name);
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  // ---- what a reader does

  // From the starting weights, with the pairs and parts that are chosen now. What cannot begin leaves the last run as it was.
  async begin() {
    if (this.isBeginning) return;
    this.isBeginning = true;
    this.tell();
    try {
      await this.settle();
      const before = this.isAlike && this.run.step ? this.run : null;
      const [run, start] = [new Run(this), this.from?.weights];
      await this.load(run);
      await this.engine.training("begin", { data: run.data, switches: run.off, start });
      Object.assign(this, { before, run, guess: "" });
      await this.look();
    } finally {
      this.isBeginning = false;
      this.tell();
    }
  }

  // The graphs of a run.
  async load({ kind, size }) {
    const name = `${kind} ${size}`;
    if (this.loaded !== name) await this.engine.training("choose", { kind, size });
    this.loaded = name;
  }

  // Until it is paused or finished, or so many steps.
  async go(steps = Infinity) {
    if (this.isBeginning || this.state === "running") return;
    await (this.run ? this.loop : this.begin()); // after a pause something is measured: two loops would make too many steps
    const { run } = this;
    const end = Math.min(run.step + steps, run.steps);
    if (this.isBeginning || this.state === "running" || run.step >= end) return;
    this.state = "running";
    this.isBusy = true;
    this.tell();
    this.loop = this.train(run, end);
    await this.loop;
  }

  async train(run, end) {
    while (this.state === "running" && run.step < end) {
      const begun = performance.now();
      const wanted = Math.min(CHUNK - (run.step % CHUNK), end - run.step);
      const { step, losses } = await this.engine.training("train", { steps: wanted });
      run.add(step, losses, performance.now() - begun);
      if (step % run.every === 0 || step === end) await this.look();
      if (step % KEEP === 0) await this.keep();
      this.tell();
    }
    if (this.state === "running") this.state = run.step < run.steps ? "paused" : "finished";
    if (run.moments.at(-1).step !== run.step) await this.look();
    run.answers = await this.engine.training("outputs", { words: run.heldOut.map(([word]) => word) });
    await this.keep();
    this.isBusy = false;
    this.tell();
  }

  pause(why = "paused") {
    this.state = why;
    this.tell();
  }

  // Wait until the last steps are over.
  async settle() {
    if (this.state === "running") this.pause();
    await this.loop;
  }

  async watch(word) {
    this.watched = word;
    if (this.run?.kind === this.task.kind && this.state !== "running" && !this.isBeginning) await this.look();
    this.tell();
  }

  // ---- what was trained as a file

  // The app has no model without residual connections.
  get canBeSaved() {
    return Boolean(this.run) && this.run.off.residual !== 0;
  }

  // { name, bytes } of a checkpoint with what it has learned so far.
  async save() {
    const asked = await this.card();
    return { name: asked.name, bytes: await this.engine.training("checkpoint", asked) };
  }

  // The same for the other views of this page.
  async viewed() {
    const { name, ...asked } = await this.card();
    return this.engine.training("viewed", { name: `${name}-${this.run.step}`, ...asked });
  }

  // What is known of it, when the step under way is over.
  async card() {
    await this.settle();
    const { run } = this;
    const { cards, changed } = this.header.kinds[run.kind].saved;
    const name = run.isChanged ? changed : run.task;
    const { data, training, ...card } = cards[name];
    const [pairs, held] = (run.text ? [run.text, run.held] : [run.pairs, run.heldOut]).map(({ length }) => length);
    const known = {
      ...card,
      examples: run.heldOut.slice(0, EXAMPLES).map(([word]) => word),
      data: data.map((each) => ({ ...each, pairs })),
      splits: { train: pairs, test: held },
      training: { ...training, steps: run.step, minutes: Math.round(run.milliseconds / 6000) / 10 },
    };
    return { name, card: known, heldOut: run.heldOut, judged: run.held };
  }

  // Begin a run with the weights of a checkpoint file, and with its switches.
  async openFile(file) {
    const bytes = new Uint8Array(await file.arrayBuffer());
    const { kind, size, weights, switches } = await this.engine.training("read", { bytes, text: this.text?.text ?? "" });
    if (kind !== this.task.kind) this.choose(this.header.tasks.find((task) => task.kind === kind).name);
    this.start = { file: file.name, kind, size, weights };
    this.size = size;
    this.off = switches;
    await this.begin();
    this.pause();
  }

  // The file that the next start begins with: one of another size is left alone.
  get from() {
    const { start, size, task } = this;
    return start?.size === size && start.kind === task.kind ? start : null;
  }

  // From the starting weights again, from the next start on.
  forget() {
    this.start = null;
    this.tell();
  }

  // ---- what is known of it

  async look() {
    const { run } = this;
    const samples = run.heldOut.slice(0, SAMPLES);
    const watched = run.kind === this.task.kind ? this.watched : run.heldOut[0][0];
    const words = [watched, ...samples.map(([word]) => word)];
    const { learned, heldOut, written, look, copying } = await this.engine.training("evaluate", {
      learned: run.data.slice(0, run.text ? READ : LEARNED),
      heldOut: run.held ?? run.heldOut,
      words,
    });
    run.note({
      report: {
        step: run.step,
        validation_loss: heldOut.loss,
        exact_held_out: share(heldOut.right),
        exact_training: share(learned.right),
        ...(copying && { previous: copying.previous.share, induction: copying.induction.share }),
      },
      samples: samples.map(([source, reference], at) => {
        const output = written[at + 1];
        return { source, reference, output, right: run.text ? null : output === reference, held_out: true };
      }),
      look,
      copying,
      watched: [watched, written[0]],
    });
    this.tell();
  }

  // ---- what survives a reload

  async keep() {
    const { run, before, task } = this;
    const state = await this.engine.training("state");
    const data = { all: this.pairs.all, share: this.pairs.share, off: this.off, start: this.start, own: this.own, text: this.text, size: this.size, guess: this.guess, watched: this.watched };
    this.isKept = await keep(RECORD, { version: this.files.version, task: task.name, data, run: { ...run }, before: before && { ...before }, state });
  }

  async resume() {
    const record = await kept(RECORD);
    if (record?.version !== this.files.version) return;
    const { all, share: spoiled, own, text, ...rest } = record.data;
    Object.assign(this, { own, text });
    this.choose(record.task);
    Object.assign(this, rest);
    Object.assign(this.pairs, { all, share: spoiled });
    this.run = Run.of(record.run);
    this.before = record.before && Run.of(record.before);
    await this.load(this.run);
    await this.engine.training("restore", { data: this.run.data, switches: this.run.off, state: record.state });
    this.run.cut(record.state.step);
    this.isKept = true;
    this.state = this.run.step < this.run.steps ? "restored" : "finished";
  }

  // Whether the next run can be compared with this one: they are judged by the same words, and neither or both began with a
  // file.
  get isAlike() {
    const { run, task, from } = this;
    return JSON.stringify([run?.heldOut, run?.from]) === JSON.stringify([task.heldOut, from?.file ?? ""]);
  }

  // Whether the run under way was begun with other data, another size or other parts than are chosen now.
  get isChanged() {
    const { run, pairs, off, task, from, size } = this;
    const next = [task.name, off, from?.file ?? "", size, task.text];
    return Boolean(run) && (JSON.stringify([run.task, run.off, run.from, run.size, run.text]) !== JSON.stringify(next) || !pairs.are(run.pairs));
  }
}

const share = (right) => right.filter(Boolean).length / right.length;

// One training: what it was given, its reports as curves read them, and its moments.
class Run {
  // Of a text, `text` is learned from and `held` is held out; `pairs` are none then, and `heldOut` are its beginnings, each
  // with how the text goes on.
  constructor({ task, size, off, pairs, from, guess, description: { layers, config, steps, every } }) {
    Object.assign(this, { task: task.name, kind: task.kind, size, model: { layers, config }, from: from?.file ?? "" });
    Object.assign(this, { off: { ...off }, pairs: pairs.taught, text: task.text, held: task.held, heldOut: task.heldOut });
    Object.assign(this, { changed: pairs.changed, removed: pairs.removed, steps, every, step: 0 });
    Object.assign(this, { reports: [], moments: [], answers: null, pace: 0, milliseconds: 0, guess, cause: "" });
  }

  static of(record) {
    return Object.assign(Object.create(Run.prototype), record);
  }

  // What it learns from, as the engine takes it.
  get data() {
    return this.text ?? this.pairs;
  }

  // Steps that were made in so many ms, with their losses.
  add(step, losses, milliseconds) {
    const pace = milliseconds / losses.length;
    this.milliseconds += milliseconds;
    this.pace = this.pace ? 0.8 * this.pace + 0.2 * pace : pace;
    this.step = step;
    this.reports.push({ step, loss: losses.reduce((sum, loss) => sum + loss) / losses.length });
  }

  note({ report, ...moment }) {
    this.moments = [...this.moments.filter(({ step }) => step !== this.step), { step: this.step, ...moment }];
    this.reports = [...this.reports.filter(({ step, loss }) => step !== this.step || loss !== undefined), report];
  }

  // Forget what came after a step.
  cut(step) {
    this.step = step;
    for (const kind of ["moments", "reports"]) this[kind] = this[kind].filter((each) => each.step <= step);
  }

  points(name) {
    return this.reports.filter((report) => name in report).map((report) => [report.step, report[name]]);
  }

  last(name) {
    return this.points(name).at(-1)?.[1] ?? null;
  }

  // Whether it learned from other pairs than those of its task.
  get isChanged() {
    return Boolean(this.changed || this.removed);
  }

  // Seconds until it is done.
  get left() {
    return ((this.steps - this.step) * this.pace) / 1000;
  }
}
