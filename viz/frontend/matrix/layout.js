// The layout of one matrix as numbers: how large its cells are, and which labels there is room for.

import { LABEL_MOST, roomAbove, turnsOf } from "../common/column_labels.js";
import { clamp } from "../common/dom.js";
// px; gap: between matrices; lane: the room a small matrix likes; wide_from: columns of one that gets the whole room
import SIZES from "./sizes.json" with { type: "json" };

export const isPhone = (width) => width < SIZES.phone;

// What a figure of that width has for its matrices.
export const roomOf = (width) => width - 2 * (isPhone(width) ? SIZES.card_pad_phone : SIZES.card_pad) - 2;

// `among`: all matrices of the figure. `measure(labels, size)`: their widths. `cell`: the size that is asked for, or none.
// `ratio`: pixels of the screen for one of CSS.
export function matrixLayout(matrix, among, room, { measure, cell, ratio }) {
  const share = cell ? null : equationLane(matrix, among, room, measure);
  const alone = !share && isAlone(matrix, among);
  const lane = share || (alone ? room : laneOf(among, room));
  const rowWidth = rowRoom(matrix, room, measure);
  const edge = rowWidth + EDGE;
  const most = alone ? SIZES.cell_most_alone : SIZES.cell_most;
  const least = share ? 1 : leastCell(matrix, room);
  let wide = cell || cellWidth(matrix, lane - edge, least, most, ratio);
  let across = columnLabels(matrix, wide, measure);
  // the last words lean out over the edge of the matrix, and more of smaller cells
  for (let tries = 0; across.spill && !cell && tries < 3; tries++) {
    wide = Math.min(wide, cellWidth(matrix, lane - edge - across.spill, least, most, ratio));
    across = columnLabels(matrix, wide, measure);
  }
  const high = cell ? Math.min(cell, SIZES.cell_high) : cellHeight(matrix, wide, ratio);
  const rows = shownLabels(matrix.rows, high, high < 18 ? 12 : 15);
  const whole = edge + wide * matrix.columns.length + across.spill;
  const width = Math.min(room, Math.max(whole, lane < room ? lane : SIZES.narrowest));
  return { ...across, wide, high, rowWidth, rows, width };
}

const EDGE = 6;

function rowRoom(matrix, room, measure) {
  const most = room < SIZES.slim ? SIZES.label_most_slim : LABEL_MOST;
  return Math.min(most, Math.max(...measure(matrix.rows, 14))) + 10;
}

// The matrices of an equation, with signs between them, stand in one row if all can be read there: what each then has.
function equationLane(matrix, among, room, measure) {
  if (isPhone(room) || !among.some((other) => other.sign)) return null;
  const edges = among.map((other) => rowRoom(other, room, measure) + EDGE);
  const roots = among.map((other) => Math.sqrt(other.columns.length));
  const free = room - SIZES.gap * (among.length - 1) - sum(edges);
  const shares = roots.map((root) => (free * root) / sum(roots));
  const legible = among.every((other, i) => shares[i] >= other.columns.length * (other.columns.every(isIndex) ? 1 : SIZES.cell_read));
  const at = among.indexOf(matrix);
  return legible ? Math.floor(edges[at] + shares[at]) : null;
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);

// Small matrices stand in lanes; a wide one has the whole room, and scrolls only when its cells would vanish.
const isAlone = (matrix, among) => among.length === 1 || matrix.columns.length > SIZES.wide_from;

function laneOf(among, room) {
  // a mask has no numbers in its cells, and few columns need little room
  const isNarrow = ({ scale, columns }) => scale === "mask" || columns.length <= SIZES.few;
  const like = among.every(isNarrow) ? SIZES.lane_narrow : SIZES.lane;
  const small = among.filter((matrix) => !isAlone(matrix, among)).length;
  const lanes = clamp(Math.floor((room + SIZES.gap) / (like + SIZES.gap)), 1, small);
  return Math.floor((room - (lanes - 1) * SIZES.gap) / lanes);
}

// On a phone many columns scroll; of thousands a canvas that a browser draws has room for narrower ones.
function leastCell({ columns }, room) {
  if (columns.length > 128) return isPhone(room) ? clamp(SIZES.widest_phone / columns.length, 1, 4) : 1;
  return columns.length > 48 ? 4 : 6;
}

function cellWidth(matrix, lane, least, most, ratio) {
  const wide = clamp(lane / matrix.columns.length, least, most);
  if (wide >= 16) return Math.floor(wide);
  // many rows as well: square cells, not higher than a screen
  const square = Math.min(wide, Math.max(least, SIZES.highest / matrix.rows.length));
  // whole pixels of the screen, or the cells of a fine pattern would be of unequal size
  return Math.floor(square * ratio) / ratio;
}

function cellHeight(matrix, wide, ratio) {
  const rows = matrix.rows.length;
  // few rows of narrow cells are drawn higher, so that their labels find room
  const high = Math.min(Math.max(wide, Math.min(20, 320 / rows)), SIZES.cell_high, Math.max(4, SIZES.highest / rows));
  return high < 16 ? Math.max(1, Math.floor(high * ratio) / ratio) : Math.floor(high);
}

// Which labels of the columns are shown, how they are turned, and what room they take.
function columnLabels({ columns }, wide, measure) {
  const whole = measure(columns, 14);
  const upright = columns.every(isIndex) || turnsOf(columns, whole, wide).every((turn) => turn === "0");
  const size = wide < 16 && !upright ? 12 : 14;
  const widths = measure(columns, size).map((width) => Math.min(LABEL_MOST, width));
  const shown = shownLabels(columns, wide, upright ? Math.max(...widths) + 8 : 13);
  const step = shown.length > 1 ? shown[1] - shown[0] : columns.length;
  const [labels, ofShown] = [columns, widths].map((all) => shown.map((i) => all[i]));
  const turns = upright ? labels.map(() => "0") : turnsOf(labels, ofShown, wide * step);
  return { turns, size, columns: shown, ...roomAbove(turns, ofShown, shown, wide, columns.length) };
}

const isIndex = (label) => /^[−-]?\d+$/.test(label);

// All labels where there is room for what one needs, else every n-th; of indices about `ticks`, at round numbers.
function shownLabels(labels, cell, need) {
  const all = labels.map((_, i) => i);
  if (need <= cell) return all;
  const crowded = Math.ceil(need / cell);
  if (!labels.every(isIndex)) return all.filter((i) => i % crowded === 0);
  const step = roundStep(Math.max(crowded, labels.length / SIZES.ticks), labels.length);
  return all.filter((i) => Number(labels[i].replace("−", "-")) % step === 0);
}

// 8, 16, 32, … for what has a power of two in it, else 5, 10, 20, 50, …
function roundStep(least, count) {
  const steps = count % 16 === 0 ? [1, 2, 4] : [1, 2, 5];
  const grow = count % 16 === 0 ? 8 : 10;
  for (let scale = 1; ; scale *= grow) {
    for (const step of steps) if (step * scale >= least) return step * scale;
  }
}
