// What a reader pastes as own pairs: what is taken, what is held out, and the line of what is refused.

import assert from "node:assert/strict";
import test from "node:test";

import { limitsOf, ownTask } from "../../../live/frontend/page/tabs/train/own_pairs.js";
import { Pairs } from "../../../live/frontend/page/tabs/train/pairs.js";

const word = (number) => String.fromCodePoint(97 + Math.floor(number / 26), 97 + (number % 26));
const lines = (count) => Array.from({ length: count }, (_, at) => `${word(at)}\t${word(at)}x`);
const tasks = [{ pairs: Array(90).fill(["a", "a"]), heldOut: Array(6).fill(["b", "b"]) }];
const limits = limitsOf({ letters: 8, batch: 32, tasks });
const refused = (...typed) => ownTask(typed.join("\n"), limits).problem;

test("a tenth is held out, and enough is left for a step", () => {
  for (let count = limits.least; count <= limits.most; count++) {
    const { task } = ownTask(lines(count).join("\r\n"), limits);
    assert.ok(task.pairs.length >= 32);
    assert.equal(task.heldOut.length, Math.min(6, Math.round(count / 10)));
    const all = [...task.pairs, ...task.heldOut].map(([source]) => source);
    assert.equal(new Set(all).size, count);
  }
});

test("small letters, and any space between", () => {
  const { task } = ownTask(["", "  Haus   HOUSE ", ...lines(40)].join("\n"), limits);
  assert.ok([...task.pairs, ...task.heldOut].some((pair) => pair.join() === "haus,house"));
});

test("what cannot be learned from is refused with its line", () => {
  assert.deepEqual(refused("ab\tcd", "", "one"), ["refused.own_columns", { row: 3, count: 1 }]);
  assert.deepEqual(refused("a\tb\tc"), ["refused.own_columns", { row: 1, count: 3 }]);
  assert.deepEqual(refused("año\tyear"), ["live_train.own_letters", { row: 1, text: "año", letters: 8 }]);
  assert.deepEqual(refused("year\tabcdefghi"), ["live_train.own_letters", { row: 1, text: "abcdefghi", letters: 8 }]);
  assert.deepEqual(refused("a\tb", "c\td", "A\te"), ["refused.own_duplicate", { row: 3, first: 1 }]);
  assert.deepEqual(refused(...lines(35)), ["refused.own_few", { count: 35, needed: 36 }]);
  assert.deepEqual(refused(...lines(91)), ["refused.own_many", { count: 91, limit: 90 }]);
});

test("what may be typed has the letters and the length of its task", () => {
  const alphabet = (letters) => Object.fromEntries([...letters].map((letter, id) => [letter, id]));
  const sums = new Pairs([["1+2", "3"]], { letters: 8, answer: 4, alphabet: alphabet("+0123456789"), least: 1 });
  assert.ok(sums.isWord("12+345"));
  for (const typed of ["", "12-3", "a", "123456789"]) assert.ok(!sums.isWord(typed), typed);
  assert.ok(sums.isWord("1998", sums.answer));
  assert.ok(!sums.isWord("10000", sums.answer));
  assert.ok(sums.are([["1+2", "3"]]));
  for (const other of [[], [["1+2", "4"]], [["1+3", "3"]], [["1+2", "3"], ["1+3", "4"]]]) assert.ok(!sums.are(other));
  const dates = new Pairs([], { letters: 33, answer: 10, alphabet: alphabet("3年Mar"), least: 1 });
  assert.ok(dates.isWord("3 Mar"));
  assert.equal(dates.cased("Mar"), "Mar");
  assert.equal(new Pairs([], { letters: 8, answer: 8, alphabet: alphabet("abc"), least: 1 }).cased("ABC"), "abc");
});
