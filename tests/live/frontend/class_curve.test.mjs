// What a live page in a class tells of a training.

import assert from "node:assert/strict";
import test from "node:test";

import { ClassCurve, curveOf } from "../../../live/frontend/page/class_curve.js";

const run = (losses, { off = {}, isChanged = false } = {}) => ({
  task: "reverse", step: losses.at(-1)[0], steps: 600, off, isChanged,
  points: (name) => (name === "validation_loss" ? losses : losses.filter(([step]) => step !== 30).map(([step]) => [step, step / 600])),
});

test("a curve has the loss and the share right at each step that was measured", () => {
  const curve = curveOf(run([[0, 3.456789], [30, 1], [60, 0.5]]));
  assert.deepEqual(curve, { task: "reverse", step: 60, steps: 600, changed: false, points: [[0, 3.457, 0], [30, 1, null], [60, 0.5, 0.1]] });
  assert.equal(curveOf(run([[0, 3]])), null);
  assert.equal(curveOf(null), null);
  assert.deepEqual(curveOf(run([[0, 3], [30, NaN], [60, 2]])).points.map(([step]) => step), [0, 60]);
  assert.equal(curveOf(run([[0, 2], [9, 1]], { off: { causal: 0 } })).changed, true);
  assert.equal(curveOf(run([[0, 2], [9, 1]], { isChanged: true })).changed, true);
});

test("a long curve is thinned, and keeps its last point", () => {
  const { points } = curveOf(run(Array.from({ length: 250 }, (_, at) => [at, 1])));
  assert.ok(points.length <= 100);
  assert.equal(points.at(-1)[0], 249);
});

const turns = async () => {
  for (let turn = 0; turn < 5; turn++) await Promise.resolve();
};

test("it is sent at once, then every few seconds, and only when it is new", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const sent = [];
  const curve = new ClassCurve(async ({ step }) => (sent.push(step), true));
  for (let second = 1; second <= 20; second++) {
    curve.hear({ run: run([[0, 3], [Math.min(second, 18), 1]]) });
    t.mock.timers.tick(1000);
    await turns();
  }
  assert.deepEqual(sent, [1, 9, 17]);
  t.mock.timers.tick(8000);
  await turns();
  assert.deepEqual(sent, [1, 9, 17, 18]);
  curve.hear({ run: run([[0, 3], [18, 1]]) });
  t.mock.timers.tick(20_000);
  await turns();
  assert.equal(sent.length, 4);
});

test("what does not arrive is sent again, a few times; outside of a class nothing is", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  for (const [answers, times] of [[[false, false, true], 3], [Array(50).fill(false), 5], [[null], 1]]) {
    let asked = 0;
    const curve = new ClassCurve(async () => answers[asked++]);
    curve.hear({ run: run([[0, 3], [18, 1]]) });
    for (let second = 0; second < 100; second++) {
      t.mock.timers.tick(1000);
      await turns();
    }
    assert.equal(asked, times);
  }
});
