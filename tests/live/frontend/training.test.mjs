// A training in the worker, beside torch's: see test_training.py.

import assert from "node:assert/strict";
import test, { after } from "node:test";

import { bytes, json, write } from "./cases.mjs";
import { chosen } from "../../../live/frontend/training_choice.js";
import { started } from "./started.mjs";

const engine = started();
after(() => engine.close());
const { losses, heldOut, written, words, pairs: data, off, other, text, kinds, copying } = json("expected");
const near = (found, expected, within, where) => assert.ok(Math.abs(found - expected) <= within, `${where}: ${found}, not ${expected}`);

// The description of a model, which the next calls are about.
async function opened(kind = "letters", size = undefined) {
  const header = await engine.openTraining({ data: bytes("training") });
  const description = chosen(header, kind, size ?? header.kinds[kind].usual);
  await engine.training("choose", { kind, size: description.size });
  return description;
}

// A training from its beginning, whose losses are those of torch.
async function learned(data, losses) {
  await engine.training("begin", { data });
  const found = [];
  while (found.length < losses.length) found.push(...(await engine.training("train", { steps: 10 })).losses);
  near(found[0], losses[0], 1e-5, "first loss");
  found.forEach((loss, at) => near(loss, losses[at], 1e-3, `step ${at}`));
  return found;
}

test("a training in the worker is torch's", async () => {
  const description = await opened();
  const task = description.tasks[0];
  const found = await learned(data, losses);

  const state = structuredClone(await engine.training("state"));
  const result = await engine.training("evaluate", { learned: data.slice(0, 10), heldOut: task.heldOut, words });
  near(result.heldOut.loss, heldOut.loss, 2e-3, "loss of what is held out");
  assert.deepEqual(result.heldOut.right, heldOut.right);
  assert.deepEqual(result.written, written);
  const [answers] = [await engine.training("outputs", { words: task.heldOut.map(([word]) => word) })];
  assert.deepEqual(answers.map((answer, at) => answer === task.heldOut[at][1]), result.heldOut.right);
  const { data: weights, shape } = result.look.values["decoder.0.cross_attention.weights"];
  assert.deepEqual(shape, [description.config.heads, result.look.outputTokens.length, result.look.sourceTokens.length]);
  near(weights.slice(0, shape[2]).reduce((sum, weight) => sum + weight), 1, 1e-5, "a row of weights");

  const next = (await engine.training("train", { steps: 1 })).losses;
  await engine.training("restore", { data, switches: {}, state });
  assert.deepEqual((await engine.training("train", { steps: 1 })).losses, next);
  await engine.training("begin", { data });
  assert.deepEqual((await engine.training("train", { steps: 1 })).losses, found.slice(0, 1));
  for (const [name, expected] of Object.entries(off)) {
    await engine.training("begin", { data, switches: { [name]: 0 } });
    near((await engine.training("train", { steps: 1 })).losses[0], expected, 1e-5, name);
  }
});

// Steps with a switch off, and the file of what they made; what the page says of it stands beside.
async function saved(name, switches) {
  const { saved: texts, tasks } = await opened();
  const held = tasks[0].heldOut;
  await engine.training("begin", { data, switches });
  await engine.training("train", { steps: 20 });
  const card = { ...texts.cards.reverse, examples: held.slice(0, 2).map(([word]) => word) };
  const file = await engine.training("checkpoint", { name, card, heldOut: held });
  const result = await engine.training("evaluate", { learned: data.slice(0, 10), heldOut: held, words: ["ab"] });
  const outputs = await engine.training("outputs", { words: held.map(([word]) => word) });
  write(`${name}.zip`, file);
  write(`${name}.json`, JSON.stringify({ loss: result.heldOut.loss, right: result.heldOut.right, outputs }));
  return { card, file, held, result, outputs };
}

for (const [name, switches] of Object.entries({ whole: {}, scaled: { scaled: 0 }, positions: { positions: 0 } })) {
  test(`what was trained goes on from its file, and stands in the views of the page: ${name}`, async () => {
    const { card, file, held, result, outputs } = await saved(name, switches);
    const seen = await engine.training("viewed", { name, card, heldOut: held });
    const { weights, switches: read } = await engine.training("read", { bytes: file });
    assert.deepEqual(read, name === "positions" ? switches : {});
    await engine.training("begin", { data, switches: read, start: weights });
    const again = await engine.training("evaluate", { learned: data.slice(0, 10), heldOut: held, words: ["ab"] });
    near(again.heldOut.loss, result.heldOut.loss, 1e-5, "loss");
    assert.deepEqual(await engine.training("outputs", { words: held.map(([word]) => word) }), outputs);

    const { config, card: { scores } } = await engine.open({ data: seen.bytes });
    assert.equal(config.position, name === "positions" ? "none" : "sinusoidal");
    assert.equal(scores.reverse.pairs, held.length);
    for (const [at, [word]] of held.slice(0, 20).entries()) {
      const run = await engine.write(word, { only: [] });
      if (run.stop === "eos") assert.equal(run.text, outputs[at]);
    }
    const { values } = await engine.write("ab");
    for (const [path, rows] of [["encoder.1.self_attention.weights", 4], ["decoder.0.cross_attention.weights", 1]]) {
      const [found, expected] = [values[path], result.look.values[path]];
      const width = found.shape[2];
      for (let head = 0; head < found.shape[0]; head++) {
        const row = ({ data, shape }) => data.subarray(head * shape[1] * width, (head * shape[1] + rows) * width);
        row(found).forEach((weight, place) => near(weight, row(expected)[place], 1e-5, path));
      }
    }
    const { source, target, values: seenBy } = await engine.write("ab");
    const { queries, keys } = await engine.scoreParts("cross", 0);
    const whole = ({ parts }) => [parts.map((_, at) => at)];
    const picked = { head: 1, query: 0, key: 2, of_query: 0, of_key: 0 };
    const { table, weights: row } = await engine.scoreRow(source, target, { kind: "cross", layer: 0, picked, grouped: { queries: whole(queries), keys: whole(keys) } });
    const { data: raw, shape: [, rows, columns] } = seenBy["decoder.0.cross_attention.scores"];
    near(table.data[0], raw[rows * columns + 2], 1e-4, "the terms of a score");
    near(row.data[2], seenBy["decoder.0.cross_attention.weights"].data[rows * columns + 2], 1e-5, "its weight");
  });
}

test("a text is learned as in torch, saved, and seen in the views of the page", async () => {
  const { saved: { cards }, config } = await opened("text", text.size);
  const { text: whole } = text;
  await learned(whole, text.losses);

  const held = [["the old", "man sees"], ["a cat", "sees the"]];
  const starts = held.map(([begun]) => begun);
  const part = whole.slice(5, 45); // shorter than a window
  const { heldOut: judged, written: outputs, look } = await engine.training("evaluate", { learned: part, heldOut: part, words: starts });
  assert.equal(judged.right.length, part.length);
  const { shape, data: weights } = look.values["decoder.0.self_attention.weights"];
  assert.deepEqual(shape, [config.heads, look.targetTokens.length, look.targetTokens.length]);
  assert.equal(weights[1], 0); // the first row sees no later letter
  assert.equal(look.targetTokens[1], "t");
  const card = { ...cards.text, examples: starts };
  const file = await engine.training("checkpoint", { name: "text", card, heldOut: held, judged: part });
  write("text.zip", file);
  write("text.json", JSON.stringify({ held: part, loss: judged.loss, written: Object.fromEntries(starts.map((begun, at) => [begun, outputs[at]])) }));

  const seen = await engine.training("viewed", { name: "text", card, heldOut: held, judged: part });
  await engine.open({ data: seen.bytes });
  const run = await engine.write("the old", { only: [] });
  const length = Math.min(run.text.length, "the old".length + outputs[0].length);
  assert.equal(run.text.replace(/^the old ?/, "").slice(0, length - 8), outputs[0].slice(0, length - 8));

  const read = await engine.training("read", { bytes: file, text: whole });
  assert.deepEqual([read.kind, read.size, read.switches], ["text", text.size, {}]);
  await engine.training("begin", { data: whole, start: read.weights });
  near((await engine.training("evaluate", { learned: part, heldOut: part, words: starts })).heldOut.loss, judged.loss, 1e-5, "loss");
  await assert.rejects(engine.training("read", { bytes: file, text: "others" }), { code: "live_other" });
});

for (const [kind, losses] of Object.entries(kinds)) {
  test(`a task with letters of its own is learned as in torch: ${kind}`, async () => {
    const { tasks } = await opened(kind);
    await learned(tasks.find((task) => task.kind === kind).pairs, losses);
  });
}

test("repeated letters are gone on with, and the heads that look them up are found", async () => {
  const { tasks } = await opened("repeat");
  const { pairs, heldOut: held } = tasks.find(({ kind }) => kind === "repeat");
  const start = new Float32Array(bytes("copying").slice().buffer);
  await engine.training("begin", { data: pairs, start });
  const words = held.slice(0, copying.outputs.length).map(([word]) => word);
  const found = await engine.training("evaluate", { learned: pairs.slice(0, 10), heldOut: held, words });
  copying.outputs.forEach((output, at) => {
    assert.equal(words[at] + found.written[at], output);
    assert.equal(found.heldOut.right[at], output === held[at].join(""));
  });
  assert.ok(found.heldOut.right.filter(Boolean).length > 0.2 * held.length);
  for (const name of ["previous", "induction"]) {
    const { layer, head, share } = found.copying[name];
    near(share, copying[name][layer][head], 1e-4, name);
    near(share, Math.max(...copying[name].flat()), 1e-4, name);
  }
});

test("a letter that is too rare is read as unknown", async () => {
  const { different } = await opened("text", text.size);
  const letters = Array.from({ length: different + 1 }, (_, at) => String.fromCodePoint(0x4e00 + at)).join("");
  await engine.training("begin", { data: letters.slice(0, -1).repeat(2) + letters.at(-1) + "▁\u2801" });
  const { look } = await engine.training("evaluate", { learned: letters, heldOut: letters, words: [letters[0] + letters.at(-1) + "▁\u2801"] });
  assert.deepEqual(look.targetTokens.slice(1, 5), [letters[0], "<unk>", "<unk>", "<unk>"]);
});

test("a file that does not fit is refused", async () => {
  const file = bytes("whole.zip");
  const refused = (data, code) => assert.rejects(engine.training("read", { bytes: data }), { code });
  await refused(new Uint8Array([1, 2, 3]), "live_zip");
  await refused(file.slice(0, -30), "live_zip");
  await refused(Uint8Array.from(file, (byte, at) => (at === 5000 ? byte ^ 1 : byte)), "live_zip");
  await refused(bytes("other"), "live_other");
  const packed = await engine.training("read", { bytes: bytes("packed") }); // by the app, in half precision
  assert.equal(packed.weights.length, other.count);
  near(packed.weights.reduce((sum, value) => sum + Math.abs(value), 0), other.sum, 1e-2, "weights");
});
