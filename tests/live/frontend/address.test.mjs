// Links: what the app writes is understood, what is written is read again, and nothing in one can break the page.

import assert from "node:assert/strict";
import test from "node:test";

import { headList, isHere, readAddress, readChanges, readForks, readPin, spellAddress, spellChanges, spellForks, spellPin } from "../../../live/frontend/page/address.js";

const MODEL = { layers: { encoder: 3, decoder: 3, cross: 3 }, config: { heads: 4 } };
const PANELS = [{ kind: "cross", queries: ["a", "b"], keys: ["x", "y", "z"] }];

test("a link of the app is a link of the page", () => {
  const expected = { page: "attention", checkpoint: "de-en", sentence: "Wo ist das Buch?", attention_kind: "cross", layer: 2, head: 1, pin: "cross,1," };
  const query = "checkpoint=de-en&sentence=Wo+ist+das+Buch%3F&attention_kind=cross&layer=2&head=1&pin=cross%2C1%2C";
  for (const link of [`#attention?${query}`, `#/attention?${query}`]) assert.deepEqual(readAddress(link), expected);
  assert.deepEqual(readAddress(`#${query}`), { ...expected, page: "start" });
});

test("a view is read as it was written", () => {
  const view = { page: "intervene", language: "zh", sentence: "50 % & mehr? #1+1=2 “é”", layer: 0, head: 3, changes: "off:cross.1.0" };
  assert.deepEqual(readAddress(spellAddress(view)), view);
  const there = { page: "attention", key: 2, open_queries: "0,biases", query: 0, raw: "1", term: "decoder.embedding,1", view: "there", without: "1" };
  assert.deepEqual(readAddress(spellAddress(there)), there);
  assert.equal(spellAddress({ page: "start", pin: null, sentence: "" }), "#start");
  assert.equal(spellAddress({ page: "attention", step: 4, stage: "mix" }), "#attention?stage=mix");
});

test("what a link says in vain is left out", () => {
  for (const text of ["", "#", "#?", "#nobody", "#start?layer=x&head=-1&step=1e3", "#layer=999999"]) {
    assert.deepEqual(readAddress(text), { page: "start" });
  }
  for (const pin of [undefined, "", "cross", "cross,,", "cross,2,", "cross,0,3", "encoder,0,0", "cross,0,0,0", "cross,a,"]) {
    assert.equal(readPin(pin, PANELS), null);
  }
  assert.deepEqual(readPin("cross,1,", PANELS), { kind: "cross", query: 1, key: null });
  assert.equal(spellPin({ kind: "cross", query: null, key: 2 }), "cross,,2");
  assert.equal(spellPin({}), null);
});

test("forks are spelled as in the app", () => {
  assert.deepEqual(readForks("3:1234;5:88|4:77"), [[[3, 1234], [5, 88]], [[4, 77]]]);
  assert.equal(spellForks(readForks("3:1234;5:88|4:77")), "3:1234;5:88|4:77");
  assert.deepEqual(readForks("x|3:|:4|1:2:3|2:9"), [[[2, 9]]]);
});

test("changes are spelled as in the app, and other scales beside them", () => {
  const sentence = "100 %; fünf=5\u00ad";
  const patched = "patch:encoder.input.2.3=100 %25%3B fünf=5%C2%AD";
  const { heads, patches, bad } = readChanges(`off:cross.1.0;half:encoder.0.3;patch:encoder.input.2.1=Ja;${patched}`, "decoder.2.1=0.35", MODEL);
  assert.deepEqual(patches, [{ side: "encoder", at: "input", row: 2, from: 3, sentence }]);
  assert.deepEqual(readChanges(`patch:encoder.input.2.1=other;${patched}`, null, MODEL).patches, patches); // the last one in a place
  assert.deepEqual(spellChanges({}, patches), { changes: patched, scales: null });
  assert.deepEqual([heads, bad], [{ "cross.1.0": 0, "encoder.0.3": 0.5, "decoder.2.1": 0.35 }, []]);
  assert.deepEqual(spellChanges(heads), { changes: "off:cross.1.0;half:encoder.0.3", scales: "decoder.2.1=0.35" });
  assert.deepEqual(headList({ "cross.1.0": 0 }), [{ kind: "cross", layer: 1, head: 0, scale: 0 }]);
  assert.equal(Object.keys(readChanges("off:cross.*.*", null, MODEL).heads).length, 12);
  const wrong = ["off:cross.3.0", "off:cross.0.4", "off:nobody.0.0", "word:1=Haus", "off:cross.0"];
  assert.deepEqual(readChanges(wrong.join(";"), "cross.0.0=9", MODEL), { heads: {}, patches: [], bad: [...wrong, "cross.0.0=9"] });
});

test("a link to the app is here if its figure is, with all that decides it", () => {
  const here = [
    "", "?checkpoint=reverse", "attention?checkpoint=es-en&sentence=El+niño&attention_kind=encoder&view=stages&stage=softmax", "layers?show=early",
    "intervene?changes=off%3Across.1.0", "course", "quiz", "glossary?term=token",
    "attention?view=there&query=1&key=2&open_keys=0,1&term=decoder.embedding,0&raw=1&without=1",
  ];
  const elsewhere = [
    "circuits?checkpoint=induction", "class?test=before", "compare", "attention?view=rollout", "layers?show=residual", "course?step=mask",
    "quiz?question=which_mask&numbers=3", "attention?moment=200", "attention?view=there&tested=1", "attention?view=there&by_feature=1", "decoding?view=beam", "nowhere",
  ];
  for (const view of here) assert.equal(isHere(view), true, view);
  for (const view of elsewhere) assert.equal(isHere(view), false, view);
});
