// The numbers of a run by name: those that only some reports have, and a run that is gone.

import assert from "node:assert/strict";
import test from "node:test";

import { RunData } from "../../../viz/frontend/live_run/run_data.js";

test("numbers come by their names, from the reports that have them", async (t) => {
  const reports = [{ step: 0, loss: 4, token_accuracy: 0 }, { step: 1, loss: 3 }, { step: 2, loss: 2, token_accuracy: 0.5 }];
  const answers = [{ state: "running", next: 2, reports: reports.slice(0, 2) }, { state: "finished", next: 3, reports: reports.slice(2) }];
  globalThis.window = { location: { href: "http://localhost/train" } };
  t.mock.method(globalThis, "fetch", async () => ({ status: 200, ok: true, json: async () => answers.shift() }));
  const run = new RunData("a");
  assert.equal(run.last("loss"), null);
  await run.read();
  await run.read();
  assert.ok(run.over);
  assert.deepEqual(run.points("token_accuracy"), [[0, 0], [2, 0.5]]);
  assert.equal(run.last("loss"), 2);
});
