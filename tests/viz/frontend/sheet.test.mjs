// The film of the sheet: its stops, and what of each part is new, cached, or still to come.

import assert from "node:assert/strict";
import test from "node:test";

import { Film, stopsOf } from "../../../viz/frontend/sheet/film.js";
import { cellAt, placesOf } from "../../../viz/frontend/sheet/parts.js";

const part = (index, role, path, rowAxis, columnAxis = "d_k", kind = 1) => ({
  index, role, kind, rowAxis, columnAxis, rows: 3, columns: 4, frame: { path }, pieces: [],
});
const own = ["decoder", "0", "self_attention"];
const parts = [
  part(0, "q", ["encoder", "0", "self_attention", "0"], "source"),
  part(1, "weight", ["decoder", "0", "self_attention", "0"], "d_model", "d_k", 0),
  part(2, "q", [...own, "0"], "target"),
  part(3, "k", [...own, "0"], "target"),
  { ...part(4, "k_transposed", [...own, "0"], "d_k", "target", 3), columns: 3 },
  part(5, "q", [...own, "1"], "target"),
  part(6, "memory", ["decoder", "0", "cross_attention"], "source", "d_model", 3),
];
const sheet = { parts, given: 1, tokens: { target: ["<bos>", "we", "go"] } };

test("a stop has all heads of one kind, later passes a sublayer", () => {
  const stops = stopsOf(sheet).map((stop) => [stop.pass, stop.parts.map((each) => each.index)]);
  const pass = (number) => [[number, [2, 3, 4, 5]], [number, [6]]];
  assert.deepEqual(stops, [[0, [0]], [0, [2, 5]], [0, [3, 4]], [0, [6]], ...pass(1), ...pass(2)]);
});

test("rows are new, cached, of an earlier pass, or still to come", () => {
  const film = Object.create(Film.prototype);
  const states = (index, at) => {
    film.at = at;
    return film.covers(parts[index]).map((cover) => cover.state).join(" ");
  };
  Object.assign(film, { sheet, stops: stopsOf(sheet), firsts: new Map() });
  film.index();
  assert.equal(states(2, 1), "new later later");
  assert.equal(states(3, 1), "later later later");
  assert.equal(states(2, 4), "before new later"); // only the new token's query is computed
  assert.equal(states(3, 6), "cached cached new");
  assert.equal(states(4, 6), "cached cached new"); // a column for each token
  assert.deepEqual(film.covers(parts[4]).map((cover) => cover.axis), ["columns", "columns", "columns"]);
  assert.equal(states(6, 3), "new");
  assert.equal(states(6, 4), "cached"); // the encoder ran once
  assert.equal(states(0, 6), "done");
  assert.deepEqual(film.covers(parts[1]), []); // weights are always there
});

test("a cell of a folded part is found at its place and back", () => {
  const folded = { index: 0, rows: 5, columns: 2, pieces: [] };
  folded.pieces.push(
    { part: folded, x: 10, y: 20, row: 0, rows: 3, column: 0, columns: 2 },
    { part: folded, x: 30, y: 20, row: 3, rows: 2, column: 0, columns: 2 },
  );
  assert.deepEqual(cellAt(folded.pieces, 31.5, 21.2), { part: 0, row: 4, column: 1 });
  assert.equal(cellAt(folded.pieces, 31.5, 22.2), null);
  assert.deepEqual(placesOf(folded, 4, 1), [{ x: 31, y: 21, width: 1, height: 1 }]);
  assert.equal(placesOf(folded, null, 1).length, 2); // a column goes through both pieces
});
