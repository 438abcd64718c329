// Beginning a training: once at a time, and what cannot begin changes nothing.

import assert from "node:assert/strict";
import test from "node:test";

import { Trainings } from "../../../live/frontend/page/tabs/train/run.js";

const FOUND = { learned: { right: [true] }, heldOut: { right: [true], loss: 1 }, written: ["b", "b"], look: null, copying: null };

// Trainings of one task, by an engine whose calls are listed; `choose` waits for the reader of `loads`.
function trainings(loads) {
  const calls = [];
  const call = async (act) => {
    calls.push(act);
    return act === "choose" ? loads() : FOUND;
  };
  globalThis.document = { addEventListener() {} };
  const description = { models: { small: {} }, layers: {}, config: {}, steps: 30, every: 10 };
  const own = { engine: { training: call }, header: { kinds: { letters: description } }, size: "small", watched: "a" };
  const task = { name: "reverse", kind: "letters", heldOut: [["a", "b"]] };
  return { calls, made: Object.assign(new Trainings({}), own, { task, pairs: { taught: [["c", "d"]] } }) };
}

test("a training that is asked for twice while its graphs load begins once", async () => {
  let loaded;
  const { made, calls } = trainings(() => new Promise((resolve) => (loaded = resolve)));
  const begun = made.begin();
  await made.begin();
  await made.go();
  await made.watch("e"); // is measured once there is something to measure
  loaded();
  await begun;
  assert.deepEqual(calls, ["choose", "begin", "evaluate"]);
  assert.equal(made.isBeginning, false);
});

test("graphs that cannot be read leave the last run, and the next start tries again", async () => {
  let isBroken = true;
  const { made, calls } = trainings(async () => assert.ok(!isBroken, "damaged"));
  const told = [];
  made.listeners.add(() => told.push(made.isBeginning));
  await assert.rejects(made.begin(), { message: "damaged" });
  assert.deepEqual([made.run, made.isBeginning, told], [null, false, [true, false]]);
  isBroken = false;
  await made.begin();
  assert.equal(made.run.moments.length, 1);
  assert.deepEqual(calls, ["choose", "choose", "begin", "evaluate"]);
});
