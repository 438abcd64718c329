// What the figures get from a live page, beside what the app gives them for the same values.

import assert from "node:assert/strict";
import test from "node:test";

import { readHeader, readWeights } from "../../../viz/frontend/common/data.js";
import { readMatrices } from "../../../viz/frontend/matrix/values.js";
import { areAlike, attentionMessage, isSpecial, largestFall, matrixMessage, panelsOf, pathOf, playerMessage } from "../../../live/frontend/page/figure_data.js";
import { writtenSoFar } from "../../../live/frontend/page/tabs/output_so_far.js";
import { stageMatrices, stageValues } from "../../../live/frontend/page/tabs/stages.js";
import { speakIn } from "../../../live/frontend/page/words.js";
import { bytes, json } from "./cases.mjs";

const { description, result, words, parts, attention, matrices, player, stages, written, tokens, norms } = json("figure_data");
globalThis.document = { documentElement: {} }; // whose language it sets
speakIn(Object.fromEntries(Object.entries(parts).map(([part, title]) => [`attention_part.${part}`, title])), { tag: "en", direction: "ltr", spaces: true });

const values = Object.fromEntries(
  Object.entries(result.values).map(([name, shape]) => [name, { shape, data: new Float32Array(bytes(`${name}.bin`).slice().buffer) }]),
);
const panels = panelsOf(description, { ...result, values });

// Python's message, of which a page has the header too, without what is about the packing.
function packed(name, { header }) {
  const message = readHeader(bytes(name));
  const { digest, deflated, ...content } = message.header;
  assert.deepEqual(header, content, name);
  return message;
}

test("attention is that of the app", () => {
  assert.equal(attention.length, 4);
  for (const { name, ...options } of attention) {
    const message = attentionMessage(panels, { ...options, words: words.attention });
    const weights = readWeights(packed(name, message).body);
    assert.equal(message.body.length, weights.length);
    message.body.forEach((weight, at) => assert.ok(Math.abs(weight - weights[at] / 65535) < 2.5e-5, `${name} ${at}`));
  }
});

test("another selection is the same figure, other weights are not", () => {
  const [message, selected, changed] = [0, 1, 0].map((head) => attentionMessage(panels, { ...attention[2], head, words: words.attention }));
  changed.body[7] += 1e-7;
  assert.deepEqual([selected, changed].map((other) => areAlike(message, other)), [true, false]);
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

test("special tokens are those of the app", () => {
  for (const [token, special] of Object.entries(tokens)) assert.equal(isSpecial(token), special, token);
});

test("matrices are those of the app", () => {
  const message = matrixMessage(matrices.shown.map((matrix) => ({ ...matrix, values: matrix.values.map(number) })), words.matrix, matrices);
  const [found, expected] = [message, packed("matrices.bin", message)].map(({ header, body }) => readMatrices(header, body));
  assert.deepEqual(found, expected);
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
