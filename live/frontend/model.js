// One loaded model: runs its graphs (model/graph/export.py). V vocabulary, S and T tokens of source and target.

import { ORT } from "./vendor/ort.js";
import { readHeader } from "../../viz/frontend/common/data.js";
import { decode, likeliest, start, stepOf } from "./decoding.js";
import { Refused } from "./errors.js";
import { cosine, logSum } from "./formulas.js";
import { answerOf } from "./labels.js";
import { free } from "./sources.js";
import { Tokens } from "./tokens.js";

const FORMAT = 1;
const DOUBT = ["written", "words", "unseen", "rule"]; // inputs that are not recorded values
// "basic" starts three times as fast as the optimizer's default, and runs no slower
const OPTIONS = { graphOptimizationLevel: "basic" };

// Give the engine its WebAssembly; once, before the first model.
export function setWasm(bytes) {
  ORT.env.wasm.numThreads = 1;
  ORT.env.wasm.wasmBinary = bytes.buffer;
  ORT.env.logLevel = "error";
}

// A session of a graph. The engine has its own copy of the WebAssembly once one has started: 12 MB that nobody reads again.
export async function started(graph, options) {
  const session = await ORT.InferenceSession.create(graph, options);
  if (ORT.env.wasm.wasmBinary) free({ buffer: ORT.env.wasm.wasmBinary });
  ORT.env.wasm.wasmBinary = null;
  return session;
}

// The bytes of a model's file (live/model_file.py): header with description, table of tokens and tokenizers, then parts.
export async function loadModel(bytes, file = "") {
  const { header, parts } = opened(bytes, file, "whole");
  if (header.description.format !== FORMAT) throw new Refused("live_format");
  const weights = [{ path: "weights", data: parts.weights }];
  const session = (graph) => started(graph, { ...OPTIONS, externalData: weights });
  const whole = await session(parts.whole);
  return new Model(header, whole, parts.step ? await session(parts.step) : null, (name) => session(parts[`analysis.${name}`]));
}

// { header, parts } of a file (`packed` of live/model_file.py) that has the parts that are needed.
function opened(bytes, file, ...needed) {
  let read;
  try {
    read = readHeader(bytes);
  } catch {
    throw new Refused("live_damaged", { file });
  }
  const parts = {};
  let at = 0;
  for (const [name, length] of read.header.parts ?? []) {
    parts[name] = read.body.subarray(at, at + length);
    at += length;
  }
  if (!needed.every((name) => parts[name]) || at !== read.body.length) throw new Refused("live_damaged", { file });
  return { header: read.header, parts };
}

class Model {
  // analysis: promises the session of one, by its name.
  constructor({ description, tokens, tokenizer, target_tokenizer, parts_of_scores }, whole, step, analysis) {
    this.description = { ...description, shown: tokens.shown };
    this.tokens = new Tokens(tokens, description.specials, description.reading, {
      source: tokenizer,
      target: target_tokenizer,
    });
    this.whole = whole;
    this.step = step;
    this.analysis = analysis;
    this.analyses = {}; // those that were asked for, by name
    this.parts = parts_of_scores; // of queries and keys, by attention
  }

  async release() {
    await this.whole.release();
    await this.step?.release();
    for (const session of Object.values(this.analyses)) await (await session).release();
  }

  // One output of recorded values or ids, see `analyse` in engine.js.
  async analyse(name, { data, shape }) {
    const kind = data instanceof Int32Array ? "int32" : "float32";
    const { output } = await (await this.analysed(name)).run({ input: new ORT.Tensor(kind, data, shape) });
    return { data: output.data, shape: output.dims };
  }

  analysed(name) {
    return (this.analyses[name] ??= this.analysis(name));
  }

  // How much an output is doubted, by the rule of the description: { isDoubted, looked, words }, `looked` for each word
  // of the source, as [first token, the one after the last]. The graph is model/graph/doubt_score.py.
  async doubt({ source, target }, ids, { unseenWords }) {
    const { rule, threshold } = this.description.doubt;
    const words = this.tokens.plainWords(source);
    const session = await this.analysed("doubt");
    const names = session.inputNames.filter((name) => !DOUBT.includes(name));
    const belongs = new Float32Array(Math.max(1, words.length) * source.length);
    words.forEach(([start, end], word) => belongs.fill(1, word * source.length + start, word * source.length + end));
    if (!words.length) belongs.fill(1);
    const unseen = unseenWords.length / Math.max(1, words.length);
    const { score, looked } = await session.run({
      ...(await this.run(source, target, this.changes([[]]), names)),
      written: new ORT.Tensor("int32", Int32Array.from(ids), [ids.length]),
      words: new ORT.Tensor("float32", belongs, [belongs.length / source.length, source.length]),
      unseen: new ORT.Tensor("float32", Float32Array.of(unseen), [1]),
      rule: new ORT.Tensor("float32", Float32Array.from(rule.flat()), [rule.length, 3]),
    });
    return { score: score.data[0], isDoubted: score.data[0] > threshold, looked: [...looked.data], words };
  }

  // See `gradients` in engine.js; the graph is model/graph/gradient_graph.py.
  async gradients({ source, target, row, word, scales }) {
    const session = await this.analysed("gradient");
    const feeds = { target: idTensor(target), scales: new ORT.Tensor("float32", Float32Array.from(scales), [scales.length]) };
    if (source.length) feeds.source = idTensor(source);
    for (const [name, number] of Object.entries({ row, word })) feeds[name] = new ORT.Tensor("int32", Int32Array.of(number), [1]);
    return arraysOf(await session.run(feeds));
  }

  // The terms of a cell, see `scoreRow` in engine.js: the graph reads recorded values of a pass.
  async scoreRow({ source, target, heads, kind, layer, picked, grouped }) {
    const session = await this.analysed(`score_row.${kind}.${layer}`);
    const known = session.inputNames.filter((name) => !(name in picked) && !(name in grouped));
    const feeds = { ...(await this.run(source, target, this.changes([heads]), known)) };
    for (const [name, number] of Object.entries(picked)) feeds[name] = new ORT.Tensor("int32", Int32Array.of(number), [1]);
    for (const [name, groups] of Object.entries(grouped)) {
      const width = this.parts[`${kind}.${layer}`][name].parts.length;
      const belongs = new Float32Array(groups.length * width);
      groups.forEach((parts, group) => parts.forEach((part) => (belongs[group * width + part] = 1)));
      feeds[name] = new ORT.Tensor("float32", belongs, [groups.length, width]);
    }
    return arraysOf(await session.run(feeds));
  }

  // What changes a pass, or several: the heads [{ kind, layer, head, scale }, …] of each, and patches of all of them.
  changes(passes, patches = []) {
    const [kinds, layers, count] = this.description.headScale;
    const size = kinds * layers * count;
    const values = new Float32Array(passes.length * size).fill(1);
    passes.forEach((heads, pass) => {
      for (const { kind, layer, head, scale } of heads) {
        values[pass * size + (this.description.kinds.indexOf(kind) * layers + layer) * count + head] = scale;
      }
    });
    const { patched, config: { d_model } } = this.description;
    const wide = Math.max(1, patches.length);
    const [rows, vectors] = [new Int32Array(patched.length * wide).fill(-1), new Float32Array(patched.length * wide * d_model)];
    patches.forEach(({ name, row, vector }, at) => {
      const place = patched.indexOf(name) * wide + at;
      rows[place] = row;
      vectors.set(vector, place * d_model);
    });
    return {
      head_scale: new ORT.Tensor("float32", values, [passes.length, kinds, layers, count]),
      patch_rows: new ORT.Tensor("int32", rows, [patched.length, wide]),
      patch: new ORT.Tensor("float32", vectors, [patched.length, wide, d_model]),
    };
  }

  // The named values of a pass as tensors, batch first; every value if no names are given.
  run(source, target, changes, names = undefined) {
    if (names?.length === 0) return {}; // an encoder without an output layer has no logits
    const feeds = { ...changes };
    if (source.length) feeds.source = idTensor(source);
    if (target.length) feeds.target = idTensor(target);
    return this.whole.run(feeds, names ?? this.whole.outputNames);
  }

  // { values, tokens of all sides, steps } of a pass, see `pass` in engine.js.
  async pass({ source, target, heads, patches, only, written, first, candidates }) {
    const { config } = this.description;
    const known = this.description.values.map(([name]) => name);
    const logits = known.includes("logits") ? ["logits"] : [];
    const found = await this.run(source, target, this.changes([heads], patches), only && [...new Set([...only, ...logits])]);
    const rows = found.logits ? rowsOf(found.logits) : [];
    const predicted = rows.map(likeliest);
    const shown = this.description.shown;
    const asked = written ?? predicted.slice(first);
    const steps = rows.slice(first, first + asked.length);
    const names = only ?? known;
    return {
      values: Object.fromEntries(names.map((name) => [name, withoutBatch(found[name])])),
      ...(!only && { norms: Object.fromEntries(this.description.norms.map((name) => [name, withoutBatch(found[name])])) }),
      sourceTokens: this.tokens.shown(source, true),
      targetTokens: this.tokens.shown(target, true),
      outputTokens: this.tokens.shown(predicted, source.length > 0),
      predicted,
      second: this.tokens.secondText(source),
      answer: found.labels && config.label_kind === "span" ? this.answer(source, withoutBatch(found.labels)) : null,
      steps: steps.map((row, at) => stepOf(row, asked[at], at, candidates, shown)),
    };
  }

  // The text that a model which marks answers finds, see `answerOf`.
  answer(source, logits) {
    const { first, last, ...shares } = answerOf(logits, ...this.tokens.lastText(source));
    return { text: this.tokens.decode(source.slice(first, last + 1)), ...shares };
  }

  // Translate, continue or read a sentence, see `write` in engine.js. `next` is awaited before each step, and may throw.
  async write({ text, heads, patches, forced, candidates, only }, onStep, next) {
    const ids = this.tokens.encode(text);
    const encoder = this.description.config.architecture === "encoder";
    const begun = performance.now();
    const read = encoder ? { source: ids, prompt: [] } : start(this.description, ids);
    const decoded = encoder ? { ids: [], stop: "eos" } : await this.decodeFrom(read, { heads, patches, forced, candidates }, onStep, next);
    await next();
    const decoding = performance.now() - begun;
    const target = encoder ? [] : [...read.prompt, ...decoded.ids].slice(0, -1);
    const passed = performance.now();
    const first = read.prompt.length - 1;
    const written = encoder ? [] : decoded.ids;
    const result = await this.pass({ source: read.source, target, heads, patches, only, written, first: Math.max(0, first), candidates });
    const mask = encoder ? this.tokens.table.mask?.text ?? "" : "";
    const strange = this.tokens.strange(text, mask);
    const isMarked = this.description.doubt && !only && !heads.length && !patches.length;
    return {
      text: encoder ? this.filled(ids, result) : this.tokens.decode(this.texts(read.prompt, decoded.ids)),
      ...decoded,
      ...read,
      target,
      ...result,
      ...strange,
      ...(isMarked && { doubt: await this.doubt({ source: read.source, target }, decoded.ids, strange) }),
      milliseconds: { decoding, pass: performance.now() - passed },
    };
  }

  // A decoder alone goes on with the text that it reads.
  texts(prompt, ids) {
    return this.description.config.architecture === "decoder" ? [...prompt, ...ids] : ids;
  }

  // The text with every hidden word replaced by the likeliest token, "" if there is none; see `filled` in translate.py.
  filled(ids, { predicted }) {
    const hidden = this.tokens.table.mask?.id;
    if (!this.description.trained || !ids.includes(hidden) || !predicted?.length) return "";
    return this.tokens.decode(ids.map((id, at) => (id === hidden ? predicted[at] : id)));
  }

  // { ids, stop }: the passes that `decode` asks for, with cached keys and values.
  decodeFrom({ source, prompt, limit }, { heads, patches, ...options }, onStep, next) {
    const { cached } = this.description;
    const fixed = this.changes([heads], patches);
    const lastRow = (found) => rowsOf(found.logits).at(-1);
    const past = (found) => Object.fromEntries(cached.map((name) => [`past.${name}`, found[name]]));
    let found;
    const passes = {
      begin: async (written) => {
        const memory = source.length ? ["encoder.output"] : [];
        found = await this.run(source, [...prompt, ...written], fixed, ["logits", ...memory, ...cached]);
        for (const name of memory) fixed[name] = found[name];
        return lastRow(found);
      },
      step: async (id) => {
        found = await this.step.run({ target: idTensor([id]), ...fixed, ...past(found) });
        return lastRow(found);
      },
    };
    return decode(passes, { source, limit, description: this.description }, options, onStep, next);
  }

  // What switching off each head changes, see `effects` in engine.js: layer after layer, its heads as one batch.
  async effects({ source, target, heads }, onLayer, next) {
    const output = this.description.config.architecture === "encoder" ? "encoder.output" : "logits";
    const before = rowsOf((await this.run(source, target, this.changes([heads]), [output]))[output]);
    const layers = Object.entries(this.description.layers).flatMap(([kind, count]) =>
      Array.from({ length: count }, (_, layer) => ({ kind, layer })));
    const results = [];
    for (const { kind, layer } of layers) {
      await next();
      const without = Array.from({ length: this.description.config.heads }, (_, head) =>
        [...heads, { kind, layer, head, scale: 0 }]);
      const found = (await this.run(source, target, this.changes(without), [output]))[output];
      const effects = without.map((_, pass) => change(before, rowsOf(found, pass), output === "logits"));
      results.push({ kind, layer, effects });
      onLayer(results.at(-1));
    }
    return results;
  }
}

function change(before, after, areLogits) {
  return Float64Array.from(before, (row, at) => {
    if (!areLogits) return cosine(row, after[at]) - 1;
    const id = likeliest(row);
    return after[at][id] - logSum(after[at]) - (row[id] - logSum(row));
  });
}

const idTensor = (ids) => new ORT.Tensor("int32", Int32Array.from(ids), [1, ids.length]);

// The rows of a tensor (B, rows, width) of one pass of the batch.
function rowsOf({ data, dims: [, rows, width] }, pass = 0) {
  return Array.from({ length: rows }, (_, row) => data.subarray((pass * rows + row) * width, (pass * rows + row + 1) * width));
}

const arraysOf = (found) => Object.fromEntries(Object.entries(found).map(([name, { data, dims }]) => [name, { data, shape: dims }]));

const withoutBatch = ({ data, dims }) => ({ data, shape: dims.slice(1) });
