// The worker's side of engine.js: one call after the other, and cancelled ones not at all.

import { Refused } from "./errors.js";
import { loadModel, setWasm } from "./model.js";
import { readAll } from "./sources.js";
import { loadTraining } from "./training.js";

// Answer the messages of a port: { id, name, … } is a call, { cancel: id } ends one.
export function serve(port) {
  const aborts = new Map();
  let model = null;
  let training = null;
  let missingWasm = null; // its source, until it is loaded
  let queue = Promise.resolve();

  // The bytes of a file; the engine's WebAssembly comes along with the first.
  async function read({ source, wasm }, emit, signal) {
    missingWasm = wasm ?? missingWasm;
    const sources = missingWasm ? [source, missingWasm] : [source];
    const [bytes, engine] = await readAll(sources, (value) => emit("progress", value), signal);
    if (engine) setWasm(engine);
    missingWasm = null;
    const total = bytes.size ?? bytes.length;
    emit("progress", { stage: "start", loaded: total, total });
    await pause();
    return bytes;
  }

  async function open(message, emit, signal) {
    const loaded = await loadModel(await read(message, emit, signal), message.source.url);
    await model?.release();
    model = loaded;
    return model.description;
  }

  async function openTraining(message, emit, signal) {
    const source = { ...message.source, packed: true };
    training = await loadTraining(await read({ ...message, source }, emit, signal), source.url);
    return training.header;
  }

  const calls = {
    open,
    openTraining,
    training: ({ act, asked }) => training[act](asked),
    encode: ({ text }) => {
      const ids = model.tokens.encode(text);
      return { ids, tokens: model.tokens.shown(ids, true), ...model.tokens.strange(text) };
    },
    decode: ({ ids }) => model.tokens.decode(ids),
    encodeTarget: ({ text }) => model.tokens.encodeTarget(text),
    write: (message, emit, signal) => model.write(message, (step) => emit("step", step), nextOf(signal)),
    pass: async (message) => {
      const begun = performance.now();
      const result = await model.pass(message);
      return { ...result, milliseconds: performance.now() - begun };
    },
    analyse: ({ analysis, ...input }) => model.analyse(analysis, input),
    gradients: async (message) => ({ values: await model.gradients(message) }),
    scoreParts: ({ kind, layer }) => model.parts[`${kind}.${layer}`],
    scoreRow: async (message) => ({ values: await model.scoreRow(message) }),
    effects: (message, emit, signal) => model.effects(message, (layer) => emit("layer", layer), nextOf(signal)),
  };

  async function answer({ id, name, ...message }) {
    const abort = aborts.get(id);
    try {
      await pause(); // lets a cancellation that stands behind this call in
      abort.signal.throwIfAborted();
      const emit = (event, value) => abort.signal.aborted || port.postMessage({ id, event, value });
      const value = await calls[name](message, emit, abort.signal);
      abort.signal.throwIfAborted();
      port.postMessage({ id, value }, buffersOf(value));
    } catch (error) {
      if (!abort.signal.aborted) port.postMessage({ id, error: described(error) });
    } finally {
      aborts.delete(id);
    }
  }

  port.onmessage = ({ data }) => {
    if (data.cancel) return aborts.get(data.cancel)?.abort();
    aborts.set(data.id, new AbortController());
    queue = queue.then(() => answer(data));
  };
}

const described = (error) =>
  error instanceof Refused
    ? { code: error.code, fields: error.fields }
    : { code: "live_failed", fields: { problem: String(error?.message ?? error) } };

const nextOf = (signal) => async () => {
  await pause();
  signal.throwIfAborted();
};

// The buffers of all values, which are handed over instead of copied.
const buffersOf = (value) => [...new Set(Object.values(value?.values ?? {}).flatMap(({ data }) => data?.buffer ?? []))];

// Let messages in. A timer would wait 4 ms each time.
function pause() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}
