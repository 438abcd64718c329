// The same engine (engine.js), computed by a server: for models that are too large for a browser. Each call is a POST to
// `url/CALL` with JSON, answered by model/graph/server_engine.py: header (JSON), then the numbers of all arrays.

import { readHeader } from "../../viz/frontend/common/data.js";
import { EngineError } from "./engine.js";

export function createRemoteEngine({ url }) {
  async function ask(name, message, signal) {
    let answer;
    try {
      answer = await fetch(`${url}/${name}`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(message), signal });
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

  return {
    open: async (source, { onProgress, signal } = {}) => {
      onProgress?.({ stage: "start", loaded: 1, total: 1 });
      return ask("open", {}, signal);
    },
    encode: (text, { signal } = {}) => ask("encode", { text }, signal),
    decode: async (ids, { signal } = {}) => (await ask("decode", { ids: [...ids] }, signal)).text,
    encodeTarget: async (text, { signal } = {}) => (await ask("encodeTarget", { text }, signal)).ids,
    write: async (text, { heads = [], patches = [], forced = [], candidates, only, onStep, signal } = {}) => {
      const result = await ask("write", { text, heads, patches: spelled(patches), forced: [...forced], candidates, only }, signal);
      result.steps.slice(forced.length).forEach((step) => onStep?.(step));
      return result;
    },
    pass: (source, target, { heads = [], patches = [], only, written, first = 0, candidates, signal } = {}) =>
      ask("pass", { source: [...source], target: [...target], heads, patches: spelled(patches), only, written, first, candidates }, signal),
    effects: async (source, target, { heads = [], onLayer, signal } = {}) => {
      const { layers } = await ask("effects", { source: [...source], target: [...target], heads }, signal);
      layers.forEach((layer) => onLayer?.(layer));
      return layers;
    },
    analyse: async (name, { data, shape }, { signal } = {}) =>
      (await ask("analyse", { analysis: name, data: [...data], shape }, signal)).values.output,
    gradients: async (source, target, { row, word, scales = [1], signal }) =>
      (await ask("gradients", { source: [...source], target: [...target], row, word, scales: [...scales] }, signal)).values,
    scoreParts: async (kind, layer, { signal } = {}) => (await ask("scoreParts", { kind, layer }, signal)).sides,
    scoreRow: async (source, target, { heads = [], kind, layer, picked, grouped, signal } = {}) =>
      (await ask("scoreRow", { source: [...source], target: [...target], heads, kind, layer, picked, grouped }, signal)).values,
    close() {},
  };
}

const spelled = (patches) => patches.map(({ vector, ...place }) => ({ ...place, vector: [...vector] }));

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
