// The test before the first step of the course and after the last one, for learners who agree: six questions each time.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { button, text } from "../page/parts.js";
import { words } from "../page/words.js";

const UNKNOWN = -1; // the choice "I do not know"
const CHOICE_LETTERS = "abcde"; // of choices, as a platform wants them; the last for UNKNOWN

export class BeforeAfter {
  // forms: { A: [{ id, right, choices }, …], B: … }; kept: as `state` was; changed: called after each choice
  constructor(forms, kept, attempt, changed) {
    const isKept = kept?.first in forms;
    this.state = isKept ? kept : { first: "", before: [], after: [] };
    Object.assign(this, { forms, attempt, changed, at: null });
  }

  // The form of a phase: never the same twice.
  questions(phase) {
    const { first } = this.state;
    const other = Object.keys(this.forms).find((form) => form !== first);
    return this.forms[phase === "before" ? first : other];
  }

  isFinished(phase) {
    return this.state.first !== "" && this.state[phase].length === this.questions(phase).length;
  }

  rightOf(phase) {
    return this.questions(phase).filter(({ right }, at) => this.state[phase][at] === right).length;
  }

  // Whether there is something to do: after the course nothing for learners who have nothing to compare with.
  isOffered(phase) {
    return phase === "before" || this.isFinished("before");
  }

  title(phase) {
    return words(`unit_test.${phase}`);
  }

  // An offer, closed at first; null where nothing is offered.
  node(phase) {
    if (!this.isOffered(phase)) return null;
    this.body = el("div", "stack");
    const node = add(el("details", "card before-after"), add(el("summary"), this.title(phase)), this.body);
    this.draw(phase);
    return node;
  }

  draw(phase) {
    if (!this.state.first) return this.body.replaceChildren(...this.consent(phase));
    if (this.isFinished(phase)) return this.body.replaceChildren(...this.finished(phase));
    this.at = this.state[phase].length;
    return this.body.replaceChildren(...this.question(phase));
  }

  agree(phase) {
    const forms = Object.keys(this.forms);
    this.state.first = forms[Math.floor(Math.random() * forms.length)];
    this.changed();
    this.draw(phase);
  }

  // What is asked, what is kept, and what a "no" changes.
  said() {
    return [words("lesson_test.own_asked"), words("unit_test.stored"), words("lesson_test.free")];
  }

  consent(phase) {
    const texts = this.said().map((said) => text(said));
    const decline = () => {
      this.body.parentElement.open = false;
      this.body.previousSibling.focus();
    };
    return [...texts, add(el("div", "row"), button(words("lesson_test.agree"), () => this.agree(phase), "button main"), button(words("lesson_test.decline"), decline))];
  }

  question(phase) {
    const questions = this.questions(phase);
    const { id, choices } = questions[this.at];
    const group = add(el("fieldset", "choices"), add(el("legend"), words(`learning_items.${id}_text`)));
    const next = button(words(this.at === questions.length - 1 ? "lesson_test.finish" : "lesson_test.next"), () => this.choose(phase), "button main");
    next.disabled = true;
    for (const choice of [...Array(choices).keys(), UNKNOWN]) {
      const input = el("input", "", { type: "radio", name: "choice" });
      input.onchange = () => {
        this.choice = choice;
        next.disabled = false;
      };
      const label = add(el("span"), choiceText(id, choice));
      group.append(add(el("label"), input, label));
    }
    const back = button(words("lesson_test.back"), () => this.back(phase));
    back.disabled = this.at === 0;
    return [text(words("lesson_test.count", { number: this.at + 1, count: questions.length }), "caption"), group, add(el("div", "row"), back, next)];
  }

  choose(phase) {
    this.state[phase].push(this.choice);
    if (this.isFinished(phase)) this.report(phase);
    this.changed();
    this.draw(phase);
    this.body.querySelector("input, p")?.focus();
  }

  back(phase) {
    this.state[phase].pop();
    this.changed();
    this.draw(phase);
  }

  // The platform is told the answers and the points of a phase; the score of the course stays that of its questions.
  report(phase) {
    const questions = this.questions(phase);
    questions.forEach(({ id, right }, at) => {
      const choice = this.state[phase][at];
      this.attempt.note({ id: `${phase}-${id}`, type: "choice", response: CHOICE_LETTERS.at(choice), isRight: choice === right, about: words(`learning_items.${id}_text`) });
    });
    this.attempt.objective(`test-${phase}`, { right: this.rightOf(phase), count: questions.length });
  }

  // What was right is said after the course only.
  finished(phase) {
    if (phase === "before") return [text(words("lesson_test.thanks"))];
    const count = this.questions(phase).length;
    const right = { before: this.rightOf("before"), after: this.rightOf("after"), count };
    const result = this.isFinished("before") ? words("lesson_test.result", right) : words("lesson_test.result_after", right);
    return [text(result), text(words("lesson_test.result_about"), "caption"), ...this.answered(phase)];
  }

  // Each question with what was chosen and what is right.
  answered(phase) {
    return this.questions(phase).flatMap(({ id, right }, at) => {
      const choice = this.state[phase][at];
      const verdict = choice === right ? words("lesson_test.was_right", { right: choiceText(id, right) }) : words("lesson_test.was_wrong", { own: choiceText(id, choice), right: choiceText(id, right) });
      return [text(words(`learning_items.${id}_text`)), text(verdict, "caption")];
    });
  }
}

function choiceText(id, choice) {
  if (choice === undefined) return words("lesson_test.nothing");
  return words(choice === UNKNOWN ? "learning.unknown" : `learning_items.${id}_${choice}`);
}
