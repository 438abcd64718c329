// The formulas that a live page works out by itself, of numbers that a graph gave it: one line or two each, for which a graph
// would be a call to the worker for each number. All others are graphs, traced from model/. No other script of a page has
// exponentials, logarithms or roots: tests/house/test_formulas.py. Tests hold the pages' numbers against the app's.

export function logSum(logits) {
  const most = logits.reduce((largest, logit) => Math.max(largest, logit), -Infinity);
  let sum = 0;
  for (const logit of logits) sum += Math.exp(logit - most);
  return most + Math.log(sum);
}

// The probability of a logit among those of which `total` is the logSum.
export const shareOf = (logit, total) => Math.exp(logit - total);

export function softmax(scores) {
  const total = logSum(scores);
  return scores.map((score) => shareOf(score, total));
}

export const sigmoid = (logit) => 1 / (1 + Math.exp(-logit));

// By how much the logarithm of a probability changes.
export const logChange = (before, after) => Math.log(after) - Math.log(before);

// The logarithm of the probability of all steps.
export const logOfAll = (steps) => steps.reduce((sum, { probability }) => sum + Math.log(probability), 0);

// What a weight adds to the entropy of its row, in bits.
export const bitsOf = (weight) => (weight > 0 ? -weight * Math.log2(weight) : 0);

// The cosine of two vectors, exactly 1 of equal ones.
export function cosine(a, b) {
  const dot = (x, y) => x.reduce((sum, value, at) => sum + value * y[at], 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}
