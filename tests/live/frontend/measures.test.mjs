// Predictions on a live page: what the engine measures is what Python measured by passes of its own.

import assert from "node:assert/strict";
import test, { after } from "node:test";

import { measuredFor } from "../../../live/frontend/lessons/measures.js";
import { bytes, json } from "./cases.mjs";
import { remote, SERVER, started } from "./started.mjs";

const cases = json("predictions");
const HUNDREDTH = 0.011; // a weight with two decimals, where rounding differs
const POINT = 1.01; // a share in percent

let engine = SERVER ? null : started();
after(() => engine.close());

for (const { model, sentence, asked } of cases) {
  test(`the engine answers predictions about ${model}`, async () => {
    if (SERVER) engine = remote(model);
    await engine.open({ data: SERVER ? null : bytes(`${model}.model`) });
    const result = await engine.write(sentence);
    const run = {
      write: (options) => engine.write(sentence, options),
      pass: ({ source, target }, options) => engine.pass(source, target, { only: [], ...options }),
    };
    for (const { name, draw, key, values, shares } of asked) {
      const found = await measuredFor(name, draw, result, run);
      const where = `${model} ${name} ${JSON.stringify(draw.measure)}`;
      if (draw.look === "percent") assert.ok(Math.abs(found.key - Number(key)) < 0.05, `${where}: ${found.key}, not ${key}`);
      else assert.equal(found.key, key, where);
      for (const [value, expected] of Object.entries(values)) {
        if (value === "weight") assert.ok(Math.abs(Number(found.values.weight) - Number(expected)) < HUNDREDTH, where);
        else if (value === "percent" && name === "next_word") assert.ok(Math.abs(Number(found.values.percent) - Number(expected)) < POINT, where);
        else if (value === "token") assert.equal(found.values.token, expected, where);
      }
      for (const [answer, share] of Object.entries(found.shares ?? {})) assert.ok(Math.abs(share - shares[answer]) < 1e-3, where);
    }
  });
}
