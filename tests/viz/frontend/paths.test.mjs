// How the paths of a logit are laid out, and which edge is pointed at.

import assert from "node:assert/strict";
import test from "node:test";

import { edgeAt, layoutPaths } from "../../../viz/frontend/paths/layout.js";

const DATA = {
  tokens: [["encoder", 1, "Kino", ""], ["decoder", 0, "<bos>", ""], ["decoder", 2, "the", ""]],
  steps: [["encoder", "0 self"], ["encoder", "0 ff"], ["decoder", "0 self"], ["decoder", "0 cross"], ["decoder", "0 ff"]],
  edges: [
    { step: 4, kind: "decoder", row: 2, value: 3, key: null, keySide: "" },
    { step: 3, kind: "cross", row: 2, value: 2, key: 1, keySide: "encoder" },
    { step: 3, kind: "cross", row: 2, value: -1, key: 1, keySide: "encoder" },
    { step: 2, kind: "decoder", row: 2, value: 1, key: 0, keySide: "decoder" },
  ],
  answer: ["decoder", 2, "cinema", "+3"],
};

for (const width of [300, 520, 900]) {
  const laid = layoutPaths(DATA, width);

  test(`everything stands within ${width} px`, () => {
    assert.ok(laid.width <= width);
    for (const { x, y } of [...laid.tokens, ...laid.squares, laid.answer]) assert.ok(x > 0 && x < laid.width && y > 0 && y < laid.height);
  });

  test(`the pass goes up in ${width} px: what is read stands below what reads it`, () => {
    for (const { from, to } of laid.lines) assert.ok(from.y > to.y);
    const [self, cross, feed] = laid.steps.filter(({ side }) => side === "decoder").map(({ y }) => y);
    assert.ok(self > cross && cross > feed);
  });

  test(`each edge is found where it is drawn in ${width} px`, () => {
    assert.equal(edgeAt(laid, laid.squares[0].x, laid.squares[0].y), 0);
    for (const { at, curve } of laid.lines) {
      const middle = [0, 1].map((i) => (curve[i] + 3 * curve[2 + i] + 3 * curve[4 + i] + curve[6 + i]) / 8);
      assert.equal(edgeAt(laid, ...middle), at);
    }
    assert.equal(edgeAt(laid, 2, laid.height - 2), null);
  });
}

test("a model of one side has one line of tokens", () => {
  const own = { ...DATA, tokens: DATA.tokens.slice(1), steps: DATA.steps.slice(2), edges: [{ ...DATA.edges[3], step: 0 }, { ...DATA.edges[0], step: 2 }] };
  const laid = layoutPaths(own, 520);
  assert.equal(new Set(laid.tokens.map(({ y }) => y)).size, 1);
});
