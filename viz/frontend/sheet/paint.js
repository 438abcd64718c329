// The picture: from blocks of the architecture, seen from afar, to single cells with their numbers.

import { clamp } from "../common/dom.js";
import { inkOn } from "../common/scale.js";
import { NUMBERS, TILE, TOKENS, ZERO, kindOf, placesOf, shortName } from "./parts.js";
import { picture, shadesOf } from "./tiles.js";

const NUMBER_FROM = 46; // pixels of a cell that has room for its number
const LABEL_FROM = 12; // pixels of a row that has room for its token
const VISIBLE = 0.4; // pixels: smaller pieces are not drawn
const BLOCK = [[0, 0], [0, 0], [150, 300], [80, 150]]; // by depth: below the first width a block, from the second on open
const SIGNS = { product: "×", add: "+", softmax: "softmax", norm: "LayerNorm", mask: "mask", lookup: "look-up" };

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
  paintBlocks(figure, frames);
  paintMarks(figure);
  for (const frame of frames) paintTitle(figure, frame);
  paintWay(figure);
}

const meets = (view, x, y, width, height) => x <= view.right && y <= view.bottom && x + width >= view.x && y + height >= view.y;

function onScreen({ camera }, x, y, width, height) {
  const { k, x: left, y: top } = camera.at;
  return { x: x * k + left, y: y * k + top, width: width * k, height: height * k };
}

export function colourOf(figure, frame) {
  return frame.path[2] === "feed_forward" ? figure.theme.surface.muted : figure.theme.kinds[kindOf(frame.path)].ink;
}

function paintGround(figure, frame) {
  const { context, theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  context.fillStyle = frame.depth === 2 ? theme.surface.soft : theme.surface.card;
  context.fillRect(at.x, at.y, at.width, at.height);
  context.strokeStyle = frame.depth === 1 ? theme.surface.line : colourOf(figure, frame);
  context.globalAlpha = frame.depth === 1 ? 1 : 0.55;
  context.lineWidth = 1;
  context.strokeRect(at.x, at.y, at.width, at.height);
  context.globalAlpha = 1;
}

// ---- the cells

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
  thumb.canvas ??= picture(thumb, shadesOf(figure.theme, part));
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
      tile.canvas ??= picture(tile, shades);
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

// Which tiles of `side` cells are in view, within the `count` cells from `start` on.
function range(from, to, start, count, side) {
  const first = clamp(Math.floor(from), start, start + count - 1);
  const last = clamp(Math.ceil(to), start, start + count - 1);
  return { first: Math.floor(first / side), last: Math.floor(last / side) };
}

// Every number that stands in a visible cell, where it has arrived.
export function visibleNumbers(figure, piece, view, visit) {
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

export function codeOf(number, full) {
  if (!Number.isFinite(number)) return 0;
  if (number === 0) return ZERO;
  return ZERO + Math.sign(number) * clamp(Math.round((Math.abs(number) / full) * 127), 1, 127);
}

const hex = (word) => `#${[word & 255, (word >> 8) & 255, (word >> 16) & 255].map((c) => c.toString(16).padStart(2, "0")).join("")}`;

// Three decimals; what would be 0.000 as a power of ten.
export function numberOf(number) {
  if (typeof number === "string") return number === "-inf" ? "−∞" : number === "inf" ? "∞" : "NaN";
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number < 0 ? "−∞" : "∞";
  const size = Math.abs(number);
  const text = size && size < 0.0005 ? size.toExponential(0).replace("e-", "e−") : size.toFixed(size < 100 ? 3 : size < 1000 ? 1 : 0);
  return (number < 0 ? "−" : "") + text;
}

// ---- words

function paintLabels(figure, piece, at, view) {
  const { context, camera, theme } = figure;
  const { k } = camera.at;
  const { part } = piece;
  if (k >= 0.9) {
    context.font = `600 12px ${figure.font}`;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    const name = `${shortName(part)} (${part.recorded.join(", ")})`;
    const above = part.kind === 0 && part.rows > 1;
    const room = above ? 5 * k : 8 * k;
    if (room >= 14 && context.measureText(name).width < Math.max(at.width, 10 * k)) {
      context.fillStyle = theme.surface.ink;
      const x = at.x < 4 && at.x + at.width > context.measureText(name).width + 12 ? 4 : at.x;
      context.fillText(name, x, above ? at.y - 4 : at.y + at.height + 13);
    }
  }
  const sign = SIGNS[part.rule];
  if (sign && k >= 1.4) paintSign(figure, sign, at, k);
  if (k >= LABEL_FROM) paintTokens(figure, piece, at, view);
}

function paintSign(figure, sign, at, k) {
  const { context, theme } = figure;
  context.font = `600 ${clamp(3 * k, 12, 18)}px ${figure.font}`;
  if (context.measureText(sign).width > 9.5 * k) return;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.surface.muted;
  context.fillText(sign, at.x - 5 * k, at.y + at.height / 2);
}

function paintTokens(figure, piece, at, view) {
  const { context, camera, theme, sheet } = figure;
  const { k } = camera.at;
  const { part } = piece;
  context.font = `12px ${figure.font}`;
  context.fillStyle = theme.surface.muted;
  context.textBaseline = "middle";
  if (TOKENS.includes(part.rowAxis)) {
    context.textAlign = "right";
    for (let i = Math.max(0, Math.floor(view.y - piece.y)); i < Math.min(piece.rows, view.bottom - piece.y); i++) {
      const token = sheet.tokens[part.rowAxis][piece.row + i] ?? "";
      context.fillText(token, at.x - 4, at.y + (i + 0.5) * k, 8 * k);
    }
  }
  if (TOKENS.includes(part.columnAxis) && k >= 30) {
    context.textAlign = "center";
    for (let j = Math.max(0, Math.floor(view.x - piece.x)); j < Math.min(piece.columns, view.right - piece.x); j++) {
      const token = sheet.tokens[part.columnAxis][piece.column + j] ?? "";
      context.fillText(token, at.x + (j + 0.5) * k, at.y - 9, k - 4);
    }
  }
}

// ---- groups

// How closed a group is: 1 is a block with its name, 0 shows all that is in it.
function closed(frame, width) {
  const [from, to] = BLOCK[Math.min(frame.depth, 3)];
  return to ? clamp((to - width) / (to - from), 0, 1) : 0;
}

export const titleOf = (figure, frame) => figure.titles[frame.path.at(-1)] ?? figure.numbered(frame);

// From the outside in: what is inside of a closed block is not drawn over its name.
function paintBlocks(figure, frames) {
  const shut = new Set();
  for (const frame of frames) {
    const share = closed(frame, frame.width * figure.camera.at.k);
    if (!share || shut.has(frame.path.slice(0, -1).join())) continue;
    if (share > 0.5) shut.add(frame.path.join());
    paintBlock(figure, frame, share);
  }
}

function paintBlock(figure, frame, share) {
  const { context, theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  if (at.width < 3) return;
  context.globalAlpha = 0.8 * share;
  context.fillStyle = theme.surface.card;
  context.fillRect(at.x, at.y, at.width, at.height);
  context.globalAlpha = 0.16 * share;
  context.fillStyle = colourOf(figure, frame);
  context.fillRect(at.x, at.y, at.width, at.height);
  context.globalAlpha = share;
  wrapped(figure, titleOf(figure, frame), at, colourOf(figure, frame));
  context.globalAlpha = 1;
}

// A title in the middle of a block, in as many lines as it needs; none where it does not fit.
function wrapped({ context, font }, title, at, colour) {
  context.font = `600 13px ${font}`;
  const words = /\s|-/.test(title) ? title.split(/(?<=[\s-])/) : [title];
  const lines = [""];
  for (const word of words) {
    const longer = lines.at(-1) + word;
    if (!lines.at(-1) || context.measureText(longer.trim()).width <= at.width - 8) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length * 16 > at.height || lines.some((line) => context.measureText(line.trim()).width > at.width - 6)) return;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, i) => context.fillText(line.trim(), at.x + at.width / 2, at.y + at.height / 2 + (i - (lines.length - 1) / 2) * 16));
}

// The title of an open group stands at its top; it keeps in view while the group is wider than the window.
function paintTitle(figure, frame) {
  const { context, theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  if (closed(frame, at.width) > 0.5 || at.height < 20 || at.y < -2) return;
  context.font = `600 ${[16, 14, 13, 13][frame.depth]}px ${figure.font}`;
  const title = titleOf(figure, frame);
  const wide = context.measureText(title).width;
  if (wide > at.width - 8) return;
  const x = clamp(Math.max(at.x, 0) + 6, at.x, at.x + at.width - wide - 6);
  chip(context, title, x, at.y + 4, wide, colourOf(figure, frame), frame.depth === 2 ? theme.surface.soft : theme.surface.card);
}

function chip(context, text, x, y, wide, ink, ground) {
  context.globalAlpha = 0.86;
  context.fillStyle = ground;
  context.fillRect(x - 3, y, wide + 6, 18);
  context.globalAlpha = 1;
  context.fillStyle = ink;
  context.textAlign = "left";
  context.textBaseline = "middle";
  context.fillText(text, x, y + 10);
}

// Where one is: the groups round the middle of the window whose titles are out of view.
function paintWay(figure) {
  const { context, camera, sheet, theme } = figure;
  const [x, y] = camera.place((camera.width - camera.inset) / 2, camera.height / 2);
  const way = sheet.frames.filter((frame) => contains(frame, x, y) && frame.y * camera.at.k + camera.at.y < -2);
  if (!way.length) return;
  const text = way.map((frame) => titleOf(figure, frame)).join(" › ");
  context.font = `600 13px ${figure.font}`;
  chip(context, text, 8, 6, context.measureText(text).width, colourOf(figure, way.at(-1)), theme.surface.card);
}

const contains = (frame, x, y) => x >= frame.x && x <= frame.x + frame.width && y >= frame.y && y <= frame.y + frame.height;

// ---- connections and marks

function paintLinks(figure, view) {
  const { context, sheet, theme } = figure;
  context.lineWidth = 1.5;
  for (const [from, to, kind] of sheet.links) {
    const [a, b] = [sheet.parts[from].pieces[0], sheet.parts[to].pieces[0]];
    const [top, left] = [Math.min(a.y, b.y), Math.min(a.x, b.x)];
    if (!meets(view, left, top - 60, Math.max(a.x, b.x) - left, Math.max(a.y, b.y) - top + 120)) continue;
    if (kind === "residual" && a.y !== b.y) continue; // a new line goes on where the last one ended
    const start = onScreen(figure, a.x, a.y, a.columns, a.rows);
    const end = onScreen(figure, b.x, b.y, b.columns, b.rows);
    context.strokeStyle = kind === "memory" ? theme.kinds.cross.ink : theme.surface.muted;
    context.globalAlpha = kind === "memory" ? 0.55 : 0.45;
    context.beginPath();
    if (kind === "residual") arc(context, start, end, 16 * figure.camera.at.k);
    else way(figure, b, start, end);
    context.stroke();
  }
  context.globalAlpha = 1;
}

// Below the band, from the middle of one to the middle of the other.
function arc(context, start, end, depth) {
  const [x, y] = [start.x + start.width / 2, start.y + start.height];
  const [right, bottom] = [end.x + end.width / 2, end.y + end.height];
  const low = Math.max(y, bottom) + depth;
  context.moveTo(x, y);
  context.bezierCurveTo(x, low, right, low, right, bottom);
}

// Down from the encoder's output, along the gap above the line of the other, and down to it.
function way({ context, camera, sheet }, piece, start, end) {
  const x = start.x + start.width / 2;
  const line = sheet.frames.find((frame) => frame.depth === 1 && contains(frame, piece.x, piece.y));
  const gap = (line.y - 24) * camera.at.k + camera.at.y;
  const down = end.x + end.width / 2;
  context.moveTo(x, start.y + start.height);
  context.lineTo(x, gap);
  context.lineTo(down, gap);
  context.lineTo(down, end.y);
}

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
