// The result of a round of the quiz, with all its questions.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { percent } from "../../../viz/frontend/common/numbers.js";
import { button, card, heading, text } from "../page/parts.js";
import { words } from "../page/words.js";
import { verdictNode } from "./parts.js";
import { counts, isPassed, pointsOf, stateOf } from "./rounds.js";

// mark: the share that passes; strip: the marks of all questions; topicOf(name); reported(said) adds what the platform
// knows; go(at) leads to a question, again() to new ones.
export function resultNode(round, { mark, strip, topicOf, reported, go, again }) {
  const [points, count] = [pointsOf(round), round.length];
  const open = round.filter((item) => !counts(item)).length;
  const said = text(words("unit.points", { right: points, count, share: percent(points / count) }), "points");
  const node = card(heading(words("quiz.score")), strip, said);
  if (open) node.append(text(words("unit.open", { count: open }), "verdict told"));
  else node.append(markNode(isPassed(round, mark), mark, reported));
  node.append(listNode(round, topicOf, go));
  if (!open) node.append(add(el("div", "row"), button(words("unit.again"), again, "button main"), text(words("unit.best"), "caption")));
  return node;
}

const markNode = (passed, mark, reported) =>
  verdictNode(reported(words(passed ? "unit.passed" : "unit.failed", { mark: percent(mark) })), passed ? "right" : "wrong");

// All questions of the round, each a click away.
function listNode(round, topicOf, go) {
  const lines = round.map((item, at) => {
    const state = counts(item) ? words(`quiz_columns.${stateOf(item) || "open"}`) : words("unit.unanswered");
    return add(el("li"), button(topicOf(item.name), () => go(at), "link"), text(state, "caption"));
  });
  return add(el("ol", "marks"), ...lines);
}
