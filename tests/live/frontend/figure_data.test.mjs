// What the figures get from a live page, beside what the app gives them for the same values.

import assert from "node:assert/strict";
import test from "node:test";

import { readHeader } from "../../../viz/frontend/common/data.js";
import { attentionMessage, largestFall, matrixMessage, panelsOf, pathOf, playerMessage, weightPlanes } from "../../../live/frontend/page/figure_data.js";
import { writtenSoFar } from "../../../live/frontend/page/tabs/output_so_far.js";
import { stageMatrices, stageValues } from "../../../live/frontend/page/tabs/stages.js";
import { speakIn } from "../../../live/frontend/page/words.js";
import { bytes, json } from "./cases.mjs";

const { description, result, words, parts, attention, matrices, player, stages, written, rounded, norms } = json("figure_data");
globalThis.document = { documentElement: {} }; // whose language it sets
speakIn(Object.fromEntries(Object.entries(parts).map(([part, title]) => [`attention_part.${part}`, title])), { tag: "en", direction: "ltr", spaces: true });

const values = Object.fromEntries(
  Object.entries(result.values).map(([name, shape]) => [name, { shape, data: new Float32Array(bytes(`${name}.bin`).slice().buffer) }]),
);
const panels = panelsOf(description, { ...result, values });

// Header without its digest, and body: Python deflates it where it is long, and hands it over whole here.
function same(message, name) {
  const [found, expected] = [message, bytes(name)].map(readHeader);
  for (const { header } of [found, expected]) delete header.digest;
  assert.deepEqual({ ...found.header, deflated: true }, { ...expected.header, deflated: true }, name);
  assert.ok(Buffer.from(found.body).equals(Buffer.from(expected.body)), `${name}: other bytes`);
}

test("attention is packed as in the app", () => {
  assert.equal(attention.length, 4);
  for (const { name, ...options } of attention) same(attentionMessage(panels, { ...options, words: words.attention }), name);
});

test("shares of norms and the largest fall are those of the app", () => {
  const read = ({ kind, shape }, layer) => ({ shape, data: new Float32Array(bytes(`norms_${kind}_${layer}.bin`).slice().buffer) });
  const all = norms.flatMap((each) => panels.find(({ kind }) => kind === each.kind).weights.map((_, layer) => [`${pathOf(each.kind, layer)}.value_norms`, read(each, layer)]));
  const shown = panelsOf(description, { ...result, values }, Object.fromEntries(all));
  assert.equal(norms.length, 3);
  for (const { kind, shares, fall } of norms) {
    const [before, after] = [panels, shown].map((each) => each.find((panel) => panel.kind === kind));
    const found = after.weights.flatMap((layer) => [...layer]);
    assert.equal(found.length, shares.length);
    found.forEach((share, at) => assert.ok(Math.abs(share - shares[at]) < 1e-5, `${kind} ${at}`));
    const largest = largestFall(before, after);
    assert.deepEqual([largest.layer, largest.head, largest.key], [fall.layer, fall.head, fall.key]);
    assert.ok(Math.abs(largest.before - fall.weight) < 1e-5 && Math.abs(largest.after - fall.norm) < 1e-5);
  }
});

test("weights are rounded as in the app", () => {
  assert.deepEqual([...weightPlanes([Float32Array.from(rounded.weights)])], rounded.planes);
});

test("matrices are packed as in the app", () => {
  const message = matrixMessage(matrices.shown.map((matrix) => ({ ...matrix, values: Float32Array.from(matrix.values, number) })), words.matrix, matrices);
  same(message, "matrices.bin");
});

const number = (value) => ({ "-inf": -Infinity, nan: NaN })[value] ?? value;

test("steps of a decoding are those of the app", () => {
  const message = playerMessage(player.prompt, player.steps, player.step, words.player, { vocabulary: player.vocabulary });
  assert.deepEqual(JSON.parse(message), JSON.parse(player.message));
});

test("a head step by step has the matrices of the app", () => {
  for (const { kind, layer, head, steps } of stages) {
    const panel = panels.find((each) => each.kind === kind);
    const own = stageValues(description, { values }, { kind, layer, head }, panel);
    for (const [step, expected] of Object.entries(steps)) {
      const found = stageMatrices(step, own, panel);
      assert.deepEqual(found.map(({ key, sign, title, rows, columns }) => ({ key, sign, title, rows, columns })), expected.map(({ numbers, ...matrix }) => matrix), `${kind} ${step}`);
      found.forEach((matrix, at) => {
        const numbers = new Float32Array(bytes(expected[at].numbers).slice().buffer);
        const most = numbers.reduce((size, value) => Math.max(size, Number.isFinite(value) ? Math.abs(value) : 0), 1e-9);
        numbers.forEach((value, place) => assert.ok(Object.is(value, matrix.values[place]) || Math.abs(value - matrix.values[place]) <= 1e-5 * most, `${kind} ${step} ${matrix.key}`));
      });
    }
  }
});

test("the output so far ends with each token", () => {
  for (const { text, tokens, soFar } of written) assert.deepEqual(writtenSoFar(text, tokens), soFar);
});
