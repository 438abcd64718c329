// The engine of a live page: what a page calls. The model itself runs in a Web Worker (worker.js), so that the page never
// freezes; every call here sends it a message and promises the answer.
//
//   const engine = createEngine({ worker, wasm });              // see `startWorker` for the worker
//   const model = await engine.open(source, { onProgress });    // the description of the model
//   const result = await engine.write("Wir gehen heute ins Kino.", { onStep, signal });
//   engine.close();
//
// SOURCES  `wasm` of createEngine and `source` of open say where bytes are:
//   { url, bytes }   a file to fetch; `bytes` is its length as it travels, for the progress
//   { data }         a Blob or a Uint8Array that the page has already (of a single file). The array is handed over and empty
//                    afterwards
//   Both may be compressed by gzip or not.
//
// DESCRIPTION  what `open` promises: model/graph/description.py documents it. A page needs above all
//   name, trained, config (architecture, heads, …), kinds ["encoder", "decoder", "cross"], layers { cross: 3, … } of the
//   kinds that the model has, values [[recorded name, shape], …], card (examples, languages, first_look, …), and `shown`,
//   every token as a user sees it, by id. Of a model with two tokenizers both write the same ids.
//
// RESULTS
//   ids       numbers. Specials stand among them: <bos> and <eos> around a source
//   tokens    texts as the app shows them: "·" before a piece that goes on a word, <unk> for what the model cannot read
//   values    recorded name -> { data: Float32Array, shape: [sizes] }, row by row, without batch; the names are those of
//             docs/traces.md. S source tokens, T target tokens, H heads: `decoder.0.cross_attention.weights` has
//             the shape [H, T, S]
//   step      { index, id, token, probability, rank, candidates, others }: what was written at a step, its probability
//             and its rank from 1; `candidates` [{ id, token, probability }, …] likeliest first, the written token last
//             if it is not among the likeliest; `others` the probability of all tokens that are not listed
//   second    where the second of two texts begins among the ids of the source, or null
//   answer    { text, share, none } of a model that marks answers: its probability, and that of the first token as start
//             and end; null of others
//   heads     option of every computation: [{ kind, layer, head, scale }, …] multiplies what a head gives; 0 switches it
//             off. A head that is not listed has 1
//   patches   option of `write` and `pass`: [{ name, row, vector }, …] puts a vector, recorded in another pass, in place of
//             a row of one of the streams that `patched` of the description names; of each row once
//   signal    option of every call: an AbortSignal. The call then rejects with the signal's reason, and the worker stops
//             at the next step. A call waits for those before it, so abort what is no longer wanted
//
// ERRORS  calls reject with an EngineError: `code` and `fields` name a sentence of the app (model/errors/words/):
//   sentence_empty, sentence_characters, sentence_control, sentence_tokens, sentence_pair,
//   sentence_texts. Or one of:
//   live_simd, live_decompression   this browser cannot run the model
//   live_fetch { url, status }      a file did not come; status 0: no connection
//   live_damaged { file }           a file is cut short or is something else
//   live_format                     the file of the model was made for another version of this engine
//   live_zip, live_other            a file is no checkpoint, or one that does not fit the model which is trained
//   live_failed { problem }         the engine itself failed, for example for lack of memory

import { missing } from "../../viz/frontend/common/missing.js";

export class EngineError extends Error {
  constructor(code, fields = {}) {
    super(`${code} ${JSON.stringify(fields)}`);
    this.name = "EngineError";
    this.code = code;
    this.fields = fields;
  }
}

// A worker from the text of the bundled worker.js, by a blob: works from file://, needs `worker-src blob:` in a policy.
// Where the file has an address of its own, `new Worker(url)` does as well.
export function startWorker(code) {
  const url = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
  const worker = new Worker(url);
  URL.revokeObjectURL(url); // the worker has fetched it by then
  return worker;
}

// worker: a Worker, or in tests a MessagePort, that runs worker.js. wasm: the source of ort.wasm.gz.
export function createEngine({ worker, wasm }) {
  const calls = new Map();
  let last = 0;

  worker.onmessage = ({ data }) => {
    const call = calls.get(data.id);
    if (!call) return; // it was aborted
    if (data.event) return call.on[data.event]?.(data.value);
    calls.delete(data.id);
    if (data.error) call.reject(new EngineError(data.error.code, data.error.fields));
    else call.resolve(data.value);
  };
  worker.onerror = (event) => {
    for (const call of calls.values()) call.reject(new EngineError("live_failed", { problem: event.message ?? "" }));
    calls.clear();
  };

  function call(name, message, { signal, on = {}, transfer = [] } = {}) {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const id = ++last;
    return new Promise((resolve, reject) => {
      calls.set(id, { resolve, reject, on });
      signal?.addEventListener("abort", () => {
        if (!calls.delete(id)) return;
        worker.postMessage({ cancel: id });
        reject(signal.reason);
      });
      worker.postMessage({ id, name, ...message }, transfer);
    });
  }

  // Read a file, and with the first one the engine's WebAssembly.
  function load(name, source, { onProgress, signal }) {
    const lacking = missing();
    if (lacking) return Promise.reject(new EngineError(lacking));
    const first = wasmSent ? undefined : wasm;
    wasmSent = true;
    return call(name, { source, wasm: first }, { signal, on: { progress: onProgress }, transfer: buffers(source, first) });
  }

  const buffers = (...sources) => sources.flatMap((source) => source?.data?.buffer ?? []);
  let wasmSent = false;

  return {
    ...callsBy(call),

    // Load a model, in place of the one before; the first call also loads the engine's WebAssembly.
    //   onProgress({ stage, loaded, total })   stage "download": bytes of all files; then "start": loaded equals total
    // Promises the description. The next calls are about this model.
    open(source, options = {}) {
      return load("open", source, options);
    },

    // Load what a model learns with; options as of `open`. While it learns, calls to this engine wait: a page that also
    // has a model needs a second engine. Promises what there is, see `described` in model/train/browser/ready.py.
    openTraining(source, options = {}) {
      return load("openTraining", source, options);
    },

    // One call of training.js by its name: "choose" first, "begin", "train", "evaluate", "outputs", "state", "restore", "checkpoint", "viewed", "read".
    training(act, asked = {}, { signal } = {}) {
      return call("training", { act, asked }, { signal });
    },

    // End the worker. Calls under way stay without an answer.
    close() {
      calls.clear();
      (worker.terminate ?? worker.close).call(worker);
    },
  };
}

// The calls about a model, whoever computes them: `call(name, message, { signal, on })` promises what the worker answers.
export function callsBy(call) {
  return {
    // The tokens of a text, without running the model.
    // Promises { ids, tokens, words, unseenWords, unknownCharacters }:
    //   words               [{ text, seen }, …] of a text, without numbers; seen: training showed the word. Of Chinese,
    //                       characters, since the dictionary of the app does not travel along. [] of a model that spells
    //   unseenWords         texts of those that were not seen
    //   unknownCharacters   characters that no token holds; they are read as <unk>
    encode(text, { signal } = {}) {
      return call("encode", { text }, { signal });
    },

    // The text of ids, without specials.
    decode(ids, { signal } = {}) {
      return call("decode", { ids: [...ids] }, { signal });
    },

    // The ids of a text as an output, without specials: what may be forced.
    encodeTarget(text, { signal } = {}) {
      return call("encodeTarget", { text }, { signal });
    },

    // Translate a sentence; a model with a decoder alone continues it, one with an encoder alone reads it.
    //   heads, patches   see above; they act on every step and on the values
    //   forced      ids that the output begins with: to force token X at step t, the ids of the output before t, and X
    //   candidates  how many likeliest tokens of each step; 8 if not given
    //   only        recorded names that are wanted; all if not given
    //   onStep      gets each step when it is decided, in the order of the output; not those of forced ids
    // Promises {
    //   text, stop ("eos", "length", "repetition"),
    //   source, prompt, target    ids that the encoder reads, that the decoder reads first, and all that the decoder read
    //   ids                       what was written, <eos> included where it was
    //   sourceTokens, targetTokens, outputTokens   the tokens read, and what each row of the decoder finds likeliest
    //   steps                     one for each id written, forced ones too; row prompt.length - 1 + t is step t
    //   values                    of one pass over all that was read
    //   words, unseenWords, unknownCharacters      as of `encode`
    //   norms                     ‖v W_O‖ of each head and token of an attention, by `norms` of the description: {
    //                             "decoder.0.cross_attention.value_norms": { data, shape: [H, S] }, … }; not with `only`
    //   milliseconds              { decoding, pass }
    // }
    // Of an encoder alone `target`, `ids`, `steps` are empty, and `text` is the sentence with each hidden word replaced,
    // or "" if none is hidden.
    write(text, { heads = [], patches = [], forced = [], candidates = 8, only, onStep, signal } = {}) {
      const message = { text, heads, patches, forced: [...forced], candidates, only };
      return call("write", message, { signal, on: { step: onStep } });
    },

    // One pass over given ids: what the encoder reads and what the decoder reads, [] for a side that the model lacks.
    // Promises { values, sourceTokens, targetTokens, outputTokens, steps, milliseconds }. steps has one for each row,
    // { index, id, … } of the likeliest token; with `written`, ids of the rows from `first` on, of those instead.
    //   first       row of the first step: prompt.length - 1
    pass(source, target, { heads = [], patches = [], only, written, first = 0, candidates = 8, signal } = {}) {
      const message = { source: [...source], target: [...target], heads, patches, only, written, first, candidates };
      return call("pass", message, { signal });
    },

    // What switching off each head changes, one after the other on top of `heads`.
    //   onLayer({ kind, layer, effects })   as each layer is ready; effects: Float64Array for each head, a number for each
    //             row: the change of the log-probability, in nats, of the token that the row finds likeliest with `heads`.
    //             Of an encoder alone: the cosine between its output vectors before and after, minus 1
    // Promises the list of all of these.
    effects(source, target, { heads = [], onLayer, signal } = {}) {
      const message = { source: [...source], target: [...target], heads };
      return call("effects", message, { signal, on: { layer: onLayer } });
    },

    // One of the analyses of model/graph/analyses.py that the model has, `analyses` of the description.
    //   input   { data, shape }: recorded values (Float32Array) or ids (Int32Array), batch first
    // Promises its output in the same form.
    analyse(name, input, { signal } = {}) {
      return call("analyse", { analysis: name, ...input }, { signal });
    },

    // Gradient × input of the score of a token, its log p; only where the description has `gradient`.
    //   row      of the decoder, whose next token is asked about; word: the id of that token
    //   scales   by which all embeddings are multiplied, a result for each (n)
    // Promises { scores: { data, shape: [n] }, products: { data, shape: [n, S + T] } }, see model/attribution/gradients.py
    async gradients(source, target, { row, word, scales = [1], signal }) {
      const message = { source: [...source], target: [...target], row, word, scales: [...scales] };
      return (await call("gradients", message, { signal })).values;
    },

    // What the queries and the keys of an attention are made of.
    // Promises { queries: { parts, groups }, keys: … }: recorded names of the parts in the order of `grouped` below, and the
    // places in it of those that belong together, by the name of their group; see `score_parts` in model/graph/score_rows.py
    scoreParts(kind, layer, { signal } = {}) {
      return call("scoreParts", { kind, layer }, { signal });
    },

    // The terms of the score of one cell, and the row of weights without one of them; see model/graph/score_rows.py.
    //   picked    { head, query, key, of_query, of_key }: the cell, and the two groups whose term is taken out
    //   grouped   { queries, keys }: for each group the places of its parts
    // Promises the outputs that are documented there, by name: table, score, sides, weights, apart.
    async scoreRow(source, target, { heads = [], kind, layer, picked, grouped, signal } = {}) {
      const message = { source: [...source], target: [...target], heads, kind, layer, picked, grouped };
      return (await call("scoreRow", message, { signal })).values;
    },
  };
}
