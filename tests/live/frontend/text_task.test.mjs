// What a reader pastes as a text: what is learned from, what is held out, and what is refused.

import assert from "node:assert/strict";
import test from "node:test";

import { textTask } from "../../../live/frontend/page/tabs/train/text_task.js";

const limits = { least: 400, most: 20_000 };
const letters = (count) => Array.from({ length: count }, (_, at) => String.fromCodePoint(97 + (at % 26))).join("");
const refused = (typed) => textTask(typed, limits).problem;

test("the last tenth is held out, and beginnings of it are gone on with", () => {
  for (const count of [400, 401, 777, 5000, 20_000]) {
    const { task: { text, held, heldOut } } = textTask(letters(count), limits);
    assert.equal(text + held, letters(count));
    assert.equal(text.length, Math.round(0.9 * count));
    assert.ok(heldOut.length >= 1 && heldOut.length <= 20);
    for (const [begun, after] of heldOut) {
      assert.deepEqual([begun.length, after.length], [16, 24]);
      assert.ok(held.includes(begun + after));
    }
  }
  assert.equal(textTask(letters(20_000), limits).task.heldOut.length, 20);
});

test("white space of any kind is one space, and letters beyond 16 bits are one letter", () => {
  const { task } = textTask(`  a\r\n\tb\u3000${"𝒳".repeat(400)} `, limits);
  assert.ok(task.text.startsWith("a b 𝒳"));
  assert.equal([...task.text].length + [...task.held].length, 404);
});

test("what cannot be learned from is refused", () => {
  assert.deepEqual(refused(""), ["refused.text_short", { count: 0, needed: 400 }]);
  assert.deepEqual(refused(letters(399)), ["refused.text_short", { count: 399, needed: 400 }]);
  assert.deepEqual(refused(letters(20_001)), ["refused.text_long", { count: 20_001, limit: 20_000 }]);
  assert.deepEqual(refused(`${letters(400)}\u0000`), ["live_train.text_control", { point: "0000" }]);
});
