// The picture: from blocks of the architecture, seen from afar, to single cells with their numbers.

import { clamp } from "../../common/dom.js";
import { inkOn } from "../../common/theme.js";
import { colourOf, paintBlocks, paintGround, paintTitles, placeLabels } from "./groups.js";
import { paintLabels } from "./labels.js";
import { paintLinks } from "./lines.js";
import { codeOf, numberOf } from "./numbers.js";
import { NUMBERS, TILE, placesOf } from "../parts.js";
import { meets, onScreen } from "./screen.js";
import { picture, shadesOf } from "../tiles.js";

const NUMBER_FROM = 46; // pixels of a cell that has room for its number
const VISIBLE = 0.4; // pixels: smaller pieces are not drawn

export function paint(figure) {
  const { context, camera, theme } = figure;
  const view = camera.seen();
  context.fillStyle = theme.surface.card;
  context.fillRect(0, 0, camera.width, camera.height);
  const frames = figure.sheet.frames.filter((frame) => meets(view, frame.x, frame.y, frame.width, frame.height));
  for (const frame of frames) if (frame.depth) paintGround(figure, frame);
  paintLinks(figure, view);
  context.imageSmoothingEnabled = false;
  for (const piece of figure.sheet.pieces) {
    if (meets(view, piece.x, piece.y, piece.columns, piece.rows)) paintPiece(figure, piece, view);
  }
  figure.labels = placeLabels(figure, frames);
  paintBlocks(figure, frames);
  paintMarks(figure);
  paintTitles(figure);
}

function paintPiece(figure, piece, view) {
  const { context, camera } = figure;
  const { k } = camera.at;
  const at = onScreen(figure, piece.x, piece.y, piece.columns, piece.rows);
  if (at.width < VISIBLE && at.height < VISIBLE) return;
  const { part } = piece;
  const level = clamp(Math.floor(Math.log2(1 / k)), 0, part.levels);
  if (level === part.levels) paintThumb(figure, piece, at);
  else paintTiles(figure, piece, level, view);
  if (k >= NUMBER_FROM) paintNumbers(figure, piece, view);
  if (part.kind === 3 && k > 1) { // a copy
    context.strokeStyle = figure.theme.surface.muted;
    context.setLineDash([4, 3]);
    context.strokeRect(at.x, at.y, at.width, at.height);
    context.setLineDash([]);
  }
  if (figure.film.at !== null) paintFilm(figure, piece, at);
  if (part.differs) paintDifference(figure, at);
  paintLabels(figure, piece, at, view);
}

// Over the cells of a piece: what is still to come is hidden, what is cached is tinted, what is new has an outline.
function paintFilm({ context, theme, film, camera }, piece, at) {
  const { k } = camera.at;
  for (const { axis, first, count, state } of film.covers(piece.part)) {
    if (state === "done") continue;
    const box = { ...at };
    if (axis === "rows") Object.assign(box, { y: at.y + (first - piece.row) * k, height: count * k });
    if (axis === "columns") Object.assign(box, { x: at.x + (first - piece.column) * k, width: count * k });
    if (state === "new") {
      context.strokeStyle = theme.kinds.cross.ink;
      context.lineWidth = 2;
      context.strokeRect(box.x, box.y, Math.max(box.width, 1), Math.max(box.height, 1));
      context.lineWidth = 1;
      continue;
    }
    context.globalAlpha = { later: 0.96, before: 0.6, cached: 0.3 }[state];
    context.fillStyle = state === "cached" ? theme.kinds.encoder.ink : theme.surface.card;
    context.fillRect(box.x, box.y, box.width, box.height);
    context.globalAlpha = 1;
  }
}

// A change made it differ from the model as it is.
function paintDifference({ context, theme }, at) {
  context.strokeStyle = theme.kinds.cross.ink;
  context.lineWidth = 2;
  context.strokeRect(at.x - 1.5, at.y - 1.5, at.width + 3, at.height + 3);
  context.lineWidth = 1;
}

// The smallest level, which came with the overview.
function paintThumb(figure, piece, at) {
  const { part } = piece;
  const { thumb } = part;
  colourIn(thumb, shadesOf(figure.theme, part));
  const [across, down] = [thumb.columns / part.columns, thumb.rows / part.rows];
  figure.context.drawImage(
    thumb.canvas, piece.column * across, piece.row * down, piece.columns * across, piece.rows * down,
    at.x, at.y, Math.max(at.width, VISIBLE), Math.max(at.height, VISIBLE),
  );
}

function paintTiles(figure, piece, level, view) {
  const { tiles, theme, context } = figure;
  const { part } = piece;
  const factor = 2 ** level;
  const side = TILE * factor; // cells
  const shades = shadesOf(theme, part);
  const across = range(view.x - piece.x + piece.column, view.right - piece.x + piece.column, piece.column, piece.columns, side);
  const down = range(view.y - piece.y + piece.row, view.bottom - piece.y + piece.row, piece.row, piece.rows, side);
  let thumbed = false;
  for (let row = down.first; row <= down.last; row++) {
    for (let column = across.first; column <= across.last; column++) {
      const tile = tiles.get(part, level, row, column);
      if (!tile) {
        if (!thumbed) paintThumb(figure, piece, onScreen(figure, piece.x, piece.y, piece.columns, piece.rows));
        thumbed = true;
      }
    }
  }
  for (let row = down.first; row <= down.last; row++) {
    for (let column = across.first; column <= across.last; column++) {
      const tile = tiles.get(part, level, row, column);
      if (!tile) continue;
      colourIn(tile, shades);
      // the cells of the tile that belong to this piece
      const top = Math.max(row * side, piece.row);
      const bottom = Math.min(row * side + tile.rows * factor, piece.row + piece.rows);
      const left = Math.max(column * side, piece.column);
      const right = Math.min(column * side + tile.columns * factor, piece.column + piece.columns);
      const at = onScreen(figure, piece.x + left - piece.column, piece.y + top - piece.row, right - left, bottom - top);
      context.drawImage(
        tile.canvas, left / factor - column * TILE, top / factor - row * TILE, (right - left) / factor, (bottom - top) / factor,
        at.x, at.y, at.width, at.height,
      );
    }
  }
}

// The picture of a tile, made again for another theme.
function colourIn(tile, shades) {
  if (tile.shades !== shades) Object.assign(tile, { shades, canvas: picture(tile, shades) });
}

// Which tiles of `side` cells are in view, within the `count` cells from `start` on.
function range(from, to, start, count, side) {
  const first = clamp(Math.floor(from), start, start + count - 1);
  const last = clamp(Math.ceil(to), start, start + count - 1);
  return { first: Math.floor(first / side), last: Math.floor(last / side) };
}

// Every number that stands in a visible cell, where it has arrived.
function visibleNumbers(figure, piece, view, visit) {
  const { part } = piece;
  const first = { row: Math.max(0, Math.floor(view.y - piece.y)), column: Math.max(0, Math.floor(view.x - piece.x)) };
  const last = { row: Math.min(piece.rows, Math.ceil(view.bottom - piece.y)), column: Math.min(piece.columns, Math.ceil(view.right - piece.x)) };
  for (let i = first.row; i < last.row; i++) {
    for (let j = first.column; j < last.column; j++) {
      const [row, column] = [piece.row + i, piece.column + j];
      const tile = figure.tiles.get(part, -1, Math.floor(row / NUMBERS), Math.floor(column / NUMBERS));
      if (tile) visit(tile.numbers[(row % NUMBERS) * tile.columns + (column % NUMBERS)], i, j, row, column);
    }
  }
}

function paintNumbers(figure, piece, view) {
  const { context, camera, theme } = figure;
  const { k } = camera.at;
  const { part } = piece;
  const shades = shadesOf(theme, part);
  context.font = `12px ${figure.codeFont}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  visibleNumbers(figure, piece, view, (number, i, j) => {
    const at = onScreen(figure, piece.x + j, piece.y + i, 1, 1);
    context.strokeStyle = theme.surface.card;
    context.strokeRect(at.x, at.y, k, k);
    context.fillStyle = inkOn(hex(shades[codeOf(number, part.full)]));
    context.fillText(numberOf(number), at.x + k / 2, at.y + k / 2);
  });
}

const hex = (word) => `#${[word & 255, (word >> 8) & 255, (word >> 16) & 255].map((c) => c.toString(16).padStart(2, "0")).join("")}`;

function paintMarks(figure) {
  const { context, theme, sheet } = figure;
  if (figure.focus !== null && !figure.cell) outline(figure, sheet.parts[figure.focus], null, null, theme.surface.ink, 1.5);
  if (!figure.cell) return;
  for (const [part, row, column] of figure.marks) outline(figure, sheet.parts[part], row, column, theme.kinds.cross.ink, 2);
  outline(figure, sheet.parts[figure.cell.part], figure.cell.row, figure.cell.column, theme.surface.ink, 2.5);
  context.lineWidth = 1;
}

function outline(figure, part, row, column, colour, width) {
  const { context } = figure;
  for (const place of placesOf(part, row, column)) {
    const at = onScreen(figure, place.x, place.y, place.width, place.height);
    const grow = Math.max(0, 3 - Math.min(at.width, at.height)); // a thin line is still seen from afar
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.strokeRect(at.x - grow / 2, at.y - grow / 2, at.width + grow, at.height + grow);
  }
}

// The whole sheet, small, and the window in it.
export function paintMap(figure) {
  const { mapContext: context, camera, theme, sheet, mapScale: scale } = figure;
  context.fillStyle = theme.surface.card;
  context.fillRect(0, 0, sheet.width * scale, sheet.height * scale);
  for (const frame of sheet.frames) {
    if (frame.depth !== 1 && frame.depth !== 2) continue;
    context.globalAlpha = frame.depth === 1 ? 0.25 : 0.5;
    context.fillStyle = colourOf(figure, frame);
    context.fillRect(frame.x * scale, frame.y * scale, frame.width * scale, frame.height * scale);
  }
  context.globalAlpha = 1;
  const { x, y, right, bottom } = camera.seen();
  context.strokeStyle = theme.surface.ink;
  context.lineWidth = 1.5;
  context.strokeRect(x * scale, y * scale, Math.max(3, (right - x) * scale), Math.max(3, (bottom - y) * scale));
}
