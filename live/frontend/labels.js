// What the logits of labels mean, by the config's `label_kind`: model/analysis/labels.py.

import { logSum, shareOf, sigmoid, softmax } from "./formulas.js";

// Probabilities of each row of logits { data, shape: [rows, labels] }, or the numbers as they are.
export function sharesOf(kind, { data, shape: [rows, count] }) {
  const row = (at) => Array.from(data.subarray(at * count, (at + 1) * count));
  const all = Array.from({ length: rows }, (_, at) => row(at));
  if (kind === "score") return all;
  if (kind === "several") return all.map((logits) => logits.map(sigmoid));
  if (kind === "span") {
    const sums = Array.from({ length: count }, (_, label) => logSum(all.map((logits) => logits[label])));
    return all.map((logits) => logits.map((logit, label) => shareOf(logit, sums[label])));
  }
  return all.map(softmax);
}

// The likeliest answer among the places from `start` to before `end`: { first, last, share, none }, `none` being the share
// of the first token as start and end.
export function answerOf(logits, start, end) {
  const shares = sharesOf("span", logits);
  let best = { first: start, last: start, share: -1 };
  for (let first = start; first < end; first++) {
    for (let last = first; last < end; last++) {
      const share = shares[first][0] * shares[last][1];
      if (share > best.share) best = { first, last, share };
    }
  }
  return { ...best, none: shares[0][0] * shares[0][1] };
}
