// What a live page says of a sentence and its output.

import assert from "node:assert/strict";
import test from "node:test";

import { resultNotices } from "../../../live/frontend/page/notices.js";
import { speakIn } from "../../../live/frontend/page/words.js";

const TEXTS = {
  "notice.numbers": "numbers {numbers}", "notice.spaces": "spaces", "notice.fit_words": "words {unseen}", "notice.unseen": "unseen {words}",
  "notice.pieces": "{word}", "notice.between": ", ", "languages.de": "German", "languages.en": "English", "notice.more": "{words} …", "notice.quoted": "“{text}”",
};
const TRANSLATION = { task: "translation", source_language: "de", target_language: "en", examples: ["Wir gehen."] };

function said(card, sentence, text, read = []) {
  globalThis.document = { documentElement: {} };
  speakIn(TEXTS, { tag: "en", direction: "ltr", spaces: true });
  const app = { sentence, model: { trained: true, card, config: { architecture: "encoder-decoder" } } };
  const unseen = read.filter(({ seen }) => !seen).map((word) => word.text);
  return resultNotices(app, { words: read, unseenWords: unseen, unknownCharacters: [], text, stop: "eos" });
}

test("figures that a translation lacks are named, and words for round ones are no fault", () => {
  const numbers = (sentence, text) => said(TRANSLATION, sentence, text).length;
  assert.deepEqual(said(TRANSLATION, "123 456", "12536 square"), ["numbers “123456”"]);
  assert.equal(numbers("Im Jahr 1987 zog ich um.", "I moved in 1987."), 0);
  assert.equal(numbers("Ich habe 12 Hunde.", "I have twelve dogs."), 0);
  assert.equal(numbers("Das kostet 2000 Euro.", "That costs two thousand euros."), 0);
  assert.equal(numbers("Das kostet 1.250 Euro.", "That costs 1,250 euros."), 0);
});

test("a space is named where no example has one", () => {
  const reverse = { task: "reverse", examples: ["stressed", "zzz"] };
  assert.deepEqual(said(reverse, "a b c", "cmbmaa"), ["spaces"]);
  assert.deepEqual(said(reverse, " abc ", "cba"), []);
  assert.deepEqual(said({ task: "modular", examples: ["3 + 4 ="] }, "5 + 5 =", "10"), []);
});

test("German in capitals is German", () => {
  const read = ["GEHEN", "WIR"].map((text) => ({ text, seen: false, otherwise: true }));
  assert.deepEqual(said(TRANSLATION, "GEHEN WIR?", "", read), ["unseen GEHEN, WIR"]);
  const other = read.map((word) => ({ ...word, otherwise: false }));
  assert.deepEqual(said(TRANSLATION, "TENGO HAMBRE", "", other), ["words 2"]);
});
