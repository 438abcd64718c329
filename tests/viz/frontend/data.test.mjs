// The messages of Python, decoded: attention weights and the values of matrices.

import assert from "node:assert/strict";
import test from "node:test";

import { inflate, readHeader, readPanels, readWeights } from "../../../viz/frontend/common/data.js";
import { readMatrices } from "../../../viz/frontend/matrix/values.js";
import { columnSum, hasHead, hasWeights, meanEntropy, rowSum, weightAt } from "../../../viz/frontend/attention/measures.js";
import { stepOf } from "../../../viz/frontend/attention/paint_heads.js";
import { bytes, cases } from "./cases.mjs";

async function opened(name) {
  const { header, body } = readHeader(bytes(name));
  return { header, planes: header.deflated ? await inflate(body) : body };
}

const number = (text) => (text === "nan" ? NaN : Number(text.replace("inf", "Infinity")));

for (const { name, deflated, panels } of cases().attention) {
  test(`weights of ${name}`, async () => {
    const { header, planes } = await opened(name);
    assert.equal(header.deflated, deflated);
    const found = readPanels(header, readWeights(planes));
    assert.deepEqual([...found.keys()], Object.keys(panels));
    for (const [kind, weights] of Object.entries(panels)) {
      weights.forEach((layer, l) => layer.forEach((head, h) => head.forEach((row, query) => row.forEach((weight, key) => {
        const read = weightAt(found.get(kind), { layer: l, head: h }, query, key);
        assert.ok(Math.abs(read - weight) < 1.6e-5, `${kind} ${l} ${h} ${query} ${key}: ${read}, not ${weight}`);
        assert.equal(read === 0, weight === 0);
      }))));
    }
  });
}

test("of a long input, blocks of all heads and the weights of some", async () => {
  const { header, planes } = await opened("long");
  const panel = readPanels(header, readWeights(planes)).get("cross");
  const { exact, means } = cases().long;
  const near = (read, value, most = 2.5e-5) => assert.ok(Math.abs(read - value) < most, `${read}, not ${value}`);
  for (const [layer, head, weights, entropy] of exact) {
    const at = { layer, head };
    weights.forEach((row, query) => row.forEach((weight, key) => near(weightAt(panel, at, query, key), weight)));
    weights.forEach((row, query) => near(rowSum(panel, at, query), row.reduce((sum, weight) => sum + weight), 5.01e-4));
    near(columnSum(panel, at, 6), weights.reduce((sum, row) => sum + row[6], 0), 5.01e-4);
    near(meanEntropy(panel, at), entropy, 5.01e-3);
  }
  assert.equal(hasWeights(panel, { layer: 1, head: 2 }, 4), false);
  const found = [0, 1].map((layer) => [0, 1, 2].map((head) => hasHead(panel, { layer, head })));
  assert.deepEqual(found, [[false, true, false], [false, false, true]]);
  const { coarse } = panel;
  means.forEach((layer, l) => layer.forEach((head, h) => head.forEach((row, query) => row.forEach((mean, key) => {
    near(weightAt(coarse, { layer: l, head: h }, query, key), mean);
    near(rowSum(coarse, { layer: l, head: h }, query), row.reduce((sum, each) => sum + each), 5.01e-4);
  }))));
  assert.deepEqual(coarse.queries, ["0–3 q0 … q3", "4–7 q4 … q7", "8–10 q8 … q10"]);
  assert.deepEqual(coarse.keys, ["0–2 k0 … k2", "3–5 k3 … k5", "k6"]);
  assert.deepEqual(coarse.querySpecials, [0, 0, 0]); // one of the last block is
});

for (const { name, deflated, matrices } of cases().matrices) {
  test(`values of ${name}`, async () => {
    const { header, planes } = await opened(name);
    assert.equal(header.deflated, deflated);
    const found = readMatrices(header, planes);
    assert.equal(found.length, matrices.length);
    matrices.forEach((values, i) => assert.deepEqual([...found[i].values], values.map(number)));
  });
}

test("numbers of the page itself are drawn as they are", () => {
  const header = { panels: [{ kind: "encoder", layers: 1, heads: 2, queries: ["a"], keys: ["b", "c"] }] };
  const panel = readPanels(header, readWeights(Float32Array.of(0.25, 0.75, 1e-7, 1))).get("encoder");
  const found = [0, 1].map((head) => [0, 1].map((key) => weightAt(panel, { layer: 0, head }, 0, key)));
  assert.deepEqual(found, [[0.25, 0.75], [Math.fround(1e-7), 1]]);
});

test("every weight that is sent has a colour of its own 256th", () => {
  for (let whole = 0; whole <= 65535; whole++) assert.equal(stepOf(whole / 65535), whole >> 8);
});

test("a row whose keys are all masked has no weights", () => {
  const panel = { values: Uint16Array.of(32768, 32767, 0, 0), heads: 1, rows: 2, columns: 2 };
  const at = { layer: 0, head: 0 };
  assert.deepEqual([0, 1].map((query) => hasWeights(panel, at, query)), [true, false]);
});
