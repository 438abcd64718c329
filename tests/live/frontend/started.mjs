// An engine without a browser: the worker's side answers in the same process.

import { readFileSync } from "node:fs";

import { createEngine } from "../../../live/frontend/engine.js";
import { createRemoteEngine } from "../../../live/frontend/remote.js";
import { serve } from "../../../live/frontend/server.js";

const WASM = new URL("../../../live/frontend/vendor/ort.wasm.gz", import.meta.url);

export function started() {
  const { port1, port2 } = new MessageChannel();
  serve(port2);
  return createEngine({ worker: port1, wasm: { data: new Uint8Array(readFileSync(WASM)) } });
}

// Where engines of a server are, "" for graphs in this process.
export const SERVER = process.env.ENGINE;

// An engine on the server, which has the model already.
export const remote = (name) => createRemoteEngine({ url: `${SERVER}/${name}` });
