// What a model says to a prediction (model/predict/page_data.py): the engine runs, and the answer is read off its values.

import { pathOf } from "../page/figure_data.js";

const NO_CHANGE = "none"; // model/predict/prediction.py

// Each gets a draw, the result of the sentence, and `run`, which has `write` and `pass` of engine.js. Promises { key, values,
// shares }: the right answer, what the text says of it, and what was measured for each option, where that is shown.
const MEASURES = {
  where: async ({ values: { kind, layer, head }, options, measure }, result) => {
    const weights = weightsOfRow(result.values[`${pathOf(kind, layer)}.weights`], Number(head), measure.row);
    const key = String(weights.indexOf(Math.max(...weights)));
    const shares = Object.fromEntries(options.map(([answer]) => [answer, weights[Number(answer)]]));
    return { key, values: { token: textOf(options, key), weight: weights[Number(key)].toFixed(2) }, shares };
  },

  position: async (draw, result) => {
    const { key, values: { token } } = await MEASURES.where(draw, result);
    return { key, values: { token } };
  },

  how_sure: async ({ measure }, result) => {
    const { probability } = result.steps[measure.row - (result.prompt.length - 1)];
    return { key: 100 * probability, values: {} };
  },

  next_word: async ({ measure: { forced } }, result, run) => {
    const { steps } = await run.write({ forced });
    const { id, token, probability } = steps[forced.length];
    return { key: String(id), values: { token, percent: (100 * probability).toFixed(0) } };
  },

  // Both passes read the same output: the first row that would write something else is where it changes.
  head_off: async ({ values: { kind, layer, head }, options, measure: { first } }, result, run) => {
    const off = { kind, layer: Number(layer), head: Number(head), scale: 0 };
    const [before, after] = [await run.pass(result, { first }), await run.pass(result, { first, heads: [off] })];
    const at = after.steps.findIndex(({ id }, step) => id !== before.steps[step].id);
    const key = at < 0 ? NO_CHANGE : String(first + at);
    return { key, values: { token: textOf(options, key) } };
  },
};

export const measuredFor = (name, draw, result, run) => MEASURES[name](draw, result, run);

// The row of a head, of weights [H, Q, K].
function weightsOfRow({ data, shape: [, queries, keys] }, head, row) {
  const start = (head * queries + row) * keys;
  return [...data.subarray(start, start + keys)];
}

const textOf = (options, answer) => options.find(([option]) => option === answer)?.[1] ?? "";
