// Rounds of the quiz: what is drawn, what counts, and what comes back from a platform.

import assert from "node:assert/strict";
import test from "node:test";

import { isFinished, newRound, pointsOf, readRound, spellRound, stateOf } from "../../../live/frontend/lessons/rounds.js";

const QUESTIONS = [
  { name: "a", topic: "one", draws: [{}, {}] },
  { name: "b", topic: "one", draws: [{}] },
  { name: "c", topic: "two", draws: [{}, {}, {}] },
];
const item = (more) => ({ name: "a", draw: 0, tried: [], ended: "", hint: false, ...more });

test("a round has one question of each topic, with one of its draws", () => {
  assert.deepEqual(newRound(QUESTIONS, () => 0).map(({ name, draw }) => [name, draw]), [["a", 0], ["c", 0]]);
  assert.deepEqual(newRound(QUESTIONS, () => 0.99).map(({ name, draw }) => [name, draw]), [["b", 0], ["c", 2]]);
});

test("only a first answer that is right makes a point, and a first answer finishes a question", () => {
  const first = item({ tried: ["1"], ended: "right" });
  const later = item({ tried: ["2", "1"], ended: "right" });
  const shown = item({ ended: "told" });
  const wrong = item({ tried: ["2"] });
  assert.deepEqual([first, later, shown, wrong, item()].map(stateOf), ["first", "later", "told", "", ""]);
  assert.equal(pointsOf([first, later, shown, wrong]), 1);
  assert.ok(isFinished([first, later, shown, wrong]));
  assert.ok(!isFinished([first, item()]));
});

test("a round comes back as it was kept, with its first and its last answers", () => {
  const round = [item({ draw: 1, tried: ["1", "2", "3", "4", "5", "6"], ended: "right", hint: true }), item({ name: "c", draw: 2 })];
  const back = readRound(JSON.parse(JSON.stringify(spellRound(round))), QUESTIONS);
  assert.deepEqual(back[0], { ...round[0], tried: ["1", "4", "5", "6"] });
  assert.deepEqual(back[1], round[1]);
  const most = Array.from({ length: 11 }, () => item({ tried: Array(9).fill("9".repeat(40)), ended: "right" }));
  assert.ok(JSON.stringify(spellRound(most)).length < 4000); // SCORM 1.2 keeps 4,096 characters
});

test("what is kept of other questions, or damaged, begins a new round", () => {
  for (const kept of [undefined, null, [], "text", [1], [["a", 7, [], "", 0]], [["z", 0, [], "", 0]], [["a", 0, "x", "", 0]]]) {
    assert.equal(readRound(kept, QUESTIONS), null, JSON.stringify(kept));
  }
});
