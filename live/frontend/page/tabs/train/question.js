// One question before a second run and one after it: what will change, and what the differences come from.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../../viz/frontend/common/numbers.js";
import { optionsNode, verdictNode } from "../../../lessons/parts.js";
import { button, card, heading, text } from "../../parts.js";
import { words } from "../../words.js";
import { MARGIN, outcome } from "./outcome.js";

const UNSURE = "unsure";
export const CHANGES = ["fewer", "same", "more", UNSURE];
export const CAUSES = ["cause_change", "cause_chance", "cause_model", UNSURE];

export class QuestionCard {
  // trainings: see run.js; again: starts the next run
  constructor(trainings, again) {
    Object.assign(this, { trainings, again });
    this.node = card();
  }

  // Drawn when something of it is new, so that the focus stays.
  show() {
    const parts = this.parts();
    this.node.hidden = !parts;
    const { run, guess } = this.trainings;
    const form = JSON.stringify([parts?.name, guess, run?.guess, run?.cause, parts?.found]);
    if (form === this.form) return;
    this.form = form;
    this.node.replaceChildren(...(parts ? [heading(words("live_train.question")), ...parts.nodes()] : []));
  }

  // What is asked now: before the next run, or after the last one.
  parts() {
    const { run, before, state, isChanged, isAlike, size } = this.trainings;
    if (state === "running" || !run?.step || run.text) return null;
    if (isChanged) return isAlike && run.size === size ? { name: "before", nodes: () => this.before() } : null;
    const found = run.guess && before && run.answers ? outcome(run, before) : null;
    return found && { name: "after", found, nodes: () => this.after(run, found) };
  }

  before() {
    const { trainings } = this;
    const { guess, task } = trainings;
    const asked = text(words("live_train.question_before", { held: task.heldOut.length }), "asked");
    const options = optionsNode(CHANGES.map((each) => [each, answerText(each)]), { tried: [], right: [], isOver: false }, (value) => {
      trainings.guess = value;
      trainings.tell();
      this.node.querySelector(".main").focus();
    });
    if (!guess) return [asked, options];
    const chosen = text(words("live_train.question_chosen", { choice: answerText(guess) }));
    return [asked, options, chosen, add(el("div", "row"), button(words("live_train.again"), () => this.again(), "button main"))];
  }

  after(run, { step, before, now, change }) {
    const shares = { before: percent(before, 1), now: percent(now, 1) };
    const result = words("live_train.question_result", { step, ...shares, choice: answerText(run.guess) });
    const right = CAUSES[0];
    const options = optionsNode(CAUSES.map((each) => [each, answerText(each)]), { tried: run.cause ? [run.cause] : [], right: [right], isOver: Boolean(run.cause) }, (value) => {
      run.cause = value;
      this.trainings.keep();
      this.trainings.tell();
    });
    const verdict = run.cause ? [verdictNode(words(run.cause === right ? "live_train.cause_right" : "live_train.cause_wrong"), run.cause === right ? "right" : "wrong")] : [];
    return [verdictNode(result, run.guess === change ? "right" : "told"), text(words("live_train.question_after"), "asked"), options, ...verdict];
  }
}

const answerText = (option) => words(`live_train.${option}`, { margin: percent(MARGIN) });
