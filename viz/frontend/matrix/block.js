// One matrix: its elements, what a person does there, what is pointed at.

import { add, clamp, el, fill, place, say } from "../common/dom.js";
import { fadeOnScroll } from "../common/scroll_fade.js";
import { numberText, readoutText } from "./values.js";

export function buildBlock(figure, matrix, number) {
  const node = el("section", "gf-matrix", { "data-key": matrix.key, "data-colour": matrix.colour });
  const top = add(el("div", "gf-top"), add(el("span", "gf-title"), matrix.title), add(el("span", "gf-shape"), shapeText(matrix)));
  const scroll = el("div", "gf-scroll");
  const stage = el("div", "gf-stage");
  const columns = el("div", "gf-columns", { "aria-hidden": "true" });
  const rows = el("div", "gf-rows", { "aria-hidden": "true" });
  const body = el("div", "gf-map-body");
  const canvas = el("canvas", "", { "aria-hidden": "true" });
  const rowFrame = el("div", "gf-line-frame", { "aria-hidden": "true", "data-side": "row" });
  const columnFrame = el("div", "gf-line-frame", { "aria-hidden": "true", "data-side": "column" });
  const cursor = el("div", "gf-cursor", { role: "gridcell", id: `gf-cell-${number}` });
  const row = add(el("div", "gf-map-row", { role: "row" }), cursor);
  // One real cell moves over the canvas: 131072 of them would be slow, none would be mute.
  const grid = add(
    el("div", "gf-map", {
      role: "grid",
      tabindex: "0",
      "data-key": matrix.key,
      "aria-activedescendant": cursor.id,
      "aria-label": fill(figure.words.matrix, { title: matrix.title, ...sizes(matrix) }),
      "aria-description": `${figure.words.help} ${figure.words.keys}`,
      "aria-rowcount": matrix.rows.length,
      "aria-colcount": matrix.columns.length,
    }),
    row,
  );
  add(scroll, add(stage, el("div", "gf-corner"), columns, rows, add(body, canvas, rowFrame, columnFrame, grid)));
  const legend = el("div", "gf-legend");
  const readout = el("p", "gf-readout", { "aria-hidden": "true" });
  const summary = add(el("p", "gf-hidden gf-summary"), summaryText(figure, matrix));
  if (matrix.sign) add(node, add(el("span", "gf-sign", { "aria-hidden": "true" }), matrix.sign));
  add(node, top);
  for (const [name, text] of [["gf-note", matrix.note], ["gf-axes", axesText(figure, matrix)]]) {
    if (text) add(node, add(el("p", name), text));
  }
  add(node, scroll, legend, readout, summary);
  const block = { matrix, node, scroll, stage, columns, rows, body, canvas, rowFrame, columnFrame, grid, row, cursor, legend, readout, summary };
  block.place = { row: 0, column: 0 }; // where the keyboard goes on
  listen(figure, block);
  return block;
}

const sizes = (matrix) => ({ rows: matrix.rows.length, columns: matrix.columns.length });
export const shapeText = (matrix) => `(${matrix.rows.length}, ${matrix.columns.length})`;

export function axesText({ words }, matrix) {
  const parts = [];
  if (matrix.rowAxis) parts.push(fill(words.axis_rows, { axis: matrix.rowAxis }));
  if (matrix.columnAxis) parts.push(fill(words.axis_columns, { axis: matrix.columnAxis }));
  return parts.join(" · ");
}

export function summaryText(figure, matrix) {
  const { words } = figure;
  const values = { title: matrix.title, ...sizes(matrix), count: matrix.count, total: matrix.values.length };
  if (matrix.scale === "mask") return fill(words.summary_mask, values);
  if (matrix.least < 0) return fill(words.summary_empty, values);
  for (const name of ["least", "greatest"]) {
    const column = matrix[name] % matrix.columns.length;
    values[name] = numberText(matrix.values[matrix[name]], matrix.decimals);
    values[`${name}_row`] = matrix.rowNames[(matrix[name] - column) / matrix.columns.length];
    values[`${name}_column`] = matrix.columnNames[column];
  }
  return fill(words.summary, values);
}

function listen(figure, block) {
  const { grid, stage, matrix } = block;
  grid.addEventListener("pointermove", (event) => {
    if (event.pointerType !== "touch") figure.pointAt(placeUnder(block, event));
  });
  grid.addEventListener("click", (event) => {
    block.place = placeUnder(block, event);
    figure.lockAt(block.place);
  });
  stage.addEventListener("pointerleave", () => figure.pointAt(null));
  fadeOnScroll(block.scroll);
  grid.addEventListener("focus", () => {
    if (grid.matches(":focus-visible")) figure.pointAt(keyboardPlace(figure, block));
  });
  grid.addEventListener("blur", () => figure.pointer?.key === matrix.key && figure.pointAt(null));
  grid.addEventListener("keydown", (event) => onKey(figure, block, event));
}

function placeUnder(block, event) {
  const box = block.grid.getBoundingClientRect();
  const { matrix, wide, high } = block;
  return {
    key: matrix.key,
    row: clamp(Math.floor((event.clientY - box.top) / high), 0, matrix.rows.length - 1),
    column: clamp(Math.floor((event.clientX - box.left) / wide), 0, matrix.columns.length - 1),
  };
}

function keyboardPlace(figure, block) {
  const { key } = block.matrix;
  const at = [figure.pointer, figure.locked].find((place) => place?.key === key) || block.place;
  return { key, row: at.row, column: at.column };
}

function onKey(figure, block, event) {
  const { matrix } = block;
  const at = keyboardPlace(figure, block);
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (step) {
    at.row = clamp(at.row + step[0], 0, matrix.rows.length - 1);
    at.column = clamp(at.column + step[1], 0, matrix.columns.length - 1);
  } else if (event.key === "Home" || event.key === "End") {
    at.column = event.key === "Home" ? 0 : matrix.columns.length - 1;
  } else if (event.key === "Enter" || event.key === " ") {
    figure.lockAt(at);
  } else {
    return;
  }
  event.preventDefault();
  block.place = at;
  figure.pointAt(at);
  bringIntoView(block, at.column);
}

function bringIntoView(block, column) {
  const { scroll, wide, rowWidth } = block;
  const left = column * wide;
  const room = scroll.clientWidth - rowWidth - wide;
  scroll.scrollLeft = clamp(scroll.scrollLeft, left - room, left);
}

// The matrix itself, or another with as many rows or columns, where the same index means the same thing.
export function markBlock(figure, block, source, at, state) {
  const { matrix } = block;
  const own = source === matrix;
  const row = source && source.rows.length === matrix.rows.length ? at.row : null;
  const column = source && source.columns.length === matrix.columns.length ? at.column : null;
  const both = row !== null && column !== null;
  block.rowFrame.hidden = row === null;
  block.columnFrame.hidden = column === null;
  if (row !== null) place(block.rowFrame, 0, row, matrix.columns.length, 1);
  if (column !== null) place(block.columnFrame, column, 0, 1, matrix.rows.length);
  const cell = both ? { row, column } : block.place;
  place(block.cursor, cell.column, cell.row, 1, 1);
  block.cursor.dataset.state = own ? state : both ? "linked" : "resting";
  block.node.dataset.state = own ? state : row === null && column === null ? "resting" : "linked";
  block.row.setAttribute("aria-rowindex", cell.row + 1);
  block.cursor.setAttribute("aria-colindex", cell.column + 1);
  block.cursor.setAttribute("aria-label", readoutText(figure, matrix, cell));
  const { locked } = figure;
  const isLocked = locked?.key === matrix.key && locked.row === cell.row && locked.column === cell.column;
  block.cursor.setAttribute("aria-selected", String(isLocked));
  say(block.readout, both ? readoutText(figure, matrix, cell) : "");
  // a figure that is out of sight is marked before it is laid out
  for (const [index, token] of block.rowLabels ?? []) token.classList.toggle("gf-on", index === row);
  for (const [index, token] of block.columnLabels ?? []) token.classList.toggle("gf-on", index === column);
}
