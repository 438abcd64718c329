// What a reader presses while a training begins or is under way: it begins once, and makes no more steps than there are.

import assert from "node:assert/strict";
import test from "node:test";

import { Trainings } from "../../../live/frontend/page/tabs/train/run.js";

const STEPS = 40;
const size = { layers: {}, config: {}, steps: STEPS, every: 20, letters: 8, answer: 8, batch: 1, ids: { letters: { a: 4, b: 5 } } };

// Trainings whose engine answers later; `asked` gets the names of its calls, `done` says how many steps it made. `choose`
// loads the graphs.
function trainings(choose = () => {}) {
  const asked = [];
  let step = 0;
  const answers = {
    choose,
    begin: () => (step = 0),
    train: ({ steps }) => ({ step: (step += steps), losses: Array(steps).fill(1) }),
    evaluate: () => ({ learned: { right: [true] }, heldOut: { loss: 1, right: [true] }, written: ["", ""] }),
    outputs: () => [""],
  };
  globalThis.document = { addEventListener() {} };
  const found = new Trainings({});
  found.engine = {
    training: async (act, given) => {
      asked.push(act);
      await new Promise(setImmediate);
      return answers[act]?.(given);
    },
  };
  const task = { name: "reverse", kind: "letters", pairs: [["ab", "ba"], ["a", "a"]], heldOut: [["b", "b"]] };
  found.header = { tasks: [task], kinds: { letters: { usual: "small", models: { small: size }, ...size } } };
  Object.defineProperty(found, "description", { value: size });
  found.choose("reverse");
  found.state = "idle";
  return { found, asked, done: () => step };
}

const until = async (holds) => {
  while (!holds()) await new Promise(setImmediate);
};

test("going on at once after a pause makes no more steps than there are", async () => {
  const { found, done } = trainings();
  const first = found.go();
  await until(() => found.run?.step === 10);
  found.pause();
  await Promise.all([first, found.go()]);
  await found.loop;
  assert.deepEqual([found.run.step, done(), found.state], [STEPS, STEPS, "finished"]);
});

test("starting again twice, while it learns, keeps the run before", async () => {
  const { found, asked } = trainings();
  found.go();
  await until(() => found.run?.step === 10);
  const first = found.run;
  await Promise.all([found.begin(), found.begin()]);
  assert.equal(found.before, first);
  assert.equal(asked.filter((act) => act === "begin").length, 2); // the first start, and this one
});

test("a training that is asked for twice while its graphs load begins once", async () => {
  let loaded;
  const { found, asked } = trainings(() => new Promise((resolve) => (loaded = resolve)));
  const begun = found.begin();
  await found.begin();
  await found.go();
  await found.watch("e"); // is measured once there is something to measure
  await until(() => loaded);
  loaded();
  await begun;
  assert.deepEqual(asked, ["choose", "begin", "evaluate"]);
  assert.equal(found.isBeginning, false);
});

test("graphs that cannot be read leave the last run, and the next start tries again", async () => {
  let isBroken = true;
  const { found, asked } = trainings(() => assert.ok(!isBroken, "damaged"));
  const told = [];
  found.listeners.add(() => told.push(found.isBeginning));
  await assert.rejects(found.begin(), { message: "damaged" });
  assert.deepEqual([found.run, found.isBeginning, told], [null, false, [true, false]]);
  isBroken = false;
  await found.begin();
  assert.equal(found.run.moments.length, 1);
  assert.deepEqual(asked, ["choose", "choose", "begin", "evaluate"]);
});
