// In the last step that asks: the learner trains a model, spoils its data, trains it again, and says what changed.

import { add, el, say } from "../../../viz/frontend/common/dom.js";
import { percent } from "../../../viz/frontend/common/numbers.js";
import { button, heading, text } from "../page/parts.js";
import { sentences, words } from "../page/words.js";

const HAS_LEARNED = 0.95; // of the words that it never saw, from which on it is said to have learned
const CHOICE_LETTER = /^[a-d]$/;

export class OwnTraining {
  // kept: as `state` was; attempt: is told of both answers, see unit/scorm.js; changed: called after each
  constructor(kept, attempt, changed) {
    const { right = null, guess = null, cause = null } = kept ?? {};
    this.state = { right: Number.isFinite(right) ? right : null, guess: choiceOf(guess), cause: choiceOf(cause) };
    Object.assign(this, { attempt, changed });
    this.listener = ({ data, source }) => data?.glassformer === "training" && this.live?.isSource(source) && this.hear(data);
    addEventListener("message", this.listener);
  }

  remove() {
    removeEventListener("message", this.listener);
  }

  // live: see `live` of the frame in course.js; language: of the page that it shows.
  node(live, language) {
    this.live = live;
    this.list = el("ol", "todo");
    const show = () => live.show("train", { task: "reverse", language });
    const start = button(words("unit_train.open"), () => (start.replaceWith(live.node), show()), "button main");
    if (!live.isFramed) show();
    const parts = [heading(words("unit_train.title")), text(words("unit_train.about")), this.list, live.isFramed ? start : live.node];
    this.draw();
    return add(el("section", "card own-training"), ...parts);
  }

  // Each thing to do, ticked once it is done.
  draw() {
    const { right, guess, cause } = this.state;
    const done = { learn: right >= HAS_LEARNED, expect: guess ?? this.expects, again: guess, say: cause };
    const reached = right === null ? "" : words("unit_train.reached", { share: percent(right, 1) });
    const lines = Object.entries(done).map(([name, isDone]) => {
      const line = el("li", "", { "data-done": String(Boolean(isDone)) });
      const mark = el("span", "", { role: "img", "aria-label": words(isDone ? "unit_train.done" : "unit_train.open_still") });
      say(mark, isDone ? "✓" : "○");
      return add(line, mark, text(sentences(words(`unit_train.${name}`), name === "learn" && reached)));
    });
    this.list.replaceChildren(...lines);
  }

  // The platform is told the first answers; the score of the course stays that of its questions.
  hear({ right, expects, guess, cause }) {
    const { state } = this;
    this.expects ||= expects === true;
    const kept = () => JSON.stringify([state.right >= HAS_LEARNED, state.guess, state.cause]);
    const before = kept();
    if (Number.isFinite(right)) state.right = Math.max(state.right ?? 0, Math.round(1000 * right) / 1000);
    const news = { guess: state.guess ?? choiceOf(guess), cause: state.cause ?? choiceOf(cause) };
    const asked = { guess: "unit_train.expect", cause: "live_train.question_after" };
    for (const [name, answer] of Object.entries(news)) {
      if (!answer || state[name]) continue;
      state[name] = answer;
      this.attempt.note({ id: `train-${name}`, type: "choice", response: answer.choice, isRight: answer.isRight, about: words(asked[name]) });
      if (name === "cause") this.attempt.objective("train", { right: Object.values(news).filter((each) => each.isRight).length, count: 2 });
    }
    this.draw();
    if (kept() !== before) this.changed(); // not with every number: a platform saves each time
  }
}

// { choice, isRight } of a message or of what was kept; null for anything else.
function choiceOf(given) {
  return CHOICE_LETTER.test(given?.choice) && typeof given.isRight === "boolean" ? { choice: given.choice, isRight: given.isRight } : null;
}
