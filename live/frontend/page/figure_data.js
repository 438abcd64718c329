// What the figures get, from the values of a run: the same messages that viz/components/*.py makes in the app.

import { joined } from "../sources.js";

const KINDS = ["encoder", "decoder", "cross"];
const SPECIAL = /^(?:<(?!0x)[^<>\s]+>|\[[A-Z]+\])$/; // `is_special` of model/tokenization/token_text.py
const WHOLE = 65535; // steps between the weights 0 and 1

export const isSpecial = (token) => SPECIAL.test(token);

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
  const content = { view, panels: shown.map(describedPanel), words };
  if (written.length) Object.assign(content, { written, paused });
  if (compact) content.compact = true;
  const selection = { kind, layer, head, ...(pin && { pin }) };
  return packed(content, selection, weightPlanes(shown.flatMap(({ weights }) => weights)));
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
      if (weight > 0) bits -= weight * Math.log2(weight);
    }
  }
  const entropy = rounded(bits / Math.max(rows.filter((sum) => sum > 0).length, 1), 100);
  return { sums: [rows, columns].map((each) => each.map((sum) => rounded(sum, 1000))), entropy };
}

const rounded = (value, power) => Math.floor(value * power + 0.5) / power;

// Whole numbers of 1/65535, all high bytes before all low bytes. Only what is exactly 0 becomes 0; two and three decimals
// are those of the weight, where the nearest whole number might round to others.
export function weightPlanes(parts) {
  const count = parts.reduce((sum, part) => sum + part.length, 0);
  const planes = new Uint8Array(2 * count);
  let at = 0;
  for (const part of parts) {
    for (const weight of part) {
      const exact = Math.min(weight, 1);
      let whole = weight > 0 ? Math.max(1, Math.floor(exact * WHOLE + 0.5)) : 0;
      for (const power of [100, 1000]) whole += Math.sign(rounded(exact, power) - rounded(whole / WHOLE, power));
      planes[at] = whole >> 8;
      planes[count + at] = whole & 255;
      at += 1;
    }
  }
  return planes;
}

// `matrix_data`. A matrix is { key, title, values, rows, columns } and what of the other fields of viz.data.Matrix it has.
export function matrixMessage(matrices, words, { selection = null, cell = null } = {}) {
  const whole = matrices.map((matrix) => ({ ...MATRIX, ...matrix }));
  const content = { cell, matrices: whole.map(describedMatrix), words };
  return packed(content, selection, joined(whole.map(matrixBytes)));
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

// A mask as a byte for each cell; numbers as float32 in four planes of bytes.
function matrixBytes({ scale, values }) {
  if (scale === "mask") return Uint8Array.from(values);
  const bytes = new Uint8Array(Float32Array.from(values).buffer);
  const count = values.length;
  const planes = new Uint8Array(4 * count);
  for (let plane = 0; plane < 4; plane++) {
    for (let at = 0; at < count; at++) planes[plane * count + at] = bytes[4 * at + plane];
  }
  return planes;
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

// Length of the header, header, body: viz/components/packing.py. Nothing is deflated here, since nothing travels.
function packed(content, selection, body) {
  const header = { ...content, deflated: false, digest: digestOf(JSON.stringify(content), body), selection };
  const text = new TextEncoder().encode(JSON.stringify(header));
  const bytes = new Uint8Array(4 + text.length + body.length);
  new DataView(bytes.buffer).setUint32(0, text.length, true);
  bytes.set(text, 4);
  bytes.set(body, 4 + text.length);
  return bytes;
}

// Equal for equal figures and unlikely for others: two sums of FNV-1a over text and bytes.
function digestOf(text, body) {
  let [one, two] = [0x811c9dc5, 0x9e3779b9];
  const mix = (value) => {
    one = Math.imul(one ^ value, 0x01000193);
    two = Math.imul(two ^ value, 0x85ebca6b) ^ (two >>> 13);
  };
  for (let at = 0; at < text.length; at++) mix(text.charCodeAt(at));
  for (const byte of body) mix(byte);
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
}
