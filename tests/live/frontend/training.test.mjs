// A training in the worker, beside torch's: see test_training.py.

import assert from "node:assert/strict";
import test, { after } from "node:test";

import { bytes, json } from "./cases.mjs";
import { started } from "./started.mjs";

const engine = started();
after(() => engine.close());
const { losses, heldOut, written, words, pairs, off } = json("expected");
const near = (found, expected, within, where) => assert.ok(Math.abs(found - expected) <= within, `${where}: ${found}, not ${expected}`);

test("a training in the worker is torch's", async () => {
  const description = await engine.openTraining({ data: bytes("training") });
  const task = description.tasks[0];
  await engine.training("begin", { pairs });
  const found = [];
  while (found.length < losses.length) found.push(...(await engine.training("train", { steps: 10 })).losses);
  near(found[0], losses[0], 1e-5, "first loss");
  found.forEach((loss, at) => near(loss, losses[at], 1e-3, `step ${at}`));

  const state = structuredClone(await engine.training("state"));
  const result = await engine.training("evaluate", { learned: pairs.slice(0, 10), heldOut: task.heldOut, words });
  near(result.heldOut.loss, heldOut.loss, 2e-3, "loss of what is held out");
  assert.deepEqual(result.heldOut.right, heldOut.right);
  assert.deepEqual(result.written, written);
  const [answers] = [await engine.training("outputs", { words: task.heldOut.map(([word]) => word) })];
  assert.deepEqual(answers.map((answer, at) => answer === task.heldOut[at][1]), result.heldOut.right);
  const { data, shape } = result.look.values["decoder.0.cross_attention.weights"];
  assert.deepEqual(shape, [description.config.heads, result.look.outputTokens.length, result.look.sourceTokens.length]);
  near(data.slice(0, shape[2]).reduce((sum, weight) => sum + weight), 1, 1e-5, "a row of weights");

  const next = (await engine.training("train", { steps: 1 })).losses;
  await engine.training("restore", { pairs, switches: {}, state });
  assert.deepEqual((await engine.training("train", { steps: 1 })).losses, next);
  await engine.training("begin", { pairs });
  assert.deepEqual((await engine.training("train", { steps: 1 })).losses, found.slice(0, 1));
  for (const [name, expected] of Object.entries(off)) {
    await engine.training("begin", { pairs, switches: { [name]: 0 } });
    near((await engine.training("train", { steps: 1 })).losses[0], expected, 1e-5, name);
  }
});
