// Where a live page finds its engine and its models: in files beside it, or in itself.
//
// The page holds a list as JSON in the element `live` (live/pages.py writes it):
//   { version, worker, wasm, training, view, models: [{ name, model, example, lessons, …file }, …] }
// where a file is { url, bytes } beside the page, or { element, bytes } in an element of the page. A model that a server
// computes has the address of that `engine` in place of a file. A page of the app's server has `texts`, too, the file of
// each language, and `app`: { base, models }, the path of the app and the models that run in browsers.

import { bytesOf } from "../../viz/frontend/standalone/base85.js";
import { createEngine, startWorker } from "./engine.js";

// The list; null where it is damaged, as in a page that was cut short.
export function listed() {
  const isFile = (file) => Number.isFinite(file?.bytes) && Boolean(file.url || file.element);
  const isModel = (each) => Boolean(each?.name && each.model?.card && each.model.config) && (isFile(each) || Boolean(each.engine));
  try {
    const list = JSON.parse(document.getElementById("live").textContent);
    const isWhole = isFile(list.worker) && isFile(list.wasm) && list.models.length > 0 && list.models.every(isModel);
    return isWhole ? list : null;
  } catch {
    return null;
  }
}

// The source of a file, as engine.js wants it. What stands in an element is read once and then removed from the page: a Blob
// keeps it outside of the page's memory.
export function sourceOf({ url, bytes, element }) {
  if (url) return { url: new URL(url, document.baseURI).href, bytes };
  const stored = document.getElementById(element);
  const data = new Blob([bytesOf(stored)]);
  stored.remove();
  return { data };
}

const held = {}; // of a single file: what every engine of the page begins with

// An engine, see createEngine, whose worker has begun; no model is loaded yet.
export async function startEngine({ worker, wasm }) {
  if (worker.url) return createEngine({ worker: new Worker(worker.url), wasm: sourceOf(wasm) });
  held.script ??= inflated(sourceOf(worker).data);
  held.wasm ??= sourceOf(wasm);
  return createEngine({ worker: startWorker(await held.script), wasm: held.wasm });
}

function inflated(data) {
  return new Response(data.stream().pipeThrough(new DecompressionStream("gzip"))).text();
}
