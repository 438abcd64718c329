// Matrices as a file: the cells as on the screen, and the words that stand round them there as elements.

import { LABEL_MOST } from "../common/column_labels.js";
import { HAN } from "../common/dom.js";
import { SvgContext } from "../common/svg_context.js";
import { themeIn } from "../common/theme.js";
import { axesText, shapeText } from "./block.js";
import { hatch } from "./hatch.js";
import { isPhone, matrixLayout, roomOf } from "./layout.js";
import { extremes, scaleKeys } from "./legend.js";
import { paintMatrix } from "./paint.js";
import SIZES from "./sizes.json" with { type: "json" };
import { readMatrices } from "./values.js";

// px, as in matrix.css
const MARGIN = 20;
const BETWEEN = 28; // from one row of matrices to the next
const TITLE = { size: 16, line: 22.4 };
const SMALL = { size: 13, line: 18.85 };
const LEGEND_GAP = 14;
const SIGN_Y = 140; // in the gap before a matrix
const FONT = "'Source Sans 3', 'Noto Sans SC', system-ui, sans-serif";
const CODE_FONT = "'Source Code Pro', ui-monospace, monospace";

// The file of a figure of that width; `header` and `planes` as the component gets them, `mode` light or dark.
export function matrixFile(header, planes, { mode, width, host }) {
  const context = new SvgContext(host);
  const figure = { context, theme: themeIn(mode), words: header.words, codeFont: CODE_FONT };
  const matrices = readMatrices(header, planes);
  const measure = (labels, size) => labels.map((label) => Math.ceil(host.measure(label, `600 ${size}px ${FONT}`)));
  const room = roomOf(width);
  const blocks = matrices.map((matrix) => sized(figure, matrix, matrixLayout(matrix, matrices, room, { measure, cell: header.cell, ratio: 1 })));
  const size = flow(blocks, room, isPhone(width));
  context.fillStyle = figure.theme.surface.card;
  context.fillRect(0, 0, size.width, size.height);
  for (const block of blocks) drawBlock(figure, block);
  const title = matrices.map((matrix) => matrix.title).filter(Boolean).join(" · ") || figure.words.figure;
  return context.file(size.width, size.height, title, FONT);
}

// A matrix with the lines above its map and below it, and its size.
function sized(figure, matrix, laid) {
  const [width, height] = [laid.wide * matrix.columns.length, laid.high * matrix.rows.length];
  const whole = Math.max(laid.width, laid.rowWidth + width + laid.spill);
  const shape = shapeText(matrix);
  const titleRoom = whole - 10 - widthOf(figure, shape, SMALL.size);
  const titles = wrapped(figure, matrix.title, titleRoom, `600 ${TITLE.size}px ${FONT}`);
  const notes = [matrix.note, axesText(figure, matrix)].flatMap((text) => (text ? wrapped(figure, text, whole, fontOf(SMALL.size)) : []));
  const legend = legendLines(figure, matrix, whole);
  const mapTop = titles.length * TITLE.line + notes.length * SMALL.line + 10 + laid.top;
  return { ...laid, matrix, width, height, whole, shape, titles, notes, legend, mapTop, tall: mapTop + height + 11 + legend.length * SMALL.line };
}

// Beside each other where there is room; gives the size of the whole.
function flow(blocks, room, phone) {
  let [x, y, high, wide] = [0, 0, 0, 0];
  for (const block of blocks) {
    if (x && (phone || x + block.whole > room)) [x, y, high] = [0, y + high + BETWEEN, 0];
    Object.assign(block, { x: x + MARGIN, y: y + MARGIN });
    wide = Math.max(wide, x + block.whole);
    high = Math.max(high, block.tall);
    x += block.whole + SIZES.gap;
  }
  return { width: Math.ceil(wide) + 2 * MARGIN, height: Math.ceil(y + high) + 2 * MARGIN };
}

function drawBlock(figure, block) {
  const { context, theme } = figure;
  const { matrix } = block;
  const { ink, muted, line } = theme.surface;
  context.save();
  context.translate(block.x, block.y);
  if (matrix.sign) write(context, matrix.sign, -SIZES.gap / 2, SIGN_Y, { size: 20, align: "center", colour: ink });
  block.titles.forEach((text, i) => write(context, text, 0, (i + 0.5) * TITLE.line, { size: TITLE.size, weight: 600, colour: theme.kinds[matrix.colour]?.ink ?? ink }));
  const last = widthOf(figure, block.titles.at(-1), TITLE.size, 600);
  const under = block.titles.length * TITLE.line;
  write(context, block.shape, last ? last + 10 : 0, under - TITLE.line / 2, { size: SMALL.size, colour: muted });
  block.notes.forEach((text, i) => write(context, text, 0, under + (i + 0.5) * SMALL.line, { size: SMALL.size, colour: muted }));
  drawMap(figure, block);
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.strokeRect(block.rowWidth - 0.5, block.mapTop - 0.5, block.width + 1, block.height + 1);
  drawLegend(figure, block);
  context.restore();
}

function drawMap(figure, block) {
  const { context, theme } = figure;
  const { matrix, wide, high } = block;
  context.save();
  context.translate(block.rowWidth, block.mapTop);
  paintMatrix(figure, Object.assign(block, { context }));
  const look = { size: high < 18 ? 12 : 14, align: "right", colour: theme.surface.muted };
  for (const i of block.rows) write(context, cut(figure, matrix.rows[i], block.rowWidth - 8, look.size), -8, (i + 0.5) * high, look);
  block.columns.forEach((i, at) => drawColumn(figure, matrix.columns[i], block.turns[at], (i + 0.5) * wide, block.size));
  context.restore();
}

// The name of a column, turned as the layout says, above the middle of its cells.
function drawColumn(figure, label, turn, x, size) {
  const { context, theme } = figure;
  const look = { size, colour: theme.surface.muted };
  const text = cut(figure, label, LABEL_MOST, size);
  if (turn === "0") write(context, text, x, -5 - 0.6 * size, { ...look, align: "center" });
  else if (turn === "han") drawUpright(context, text, x, look);
  else {
    context.save();
    context.translate(x, turn === "45" ? -11 : -5);
    context.rotate(turn === "45" ? -Math.PI / 4 : -Math.PI / 2);
    write(context, text, 0, 0, look);
    context.restore();
  }
}

// One sign below the other; what is not Chinese, Japanese or Korean lies on its side.
function drawUpright(context, text, x, look) {
  const pieces = [];
  for (const sign of text) {
    const joins = pieces.length && !HAN.test(sign) && !HAN.test(pieces.at(-1));
    if (joins) pieces[pieces.length - 1] += sign;
    else pieces.push(sign);
  }
  const lengths = pieces.map((piece) => (HAN.test(piece) ? look.size : context.host.measure(piece, fontOf(look.size))));
  context.save();
  context.translate(x, -5 - lengths.reduce((sum, length) => sum + length, 0));
  pieces.forEach((piece, i) => {
    context.save();
    context.translate(0, lengths.slice(0, i).reduce((sum, length) => sum + length, lengths[i] / 2));
    if (!HAN.test(piece)) context.rotate(Math.PI / 2);
    write(context, piece, 0, 0, { ...look, align: "center" });
    context.restore();
  });
  context.restore();
}

// ---- the legend

// Keys beside each other with their widths, in as many lines as they need.
function legendLines(figure, matrix, room) {
  const { words, theme } = figure;
  const groups = [scaleKeys(words, matrix, theme), ...extremes(words, matrix).map((said) => [said])];
  const lines = [];
  let x = 0;
  for (const keys of groups) {
    const placed = keys.map((key) => ({ key, wide: typeof key === "string" ? widthOf(figure, key, SMALL.size) : key.ramp ? 80 : 12 }));
    const wide = placed.reduce((sum, each) => sum + each.wide + 6, -6);
    if (!lines.length || x + wide > room) x = lines.push([]) && 0;
    for (const each of placed) {
      lines.at(-1).push({ ...each, x });
      x += each.wide + 6;
    }
    x += LEGEND_GAP - 6;
  }
  return lines;
}

function drawLegend(figure, block) {
  block.legend.forEach((keys, i) => {
    const y = block.mapTop + block.height + 11 + (i + 0.5) * SMALL.line;
    for (const { key, x, wide } of keys) drawKey(figure, key, x, y, wide);
  });
}

function drawKey({ context, theme }, key, x, y, wide) {
  if (typeof key === "string") return write(context, key, x, y, { size: SMALL.size, colour: theme.surface.muted });
  const box = [x, y - wide / 2, wide, wide];
  if (key.ramp) box.splice(1, 3, y - 5, wide, 10);
  context.fillStyle = key.ramp ? context.ramp(key.ramp) : (key.colour ?? theme.surface.soft);
  context.fillRect(...box);
  if (key.absent) {
    context.fillStyle = hatch(context, theme, key.absent);
    context.fillRect(...box);
  }
  context.strokeStyle = theme.surface.line;
  context.strokeRect(...box);
}

// ---- texts

const fontOf = (size, weight) => `${weight ? `${weight} ` : ""}${size}px ${FONT}`;
const widthOf = ({ context }, text, size, weight) => context.host.measure(text, fontOf(size, weight));

// A text whose middle is at `y`.
function write(context, text, x, y, { size, weight, align = "left", colour }) {
  context.font = fontOf(size, weight);
  context.textAlign = align;
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

function cut(figure, text, room, size) {
  if (widthOf(figure, text, size) <= room) return text;
  const signs = [...text];
  while (signs.length && widthOf(figure, `${signs.join("")}…`, size) > room) signs.pop();
  return `${signs.join("")}…`;
}

// Lines that fit: broken at spaces, within a word where it alone is too long or Chinese.
function wrapped(figure, text, room, font) {
  const lines = [""];
  const fits = (line) => figure.context.host.measure(line.trimEnd(), font) <= room;
  for (const word of text.split(/(?<= )/)) {
    for (const piece of HAN.test(word) || !fits(word) ? [...word] : [word]) {
      if (lines.at(-1) && !fits(lines.at(-1) + piece)) lines.push("");
      lines[lines.length - 1] += piece;
    }
  }
  return lines.map((line) => line.trimEnd());
}
