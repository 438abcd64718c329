// The two curves: how many tokens the text has, and how many pieces the vocabulary.

export const LENGTHS = { name: "merges", low: 0, lines: [["tokens", "tokens", "a"], ["vocabulary", "vocabulary", "b"]] };

// Named as the numbers of a run are, which the curves ask for.
export const lengthsOf = (steps) => ({
  steps: steps.length - 1,
  points: (column) => steps.map((step, at) => [at, step[column]]),
});
