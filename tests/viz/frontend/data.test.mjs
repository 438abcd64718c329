// The messages of Python, decoded: attention weights and the values of matrices.

import assert from "node:assert/strict";
import test from "node:test";

import { inflate, readHeader, readPanels, readWeights } from "../../../viz/frontend/common/data.js";
import { readMatrices } from "../../../viz/frontend/matrix/values.js";
import { hasWeights, meanEntropy, weightAt } from "../../../viz/frontend/attention/measures.js";
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

for (const { name, deflated, matrices } of cases().matrices) {
  test(`values of ${name}`, async () => {
    const { header, planes } = await opened(name);
    assert.equal(header.deflated, deflated);
    const found = readMatrices(header, planes);
    assert.equal(found.length, matrices.length);
    matrices.forEach((values, i) => assert.deepEqual([...found[i].values], values.map(number)));
  });
}

test("a row whose keys are all masked has no weights and no entropy", () => {
  const panel = { values: Uint16Array.of(32768, 32767, 0, 0), heads: 1, rows: 2, columns: 2 };
  const at = { layer: 0, head: 0 };
  assert.deepEqual([0, 1].map((query) => hasWeights(panel, at, query)), [true, false]);
  assert.ok(Math.abs(meanEntropy(panel, at) - 1) < 1e-3);
});
