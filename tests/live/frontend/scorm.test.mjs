// What a learning platform learns from a unit: scorm-again stands for it, in both versions.

import assert from "node:assert/strict";
import test from "node:test";

import { Attempt, findPlatform } from "../../../live/frontend/unit/scorm.js";
import { Scorm12API } from "./vendor/scorm12.js";
import { Scorm2004API } from "./vendor/scorm2004.js";

const QUIET = { autocommit: false, logLevel: 5 };
const PLATFORMS = {
  "1.2": () => new Scorm12API(QUIET),
  2004: () => new Scorm2004API(QUIET),
};

for (const version of ["1.2", "2004"]) {
  const started = () => {
    const api = PLATFORMS[version]();
    return { api, attempt: new Attempt({ version, api }) };
  };

  test(`SCORM ${version}: place and notes come back`, () => {
    const { api, attempt } = started();
    assert.deepEqual(attempt.resume(), { place: "", kept: "" });
    attempt.keep("3", '{"tried":[1,"词"]}');
    assert.deepEqual(attempt.resume(), { place: "3", kept: '{"tried":[1,"词"]}' });
    assert.equal(attempt.problem, "");
    assert.equal(api.cmi.suspend_data, '{"tried":[1,"词"]}');
  });

  test(`SCORM ${version}: score and completion are reported`, () => {
    const { api, attempt } = started();
    attempt.report({ right: 2, count: 8, isComplete: false });
    const score = version === "1.2" ? api.cmi.core.score : api.cmi.score;
    const status = () => (version === "1.2" ? api.cmi.core.lesson_status : api.cmi.completion_status);
    assert.deepEqual([Number(score.raw), Number(score.min), Number(score.max)], [25, 0, 100]);
    assert.equal(status(), "incomplete");
    attempt.report({ right: 7, count: 8, isComplete: true });
    assert.equal(status(), "completed");
    if (version === "2004") assert.equal(Number(score.scaled), 0.875);
  });

  test(`SCORM ${version}: a mark is passed or failed`, () => {
    for (const [passed, mark] of [[true, "passed"], [false, "failed"]]) {
      const { api, attempt } = started();
      attempt.report({ right: 4, count: 8, isComplete: true, passed });
      assert.equal(version === "1.2" ? api.cmi.core.lesson_status : api.cmi.success_status, mark);
    }
  });

  test(`SCORM ${version}: notes that are too long are not sent, and the last ones stay`, () => {
    const { api, attempt } = started();
    attempt.keep("1", "short");
    attempt.keep("2", "x".repeat(version === "1.2" ? 4097 : 64001));
    attempt.report({ right: 1, count: 2, isComplete: false });
    assert.equal(attempt.problem, "long");
    assert.equal(api.cmi.suspend_data, "short");
  });

  test(`SCORM ${version}: a platform that does not start or save is named`, () => {
    const { api } = started(); // it cannot start twice
    const refused = new Attempt({ version, api });
    assert.equal(refused.problem, "start");
    refused.keep("1", "text");
    assert.equal(api.cmi.suspend_data, "");
    const other = started();
    other.api[version === "1.2" ? "LMSCommit" : "Commit"] = () => "false";
    other.attempt.keep("1", "text");
    assert.equal(other.attempt.problem, "save");
  });
}

test("without a platform nothing is reported, and nothing breaks", () => {
  const attempt = new Attempt(null);
  attempt.keep("1", "text");
  attempt.report({ right: 1, count: 2, isComplete: true });
  attempt.end();
  assert.equal(attempt.problem, "none");
});

test("the platform is found around the page and behind its opener, past windows of other origins", () => {
  const api = {};
  const top = { API: api };
  top.parent = top;
  const other = { parent: top, get API_1484_11() { throw new Error("SecurityError"); } };
  const page = { parent: other };
  assert.deepEqual(findPlatform(page), { version: "1.2", api });
  const popup = { opener: page };
  popup.parent = popup;
  assert.deepEqual(findPlatform(popup), { version: "1.2", api });
  const alone = {};
  alone.parent = alone;
  assert.equal(findPlatform(alone), null);
});
