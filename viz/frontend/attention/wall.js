// The wall: every head of a kind as a small map; rows are layers, columns are heads.

import { add, clamp, el, sizeCanvas } from "../common/dom.js";
import { pointerMoved } from "../common/pointer.js";
import { drawHead } from "./paint_heads.js";

const TILE_GAP = 4;
const LABEL = 16;

export function buildWall(figure) {
  const wall = el("div", "gf-wall", { role: "group", "aria-label": figure.words.wall });
  figure.blocks = [...figure.panels.keys()].map((kind) => buildBlock(figure, figure.wallPanel(kind)));
  add(wall, ...figure.blocks.map((block) => block.node));
  wall.addEventListener("pointermove", (event) => {
    if (pointerMoved(event)) figure.previewHead(headOf(event.target));
  });
  wall.addEventListener("pointerleave", () => figure.previewHead(null));
  wall.addEventListener("click", (event) => {
    const head = headOf(event.target);
    if (head) figure.lockHead(head);
  });
  wall.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) figure.previewHead(headOf(event.target));
  });
  wall.addEventListener("focusout", () => figure.previewHead(null));
  wall.addEventListener("keydown", (event) => onWallKey(figure, event));
  return wall;
}

function buildBlock(figure, panel) {
  const { kind, layers, heads } = panel;
  const node = el("div", "gf-block", { "data-kind": kind });
  const title = add(el("div", "gf-block-title"), figure.words[`wall_${kind}`]);
  const body = el("div", "gf-block-body");
  const canvas = el("canvas", "", { "aria-hidden": "true" });
  const grid = el("div", "gf-tiles", { role: "grid", "aria-label": figure.words[kind] });
  const across = el("div", "gf-head-labels", { "aria-hidden": "true" });
  const down = el("div", "gf-layer-labels", { "aria-hidden": "true" });
  for (let head = 0; head < heads; head++) add(across, add(el("span"), String(head)));
  for (let layer = 0; layer < layers; layer++) {
    add(down, add(el("span"), String(layer)));
    const row = el("div", "gf-tile-row", { role: "row" });
    for (let head = 0; head < heads; head++) add(row, buildTile(figure, { kind, layer, head }));
    add(grid, row);
  }
  add(body, across, down, canvas, grid);
  add(node, title, body);
  return { node, panel, canvas, cells: [...grid.querySelectorAll("[role=gridcell]")] };
}

function buildTile(figure, at) {
  return el("div", "gf-tile", {
    role: "gridcell",
    tabindex: "-1",
    "aria-label": figure.headName(at),
    "aria-selected": "false",
    "data-kind": at.kind,
    "data-layer": at.layer,
    "data-head": at.head,
  });
}

function headOf(node) {
  const tile = node.closest("[role=gridcell]");
  return tile && { kind: tile.dataset.kind, layer: +tile.dataset.layer, head: +tile.dataset.head };
}

// Tiles as large as the room allows, so that the wall and the large map are seen together.
function tileSize(figure, room, beside) {
  const panels = [...figure.panels.values()];
  const heads = Math.max(...panels.map((panel) => panel.heads));
  const layers = Math.max(...panels.map((panel) => panel.layers));
  if (figure.view === "links") return clamp((room - LABEL) / heads - TILE_GAP, 22, 52);
  if (beside) return clamp(500 / (panels.length * layers) - TILE_GAP, 20, heads > 4 ? 30 : 38);
  for (let count = panels.length; count > 0; count--) {
    const size = ((room + 20) / count - 20 - LABEL) / heads - TILE_GAP;
    if (size >= 24 || count === 1) return clamp(size, 20, figure.compact ? 26 : 40);
  }
  return 24;
}

export function layoutWall(figure, room, beside) {
  const width = Math.floor(tileSize(figure, room, beside));
  for (const block of figure.blocks) {
    const { panel } = block;
    const seen = figure.visible(panel);
    block.width = width;
    block.height = Math.round(width * clamp(seen.rows.length / seen.columns.length, 0.6, 1));
    block.node.style.setProperty("--tile-w", `${block.width}px`);
    block.node.style.setProperty("--tile-h", `${block.height}px`);
    paintBlock(figure, block);
  }
}

function paintBlock(figure, block) {
  const { panel, width, height } = block;
  const context = sizeCanvas(
    block.canvas,
    panel.heads * (width + TILE_GAP) - TILE_GAP,
    panel.layers * (height + TILE_GAP) - TILE_GAP,
  );
  const { rows, columns } = figure.visible(panel);
  const ratio = window.devicePixelRatio || 1;
  const wide = Math.min(columns.length, Math.round(width * ratio));
  const high = Math.min(rows.length, Math.round(height * ratio));
  const atlas = figure.atlas(context, panel, wide, high);
  block.crowded = wide < columns.length || high < rows.length;
  for (let layer = 0; layer < panel.layers; layer++) {
    for (let head = 0; head < panel.heads; head++) {
      drawHead(context, atlas, { layer, head }, head * (width + TILE_GAP), layer * (height + TILE_GAP), width, height);
    }
  }
}

export function markWall(figure) {
  const same = (tile, at) =>
    at && tile.dataset.kind === at.kind && +tile.dataset.layer === at.layer && +tile.dataset.head === at.head;
  const shown = figure.shown();
  for (const { cells } of figure.blocks) {
    for (const tile of cells) {
      tile.setAttribute("aria-selected", String(same(tile, figure.locked)));
      tile.classList.toggle("gf-previewed", same(tile, figure.preview) === true);
      tile.tabIndex = same(tile, shown) ? 0 : -1;
    }
  }
}

function onWallKey(figure, event) {
  const at = headOf(event.target);
  if (!at) return;
  if (event.key === "Enter" || event.key === " ") {
    figure.lockHead(at);
    event.preventDefault();
    return;
  }
  const to = movedHead(figure, at, event.key);
  if (!to) return;
  event.preventDefault();
  const { cells, panel } = figure.blocks.find((block) => block.panel.kind === to.kind);
  cells[to.layer * panel.heads + to.head].focus();
}

// Past the edge of one kind lies the next.
function movedHead(figure, at, key) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[key];
  const panel = figure.panels.get(at.kind);
  if (key === "Home") return { ...at, head: 0 };
  if (key === "End") return { ...at, head: panel.heads - 1 };
  if (!step) return null;
  const to = { kind: at.kind, layer: at.layer + step[0], head: at.head + step[1] };
  const kinds = [...figure.panels.keys()];
  const before = to.layer < 0 || to.head < 0;
  const after = to.layer >= panel.layers || to.head >= panel.heads;
  if (!before && !after) return to;
  const next = figure.panels.get(kinds[kinds.indexOf(at.kind) + (after ? 1 : -1)]);
  if (!next) return null;
  const enter = (value, moved, count) => (moved === 0 ? Math.min(value, count - 1) : after ? 0 : count - 1);
  return { kind: next.kind, layer: enter(at.layer, step[0], next.layers), head: enter(at.head, step[1], next.heads) };
}
