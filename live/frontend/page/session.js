// A loaded model and what it has computed: each sentence, forced output and set of heads once.

import { startEngine, sourceOf } from "../files.js";
import { createRemoteEngine } from "../remote.js";

const KEPT = 12; // results with all their values

export class Session {
  constructor(files) {
    this.files = files;
    this.engine = null;
    this.model = null;
    this.results = new Map();
  }

  // The description of the model of a file; see `open` in engine.js.
  async open(file, options) {
    this.model = null;
    this.results.clear();
    if (!file.engine) this.local ??= await startEngine(this.files);
    this.engine = file.engine ? createRemoteEngine({ url: file.engine }) : this.local;
    file.source ??= file.engine ? null : sourceOf(file);
    const { data } = file.source ?? {};
    this.model = await this.engine.open(data ? { data: data.slice() } : file.source, options); // it may be chosen once more
    return this.model;
  }

  // `write` of engine.js, kept. A call that is aborted is forgotten.
  async write(text, options = {}) {
    const { heads = [], forced = [], only = null, signal, onStep } = options;
    const key = JSON.stringify([text, heads, forced, only]);
    if (this.results.has(key)) return this.results.get(key);
    const result = await this.engine.write(text, { heads, forced, only: only ?? undefined, signal, onStep, candidates: CANDIDATES });
    this.results.set(key, result);
    if (this.results.size > KEPT) this.results.delete(this.results.keys().next().value);
    return result;
  }
}

const CANDIDATES = 6; // of a step, as many as the app shows

// One call at a time: the next one ends it. `late` says that an answer came for a question that nobody asks any more.
export class Latest {
  begin() {
    this.controller?.abort();
    this.controller = new AbortController();
    return this.controller.signal;
  }

  end() {
    this.controller?.abort();
    this.controller = null;
  }
}

export const isAbort = (error) => error?.name === "AbortError";
