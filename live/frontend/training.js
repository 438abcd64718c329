// A model that learns: runs the graphs of model/train/browser/, whose weights are an input.
//
// What it learns from is a list of pairs [source, target], two words, or a text, a string that a decoder alone goes on with
// letter by letter. The vectors are the weights, both moments of Adam and the running average of the weights, by which the
// model is judged, as in model/train/trainer.py. Each method is one call of engine.js.

import { ORT } from "./vendor/ort.js";
import { numbersIn, readSafetensors, safetensors, unzipped, zipOf } from "./checkpoint_file.js";
import { copyingOf } from "./copying.js";
import { likeliest } from "./decoding.js";
import { Refused } from "./errors.js";
import { logSum } from "./formulas.js";
import { started } from "./model.js";
import { random, shuffled } from "./random.js";
import { free, joined, withHeader } from "./sources.js";
import { chosen } from "./training_choice.js";
import { openTrainingFile } from "./training_file.js";

const VECTORS = ["weights", "first", "second", "average"];
const STEADY = { graphOptimizationLevel: "all" };
const VIEWED = "viewed."; // begins the names of graphs for the views of a page
const SHOWN_OUTPUTS = 5; // on a card, of those that are right and of those that are wrong
const CONTINUED = 24; // letters that are written behind the beginning of a text, at most
const COPIED = 16; // held-out pairs by which `copyingOf` is measured, as `TEXTS` of model/train/induction.py
const AT_ONCE = 32; // examples of a pass that judges
const NAMELESS = /[\u2800-\u28ff▁]/u; // characters that stand for others in a vocabulary
const MAY_DIFFER = ["max_length", "dropout", "position"]; // of a config that goes on here

// A Blob of the file of live/training.py, compressed or not.
export async function loadTraining(blob, address = "") {
  return new Training(await openTrainingFile(blob, address));
}

class Training {
  constructor(file) {
    Object.assign(this, { file, header: file.header });
  }

  // The model that the next calls are about.
  async choose({ kind, size }) {
    const description = chosen(this.header, kind, size);
    const { graphs } = await this.file.parts(description, "step", "pass");
    const [step, pass] = await Promise.all([graphs.step, graphs.pass].map((graph) => started(graph, STEADY)));
    await this.stepSession?.release();
    await this.passSession?.release();
    Object.assign(this, { description, stepSession: step, passSession: pass });
  }

  // Forget what was learned, and begin with the starting weights.
  //   data       pairs, at least as many as a batch has, or a text
  //   switches   { causal, scaled, positions, residual } of those that are 0
  //   start      other weights, of `read`
  begin({ data, switches = {}, start = this.start() }) {
    const zeros = () => new Float32Array(start.length);
    this.vectors = { weights: start.slice(), first: zeros(), second: zeros(), average: start.slice() };
    this.teach({ data, switches });
    this.step = 0;
  }

  // As `vector` of model/train/browser/start.py.
  start() {
    const next = random(this.description.seed);
    const draw = ([, shape, centre, spread]) => Float32Array.from({ length: numbersIn(shape) }, () => centre + spread * (2 * next() - 1));
    return joined(this.description.drawn.map(draw), Float32Array);
  }

  teach({ data, switches = {} }) {
    this.alphabet = alphabetOf(this.description, data);
    this.taught = this.examples(data, 1);
    this.switches = switches;
    this.epoch = null;
  }

  // Up to so many steps. Promises { step, losses, gradientNorm }: the steps made in all, and the loss of each in nats per
  // token, before the step.
  async train({ steps }) {
    const losses = [];
    let gradientNorm = 0;
    while (losses.length < steps && this.step < this.description.steps) {
      const found = await this.stepSession.run({ ...this.tensors(), ...this.batch(), ...this.numbers() });
      free(...Object.values(this.vectors));
      for (const name of VECTORS) this.vectors[name] = found[`${name}.next`].data;
      losses.push(found.loss.data[0]);
      gradientNorm = found.gradient_norm.data[0];
      this.step += 1;
    }
    return { step: this.step, losses, gradientNorm };
  }

  // What it can do now, by the average of its weights.
  //   learned, heldOut   pairs, or parts of a text
  //   words              to answer or to go on with; the attention of the first is wanted
  // Promises { learned, heldOut, written, look, copying }: `right` of each pair, whether it writes the answer by itself, or of
  // each letter of a text, whether it is the likeliest one, and `loss` in nats per token; what is written; of the first word
  // a result as of `pass` in engine.js; of a task that shows it, `copyingOf` held-out pairs.
  async evaluate({ learned, heldOut, words }) {
    const written = await this.write(words);
    return {
      learned: await this.judge(learned),
      heldOut: await this.judge(heldOut),
      written: written.map((ids) => this.text(ids)),
      look: await this.look(words[0], written[0]),
      copying: this.description.shows === "induction" ? await this.copying(heldOut.slice(0, COPIED)) : null,
    };
  }

  async copying(pairs) {
    const read = pairs.map((pair) => this.begun(pair.join("")));
    const length = Math.min(...read.map((ids) => ids.length)) - 1;
    const ids = read.map((each) => each.slice(0, length));
    const names = this.weightNames;
    const found = await this.pass(ids, ids, names, { ...this.switches, causal: 1 });
    return copyingOf(names.map((name) => found[name]), ids);
  }

  // What it writes for each of the words.
  async outputs({ words }) {
    return (await inParts(words, (part) => this.write(part))).map((ids) => this.text(ids));
  }

  // To go on later: `restore` with the same data.
  state() {
    return { step: this.step, vectors: this.vectors };
  }

  restore({ data, switches, state }) {
    this.teach({ data, switches });
    this.step = state.step;
    this.vectors = state.vectors;
  }

  // ---- what is saved

  // The bytes of a checkpoint file with what it can do now.
  //   name     of the folder in it
  //   card     one of `saved.cards` of the description, with what is known of the training
  //   heldOut  pairs that its outputs are about, and its scores
  //   judged   the part of a text that its scores are about
  async checkpoint({ name, ...asked }) {
    const { saved, drawn } = this.description;
    return zipOf(name, {
      "config.json": JSON.stringify(this.config(), null, 2),
      ...saved.files,
      "tokenizer.json": JSON.stringify(withVocabulary(JSON.parse(saved.files["tokenizer.json"]), this.alphabet)),
      "card.json": JSON.stringify(await this.card(asked), null, 2),
      "model.safetensors": safetensors(drawn, this.plainWeights()),
    });
  }

  // The same as the file of a model (live/model_file.py), which a page's own views open: { description, bytes }.
  async viewed({ name, ...asked }) {
    const { positions, viewed, reads } = this.description;
    const weights = new Uint8Array(this.plainWeights().buffer);
    const { block, graphs } = await this.file.parts(this.description, VIEWED);
    if (this.switches.positions === 0) block.fill(0, ...positions);
    const bodies = [...Object.entries(graphs).map(([name, data]) => [name.slice(VIEWED.length), data]), ["weights", joined([weights, block])]];
    const description = { ...viewed.description, name, config: this.config(), card: await this.card(asked) };
    const { pieces, shown } = this.alphabet;
    const read = { ...reads, tokens: { ...reads.tokens, pieces, shown }, tokenizer: withVocabulary(reads.tokenizer, this.alphabet) };
    const text = JSON.stringify({ ...viewed, ...read, description, parts: bodies.map(([part, data]) => [part, data.length]) });
    return { description, bytes: withHeader(text, bodies.map(([, data]) => data)) };
  }

  config() {
    const { config } = this.description;
    return { ...config, position: this.switches.positions === 0 ? "none" : config.position };
  }

  async card({ card, heldOut, judged }) {
    const [first, ...written] = await this.outputs({ words: [card.examples[0], ...heldOut.map(([word]) => word)] });
    const outputs = heldOut.map(([source, reference], at) => ({ source, reference, output: written[at] }));
    const [right, wrong] = [true, false].map((is) => outputs.filter(({ reference, output }) => (reference === output) === is));
    const score = judged
      ? { characters: [...judged].length, bits: fourDigits((await this.judge(judged)).loss / Math.LN2) }
      : { pairs: heldOut.length, exact: fourDigits(right.length / outputs.length) };
    const measured = {
      parameters: this.description.parameters,
      example_translation: first,
      scores: { [card.task]: score },
      outputs: { right: right.slice(0, SHOWN_OUTPUTS), wrong: wrong.slice(0, SHOWN_OUTPUTS) },
    };
    return { ...card, ...measured };
  }

  // The weights by which it is judged, so that a model with all parts but positions computes the same: queries that are not
  // divided by √d_k are as much longer.
  plainWeights() {
    const { drawn, undivided } = this.description;
    const weights = this.vectors.average.slice();
    if (this.switches.scaled !== 0) return weights;
    let at = 0;
    for (const [name, shape] of drawn) {
      const end = at + numbersIn(shape);
      const factor = undivided[name] ?? 1;
      weights.subarray(at, end).forEach((value, place) => (weights[at + place] = value * factor));
      at = end;
    }
    return weights;
  }

  // { kind, size, weights, switches } of the bytes of a checkpoint file, for `choose` and `begin`; refused where it holds
  // another model. `text`: the one whose letters a model of a text has to know.
  async read({ bytes, text }) {
    const files = await unzipped(bytes);
    const fields = (name) => asJson(files[name]);
    const [config, tokenizer] = [fields("config.json"), fields("tokenizer.json")];
    const all = Object.entries(this.header.kinds).flatMap(([kind, { models }]) => Object.keys(models).map((size) => chosen(this.header, kind, size)));
    const model = all.find((each) => isModelOf(each, config) && vocabularyOf(tokenizer) === vocabularyOf(withVocabulary({ model: {} }, alphabetOf(each, text))));
    if (!model) throw new Refused("live_other");
    const weights = readSafetensors(files["model.safetensors"] ?? new Uint8Array(), model.drawn);
    const position = config.position ?? model.saved.defaults.position;
    return { kind: model.kind, size: model.size, weights, switches: position === "none" ? { positions: 0 } : {} };
  }

  // ---- what the graphs get

  tensors() {
    return Object.fromEntries(VECTORS.map((name) => [name, new ORT.Tensor("float32", this.vectors[name], [this.vectors[name].length])]));
  }

  numbers() {
    const at = (value) => (Array.isArray(value) ? value[this.step] : value);
    const { numbers } = this.description;
    return { ...this.switchTensors(this.switches), ...mapped(numbers, (value) => scalar(at(value))) };
  }

  switchTensors(off) {
    return Object.fromEntries(this.description.switches.map((name) => [name, scalar(off[name] ?? 1)]));
  }

  // The batch of this step: every epoch takes the examples in another order, which the number of the epoch decides; what is
  // left over at its end waits for another one.
  batch() {
    const { batch, lengths } = this.description;
    const { targets } = this.taught;
    const perEpoch = Math.floor(targets.length / batch);
    const epoch = Math.floor(this.step / perEpoch);
    if (this.epoch !== epoch) [this.epoch, this.order] = [epoch, shuffled(targets.length, epoch + 1)];
    const from = (this.step % perEpoch) * batch;
    const rowsOf = (all) => Array.from(this.order.subarray(from, from + batch), (at) => all[at]);
    return this.sides(this.taught, (side, at) => matrix(rowsOf(side), lengths[at]));
  }

  // The inputs of a graph, each made of `sources` or `targets` and its place among the lengths.
  sides({ sources, targets }, made) {
    return this.goesOn ? { target: made(targets, 0) } : { source: made(sources, 0), target: made(targets, 1) };
  }

  // Whether it goes on with a text, and reads no source.
  get goesOn() {
    return this.description.config.architecture === "decoder";
  }

  // { sources, targets }, ids of pairs, in a row where it reads no source; of a text those of its windows, which begin every
  // so many letters.
  examples(data, every) {
    const { lengths, ids: { bos, pad } } = this.description;
    if (this.goesOn && !isText(data)) return { sources: [], targets: data.map((pair) => this.ids(pair.join(""), lengths[0])) };
    if (!this.goesOn) return { sources: data.map(([word]) => this.ids(word, lengths[0])), targets: data.map(([, word]) => this.ids(word, lengths[1])) };
    const [length] = lengths;
    const ids = this.letters(data);
    const last = every === 1 ? ids.length - length + 1 : ids.length - 1;
    const targets = [];
    for (let at = 0; at <= last; at += every) {
      const window = [bos, ...ids.slice(at, at + length - 1)];
      targets.push([...window, ...Array(length - window.length).fill(pad)]);
    }
    return { sources: [], targets };
  }

  letters(text) {
    return [...text].map((letter) => this.alphabet.ids[letter] ?? this.description.ids.unk);
  }

  // The ids of a word between <bos> and <eos>, padded.
  ids(word, length = 0) {
    const { bos, eos, pad } = this.description.ids;
    const ids = [bos, ...this.letters(word), eos];
    return [...ids, ...Array(Math.max(0, length - ids.length)).fill(pad)];
  }

  text(ids) {
    const { eos, space } = this.description.ids;
    return ids.filter((id) => id > eos).map((id) => (id === space ? " " : this.alphabet.shown[id])).join("").trim();
  }

  pass(sources, targets, names, off = {}) {
    const ids = this.sides({ sources, targets }, (side) => matrix(side, side[0].length));
    const weights = new ORT.Tensor("float32", this.vectors.average, [this.vectors.average.length]);
    return this.passSession.run({ weights, ...ids, ...this.switchTensors(off) }, names);
  }

  get weightNames() {
    return this.passSession.outputNames.filter((name) => name.endsWith(".weights"));
  }

  // ---- what comes of it

  // With the causal mask, a row sees what it would see while writing. So all rows are right with the answer as input if
  // and only if greedy decoding writes the answer. The loss is that of training: with the mask off, it sees the answer.
  async judge(data) {
    const { sources, targets } = this.examples(data, this.description.lengths.at(-1) - 1);
    const read = targets.map((ids) => ids.slice(0, -1));
    const expected = targets.map((ids) => ids.slice(1));
    const logitsOf = (off) =>
      inParts([...read.keys()], async (part) => {
        const [from, to] = [sources, read].map((side) => part.map((at) => side[at]));
        return rows((await this.pass(from, to, ["logits"], off)).logits);
      });
    const writing = await logitsOf({ ...this.switches, causal: 1 });
    const learning = this.switches.causal === 0 ? await logitsOf(this.switches) : writing;
    const { pad } = this.description.ids;
    let [sum, count] = [0, 0];
    const verdicts = expected.map((ids, pair) => {
      const real = ids.map((id, at) => [id, pair * ids.length + at]).filter(([id]) => id !== pad);
      for (const [id, row] of real) sum += logSum(learning[row]) - learning[row][id];
      count += real.length;
      return real.map(([id, row]) => likeliest(writing[row]) === id);
    });
    if (isText(data)) return { loss: sum / count, right: verdicts.flat() };
    const given = (pair) => (this.goesOn ? [...data[pair][0]].length : 0); // letters that are read, not written
    return { loss: sum / count, right: verdicts.map((each, pair) => each.slice(given(pair)).every(Boolean)) };
  }

  // What it reads before it writes.
  begun(word) {
    const { bos } = this.description.ids;
    return this.goesOn ? [bos, ...this.letters(word)] : [bos];
  }

  // Greedy decoding without a cache: each pass reads all that was written. Ids up to <eos>.
  async write(words) {
    const { eos, pad } = this.description.ids;
    const sources = words.map((word) => this.ids(word, this.description.lengths[0]));
    const all = words.map((word) => this.begun(word));
    const begun = all.map((ids) => ids.length);
    const room = this.description.lengths.at(-1) - Math.max(...begun);
    const done = (ids, at) => ids.length > begun[at] && ids.at(-1) === eos;
    for (let left = this.goesOn ? Math.min(CONTINUED, room) : room; left > 0 && !all.every(done); left--) {
      const longest = Math.max(...all.map((ids) => ids.length));
      const read = all.map((ids) => [...ids, ...Array(longest - ids.length).fill(pad)]);
      const { logits } = await this.pass(sources, read, ["logits"], { ...this.switches, causal: 1 });
      const found = rows(logits);
      all.forEach((ids, at) => ids.push(done(ids, at) ? eos : likeliest(found[at * longest + ids.length - 1])));
    }
    return all.map((ids, at) => ids.slice(begun[at])).map((ids) => ids.slice(0, ids.includes(eos) ? ids.indexOf(eos) + 1 : undefined));
  }

  // The attention of a word with what was written for it, as the model sees it while writing.
  async look(word, written) {
    const { eos } = this.description.ids;
    const source = this.goesOn ? [] : this.ids(word);
    const target = [...this.begun(word), ...written.filter((id) => id !== eos)].slice(0, this.description.config.max_length);
    const names = this.weightNames;
    const found = await this.pass([source], [target], ["logits", ...names], { ...this.switches, causal: 1 });
    const shown = (ids) => ids.map((id) => this.alphabet.shown[id]);
    return {
      values: Object.fromEntries(names.map((name) => [name, { data: found[name].data, shape: found[name].dims.slice(1) }])),
      sourceTokens: shown(source),
      targetTokens: shown(target),
      outputTokens: shown(rows(found.logits).map(likeliest)),
    };
  }
}

function asJson(bytes) {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Refused("live_zip");
  }
}

// The letters of what is learned from: { ids } by letter, { pieces, shown } by id. Of a text the most frequent ones take the
// places behind the space.
function alphabetOf({ ids: { space, letters }, different, shown, reads: { tokens: { pieces } } }, data) {
  if (!different) return { ids: { " ": space, ...letters }, pieces, shown };
  const counts = new Map();
  for (const letter of data) if (letter !== " " && !NAMELESS.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const frequent = [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).slice(0, different);
  const found = frequent.map(([letter]) => letter).sort();
  const named = (tokens, blank) => tokens.map((token, id) => (id > space ? found[id - space - 1] ?? blank ?? token : token));
  const own = Object.fromEntries(found.map((letter, at) => [letter, space + 1 + at]));
  return { ids: { " ": space, ...own }, pieces: named(pieces), shown: named(shown, "�") };
}

const withVocabulary = ({ model, ...fields }, { pieces }) => ({ ...fields, model: { ...model, vocab: Object.fromEntries(pieces.map((piece, id) => [piece, id])) } });
const vocabularyOf = (tokenizer) => JSON.stringify(Object.entries(tokenizer?.model?.vocab ?? {}).sort());

// Whether a config is that of a model, whatever it learned without.
function isModelOf({ config, saved }, fields) {
  const found = { ...saved.defaults, ...fields };
  const isAlike = Object.keys(config).every((key) => MAY_DIFFER.includes(key) || String(found[key]) === String(config[key]));
  return isAlike && [config.position, "none"].includes(found.position);
}

// What `act` gives for each of a list: few at a time, because memory of WebAssembly never shrinks.
async function inParts(list, act) {
  const found = [];
  for (let at = 0; at < list.length; at += AT_ONCE) found.push(...(await act(list.slice(at, at + AT_ONCE))));
  return found;
}

const isText = (data) => typeof data === "string";
const fourDigits = (share) => Number(share.toFixed(4));
const scalar = (value) => new ORT.Tensor("float32", Float32Array.of(value), []);
const matrix = (lists, length) => new ORT.Tensor("int32", Int32Array.from(lists.flat()), [lists.length, length]);
const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

// The rows of logits (B, T, V) after each other.
function rows({ data, dims: [batch, length, size] }) {
  return Array.from({ length: batch * length }, (_, at) => data.subarray(at * size, (at + 1) * size));
}
