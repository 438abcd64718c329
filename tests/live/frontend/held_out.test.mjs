// What is written for many sentences.

import assert from "node:assert/strict";
import test from "node:test";

import { bytes, json } from "./cases.mjs";
import { started } from "./started.mjs";

test("held-out sentences", async () => {
  const engine = started();
  await engine.open({ data: bytes("model") });
  for (const [sentence, ids, stop] of json("held_out")) {
    const written = await engine.write(sentence, { only: [], candidates: 1 });
    assert.deepEqual([written.ids, written.stop], [ids, stop], sentence);
  }
  engine.close();
});
