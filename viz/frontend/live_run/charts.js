// The curves of a run: their lines, and for each the number of a report, its name in words, its colour.

import { fill } from "../common/dom.js";

const TONES = ["a", "b", "c", "embedding", "position"];

const CHARTS = [
  { name: "right", low: 0, high: 1, percent: true, lines: [
    ["token_accuracy", "accuracy", "c"],
    ["exact_training", "exact_training", "a"],
    ["exact_held_out", "exact_held_out", "b"],
  ] },
  { name: "loss", log: true, lines: [["loss", "loss_train", "a"], ["validation_loss", "loss_validation", "b"]] },
];
export const MORE_CHARTS = [
  { name: "rate", low: 0, lines: [["learning_rate", "rate", "c"]] },
  { name: "norm", log: true, lines: [["gradient_norm", "norm", "c"]] },
  { name: "energy", log: true, lines: [["embedding_energy", "embedding", "embedding"], ["position_energy", "position", "position"]] },
];

// `heads`: those whose look-up of repeated letters is measured.
export const chartsOf = (heads, words) => [...lookedUp(heads, words), ...CHARTS];

// Of repeated letters: the loss where nothing and where all can be known, and what each head looks at.
function lookedUp(heads, words) {
  if (!heads.length) return [];
  const lines = (score) => heads.map(([layer, head], at) => {
    return [`${score}_${layer}_${head}`, fill(words.head, { layer, head }), TONES[at % TONES.length]];
  });
  return [
    { name: "occurrence", low: 0, lines: [["loss_first", "first", "a"], ["loss_again", "again", "b"]] },
    { name: "previous", low: 0, high: 1, percent: true, lines: lines("previous") },
    { name: "induction", low: 0, high: 1, percent: true, lines: lines("induction") },
  ];
}
