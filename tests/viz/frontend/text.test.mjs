// Numbers, labels and scales.

import assert from "node:assert/strict";
import test from "node:test";

import { restingQuery, visiblePart } from "../../../viz/frontend/attention/measures.js";
import { fill, short, shownToken } from "../../../viz/frontend/common/dom.js";
import { inkOn } from "../../../viz/frontend/common/theme.js";
import { scaleOf } from "../../../viz/frontend/live_run/curve_layout.js";
import { percent, whole } from "../../../viz/frontend/common/numbers.js";
import { shareText, short3 } from "../../../viz/frontend/live_run/number_format.js";
import { cellText } from "../../../viz/frontend/matrix/paint.js";
import { numberText, readoutText } from "../../../viz/frontend/matrix/values.js";
import { cases } from "./cases.mjs";

test("numbers are written as people read them", () => {
  const written = [
    [-1.5, 3, "−1.500"], [0, 1, "0.0"], [-0, 2, "0.00"], [-Infinity, 3, "−∞"], [NaN, 3, "NaN"], [-1e9, 3, "−1·10⁹"],
    [123456, 0, "1.23·10⁵"], [0.0004, 3, "4·10⁻⁴"], [0.0005, 3, "0.001"], [Infinity, 0, "∞"], [99999.5, 0, "100000"],
  ];
  for (const [value, decimals, said] of written) assert.equal(numberText(value, decimals), said);
});

test("shares are written as Python writes them", () => {
  for (const [share, decimals, said] of cases().shares) assert.equal(percent(share, decimals), said);
});

test("the text on a colour is the one that Python chooses", () => {
  for (const [colour, ink] of Object.entries(cases().inks)) assert.equal(inkOn(colour), ink, colour);
});

test("short numbers", () => {
  assert.deepEqual([0.004, 12.34, 1234.5, 0.0000123, 1e-5, 0].map(short3), ["0.004", "12.3", "1,230", "1.23·10⁻⁵", "10⁻⁵", "0"]);
  assert.deepEqual([0, 0.004, 0.0996, 0.5, 499 / 500, 1].map(shareText), ["0%", "0.4%", "10.0%", "50%", "99.8%", "100%"]);
  assert.deepEqual([0.65, 0.994, 0.995, 0].map(short), ["0.65", "0.99", "0.99", "0.00"]);
  assert.equal(whole(1234567), "1,234,567");
});

test("a token is put into a sentence once, with its own braces", () => {
  assert.equal(fill("{a} and {b} {c}", { a: "{b}", b: 2 }), "{b} and 2 {c}");
  assert.equal(fill("{count} more, {share}", { count: 3994, share: 0.5 }), "3,994 more, 0.5");
  assert.deepEqual(["Wir", " ", "\n", ""].map(shownToken), ["Wir", "␣", "⏎", "∅"]);
});

test("a scale begins and ends on ticks", () => {
  assert.deepEqual(scaleOf({ log: true }, [0.03, 7]), { log: true, low: 0.01, high: 10, ticks: [0.01, 0.1, 1, 10] });
  assert.deepEqual(scaleOf({ low: 0 }, [0.0002, 0.0011]).ticks, [0, 0.0005, 0.001, 0.0015]);
  assert.deepEqual(scaleOf({ low: 0, high: 1 }, []).ticks, [0, 0.5, 1]);
});

test("measures of a head", () => {
  const panel = {
    heads: 1, rows: 2, columns: 2, values: Uint16Array.of(65535, 0, 32768, 32767),
    queries: ["Wir", "gehen"], keys: ["Wir", "gehen"], querySpecials: [0, 0], keySpecials: [0, 1],
  };
  const at = { layer: 0, head: 0 };
  assert.equal(restingQuery(panel, at), 0);
  assert.deepEqual(visiblePart(panel, true), { rows: [0, 1], columns: [0] });
  assert.deepEqual(visiblePart({ ...panel, keySpecials: [1, 1] }, true).columns, [0, 1]); // something is always shown
});

test("a cell of numbered rows and columns is read with what they count", () => {
  const figure = { words: { readout: "{row}, {column}: {value}" } };
  const [counted, named] = [["0", "1"], ["a", "b"]];
  const matrix = { values: [0.5, -0.018, 0, 1], decimals: 3, scale: "signed", rowAxis: "layer ↓", columnAxis: "head →" };
  const read = (rows, columns) => readoutText(figure, { ...matrix, rows, columns, rowNames: rows, columnNames: columns }, { row: 0, column: 1 });
  assert.equal(read(counted, counted), "layer 0, head 1: −0.018");
  assert.equal(read(named, counted), "a, head 1: −0.018");
  assert.equal(read(["0", "7"], named), "0, b: −0.018"); // tokens that are digits
});

test("cells have numbers where the greatest is too small for its decimals", () => {
  const context = { measureText: (text) => ({ width: 7 * text.length }) };
  const matrix = { values: [-0.093, 1.74e-6], least: 0, greatest: 1, decimals: 3, full: 0.1, scale: "signed" };
  const text = cellText(context, matrix, 44, "");
  assert.deepEqual([-0.093, 1.74e-6].map(text), ["−0.093", "0.000"]);
});
