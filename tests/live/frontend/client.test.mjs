// The client of a class: what a student did arrives in its order, also after a refusal or a reload.

import assert from "node:assert/strict";
import test from "node:test";

import { ClassClient } from "../../../viz/frontend/classroom/class_client.js";

const kept = new Map();
globalThis.sessionStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
const waited = globalThis.setTimeout;
globalThis.setTimeout = (act) => waited(act, 0);

// A server that takes no choice for so many times, by choice; questions of what is new wait for ever.
function server(refusals = {}) {
  const arrived = [];
  globalThis.fetch = (address, { method, body }) => {
    if (method !== "POST") return new Promise(() => {});
    const { choice } = JSON.parse(body);
    const status = refusals[choice]-- > 0 ? 503 : 200;
    if (status === 200) arrived.push(choice);
    return Promise.resolve({ ok: status === 200, status, json: async () => (status === 200 ? {} : { says: "busy" }) });
  };
  return arrived;
}

const choose = (choice) => ({ do: "choose", question: "weights_a", choice });
const client = () => new ClassClient({ base: "", key: "key", language: "en" }, false, () => {});

test("a later choice does not overtake an earlier one that was refused", async () => {
  const arrived = server({ 1: 3 });
  const student = client();
  assert.deepEqual(await Promise.all([student.act(choose(1)), student.act(choose(2))]), ["", ""]);
  assert.deepEqual(arrived, [1, 2]);
  assert.equal(kept.get("gf-class-unsent"), "[]");
  student.stop();
});

test("what was not sent before a reload is sent after it, in its order", async () => {
  server({ 1: 500, 2: 500 });
  const before = client();
  before.act(choose(1));
  before.act(choose(2));
  before.stop();
  const arrived = server();
  const after = client();
  await after.act(choose(3));
  assert.deepEqual(arrived, [1, 2, 3]);
  after.stop();
});
