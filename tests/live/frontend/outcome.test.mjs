// What a second run is told to have changed.

import assert from "node:assert/strict";
import test from "node:test";

import { outcome } from "../../../live/frontend/page/tabs/train/outcome.js";

const run = (...points) => ({ points: () => points });
const before = run([0, 0], [30, 0.25], [60, 0.5], [71, 0.9]);

test("runs are compared at the last step at which both were measured", () => {
  assert.deepEqual(outcome(run([0, 0], [30, 0.75], [60, 0.75], [66, 1]), before), { step: 60, before: 0.5, now: 0.75, change: "more" });
  assert.deepEqual(outcome(run([0, 0], [30, 0.125], [44, 1]), before), { step: 30, before: 0.25, now: 0.125, change: "fewer" });
  assert.equal(outcome(run([0, 0], [17, 1]), before), null);
});

test("a small difference counts as none", () => {
  assert.equal(outcome(run([60, 0.515]), before).change, "same");
  assert.equal(outcome(run([60, 0.485]), before).change, "same");
  assert.equal(outcome(run([60, 0.525]), before).change, "more");
});
