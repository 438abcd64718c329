// A model that learns: runs the graphs of model/train/browser/, whose weights are an input.
//
// Ids: a pair is [source, target], two words. The vectors are the weights, both moments of Adam and the running average of
// the weights, by which the model is judged, as in model/train/trainer.py. Each method is one call of engine.js.

import { ORT } from "./vendor/ort.js";
import { likeliest, logSum } from "./decoding.js";
import { opened } from "./model.js";
import { shuffled } from "./random.js";

const VECTORS = ["weights", "first", "second", "average"];
const STEADY = { graphOptimizationLevel: "all" };

// The bytes of the file of live/training.py.
export async function loadTraining(bytes, file = "") {
  const { header, parts } = opened(bytes, file, "step", "pass", "start");
  const [step, pass] = await Promise.all([parts.step, parts.pass].map((graph) => ORT.InferenceSession.create(graph, STEADY)));
  return new Training(header, step, pass, halves(parts.start));
}

class Training {
  constructor(description, stepSession, passSession, start) {
    Object.assign(this, { description, stepSession, passSession, start });
  }

  // Forget what was learned, and begin with the starting weights.
  //   pairs      to learn from, at least as many as a batch has
  //   switches   { causal, scaled, positions, residual } of those that are 0
  begin({ pairs, switches = {} }) {
    const zeros = () => new Float32Array(this.start.length);
    this.vectors = { weights: this.start.slice(), first: zeros(), second: zeros(), average: this.start.slice() };
    this.teach({ pairs, switches });
    this.step = 0;
  }

  teach({ pairs, switches = {} }) {
    const [source, target] = this.description.lengths;
    this.sources = pairs.map(([word]) => this.ids(word, source));
    this.targets = pairs.map(([, word]) => this.ids(word, target));
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
      for (const name of VECTORS) this.vectors[name] = found[`${name}.next`].data;
      losses.push(found.loss.data[0]);
      gradientNorm = found.gradient_norm.data[0];
      this.step += 1;
    }
    return { step: this.step, losses, gradientNorm };
  }

  // What it can do now, by the average of its weights.
  //   learned, heldOut   pairs
  //   words              to write; the attention of the first is wanted
  // Promises { learned, heldOut, written, look }: `right` of each pair, whether it writes the answer by itself, and `loss`
  // in nats per token; the words written; of the first word a result as of `pass` in engine.js.
  async evaluate({ learned, heldOut, words }) {
    const written = await this.write(words);
    return {
      learned: await this.judge(learned),
      heldOut: await this.judge(heldOut),
      written: written.map((ids) => this.text(ids)),
      look: await this.look(words[0], written[0]),
    };
  }

  // What it writes for each of the words.
  async outputs({ words }) {
    return (await this.write(words)).map((ids) => this.text(ids));
  }

  // To go on later: `restore` with the same pairs.
  state() {
    return { step: this.step, vectors: this.vectors };
  }

  restore({ pairs, switches, state }) {
    this.teach({ pairs, switches });
    this.step = state.step;
    this.vectors = state.vectors;
  }

  // ---- what the graphs get

  tensors() {
    return Object.fromEntries(VECTORS.map((name) => [name, new ORT.Tensor("float32", this.vectors[name], [this.start.length])]));
  }

  numbers() {
    const at = (value) => (Array.isArray(value) ? value[this.step] : value);
    const { numbers } = this.description;
    return { ...this.switchTensors(this.switches), ...mapped(numbers, (value) => scalar(at(value))) };
  }

  switchTensors(off) {
    return Object.fromEntries(this.description.switches.map((name) => [name, scalar(off[name] ?? 1)]));
  }

  // The batch of this step: every epoch takes the pairs in another order, which the number of the epoch decides; what is
  // left over at its end waits for another one.
  batch() {
    const { batch, lengths } = this.description;
    const perEpoch = Math.floor(this.sources.length / batch);
    const epoch = Math.floor(this.step / perEpoch);
    if (this.epoch !== epoch) [this.epoch, this.order] = [epoch, shuffled(this.sources.length, epoch + 1)];
    const from = (this.step % perEpoch) * batch;
    const chosen = Array.from(this.order.subarray(from, from + batch));
    return {
      source: matrix(chosen.map((at) => this.sources[at]), lengths[0]),
      target: matrix(chosen.map((at) => this.targets[at]), lengths[1]),
    };
  }

  // The ids of a word between <bos> and <eos>, padded.
  ids(word, length = 0) {
    const { bos, eos, pad, letters } = this.description.ids;
    const ids = [bos, ...[...word].map((letter) => letters[letter]), eos];
    return [...ids, ...Array(Math.max(0, length - ids.length)).fill(pad)];
  }

  text(ids) {
    return ids.filter((id) => id > this.description.ids.eos).map((id) => this.description.shown[id]).join("");
  }

  pass(sources, targets, names, off = {}) {
    const [source, target] = [sources, targets].map((rows) => matrix(rows, rows[0].length));
    const weights = new ORT.Tensor("float32", this.vectors.average, [this.start.length]);
    return this.passSession.run({ weights, source, target, ...this.switchTensors(off) }, names);
  }

  // ---- what comes of it

  // With the causal mask, a row sees what it would see while writing. So all rows are right with the answer as input if
  // and only if greedy decoding writes the answer. The loss is that of training: with the mask off, it sees the answer.
  async judge(pairs) {
    const [source, target] = this.description.lengths;
    const sources = pairs.map(([word]) => this.ids(word, source));
    const targets = pairs.map(([, word]) => this.ids(word, target));
    const read = targets.map((ids) => ids.slice(0, -1));
    const expected = targets.map((ids) => ids.slice(1));
    const logitsOf = async (off) => rows((await this.pass(sources, read, ["logits"], off)).logits);
    const writing = await logitsOf({ ...this.switches, causal: 1 });
    const learning = this.switches.causal === 0 ? await logitsOf(this.switches) : writing;
    const { pad } = this.description.ids;
    let [sum, count] = [0, 0];
    const right = expected.map((ids, pair) => {
      const real = ids.map((id, at) => [id, pair * ids.length + at]).filter(([id]) => id !== pad);
      for (const [id, row] of real) sum += logSum(learning[row]) - learning[row][id];
      count += real.length;
      return real.every(([id, row]) => likeliest(writing[row]) === id);
    });
    return { loss: sum / count, right };
  }

  // Greedy decoding without a cache: each pass reads all that was written. Ids up to <eos>.
  async write(words) {
    const { bos, eos } = this.description.ids;
    const [source, target] = this.description.lengths;
    const sources = words.map((word) => this.ids(word, source));
    const written = words.map(() => [bos]);
    const done = (ids) => ids.length > 1 && ids.at(-1) === eos;
    for (let length = 1; length < target && !written.every(done); length++) {
      const { logits } = await this.pass(sources, written, ["logits"], { ...this.switches, causal: 1 });
      const found = rows(logits);
      written.forEach((ids, at) => ids.push(done(ids) ? eos : likeliest(found[at * length + length - 1])));
    }
    return written.map((ids) => ids.slice(1, ids.includes(eos) ? ids.indexOf(eos) + 1 : undefined));
  }

  // The attention of a word with what was written for it, as the model sees it while writing.
  async look(word, written) {
    const { bos, eos } = this.description.ids;
    const source = this.ids(word);
    const target = [bos, ...written.filter((id) => id !== eos)];
    const names = this.passSession.outputNames.filter((name) => name.endsWith(".weights"));
    const found = await this.pass([source], [target], ["logits", ...names], { ...this.switches, causal: 1 });
    const shown = (ids) => ids.map((id) => this.description.shown[id]);
    return {
      values: Object.fromEntries(names.map((name) => [name, { data: found[name].data, shape: found[name].dims.slice(1) }])),
      sourceTokens: shown(source),
      targetTokens: shown(target),
      outputTokens: shown(rows(found.logits).map(likeliest)),
    };
  }
}

const scalar = (value) => new ORT.Tensor("float32", Float32Array.of(value), []);
const matrix = (lists, length) => new ORT.Tensor("int32", Int32Array.from(lists.flat()), [lists.length, length]);
const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

// The rows of logits (B, T, V) after each other.
function rows({ data, dims: [batch, length, size] }) {
  return Array.from({ length: batch * length }, (_, at) => data.subarray(at * size, (at + 1) * size));
}

// Numbers in half precision, as single precision has them.
function halves(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => {
    const bits = view.getUint16(2 * at, true);
    const [exponent, fraction] = [(bits >> 10) & 31, (bits & 1023) / 1024];
    const size = exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction;
    return bits & 0x8000 ? -size : size;
  });
}
