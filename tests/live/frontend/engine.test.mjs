// What both backends of the engine answer, graphs in a worker and the server, beside what the app computes.

import assert from "node:assert/strict";
import test, { after } from "node:test";

import { integrated } from "../../../live/frontend/integrated.js";
import { bytes, json } from "./cases.mjs";
import { remote, SERVER, started } from "./started.mjs";

const TOLERANCE = 1e-4; // of the largest number of a value

let engine = SERVER ? null : started();
after(() => engine.close());

// The engine, with the model of this name.
async function open(name, options) {
  if (SERVER) engine = remote(name);
  return engine.open({ data: SERVER ? null : bytes(`${name}.model`) }, options);
}

const close = (found, expected, within, where) => assert.ok(Math.abs(found - expected) <= within, `${where}: ${found}, not ${expected}`);

// As many numbers as in nested lists, each as near as the largest of them allows, which counts as `least` at least.
function closeAll(found, expected, where, least = 1) {
  const numbers = expected.flat(4);
  const most = Math.max(least, ...numbers.map(Math.abs));
  assert.equal(found.length, numbers.length, where);
  numbers.forEach((number, at) => close(found[at], number, TOLERANCE * most, where));
}

function compare(result, { text, stop, source, target, tokens, steps, sentence }) {
  assert.equal(result.text, text, sentence);
  assert.equal(result.stop, stop, sentence);
  assert.deepEqual([result.source, result.target], [source, target], sentence);
  assert.deepEqual([result.sourceTokens, result.targetTokens, result.outputTokens], tokens, sentence);
  steps.forEach(([ids, probabilities, chosen, others], at) => {
    const step = result.steps[at];
    assert.deepEqual([step.id, step.index], [chosen, at], sentence);
    const found = new Map(step.candidates.map(({ id, probability }) => [id, probability]));
    ids.forEach((id, place) => close(found.get(id) ?? 0, probabilities[place], TOLERANCE, `${sentence} ${at} ${id}`));
    close(step.others, others, TOLERANCE, sentence);
  });
  assert.equal(result.steps.length, target.length ? steps.length : result.steps.length);
}

// The server computes none: it has the models that are too large for a browser, and these have no rule.
function compareDoubt(found, expected) {
  if (SERVER || !expected) return assert.equal(found, undefined);
  assert.deepEqual([found.isDoubted, found.words], [expected.isDoubted, expected.words]);
  close(found.score, expected.score, TOLERANCE * Math.max(1, Math.abs(expected.score)), "doubt");
  expected.looked.forEach((share, word) => close(found.looked[word], share, TOLERANCE, "looked"));
}

// The sizes of nested lists.
const shapeOf = (list) => (Array.isArray(list) ? [list.length, ...shapeOf(list[0])] : []);

// Numbers of a file, cut into values.
function valuesOf(name, shapes) {
  const numbers = new Float32Array(bytes(name).buffer);
  let at = 0;
  return shapes.map(([value, shape]) => {
    const length = shape.reduce((product, size) => product * size, 1);
    at += length;
    return { name: value, shape, data: numbers.subarray(at - length, at) };
  });
}

function compareValues(values, expected) {
  assert.deepEqual(Object.keys(values), expected.map(({ name }) => name));
  for (const { name, shape, data } of expected) {
    assert.deepEqual(values[name].shape, shape, name);
    let [most, apart] = [0, 0];
    data.forEach((number, at) => {
      const found = values[name].data[at];
      if (!Number.isFinite(number)) return assert.equal(found, number, name);
      most = Math.max(most, Math.abs(number));
      apart = Math.max(apart, Math.abs(found - number));
    });
    assert.ok(apart <= TOLERANCE * most, `${name}: ${apart} of ${most}`);
  }
}

for (const { name, outputs, changed, values, forced, effects, analyses, gradients, rows } of json("models")) {
  test(`outputs of ${name}`, async () => {
    const progress = [];
    const model = await open(name, { onProgress: (value) => progress.push(value) });
    assert.equal(model.name, name);
    assert.deepEqual([progress[0].stage, progress.at(-1).stage], [SERVER ? "start" : "download", "start"]);

    for (const [number, output] of outputs.entries()) {
      const seen = [];
      const result = await engine.write(output.sentence, { onStep: (step) => seen.push(step.id) });
      compare(result, output);
      compareDoubt(result.doubt, output.doubt);
      assert.deepEqual(seen, result.ids);
      assert.deepEqual(Object.keys(result.norms), model.norms);
      for (const { data, shape: [heads, keys] } of Object.values(result.norms)) assert.equal(data.length, heads * keys);
      if (values[number]) compareValues(result.values, valuesOf(`${name}.${number}`, values[number]));
    }

    for (const { heads, patches, ...expected } of changed) compare(await engine.write(expected.sentence, { heads, patches }), expected);
    const { source, target } = outputs[0];
    const only = ["logits"].filter((value) => model.values.some(([known]) => known === value));
    const passed = await engine.pass(source, target, { only, candidates: 3 });
    assert.deepEqual(Object.keys(passed.values), only);
    assert.deepEqual(passed.outputTokens, outputs[0].tokens[2]);

    if (forced) {
      const written = await engine.write(forced.sentence, { forced: forced.forced, only: [] });
      assert.deepEqual([written.ids, written.stop], [forced.ids, forced.stop]);
      assert.equal(written.steps.length, forced.ids.length);
      assert.equal(written.steps[1].id, forced.forced[1]);
    }

    assert.deepEqual(analyses.map(([analysis]) => analysis).sort(), [...model.analyses].sort());
    for (const [analysis, input, expected] of analyses) {
      const Kind = analysis.startsWith("near") ? Int32Array : Float32Array;
      const { data } = await engine.analyse(analysis, { data: Kind.from(input.flat(4)), shape: shapeOf(input) });
      closeAll(data, expected, analysis, 0);
    }

    assert.equal(Boolean(model.gradient), gradients.length > 0);
    for (const { source: from, target: read, asked, integrated: path, ...expected } of gradients) {
      const found = await engine.gradients(from, read, asked);
      for (const [output, values] of Object.entries(expected)) closeAll(found[output].data, values, `${output} of row ${asked.row}`);
      const { scales: _, ...question } = asked;
      const along = await integrated(engine, model.gradient, from, read, question);
      assert.ok(along.holds && Math.abs(along.gap) <= path.tolerance, `gap ${along.gap}`);
      close(along.change, path.change, TOLERANCE * Math.max(1, Math.abs(path.change)), "change");
      close(along.sum - along.change, along.gap, TOLERANCE, "gap");
      assert.equal(along.values.length, path.values.length);
      const size = Math.max(1, ...path.values.map(Math.abs));
      const within = along.points === path.points ? TOLERANCE * size : path.tolerance; // rounding may cut another panel
      path.values.forEach((value, at) => close(along.values[at], value, within, `along ${along.points} points`));
    }

    for (const { kind, layer, parts, picked, grouped, ...expected } of rows) {
      assert.deepEqual(await engine.scoreParts(kind, layer), parts, `${kind} ${layer}`);
      const found = await engine.scoreRow(source, target, { kind, layer, picked, grouped });
      for (const [output, values] of Object.entries(expected)) closeAll(found[output].data, values, `${kind} ${layer} ${output}`);
      assert.ok(found.apart.data[0] < TOLERANCE);
    }

    const told = [];
    const found = await engine.effects(source, target, { onLayer: (layer) => told.push(layer) });
    assert.deepEqual(told, found);
    effects.forEach(([kind, layer, expected], at) => {
      assert.deepEqual([found[at].kind, found[at].layer], [kind, layer]);
      expected.forEach((rows, head) => rows.forEach((effect, row) => close(found[at].effects[head][row], effect, 1e-3, kind)));
    });
  });
}

test("what cannot be read is refused with the code of the app's sentence", async () => {
  await open("gpt-char");
  const refusals = [["", "sentence_empty"], [" \n", "sentence_empty"], ["a\u0007", "sentence_control"]];
  for (const [text, code] of [...refusals, ["a".repeat(1001), "sentence_characters"], ["a ".repeat(300), "sentence_tokens"]]) {
    await assert.rejects(engine.write(text), { name: "EngineError", code });
  }
  await assert.rejects(engine.encode("a\u0007"), { fields: { point: "0007" } });
});

test("a call that is aborted ends, and the next one is answered", { skip: Boolean(SERVER) }, async () => {
  const abort = new AbortController();
  const steps = [];
  const sentence = json("models").at(-1).outputs[0].sentence;
  await engine.open({ data: bytes("gpt-char.model") });
  const call = engine.write("The", { signal: abort.signal, onStep: (step) => steps.push(step) && abort.abort() });
  const waiting = engine.write("The", { signal: abort.signal });
  await assert.rejects(call, { name: "AbortError" });
  await assert.rejects(waiting, { name: "AbortError" });
  assert.equal(steps.length, 1);
  assert.ok((await engine.encode(sentence)).ids.length > 2);
});

test("a damaged file is refused", { skip: Boolean(SERVER) }, async () => {
  const whole = bytes("gpt-char.model");
  await assert.rejects(engine.open({ data: whole.slice(0, 5000) }), { code: "live_damaged" });
  await assert.rejects(engine.open({ data: new TextEncoder().encode("<!doctype html>") }), { code: "live_damaged" });
  await assert.rejects(engine.open({ url: "http://127.0.0.1:9/none", bytes: 1 }), { code: "live_fetch", fields: { url: "http://127.0.0.1:9/none", status: 0 } });
  assert.equal((await engine.encode("The")).tokens[1], "T"); // the model before is still there
});
