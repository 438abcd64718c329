// What the course, and the page around a frame, may know of a training in this page: numbers and choices, no words.

import { outcome } from "./tabs/train/outcome.js";
import { CAUSES, CHANGES } from "./tabs/train/question.js";

const NEWS_LETTERS = "abcd"; // of answers, as a learning platform wants them

// Tell it by { glassformer: "training", … } to the page around this one, or to this page where none is around it:
//   right    the largest share of held-out words that came out right, of this run and of the one before; null before the first
//   expects  whether it was said what a change will do
//   guess    what was expected of a change, after a second run: a letter, and whether it came true
//   cause    what the differences were said to come from: a letter, and whether that is right
export function tellTraining({ run, before, guess: asked }) {
  const shares = [run, before].flatMap((each) => each?.points("exact_held_out") ?? []).map(([, share]) => share);
  const found = run?.guess && before && run.answers ? outcome(run, before) : null;
  const guess = found && { choice: letterOf(CHANGES, run.guess), isRight: run.guess === found.change };
  const cause = found && run.cause ? { choice: letterOf(CAUSES, run.cause), isRight: run.cause === CAUSES[0] } : null;
  const expects = Boolean(asked || run?.guess);
  window.parent.postMessage({ glassformer: "training", expects, right: shares.length ? Math.max(...shares) : null, guess, cause }, "*");
}

const letterOf = (options, chosen) => NEWS_LETTERS[options.indexOf(chosen)];
