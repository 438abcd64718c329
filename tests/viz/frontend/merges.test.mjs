// A text after some merges: its pieces, those just made, and the pair that is merged next.

import assert from "node:assert/strict";
import test from "node:test";

import { piecesAt } from "../../../viz/frontend/merges/pieces.js";

const TEXT = [["▁aaa😀", [0, 1, 0, 2]], ["。", []]]; // a + a, then a + 😀
const texts = (step, pair = null) => piecesAt(TEXT, step, pair).map((word) => word.map(({ text }) => text));

test("each merge joins its characters, and a sign of two units is one", () => {
  assert.deepEqual(texts(0), [["▁", "a", "a", "a", "😀"], ["。"]]);
  assert.deepEqual(texts(1), [["▁", "aa", "a", "😀"], ["。"]]);
  assert.deepEqual(texts(2), [["▁", "aa", "a😀"], ["。"]]);
});

test("only what the last merge made is new", () => {
  const made = (step) => piecesAt(TEXT, step, null).flat().filter(({ isNew }) => isNew).map(({ text }) => text);
  assert.deepEqual([0, 1, 2].map(made), [[], ["aa"], ["a😀"]]);
});

test("of three equal pieces the first two are merged next", () => {
  const next = piecesAt(TEXT, 0, ["a", "a"])[0].map((piece) => piece.next);
  assert.deepEqual(next, ["", "left", "right", "", ""]);
});
