// The course: step by step, each with a text, a figure and a question. Whoever shows it keeps the answers.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { button, heading, Pills, text } from "../page/parts.js";
import { words } from "../page/words.js";
import { BeforeAfter } from "./before_after.js";
import { figureOf, placeName } from "./course_figures.js";
import { Explain } from "./explain.js";
import { OwnTraining } from "./own_training.js";
import { listenForKeys, optionsNode } from "./parts.js";

const TRAINS = "learning";
const END = "explain";
const STEP_LETTERS = "abcd"; // of options, as a platform wants them

export class Course {
  // frame: what is around it, of a unit (unit/frame.js) or of a live page (page/tabs/lesson_frame.js):
  //   data        what model/course/page_data.py computed, with `prose` and `maps` by language, and `test` where there is one
  //   language, panels, main     of the texts; of the attention of the example; the element to draw in
  //   resumed(), keep(place, kept)     what was kept of the last visit
  //   attempt     is told of answers, see unit/scorm.js
  //   reported(text)    what is said of a result
  //   live()      a live page to show beside the text, see unit/live_page.js
  constructor(frame) {
    this.frame = frame;
    const { place, kept } = frame.resumed();
    const { data } = frame;
    this.asked = Object.keys(data.steps);
    this.steps = [...this.asked, END];
    this.step = this.steps.includes(place) ? place : this.steps[0];
    this.tried = Object.fromEntries(this.asked.map((name) => [name, options(kept?.tried?.[name])]));
    this.explanation = String(kept?.explanation ?? "");
    this.isReported = kept?.isReported === true;
    this.test = data.test && new BeforeAfter(data.test, kept?.test, frame.attempt, () => this.keep());
    this.training = new OwnTraining(kept?.training, frame.attempt, () => this.keep());
    listenForKeys();
  }

  keep() {
    const { tried, explanation, isReported, test, training } = this;
    this.frame.keep(this.step, { tried, explanation, isReported, test: test?.state, training: training.state });
  }

  question(name) {
    return this.frame.data.steps[name].question;
  }

  isSolved(name) {
    return this.tried[name]?.includes(this.question(name).right) ?? false;
  }

  get done() {
    return this.asked.filter((name) => this.isSolved(name));
  }

  go(step) {
    this.step = step;
    this.draw();
    this.keep();
    scrollTo({ top: 0 });
    document.querySelector("h2")?.focus();
  }

  answer(option) {
    const { step } = this;
    const isRight = option === this.question(step).right;
    this.tried[step].push(option);
    if (this.tried[step].length === 1) {
      this.frame.attempt.note({ id: step, type: "choice", response: STEP_LETTERS[option], isRight, about: words(`course_${step}.title`) });
    }
    if (!this.isReported && this.done.length === this.asked.length) this.report();
    this.drawSteps();
    this.drawQuestion();
    this.keep();
    document.querySelector(".verdict")?.scrollIntoView({ block: "nearest" });
  }

  // The course has no mark: who answered all questions has completed it. First answers make the score.
  report() {
    const first = this.asked.filter((name) => this.tried[name][0] === this.question(name).right);
    this.frame.attempt.finish({ right: first.length, count: this.asked.length });
    this.isReported = true;
  }

  // ---- drawing

  draw() {
    this.remove();
    const { main, data } = this.frame;
    const { step } = this;
    const { sentence, text: output } = data.example;
    this.pills = new Pills(words("unit.steps"), (name) => this.go(name));
    this.pills.node.classList.add("course-steps");
    this.below = el("div", "below");
    this.foot = el("div", "stack");
    const title = heading(words(`course_${step}.title`));
    title.tabIndex = -1;
    const prose = el("div", "prose");
    prose.innerHTML = data.prose[this.frame.language][step]; // made by Python, which escaped all values
    const { panels, language } = this.frame;
    const material = { course: data, figure: data.steps[step]?.figure, panels, language, live: () => this.frame.live() };
    this.shown = step === END ? new Explain(material, this.explanation, (explanation) => this.explain(explanation)) : figureOf(step, material);
    const isBare = ["head", "heads"].includes(step); // their figure has a frame of its own
    const figure = add(el("section", isBare ? "shown" : "card shown"), this.shown.node);
    const grid = add(el("div", "step"), add(el("section", "text"), title, prose), figure, this.below);
    main.replaceChildren(...this.frame.heads("course", step === this.steps[0], { sentence, output }), this.pills.node, grid, ...this.trains(), this.ways(), ...this.offered(), this.foot);
    this.shown.appear();
    this.drawSteps();
    this.drawQuestion();
  }

  // A training of the learner's own, in the last step that asks.
  trains() {
    if (this.step !== TRAINS) return [];
    this.live = this.frame.live();
    return [this.training.node(this.live, this.frame.language)];
  }

  remove() {
    this.shown?.remove();
    this.live?.remove();
  }

  // The test, at the first step and at the end.
  offered() {
    const phase = { [this.steps[0]]: "before", [END]: "after" }[this.step];
    const node = phase && this.test?.node(phase);
    return node ? [node] : [];
  }

  drawSteps() {
    const names = this.steps.map((name, at) => [name, `${this.isSolved(name) ? "✓" : at + 1} ${words(`course_${name}.short`)}`]);
    this.pills.show(names, this.step);
    const { done, asked } = this;
    const isComplete = done.length === asked.length;
    const node = isComplete ? text(this.frame.reported(words("unit.complete")), "verdict right") : text(words("unit.answered", { done: done.length, count: asked.length }), "caption");
    this.foot.replaceChildren(node);
  }

  drawQuestion() {
    const { step } = this;
    const values = step === END ? {} : this.values(step);
    const todo = strong(words("course.do"), words(`course_${step}.do`, values));
    if (step === END) return this.below.replaceChildren(todo, this.shown.form);
    const { options: named, right, why } = this.question(step);
    const tried = this.tried[step];
    const isOver = tried.includes(right);
    const list = optionsNode(named.map((option, at) => [at, optionName(step, option)]), { tried, right: [right], isOver }, (option) => this.answer(option));
    list.classList.add("across");
    const verdict = el("div", "", { role: "status" });
    if (isOver) verdict.append(strong(words("course.right"), words(`course_${step}.${why}`, values), "verdict right"));
    else if (tried.length) verdict.append(text(words("course.wrong"), "verdict wrong"));
    this.below.replaceChildren(todo, strong(words("course.asks"), words(`course_${step}.asks`, values)), list, verdict);
    this.next.classList.toggle("main", isOver);
  }

  values(step) {
    const { values } = this.question(step);
    return "place" in values ? { ...values, place: placeName(values.place) } : values;
  }

  explain(explanation) {
    this.explanation = explanation;
    this.frame.attempt.comment(explanation);
    this.keep();
  }

  ways() {
    const at = this.steps.indexOf(this.step);
    const back = button(words("course.back"), () => this.go(this.steps[at - 1]));
    back.disabled = at === 0;
    this.next = button(words("course.next"), () => this.go(this.steps[at + 1]));
    return add(el("nav", "ways"), back, ...(this.step === END ? [] : [this.next]));
  }
}

// The places of an option of the course are named in the learner's language.
const optionName = (step, option) => (step === "layers" ? placeName(option) : option);

const options = (kept) => (Array.isArray(kept) ? kept.filter(Number.isInteger) : []);

// A text such as "**Try it.** {text}", filled.
function strong(template, content, look = "") {
  const [, title, rest] = /^\*\*(.+?)\*\*(.*)$/.exec(template);
  const name = add(el("b"), title);
  return add(el("p", look), name, rest.replace("{text}", () => content));
}
