// The layout of matrices: JavaScript and Python come to the same numbers from the same widths of labels.

import assert from "node:assert/strict";
import test from "node:test";

import { matrixLayout, roomOf } from "../../../viz/frontend/matrix/layout.js";
import { cases } from "./cases.mjs";

for (const { name, figure, width, room, cell, ratio, widths, layouts } of cases().layouts) {
  test(name, () => {
    const measure = (labels, size) => labels.map((label) => widths[size][label]);
    assert.equal(roomOf(width), room);
    layouts.forEach((expected, i) => {
      const laid = matrixLayout(figure[i], figure, room, { measure, cell, ratio });
      const { rowWidth, ...others } = laid;
      assert.deepEqual({ ...others, row_width: rowWidth }, expected);
    });
  });
}
