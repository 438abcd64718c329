// The large map of one head: queries down, keys across.

import { add, clamp, el, fill, labelToken, pixelCanvas, place, sizeCanvas, speak, widths } from "../common/dom.js";
import { pointerMoved } from "../common/pointer.js";
import { fadeAll, fadeOnScroll } from "../common/scroll_fade.js";
import { areFine, drawCells } from "./cells.js";
import { mapLayout } from "./map_layout.js";

const ASIDE = 230;
export const TALL = 3000; // px; what is higher scrolls in a box

export function buildMap(figure) {
  const scroll = el("div", "gf-scroll");
  const stage = el("div", "gf-stage");
  const corner = el("div", "gf-corner", { "aria-hidden": "true" });
  const columns = el("div", "gf-columns", { "aria-hidden": "true" });
  const rows = el("div", "gf-rows", { "aria-hidden": "true" });
  const body = el("div", "gf-map-body");
  const canvas = el("canvas", "", { "aria-hidden": "true" });
  const frame = el("div", "gf-line-frame", { "aria-hidden": "true" });
  const cursor = el("div", "gf-cursor", { role: "gridcell", id: "gf-cursor" });
  const row = add(el("div", "gf-map-row", { role: "row" }), cursor);
  // One real cell moves over the canvas: 4096 of them would be slow, none would be mute.
  const grid = add(
    el("div", "gf-map", { role: "grid", tabindex: "0", "aria-activedescendant": "gf-cursor" }),
    row,
  );
  add(scroll, add(stage, corner, columns, rows, add(body, canvas, frame, grid)));
  figure.map = { scroll, stage, columns, rows, body, canvas, frame, grid, row, cursor };
  listenToMap(figure);
  fadeOnScroll(scroll);
  return scroll;
}

function listenToMap(figure) {
  const { grid, stage } = figure.map;
  grid.addEventListener("pointermove", (event) => {
    if (pointerMoved(event)) figure.pointAt(placeUnder(figure, event));
  });
  grid.addEventListener("click", (event) => figure.pinAt(placeUnder(figure, event)));
  stage.addEventListener("pointerleave", () => figure.pointAt(null));
  stage.addEventListener("pointermove", (event) => {
    const label = event.target.closest(".gf-token");
    if (label && pointerMoved(event)) figure.pointAt(placeOfToken(label));
  });
  stage.addEventListener("click", (event) => {
    const label = event.target.closest(".gf-token");
    if (label) figure.pinAt(placeOfToken(label));
  });
  grid.addEventListener("focus", () => {
    if (grid.matches(":focus-visible")) figure.pointAt(wholePlace(figure));
  });
  grid.addEventListener("blur", () => figure.pointAt(null));
  grid.addEventListener("keydown", (event) => onMapKey(figure, event));
}

export function placeOfToken(node) {
  const index = +node.dataset.index;
  return node.dataset.side === "query" ? { query: index, key: null } : { query: null, key: index };
}

function wholePlace(figure) {
  const { query, key } = figure.active();
  return { query, key };
}

function placeUnder(figure, event) {
  const box = figure.map.grid.getBoundingClientRect();
  const { rows, columns } = figure.visible(figure.panel());
  const { wide, high } = figure.map;
  return {
    query: rows[clamp(Math.floor((event.clientY - box.top) / high), 0, rows.length - 1)],
    key: columns[clamp(Math.floor((event.clientX - box.left) / wide), 0, columns.length - 1)],
  };
}

function onMapKey(figure, event) {
  const { rows, columns } = figure.visible(figure.panel());
  const at = wholePlace(figure);
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (step) {
    const moved = (list, value, by) => list[clamp(list.indexOf(value) + by, 0, list.length - 1)];
    figure.pointAt({ query: moved(rows, at.query, step[0]), key: moved(columns, at.key, step[1]) });
    figure.map.follow = true;
  } else if (event.key === "Home" || event.key === "End") {
    figure.pointAt({ query: at.query, key: columns.at(event.key === "Home" ? 0 : -1) });
    figure.map.follow = true;
  } else if (event.key === "Enter" || event.key === " ") {
    figure.pinAt(at);
  } else {
    return;
  }
  event.preventDefault();
}

function measureMap(figure, panel, room) {
  const measure = (labels, size) => widths(labels, `600 ${size}px ${figure.font}`);
  return mapLayout(panel, figure.visible(panel), room, { measure, compact: figure.compact });
}

// Whether so many pixels are left beside the map; asked for all kinds at once, so that previews do not jump.
const leaves = (figure, room, least) =>
  [...figure.panels.values()].every((panel) => room - measureMap(figure, panel, room).whole >= least);

// Whether the words find room beside the map.
export const textBeside = (figure, room) => leaves(figure, room, ASIDE);

// Whether the map is seen without scrolling.
export const mapFits = (figure, room) => leaves(figure, room, 0);

// Sizes and labels: needed for new words, another kind or another width, not for another head.
export function layoutMap(figure, room) {
  const { map } = figure;
  const panel = figure.panel();
  const { seen, wide, high, size, turns, top, spill, rowWidth, width, height } = measureMap(figure, panel, room);
  map.wide = wide;
  map.high = high;
  if (map.panel?.joined !== panel.joined) map.scroll.scrollTo(0, 0);
  map.panel = panel;
  map.stage.style.setProperty("--cell-w", `${wide}px`);
  map.stage.style.setProperty("--cell-h", `${high}px`);
  map.stage.style.setProperty("--row-width", `${rowWidth}px`);
  map.stage.style.setProperty("--label-size", `${size}px`);
  map.stage.style.setProperty("--columns-height", `${top}px`);
  map.stage.style.setProperty("--spill", `${spill}px`);
  map.width = width;
  map.height = height;
  map.body.style.width = `${map.width}px`;
  map.body.style.height = `${map.height}px`;
  map.rowLabels = labelTokens(map.rows, "query", seen.rows, panel.queries, panel.querySpecials);
  map.columnLabels = labelTokens(map.columns, "key", seen.columns, panel.keys, panel.keySpecials, turns);
  speak(map.rows, figure.languageOf("query", panel.kind));
  speak(map.columns, figure.languageOf("key", panel.kind));
  map.grid.setAttribute("aria-rowcount", panel.rows);
  map.grid.setAttribute("aria-colcount", panel.columns);
  sizeMap(map, seen);
  fadeAll([map.scroll]);
}

// A fine map has a pixel for each cell, which the browser widens: a browser refuses a canvas of 22,000 pixels.
function sizeMap(map, seen) {
  map.fine = areFine(map.wide);
  map.context = map.fine
    ? pixelCanvas(map.canvas, seen.columns.length, seen.rows.length)
    : sizeCanvas(map.canvas, map.width, map.height);
  map.canvas.style.imageRendering = map.fine ? "pixelated" : "";
  map.canvas.style.width = `${map.width}px`;
  map.canvas.style.height = `${map.height}px`;
  map.scroll.dataset.tall = map.height > TALL;
}

// `turns`: of columns only
function labelTokens(parent, side, indices, labels, specials, turns) {
  const tokens = new Map();
  indices.forEach((index, position) => {
    const attributes = { "data-side": side, "data-index": index, ...(turns && { "data-turn": turns[position] }) };
    const token = labelToken(labels[index], position, attributes);
    token.classList.toggle("gf-special", Boolean(specials[index]));
    tokens.set(index, token);
  });
  parent.replaceChildren(...tokens.values());
  return tokens;
}

export function drawMap(figure) {
  const { map } = figure;
  const panel = figure.panel();
  if (map.panel !== panel) layoutMap(figure, figure.room);
  const seen = figure.visible(panel);
  const at = figure.shown();
  map.context.clearRect(0, 0, map.width, map.height);
  const { context } = map;
  const [wide, high] = map.fine ? [1, 1] : [map.wide, map.high];
  const fineMap = () => figure.fineMap(context, panel, at);
  drawCells({ context, theme: figure.theme, codeFont: figure.codeFont }, { panel, at, seen, wide, high, fineMap });
  map.grid.setAttribute("aria-label", fill(figure.words.map, { head_name: figure.headName(at) }));
  markMap(figure, seen);
}

function markMap(figure, seen) {
  const { map } = figure;
  const { query, key, main, state } = figure.active();
  const row = seen.rows.indexOf(query);
  const column = seen.columns.indexOf(key);
  const along = main === "key";
  place(map.frame, along ? column : 0, along ? 0 : row, along ? 1 : seen.columns.length, along ? seen.rows.length : 1);
  place(map.cursor, column, row, 1, 1);
  if (map.follow) map.cursor.scrollIntoView({ block: "nearest", inline: "nearest" });
  map.follow = false;
  map.frame.dataset.state = state;
  map.cursor.dataset.state = main === "cell" ? state : "resting";
  map.row.setAttribute("aria-rowindex", query + 1);
  map.cursor.setAttribute("aria-colindex", key + 1);
  map.cursor.setAttribute("aria-label", figure.readout);
  map.cursor.setAttribute("aria-selected", String(state === "locked"));
  for (const [index, token] of map.rowLabels) token.classList.toggle("gf-on", index === query);
  for (const [index, token] of map.columnLabels) token.classList.toggle("gf-on", index === key);
}
