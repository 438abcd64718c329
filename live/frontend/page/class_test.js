// The test before and after the lesson of a class: the questions of lessons/before_after.js, whose answers the class keeps.
// The server tells what is right once all questions after the lesson are answered.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { BeforeAfter } from "../lessons/before_after.js";
import { card, text } from "./parts.js";
import { words } from "./words.js";

const SECOND = 1000; // ms

// Whether a view of a class is its test.
export function isTest(view) {
  const [page, query] = view.split("?");
  return page === "class" && new URLSearchParams(query).get("show") === "test";
}

export class ClassTest {
  // panel: the ClassPanel; node: where the test is drawn.
  constructor(panel) {
    this.panel = panel;
    this.node = el("section", "class-test");
    this.heard = "";
    this.wanted = false; // to be opened, as soon as it is there
    this.acted = false; // by the student, who goes on in it
  }

  // The class as the server tells it.
  hear({ test }) {
    if (test === this.heard) return;
    this.heard = test;
    this.node.replaceChildren();
    this.load();
  }

  // In another language, or when the class is left.
  forget() {
    this.heard = "";
    this.node.replaceChildren();
  }

  get phase() {
    return this.heard.split(" ")[1];
  }

  async load() {
    const { heard, phase } = this;
    this.node.setAttribute("aria-label", words("class_test.title"));
    if (!heard.trim()) return;
    const test = await this.panel.ask("GET", null, "test");
    if (heard !== this.heard) return; // overtaken
    if (!test?.forms) return void this.show(card(text(test?.says ?? words("class_bar.away"))));
    const form = new ClassForm(this, test);
    if (phase === "closed" && !(test.first && form.isFinished("after"))) return void this.show(card(text(words("class_test.closed"))));
    if (phase === "lesson" && (!test.first || form.isFinished("before"))) return void this.node.replaceChildren();
    this.show(form.node(phase === "before" || phase === "lesson" ? "before" : "after"));
  }

  show(node) {
    this.node.replaceChildren(node);
    if (this.wanted || this.acted) this.open();
    if (this.acted) this.node.querySelector("input, summary")?.focus();
    this.acted = false;
  }

  // The teacher shows the test.
  open() {
    const details = this.node.querySelector("details");
    this.wanted = !this.node.firstChild;
    if (details) details.open = true;
    this.node.firstChild?.scrollIntoView({ block: "center" });
  }

  // After what the student did.
  reload() {
    this.acted = true;
    return this.load();
  }
}

class ClassForm extends BeforeAfter {
  constructor(test, { forms, first, before, after }) {
    super(forms, { first, before, after }, null, () => {});
    this.test = test;
  }

  isOffered() {
    return true;
  }

  title() {
    return words("class_test.title");
  }

  said() {
    return [words("lesson_test.asked"), words("lesson_test.class_stored"), words("lesson_test.free")];
  }

  consent(phase) {
    return phase === "before" ? super.consent(phase) : [text(words("lesson_test.late"))];
  }

  async agree() {
    const problem = await this.test.panel.bar.act({ do: "agree" });
    if (problem === "") this.test.reload();
  }

  question(phase) {
    this.since = performance.now();
    return super.question(phase);
  }

  choose(phase) {
    const { id } = this.questions(phase)[this.at];
    const told = this.test.panel.bar.act({ do: "choose", phase, question: id, choice: this.choice, seconds: (performance.now() - this.since) / SECOND });
    super.choose(phase);
    if (phase === "after" && this.isFinished(phase)) told.then(() => this.test.reload());
  }

  report() {} // no platform

  finished(phase) {
    if (phase === "before") return super.finished(phase);
    if (this.questions(phase)[0].right === undefined) return []; // it is on its way
    return [...super.finished(phase), add(el("details"), add(el("summary"), words("lesson_test.earlier")), ...this.answered("before"))];
  }
}
