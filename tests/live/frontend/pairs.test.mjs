// Two texts that are read as one, beside Python.

import assert from "node:assert/strict";
import test from "node:test";

import { sharesOf, answerOf } from "../../../live/frontend/labels.js";
import { Tokens } from "../../../live/frontend/tokens.js";
import { json } from "./cases.mjs";

const SPECIALS = { pad: 0, bos: 1, eos: 2, unk: 3 };
const READING = { characters: 1000, tokens: 90 };

for (const { name, table, source, pairs, refused } of json("pairs")) {
  test(`pairs of ${name}`, () => {
    const tokens = new Tokens(table, SPECIALS, READING, { source, target: null });
    for (const { text, ids, shown, second, last } of pairs) {
      assert.deepEqual(tokens.encode(text), ids, text);
      assert.deepEqual(tokens.shown(ids, true), shown, text);
      assert.equal(tokens.secondText(ids), second, text);
      assert.deepEqual(tokens.lastText(ids), last, text);
    }
    for (const [text, code] of Object.entries(refused)) assert.throws(() => tokens.encode(text), { code });
  });
}

test("shares of every kind of label", () => {
  for (const { kind, logits, shares, span } of json("labels")) {
    const given = { data: Float32Array.from(logits.flat()), shape: [logits.length, 2] };
    const found = sharesOf(kind, given);
    found.flat().forEach((share, at) => assert.ok(Math.abs(share - shares.flat()[at]) < 1e-6, kind));
    const { first, last } = answerOf(given, 1, logits.length);
    assert.deepEqual([first, last], span);
  }
});
