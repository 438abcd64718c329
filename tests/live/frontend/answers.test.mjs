// Typed answers in a unit, beside what Python reads in the same texts.

import assert from "node:assert/strict";
import test from "node:test";

import { isRight, readings, shape } from "../../../live/frontend/lessons/answers.js";
import { json } from "./cases.mjs";

const { texts, questions } = json("answers");

test("numbers and shapes are read as in Python", () => {
  for (const { text, numbers, sizes } of texts) {
    assert.deepEqual(readings(text), numbers, `number ${JSON.stringify(text)}`);
    assert.deepEqual(shape(text), sizes, `shape ${JSON.stringify(text)}`);
  }
});

test("answers are judged as in Python", () => {
  assert.ok(questions.length > 50);
  for (const { question, answers } of questions) {
    for (const [answer, verdict] of answers) assert.equal(isRight(question, answer), verdict, `${JSON.stringify(question)} ${answer}`);
  }
});
