// Ids, tokens, text and words of many strings, beside those of Python.

import assert from "node:assert/strict";
import test from "node:test";

import { Tokens } from "../../../live/frontend/tokens.js";
import { json } from "./cases.mjs";

const SPECIALS = { pad: 0, bos: 1, eos: 2, unk: 3 };
const TWO_HAN = /[一-鿿]{2}/; // a word, which the dictionary of the app cuts

// A string that can be read in a report: many differences are spaces and marks without width.
const ascii = (text) => JSON.stringify(text).replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

for (const { name, table, source, target, strings } of json("tokens")) {
  test(`tokens of ${name}`, () => {
    const tokens = new Tokens(table, SPECIALS, {}, { source, target });
    for (const { text, ids, tokens: shown, decoded, words, unknown } of strings) {
      const where = ascii(text);
      const found = [...table.before, ...tokens.pieces(text), ...table.after];
      assert.deepEqual(found, ids, where);
      assert.deepEqual(tokens.shown(ids, true), shown, where);
      assert.equal(tokens.decode(ids), decoded, where);
      const strange = tokens.strange(text);
      assert.deepEqual(strange.unknownCharacters, unknown, where);
      if (TWO_HAN.test(text)) continue;
      assert.deepEqual(Object.fromEntries(strange.words.map((word) => [word.text, word.seen])), words, where);
    }
  });
}
