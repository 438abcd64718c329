// One head step by step, from the recorded values: what model/analysis/attention/head_stages.py and
// viz/matrices/attention/stage_matrices.py make of them. Nothing is computed here but q kᵀ and h + output, for show.

import { pathOf } from "../figure_data.js";
import { section, words } from "../words.js";

// step: [sign, part], …, the part that it makes last
export const STEPS = {
  input: [["", "memory"], ["", "before"], ["→", "x"]],
  query: [["", "x"], ["·", "w_q"], ["+", "b_q"], ["=", "unnormed_q"], ["→", "unrotated_q"], ["→", "q"]],
  key: [["", "memory"], ["·", "w_k"], ["+", "b_k"], ["=", "unnormed_k"], ["→", "unrotated_k"], ["→", "k"]],
  value: [["", "memory"], ["·", "w_v"], ["+", "b_v"], ["=", "v"]],
  raw: [["", "q"], ["·", "k_transposed"], ["=", "raw"]],
  scaled: [["", "raw"], ["→", "scaled"]],
  mask: [["", "allowed"]],
  masked: [["", "allowed"], ["", "scaled"], ["+", "bias"], ["→", "masked"]],
  softmax: [["", "masked"], ["→", "weights"]],
  mix: [["", "weights"], ["·", "v"], ["=", "head_output"]],
  concat: [["", "head_output"], ["→", "concatenated"]],
  output: [["", "concatenated"], ["·", "w_o"], ["+", "b_o"], ["=", "output"]],
  residual: [["", "before"], ["+", "output"], ["=", "added"], ["→", "residual"]],
};
const AXES = {
  memory: ["keys", "model"], w_q: ["model", "head"], w_k: ["model", "head"], w_v: ["model", "head"],
  b_q: ["one", "head"], b_k: ["one", "head"], b_v: ["one", "head"], b_o: ["one", "model"],
  unnormed_q: ["queries", "head"], unnormed_k: ["keys", "head"],
  unrotated_q: ["queries", "head"], unrotated_k: ["keys", "head"], q: ["queries", "head"], k: ["keys", "head"],
  v: ["keys", "head"], k_transposed: ["head", "keys"], head_output: ["queries", "head"], w_o: ["model", "model"],
};
const PAIRS = ["raw", "scaled", "bias", "allowed", "masked", "weights"];
export const FORBIDDEN = -1e8; // a score below it is one that the mask has filled

// part: { data, shape: [rows, columns] }, or undefined where the model has no such part
export function stageValues(model, { values }, { kind, layer, head }) {
  const path = pathOf(kind, layer);
  const of = (part, number) => headOf(values[`${path}.${part}`], number);
  const sharing = model.config.heads / (model.config.key_value_heads || model.config.heads);
  const shared = Math.floor(head / sharing);
  const [q, k, v] = [of("q", head), of("k", shared), of("v", shared)];
  const masked = of("masked_scores", head);
  const [before, output] = [entering(values, kind, layer), values[`${path}.output`]];
  const x = model.config.norm === "pre" ? undefined : before; // the norm's output is not among the recorded values
  return {
    before,
    x,
    memory: kind === "cross" ? values["encoder.output"] : x,
    unnormed_q: of("unnormed_q", head),
    unnormed_k: of("unnormed_k", shared),
    unrotated_q: of("unrotated_q", head),
    unrotated_k: of("unrotated_k", shared),
    q, k, v,
    k_transposed: transposed(k),
    raw: product(q, transposed(k)),
    scaled: of("scores", head),
    bias: of("position_bias", head),
    allowed: { shape: masked.shape, data: Uint8Array.from(masked.data, (score) => score > FORBIDDEN) },
    masked,
    weights: of("weights", head),
    head_output: of("head_outputs", head),
    concatenated: sideBySide(values[`${path}.head_outputs`]),
    output,
    added: sum(before, output),
    residual: values[`${path}.residual`],
  };
}

// The residual stream before the sublayer.
function entering(values, kind, layer) {
  if (kind === "cross") return values[`decoder.${layer}.self_attention.residual`];
  return values[layer ? `${kind}.${layer - 1}.feed_forward.residual` : `${kind}.input`];
}

export function headOf(value, number) {
  if (!value) return undefined;
  const [, rows, columns] = value.shape;
  const size = rows * columns;
  return { shape: [rows, columns], data: value.data.subarray(number * size, (number + 1) * size) };
}

export function transposed({ data, shape: [rows, columns] }) {
  const turned = Float32Array.from(data, (_, at) => data[(at % rows) * columns + Math.floor(at / rows)]);
  return { shape: [columns, rows], data: turned };
}

export function product({ data: a, shape: [rows, inner] }, { data: b, shape: [, columns] }) {
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      let total = 0;
      for (let l = 0; l < inner; l++) total += a[i * inner + l] * b[l * columns + j];
      data[i * columns + j] = total;
    }
  }
  return { shape: [rows, columns], data };
}

const sum = (a, b) => ({ shape: a.shape, data: Float32Array.from(a.data, (value, at) => value + b.data[at]) });

// Of (H, Q, D) the heads side by side, (Q, H · D).
function sideBySide({ data, shape: [heads, rows, size] }) {
  const joined = new Float32Array(data.length);
  for (let head = 0; head < heads; head++) {
    for (let row = 0; row < rows; row++) {
      const from = (head * rows + row) * size;
      joined.set(data.subarray(from, from + size), (row * heads + head) * size);
    }
  }
  return { shape: [rows, heads * size], data: joined };
}

// The matrices of a step, with the parts that there are.
export function stageMatrices(step, values, panel) {
  const titles = section("attention_part");
  if (panel.kind !== "cross") titles.memory = titles.x;
  return stepParts(step, values).map(([sign, part]) => stageMatrix(part, sign, values[part], panel, titles));
}

// Of two parts with equal values the later one; see `step_parts` in Python.
function stepParts(step, values) {
  const parts = [];
  for (const [sign, part] of presentParts(STEPS[step], values).reverse()) {
    const same = parts.findIndex(([, other]) => isSame(values[other], values[part]));
    if (same < 0) parts.push([sign, part]);
    else if (same === parts.length - 1) parts[same] = [sign, parts[same][1]];
  }
  if (parts.length) parts[parts.length - 1] = ["", parts.at(-1)[1]];
  return parts.reverse();
}

function presentParts(parts, values) {
  let made = false;
  const lacksWeights = parts.some(([, part]) => part.startsWith("w_") && !values[part]);
  return parts.flatMap(([sign, part]) => {
    const [present, isMade] = [Boolean(values[part]), made];
    made = (isMade || sign === "=") && !present;
    if (!present) return [];
    const own = isMade ? "=" : sign;
    return [[lacksWeights && own === "=" ? "→" : own, part]];
  });
}

const isSame = (a, b) =>
  a.data.constructor === b.data.constructor && String(a.shape) === String(b.shape) && a.data.every((value, at) => Object.is(value, b.data[at]));

function stageMatrix(part, sign, { data, shape }, panel, titles) {
  const [rowAxis, columnAxis] = AXES[part] ?? ["queries", PAIRS.includes(part) ? "keys" : "model"];
  const scale = { allowed: "mask", weights: "weight" }[part] ?? "signed";
  const ticks = (axis, count) => ({ queries: panel.queries, keys: panel.keys, one: ["b"] })[axis] ?? [...Array(count).keys()].map(String);
  const possible = part === "masked" ? data.filter((score) => score > FORBIDDEN) : [];
  return {
    key: part,
    sign,
    title: titles[part],
    values: data,
    rows: ticks(rowAxis, shape[0]),
    columns: ticks(columnAxis, shape[1]),
    rowAxis: titles[rowAxis] ?? "",
    columnAxis: titles[columnAxis] ?? "",
    scale,
    colour: scale === "signed" ? "neutral" : panel.kind,
    limit: possible.reduce((most, score) => Math.max(most, Math.abs(score)), 0) || null,
  };
}

// Which sentence explains a step.
export function aboutStep(step, kind, { norm, parallel }) {
  if (step === "input") return kind === "cross" ? `input_${norm}_cross` : `input_${norm}`;
  if (step === "residual") return `residual_${parallel ? "parallel" : norm}`;
  return (step === "key" || step === "value") && kind === "cross" ? `${step}_cross` : step;
}

// How many numbers the sentences about the steps speak of.
export function countsOf({ q }, { queries, keys }, { heads }) {
  const d_k = q.shape[1];
  return { queries: queries.length, keys: keys.length, scores: queries.length * keys.length, width: heads * d_k, heads, d_k };
}

// What else this model does at a step: norms and positions of queries and keys, a window, shared keys and values.
export function stepNotes(step, values, config, { kind, layer }) {
  const letter = { query: "q", key: "k" }[step];
  const notes = [];
  const note = (name, numbers) => notes.push(words(`attention_positions.${name}`, numbers));
  if (letter && values[`unnormed_${letter}`]) note("normed");
  if (letter && values[`unrotated_${letter}`]) {
    const d_k = values.q.shape[1];
    const count = 2 * config.frequencies.filter(Boolean).length;
    note(count && count < d_k ? "rotary_part" : "rotary", { count, d_k });
  } else if (letter && config.position === "rotary" && kind === "decoder") note("unrotated");
  if (step === "masked" && values.bias) note("bias");
  const window = kind === "decoder" && config.windows[layer];
  if ((step === "mask" || step === "masked") && window) note("window", { count: window });
  if ((step === "key" || step === "value") && config.key_value_heads) {
    note("shared", { count: config.heads / config.key_value_heads });
  }
  return notes.join(" ");
}
