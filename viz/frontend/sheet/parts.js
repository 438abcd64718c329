// The sheet as the server describes it: parts, the pieces they stand in, and the frames round groups of them.

import { readHeader } from "../common/data.js";
import { shownToken } from "../common/dom.js";
import { contains } from "./drawing/screen.js";

export const ZERO = 128; // the byte of 0
export const TILE = 128; // cells of a tile on each side
export const TOKENS = ["source", "target", "output"]; // the axes that have tokens
export const NUMBERS = 32; // cells of a tile with exact numbers

export function readSheet(bytes) {
  const { header, body } = readHeader(bytes);
  let start = 0;
  const parts = header.parts.map((described, index) => {
    const [key, name, kind, rows, columns, rowAxis, columnAxis, role, rule, recorded, full, least, greatest, mean, differs, high, wide] = described;
    const thumb = { bytes: body.subarray(start, start + high * wide), rows: high, columns: wide };
    start += high * wide;
    return {
      index, key, name, kind, rows, columns, rowAxis, columnAxis, role, rule, recorded, full, least, greatest, mean, differs: Boolean(differs), thumb,
      levels: levelsOf(rows, columns, high, wide), pieces: [],
    };
  });
  const pieces = header.pieces.map(([part, x, y, row, rows, column, columns]) => {
    const piece = { part: parts[part], x, y, row, rows, column, columns };
    parts[part].pieces.push(piece);
    return piece;
  });
  const frames = header.frames.map(([path, x, y, width, height]) => ({ path, depth: path.length - 1, x, y, width, height }));
  for (const part of parts) part.frame = frameRound(frames, part.pieces[0]);
  const tokens = Object.fromEntries(Object.entries(header.tokens).map(([axis, list]) => [axis, list.map(shownToken)]));
  return { parts, pieces, frames, links: header.links, tokens, given: header.given, written: header.written, sentence: header.sentence, weights: header.weights, width: header.size[0], height: header.size[1] };
}

// How often a matrix was halved until it was as small as its thumb.
function levelsOf(rows, columns, high, wide) {
  let levels = 0;
  while (rows > high || columns > wide) {
    rows = Math.ceil(rows / 2);
    columns = Math.ceil(columns / 2);
    levels++;
  }
  return levels;
}

// The innermost frame at a place; frames are sorted from the outside in.
export function frameAt(frames, x, y) {
  return frames.findLast((frame) => contains(frame, x, y)) || null;
}

const frameRound = (frames, piece) => frameAt(frames, piece.x + piece.columns / 2, piece.y + piece.rows / 2);

export function parentOf(frames, frame) {
  return frames.findLast((other) => other.depth < frame.depth && other.path.every((name, i) => name === frame.path[i])) || null;
}

// The cell at a place of the sheet.
export function cellAt(pieces, x, y) {
  const piece = pieces.find((p) => x >= p.x && x < p.x + p.columns && y >= p.y && y < p.y + p.rows);
  if (!piece) return null;
  return { part: piece.part.index, row: piece.row + Math.floor(y - piece.y), column: piece.column + Math.floor(x - piece.x) };
}

// Where cells of a part stand: one rectangle for each piece that has some of them. Null means all rows or columns.
export function placesOf(part, row, column) {
  const rectangles = [];
  for (const piece of part.pieces) {
    const inside = (at, first, count) => at === null || (at >= first && at < first + count);
    if (!inside(row, piece.row, piece.rows) || !inside(column, piece.column, piece.columns)) continue;
    rectangles.push({
      x: piece.x + (column === null ? 0 : column - piece.column),
      y: piece.y + (row === null ? 0 : row - piece.row),
      width: column === null ? piece.columns : 1,
      height: row === null ? piece.rows : 1,
    });
  }
  return rectangles;
}

// Which attention a part belongs to, for its colour; other parts have none.
export function kindOf(path) {
  if (path[2] === "cross_attention") return "cross";
  return path[0] === "encoder" ? "encoder" : "decoder";
}

// The name without what the frames round it already say: `q.weight` of `encoder.0.self_attention.q.weight[2]`.
export function shortName(part) {
  const steps = part.name.replace(/\[\d+\]$/, "").split(".");
  const known = new Set(part.frame ? part.frame.path : []);
  while (steps.length > 1 && known.has(steps[0])) steps.shift();
  return steps.join(".") + (part.role === "k_transposed" ? "ᵀ" : "");
}
