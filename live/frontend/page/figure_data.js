// What the figures get, from the values of a run: the parts { header, body } of the messages that viz/components/*.py makes
// in the app, with the numbers as they are.

import SPECIAL from "../../../viz/frontend/common/special.json" with { type: "json" };
import { bitsOf } from "../formulas.js";
import { joined } from "../sources.js";

const KINDS = ["encoder", "decoder", "cross"];
const OF_SPECIALS = new RegExp(`^(?:${SPECIAL})$`);

export const isSpecial = (token) => OF_SPECIALS.test(token); // as viz/whole_words.py

// The row of the decoder whose prediction was written first.
export const firstRow = ({ prompt }) => Math.max(0, prompt.length - 1);

// Where the attention of a layer stands among the recorded values.
export const pathOf = (kind, layer) =>
  kind === "cross" ? `decoder.${layer}.cross_attention` : `${kind}.${layer}.self_attention`;

// One panel for each kind of attention: { kind, layers, heads, queries, keys, read, weights }, the weights of each layer
// [H, Q, K]. A row of cross-attention is the word that is written, with the word read beside it. With `norms` of a result
// (engine.js), shares of norms stand in place of weights.
export function panelsOf({ layers, config }, { values, sourceTokens, targetTokens, outputTokens }, norms = null) {
  const numbers = (path) => (norms ? normShares(values[`${path}.weights`], norms[`${path}.value_norms`]) : values[`${path}.weights`].data);
  const rows = { encoder: sourceTokens, decoder: targetTokens, cross: outputTokens };
  const columns = { encoder: sourceTokens, decoder: targetTokens, cross: sourceTokens };
  return KINDS.filter((kind) => layers[kind]).map((kind) => ({
    kind,
    layers: layers[kind],
    heads: config.heads,
    queries: rows[kind],
    keys: columns[kind],
    read: kind === "cross" ? targetTokens : [],
    weights: Array.from({ length: layers[kind] }, (_, layer) => numbers(pathOf(kind, layer))),
  }));
}

// ‖α v W^O‖ over the sum of its row: weights [H, Q, K], norms of v W^O [H, K]; `norm_weights` of model/attribution.
function normShares({ data, shape: [heads, queries, keys] }, norms) {
  const shares = new Float32Array(data.length);
  for (let head = 0; head < heads; head++) {
    for (let query = 0; query < queries; query++) {
      const row = (head * queries + query) * keys;
      let sum = 0;
      for (let key = 0; key < keys; key++) sum += data[row + key] * norms.data[head * keys + key];
      for (let key = 0; key < keys && sum > 0; key++) shares[row + key] = (data[row + key] * norms.data[head * keys + key]) / sum;
    }
  }
  return shares;
}

// The token and head whose mean share over the rows falls most from one panel to another: { layer, head, key, before, after }.
export function largestFall(weights, shares) {
  const { layers, heads, queries, keys } = weights;
  const mean = (panel, layer, head, key) =>
    queries.reduce((sum, _, query) => sum + panel.weights[layer][(head * queries.length + query) * keys.length + key], 0) / queries.length;
  let fall = null;
  for (let layer = 0; layer < layers; layer++) {
    for (let head = 0; head < heads; head++) {
      for (let key = 0; key < keys.length; key++) {
        const [before, after] = [weights, shares].map((panel) => mean(panel, layer, head, key));
        if (!fall || before - after > fall.before - fall.after) fall = { layer, head, key, before, after };
      }
    }
  }
  return fall;
}

// `attention_data`: links show the panel of the chosen kind alone.
export function attentionMessage(panels, { view, kind, layer, head, words, pin = null, written = [], paused = false, compact = false }) {
  const shown = view === "matrix" ? panels : panels.filter((panel) => panel.kind === kind);
  const header = { view, panels: shown.map(describedPanel), words, selection: { kind, layer, head, ...(pin && { pin }) } };
  if (written.length) Object.assign(header, { written, paused });
  if (compact) header.compact = true;
  return { header, body: joined(shown.flatMap(({ weights }) => weights), Float32Array) };
}

function describedPanel({ kind, layers, heads, queries, keys, read, weights }) {
  const specials = (tokens) => tokens.map((token) => Number(isSpecial(token)));
  const measured = weights.flatMap((layer) => Array.from({ length: heads }, (_, head) => measures(layer, head, queries.length, keys.length)));
  const added = { sums: measured.map(({ sums }) => sums), entropies: measured.map(({ entropy }) => entropy) };
  return { kind, layers, heads, queries, keys, querySpecials: specials(queries), keySpecials: specials(keys), read, ...added };
}

// Of the weights of a layer [H, Q, K]: sums of the rows and columns of a head, and its mean entropy in bits, with the
// decimals that a figure shows.
function measures(weights, head, queries, keys) {
  const [rows, columns] = [Array(queries).fill(0), Array(keys).fill(0)];
  let bits = 0;
  for (let query = 0; query < queries; query++) {
    for (let key = 0; key < keys; key++) {
      const weight = weights[(head * queries + query) * keys + key];
      rows[query] += weight;
      columns[key] += weight;
      bits += bitsOf(weight);
    }
  }
  const entropy = rounded(bits / Math.max(rows.filter((sum) => sum > 0).length, 1), 100);
  return { sums: [rows, columns].map((each) => each.map((sum) => rounded(sum, 1000))), entropy };
}

const rounded = (value, power) => Math.floor(value * power + 0.5) / power;

// `matrix_data`. A matrix is { key, title, values, rows, columns } and what of the other fields of viz.data.Matrix it has.
export function matrixMessage(matrices, words, { selection = null, cell = null } = {}) {
  const whole = matrices.map((matrix) => ({ ...MATRIX, ...matrix }));
  const header = { cell, matrices: whole.map(describedMatrix), words, selection };
  return { header, body: joined(whole.map(({ values }) => values), Float32Array) };
}

const MATRIX = { rowAxis: "", columnAxis: "", scale: "signed", colour: "neutral", limit: null, decimals: 3, note: "", sign: "", blank: "" };

function describedMatrix({ key, title, note, rows, columns, rowAxis, columnAxis, scale, colour, decimals, blank, sign, ...matrix }) {
  return { key, title, note, rows, columns, rowAxis, columnAxis, scale, colour, full: fullOf({ scale, ...matrix }), decimals, blank, sign };
}

// The value of full colour.
function fullOf({ scale, limit, values }) {
  if (scale === "weight" || scale === "mask") return 1;
  if (limit !== null) return limit;
  return largestSize(values) || 1;
}

// The largest finite size of numbers, 0 of none.
export function largestSize(values) {
  let most = 0;
  for (const value of values) if (Number.isFinite(value)) most = Math.max(most, Math.abs(value));
  return most;
}

// Whether two messages are of one figure, whatever is selected in it.
export function areAlike(...messages) {
  const [one, two] = messages.map(({ header: { digest, selection, ...content } }) => JSON.stringify(content));
  const [numbers, others] = messages.map(({ body }) => body);
  return one === two && numbers.length === others.length && numbers.every((number, at) => Object.is(number, others[at]));
}

// `player_data`. Steps are those of engine.js with `read`, the token read last, and `forced`. `vocabulary`: tokens in all.
export function playerMessage(prompt, steps, step, words, { vocabulary, fixed = false }) {
  return JSON.stringify({ prompt, steps: steps.map((each) => playerStep(each, vocabulary)), step, fixed, sampled: false, words });
}

function playerStep({ read, token, id, probability, rank, forced, candidates, others }, vocabulary) {
  return {
    read,
    word: token,
    id,
    chosen: sixDigits(probability),
    rank,
    forced,
    candidates: candidates.map((each) => [each.id, each.token, sixDigits(each.probability), null]),
    others: sixDigits(others),
    othersDrawn: null,
    left: vocabulary - candidates.length,
  };
}

const sixDigits = (value) => Number(value.toPrecision(6));
