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
  const isOld = version === "1.2";
  const started = (api = PLATFORMS[version]()) => ({ api, attempt: new Attempt({ version, api }) });
  const status = (api) => (isOld ? api.cmi.core.lesson_status : api.cmi.completion_status);
  const score = (api) => (isOld ? api.cmi.core.score : api.cmi.score);
  const named = (old, current) => (isOld ? old : current);

  test(`SCORM ${version}: place and notes come back`, () => {
    const { api, attempt } = started();
    assert.deepEqual(attempt.resume(), { place: "", kept: "" });
    attempt.keep("3", '{"tried":[1,"词"]}');
    assert.deepEqual(attempt.resume(), { place: "3", kept: '{"tried":[1,"词"]}' });
    assert.equal(attempt.problem, "");
    assert.equal(api.cmi.suspend_data, '{"tried":[1,"词"]}');
  });

  test(`SCORM ${version}: a unit is incomplete and without a score until it is finished`, () => {
    const { api, attempt } = started();
    attempt.keep("1", "text");
    assert.equal(status(api), "incomplete");
    assert.equal(String(score(api).raw), "");
    attempt.finish({ right: 7, count: 8 });
    assert.deepEqual([Number(score(api).raw), Number(score(api).min), Number(score(api).max)], [87.5, 0, 100]);
    assert.equal(status(api), "completed");
    if (!isOld) assert.equal(Number(api.cmi.score.scaled), 0.875);
    attempt.end();
    assert.equal(status(api), "completed");
    assert.equal(attempt.problem, "");
  });

  test(`SCORM ${version}: what an earlier visit finished stays finished`, () => {
    for (const before of isOld ? ["completed", "passed", "failed"] : ["completed"]) {
      const api = PLATFORMS[version]();
      api.loadFromJSON(isOld ? { cmi: { core: { lesson_status: before } } } : { cmi: { completion_status: before } });
      started(api);
      assert.equal(status(api), before);
    }
  });

  test(`SCORM ${version}: a mark is passed or failed, also behind the end`, () => {
    for (const [passed, mark] of [[true, "passed"], [false, "failed"]]) {
      const { api, attempt } = started();
      attempt.finish({ right: 4, count: 8, passed });
      attempt.end();
      assert.equal(isOld ? api.cmi.core.lesson_status : api.cmi.success_status, mark);
    }
  });

  test(`SCORM ${version}: answers are noted one by one`, () => {
    const { api, attempt } = started();
    attempt.note({ id: "row_sum", type: "fill-in", response: "0,25", isRight: false, about: "The missing weight" });
    attempt.note({ id: "permute", type: "choice", response: "b", isRight: true, about: "两个词互换" });
    const notes = api.cmi.interactions.childArray.map((each) => each.toJSON()); // of 1.2 nothing is given back
    assert.deepEqual(notes.map(({ id, type }) => [id, type]), [["row_sum", "fill-in"], ["permute", "choice"]]);
    assert.deepEqual(notes.map(({ result }) => result), [named("wrong", "incorrect"), "correct"]);
    assert.deepEqual(notes.map((each) => each[named("student_response", "learner_response")]), ["0,25", "b"]);
    assert.ok(notes.every((each) => each[named("time", "timestamp")]));
    if (!isOld) assert.equal(notes[1].description, "两个词互换");
  });

  test(`SCORM ${version}: notes that are too long are not sent, and the last ones stay`, () => {
    const { api, attempt } = started();
    attempt.keep("1", "short");
    attempt.keep("2", "x".repeat(isOld ? 4097 : 64001));
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
    other.api[named("LMSCommit", "Commit")] = () => "false";
    other.attempt.keep("1", "text");
    assert.equal(other.attempt.problem, "save");
  });

  test(`SCORM ${version}: a value that is refused is named, and sent again with the next`, () => {
    const { api, attempt } = started();
    const set = api[named("LMSSetValue", "SetValue")];
    api[named("LMSSetValue", "SetValue")] = (field, value) => (/score.raw$/.test(field) ? "false" : set.call(api, field, value));
    attempt.finish({ right: 1, count: 2 });
    assert.equal(attempt.problem, "save");
    attempt.keep("1", "text");
    assert.equal(attempt.problem, "save");
    api[named("LMSSetValue", "SetValue")] = set;
    attempt.keep("2", "text");
    assert.equal(attempt.problem, "");
    assert.equal(Number(score(api).raw), 50);
  });

  test(`SCORM ${version}: a platform without answers of learners is no problem`, () => {
    const { api, attempt } = started();
    const set = api[named("LMSSetValue", "SetValue")];
    api[named("LMSSetValue", "SetValue")] = (field, value) => (/interactions/.test(field) ? "false" : set.call(api, field, value));
    attempt.note({ id: "a", type: "choice", response: "a", isRight: true, about: "" });
    attempt.keep("1", "text");
    assert.equal(attempt.problem, "");
  });

  test(`SCORM ${version}: a platform that throws errors breaks nothing`, () => {
    const api = new Proxy({}, { get: () => () => { throw new Error("offline"); } });
    assert.equal(new Attempt({ version, api }).problem, "start");
    const other = started();
    other.api[named("LMSSetValue", "SetValue")] = () => { throw new Error("offline"); };
    other.attempt.keep("1", "text");
    assert.equal(other.attempt.problem, "save");
    other.attempt.end();
  });
}

test("without a platform nothing is reported, and nothing breaks", () => {
  const attempt = new Attempt(null);
  attempt.keep("1", "text");
  attempt.note({ id: "a", type: "choice", response: "a", isRight: true, about: "" });
  attempt.finish({ right: 1, count: 2, passed: true });
  attempt.end();
  assert.equal(attempt.problem, "none");
});

test("the platform is found around the page and behind openers, past windows of other origins", () => {
  const api = {};
  const alone = (more = {}) => {
    const page = { ...more };
    page.parent = page;
    return page;
  };
  const denied = () => {
    throw new Error("SecurityError");
  };
  const top = alone({ API: api });
  const other = { parent: top, get API_1484_11() { return denied(); }, get opener() { return denied(); } };
  const page = { parent: other };
  const found = { version: "1.2", api };
  assert.deepEqual(findPlatform(page), found);
  assert.deepEqual(findPlatform(alone({ opener: page })), found);
  assert.deepEqual(findPlatform({ parent: alone({ opener: page }) }), found);
  const loop = alone();
  loop.opener = loop;
  assert.equal(findPlatform(loop), null);
});
