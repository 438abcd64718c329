// The trainings of a class: for each task one chart, in which every student has a line.

import { el, fill, say } from "../common/dom.js";
import { percent } from "../common/numbers.js";
import { Curves } from "../live_run/curves.js";

export class ClassCurves {
  constructor(words) {
    Object.assign(this, { words, charts: new Map(), trainings: [] });
    this.title = el("h2");
    this.node = el("section", "gf-trainings", { hidden: "" });
    this.node.append(this.title);
    this.observer = new ResizeObserver(() => this.drawCurves());
    this.observer.observe(this.node);
  }

  // trainings: of classroom/training/curves.py, each with the `title` of its task; `names` says what the members are called.
  draw(trainings, names) {
    Object.assign(this, { trainings, names });
    this.node.hidden = !trainings.length;
    say(this.title, fill(this.words.trainings, { count: trainings.length }));
    const known = this.charts;
    this.charts = new Map();
    for (const { task, title } of trainings) {
      if (this.charts.has(task)) continue;
      const of = trainings.filter((each) => each.task === task);
      const form = JSON.stringify(of.map(({ member, changed }) => [member, changed]));
      const before = known.get(task);
      this.charts.set(task, before?.form === form ? before : { form, curves: this.chart(task, title, of) });
    }
    const nodes = [...this.charts.values()].map(({ curves }) => curves.node);
    if (nodes.length !== this.node.children.length - 1 || nodes.some((node, at) => this.node.children[at + 1] !== node)) {
      this.node.replaceChildren(this.title, ...nodes);
    }
    this.drawCurves();
  }

  chart(task, title, trainings) {
    const lines = trainings.map(({ member, changed }) => [member, `name_${member}`, changed ? "b" : "a"]);
    const curves = new Curves({ name: task, log: true, lines }, { ...this.words, [`chart_${task}`]: fill(this.words.training_loss, { task: title }) });
    for (const line of curves.lines) {
      line.key.addEventListener("pointerenter", () => line.own.toggleAttribute("data-chosen", true));
      line.key.addEventListener("pointerleave", () => line.own.toggleAttribute("data-chosen", false));
    }
    return curves;
  }

  drawCurves() {
    for (const [task, { curves }] of this.charts) {
      const of = new Map(this.trainings.filter((each) => each.task === task).map((each) => [each.member, each]));
      for (const { column, name, key } of curves.lines) {
        curves.words[name] = this.labelOf(of.get(column));
        say(key.children[1], curves.words[name]);
      }
      const steps = Math.max(...[...of.values()].map((each) => each.steps));
      curves.draw({ steps, points: (member) => of.get(member).points.map(([step, loss]) => [step, loss]) }, null);
    }
  }

  // The student, how much comes out right, and whether they changed data or parts.
  labelOf({ member, step, points, changed }) {
    const right = points.at(-1)[2];
    const { words } = this;
    const said = [this.names.get(member), fill(words.training_step, { step })];
    if (right !== null) said.push(fill(words.training_right, { share: percent(right, 1) }));
    return [...said, ...(changed ? [words.training_changed] : [])].join(" · ");
  }

  destroy() {
    this.observer.disconnect();
  }
}
