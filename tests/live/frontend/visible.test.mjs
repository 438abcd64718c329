// What a teacher lets students see, as the app spells it.

import assert from "node:assert/strict";
import test from "node:test";

import { isSeen, readVisible } from "../../../live/frontend/page/visible.js";
import { json } from "./cases.mjs";

test("a choice is read as Python reads it", () => {
  for (const { text, pages, models, hide } of json("visible")) {
    const read = readVisible(text);
    assert.deepEqual(read, { pages, models, hide: read.hide }, text);
    for (const name of hide) assert.ok(read.hide.includes(name), text);
  }
});

test("what is in view stays, and no list means everything", () => {
  assert.ok(isSeen([], "masks", "start"));
  assert.ok(isSeen(["masks"], "masks", "start"));
  assert.ok(isSeen(["masks"], "start", "start"));
  assert.ok(!isSeen(["masks"], "why", "start"));
});
