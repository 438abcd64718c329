// The same engine (engine.js), computed by a server: for models that are too large for a browser. Each call is a POST to
// `url/CALL` with JSON, answered by model/graph/server_engine.py: header (JSON), then the numbers of all arrays.

import { readHeader } from "../../viz/frontend/common/data.js";
import { callsBy, EngineError } from "./engine.js";

export function createRemoteEngine({ url }) {
  async function ask(name, message, signal) {
    let answer;
    try {
      answer = await fetch(`${url}/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message, spelled), signal });
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new EngineError("live_fetch", { url, status: 0, problem: String(error.message) });
    }
    if (answer.status === 422 || answer.status === 429) {
      const { code, fields } = await answer.json();
      throw new EngineError(code, fields);
    }
    if (!answer.ok) throw new EngineError("live_fetch", { url, status: answer.status });
    return opened(new Uint8Array(await answer.arrayBuffer()));
  }

  // Steps and layers are told once all of them are there.
  async function call(name, message, { signal, on = {} } = {}) {
    const found = await ask(name, message, signal);
    if (name === "write") found.steps.slice(message.forced.length).forEach((step) => on.step?.(step));
    if (name === "effects") found.layers.forEach((layer) => on.layer?.(layer));
    return PROMISED[name]?.(found) ?? found;
  }

  return {
    ...callsBy(call),
    open: async (source, { onProgress, signal } = {}) => {
      onProgress?.({ stage: "start", loaded: 1, total: 1 });
      return ask("open", {}, signal);
    },
    close() {},
  };
}

// What a call promises of an answer, where that is not all of it.
const PROMISED = {
  decode: ({ text }) => text,
  encodeTarget: ({ ids }) => ids,
  effects: ({ layers }) => layers,
  analyse: ({ values }) => values.output,
  scoreParts: ({ sides }) => sides,
};

// Arrays of numbers as JSON has them.
const spelled = (_, value) => (ArrayBuffer.isView(value) ? [...value] : value);

// What is plain, with arrays in groups such as `values`: { data, shape } by name.
function opened(bytes) {
  const { header, body } = readHeader(bytes);
  const whole = body.slice().buffer; // at a multiple of four bytes
  let at = 0;
  const read = ([name, shape]) => {
    const length = shape.reduce((product, size) => product * size, 1);
    at += length;
    return [name, { data: new Float32Array(whole, 4 * (at - length), length), shape }];
  };
  const { arrays, ...plain } = header;
  return { ...plain, ...Object.fromEntries(Object.entries(arrays).map(([group, shapes]) => [group, Object.fromEntries(shapes.map(read))])) };
}
