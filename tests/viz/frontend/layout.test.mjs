// How the labels of the columns of a matrix stand.

import assert from "node:assert/strict";
import test from "node:test";

import { turnsOf as turnsOfLabels } from "../../../viz/frontend/common/column_labels.js";
import { matrixLayout } from "../../../viz/frontend/matrix/layout.js";

const LIBRARY = ["<bos>", "我", "在", "图书馆", "看", "书", "。", "<eos>", ...Array(9).fill("<pad>")];
const DATE = ["<bos>", ..."3␣May␣2024", "<eos>"];
const measure = (labels, size) => labels.map((label) => [...label].reduce((sum, sign) => sum + size * (sign > "⺀" ? 1 : 0.6), 0));

function turnsOf(columns, room) {
  const matrix = { rows: ["row"], columns, scale: "signed", sign: "" };
  const laid = matrixLayout(matrix, [matrix], room, { measure, cell: null, ratio: 1 });
  return new Map(laid.columns.map((column, at) => [columns[column], laid.turns[at]]));
}

for (const room of [360, 520, 840]) {
  test(`labels of one or two characters and Chinese ones stand upright in ${room} px`, () => {
    for (const [label, turn] of [...turnsOf(LIBRARY, room), ...turnsOf(DATE, room)]) {
      assert.ok(turn === "0" || turn === "han" || label.startsWith("<"), label);
    }
  });
}

test("a Chinese mark stands upright where it is wider than its column", () => {
  assert.deepEqual(turnsOfLabels(["我", "。", "Wort"], [15, 15, 40], 13), ["han", "han", "90"]);
});

test("special tokens read upwards beside Chinese", () => assert.equal(turnsOf(LIBRARY, 360).get("<bos>"), "90"));

test("a stack of characters has no leaning word beside it", () => {
  assert.equal(turnsOf(["<bos>", "图书馆", "Bibliothek"], 120).get("Bibliothek"), "90");
});

test("each of many columns can be hit on a phone, and thousands still make a canvas that browsers draw", () => {
  const cells = (count, room) => {
    const matrix = { rows: ["Wir", "gehen"], columns: [...Array(count).keys()].map(String), scale: "signed", sign: "" };
    return matrixLayout(matrix, [matrix], room, { measure, cell: null, ratio: 2 }).wide;
  };
  assert.equal(cells(144, 307), 4);
  assert.equal(cells(768, 307), 4);
  assert.ok(cells(3072, 307) * 3072 * 3 < 16384);
  assert.equal(cells(144, 900), 5.5); // where all have room nothing scrolls
  assert.equal(cells(768, 840), 1);
});
