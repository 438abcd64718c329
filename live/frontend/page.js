// A bare page: a sentence in, its translation and one head's weights out.

import { listed, sourceOf, startEngine } from "./files.js";

const $ = (id) => document.getElementById(id);
const files = listed();
const state = { engine: null, running: null };

for (const { name, title } of files.models) $("model").add(new Option(title, name));

async function load() {
  delete document.body.dataset.ready;
  const file = files.models.find(({ name }) => name === $("model").value);
  state.engine ??= await startEngine(files);
  const onProgress = ({ loaded, total }) => ($("progress").value = loaded / total);
  const model = await state.engine.open((file.source ??= sourceOf(file)), { onProgress });
  $("sentence").value = model.card.examples[0];
  document.body.dataset.ready = model.name;
}

async function write() {
  state.running?.abort();
  state.running = new AbortController();
  const { signal } = state.running;
  $("output").textContent = "";
  const onStep = ({ token }) => ($("output").textContent += `${token} `);
  const result = await state.engine.write($("sentence").value, { onStep, signal });
  $("output").textContent = result.text;
  $("output").dataset.output = result.text;
}

function told(action) {
  return async (event) => {
    event?.preventDefault();
    $("problem").textContent = "";
    try {
      await action();
    } catch (error) {
      if (error.name !== "AbortError") $("problem").textContent = error.message;
    }
  };
}

$("model").onchange = told(load);
$("form").onsubmit = told(write);
told(load)();
