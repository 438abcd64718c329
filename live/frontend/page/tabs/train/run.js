// Trainings of a page: the one under way, the one before, and the pairs. They go on while other tabs are in view.

import { sourceOf, startEngine } from "../../../files.js";
import { Pairs } from "./pairs.js";
import { keep, kept } from "./store.js";

const CHUNK = 10; // steps between two reports
const KEEP = 90; // steps between two records of a run under way
const SAMPLES = 6; // held-out words whose outputs are shown
const LEARNED = 100; // pairs whose answers are asked for

export class Trainings {
  constructor(files) {
    this.files = files;
    this.listeners = new Set();
    this.state = "loading"; // "idle", "running", "paused", "hidden", "finished"
    this.task = null;
    this.off = {}; // switches that are 0
    this.run = this.before = null;
    this.isKept = null; // whether this browser keeps the run
    document.addEventListener("visibilitychange", () => document.hidden && this.state === "running" && this.pause("hidden"));
  }

  async open() {
    this.engine = await startEngine(this.files);
    this.description = await this.engine.openTraining(sourceOf(this.files.training));
    this.choose(this.description.tasks[0].name);
    this.state = "idle";
    await this.resume();
  }

  choose(name) {
    const { tasks, letters, batch } = this.description;
    this.task = tasks.find((task) => task.name === name) ?? tasks[0];
    this.pairs = new Pairs(this.task.pairs, { letters, least: batch });
    this.watched = this.task.heldOut.find(([word]) => word.length === letters)[0];
  }

  tell() {
    for (const listener of this.listeners) listener();
  }

  // ---- what a reader does

  // From the starting weights, with the pairs and parts that are chosen now.
  async begin() {
    await this.settle();
    this.before = this.run?.task === this.task.name && this.run.step ? this.run : null;
    this.run = new Run(this);
    await this.engine.training("begin", { pairs: this.run.pairs, switches: this.run.off });
    await this.look();
  }

  // Until it is paused or finished, or so many steps.
  async go(steps = this.description.steps) {
    if (!this.run) await this.begin();
    const { run } = this;
    const end = Math.min(run.step + steps, this.description.steps);
    if (this.state === "running" || run.step >= end) return;
    this.state = "running";
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
      if (step % this.description.every === 0 || step === end) await this.look();
      if (step % KEEP === 0) await this.keep();
      this.tell();
    }
    if (this.state === "running") this.state = run.step < this.description.steps ? "paused" : "finished";
    run.answers = await this.engine.training("outputs", { words: this.task.heldOut.map(([word]) => word) });
    await this.keep();
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
    if (this.run && this.state !== "running") await this.look();
    this.tell();
  }

  // ---- what is known of it

  async look() {
    const { run, task } = this;
    const samples = task.heldOut.slice(0, SAMPLES);
    const words = [this.watched, ...samples.map(([word]) => word)];
    const { learned, heldOut, written, look } = await this.engine.training("evaluate", {
      learned: run.pairs.slice(0, LEARNED),
      heldOut: task.heldOut,
      words,
    });
    run.note({
      report: {
        step: run.step,
        validation_loss: heldOut.loss,
        exact_held_out: share(heldOut.right),
        exact_training: share(learned.right),
      },
      samples: samples.map(([source, reference], at) => {
        const output = written[at + 1];
        return { source, reference, output, right: output === reference, held_out: true };
      }),
      look,
      watched: [this.watched, written[0]],
    });
    this.tell();
  }

  // ---- what survives a reload

  async keep() {
    const { run, before, task } = this;
    const state = await this.engine.training("state");
    const data = { all: this.pairs.all, share: this.pairs.share, off: this.off, watched: this.watched };
    this.isKept = await keep(this.description.name, { version: this.files.version, task: task.name, data, run: { ...run }, before: before && { ...before }, state });
  }

  async resume() {
    const record = await kept(this.description.name);
    if (record?.version !== this.files.version) return;
    this.choose(record.task);
    Object.assign(this.pairs, { all: record.data.all, share: record.data.share });
    this.off = record.data.off;
    this.watched = record.data.watched;
    this.run = Run.of(record.run);
    this.before = record.before && Run.of(record.before);
    await this.engine.training("restore", { pairs: this.run.pairs, switches: this.run.off, state: record.state });
    this.run.cut(record.state.step);
    this.isKept = true;
    this.state = this.run.step < this.description.steps ? "restored" : "finished";
  }

  // Whether the run under way was begun with other pairs or parts than are chosen now.
  get isChanged() {
    const { run, pairs, off, task } = this;
    return Boolean(run) && JSON.stringify([run.task, run.off, run.pairs]) !== JSON.stringify([task.name, off, pairs.taught]);
  }
}

const share = (right) => right.filter(Boolean).length / right.length;

// One training: what it was given, its reports as curves read them, and its moments.
class Run {
  constructor({ task, off, pairs, description }) {
    Object.assign(this, { task: task.name, off: { ...off }, pairs: pairs.taught, steps: description.steps, step: 0 });
    Object.assign(this, { changed: pairs.changed, removed: pairs.removed, reports: [], moments: [], answers: null, pace: 0 });
  }

  static of(record) {
    return Object.assign(Object.create(Run.prototype), record);
  }

  // Steps that were made in so many ms, with their losses.
  add(step, losses, milliseconds) {
    const pace = milliseconds / losses.length;
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

  // Seconds until it is done.
  get left() {
    return ((this.steps - this.step) * this.pace) / 1000;
  }
}
