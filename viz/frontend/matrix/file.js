// Matrices as a file: the cells as on the screen, and the words that stand round them there as elements.

import { cut, drawBar, measureOf, widthOf, wrapped, write, writeColumn } from "../common/svg/text.js";
import { MARGIN, svgFile } from "../common/svg/file.js";
import { axesText, shapeText } from "./block.js";
import { hatch } from "./hatch.js";
import { isPhone, matrixLayout, roomOf } from "./layout.js";
import { extremes, scaleKeys } from "./legend.js";
import { paintMatrix } from "./paint.js";
import SIZES from "./sizes.json" with { type: "json" };
import { readMatrices } from "./values.js";

// px, as in matrix.css
const BETWEEN = 28; // from one row of matrices to the next
const TITLE = { size: 16, line: 22.4 };
const SMALL = { size: 13, line: 18.85 };
const LEGEND_GAP = 14;
const SIGN_Y = 140; // in the gap before a matrix

export const matrixFile = (messages, options) => svgFile(drawMatrices, messages, options);

function drawMatrices(figure, header, planes) {
  const matrices = readMatrices(header, planes);
  const measure = measureOf(figure.context, 600);
  const room = roomOf(figure.width);
  const blocks = matrices.map((matrix) => sized(figure, matrix, matrixLayout(matrix, matrices, room, { measure, cell: header.cell, ratio: 1 })));
  const size = flow(blocks, room, isPhone(figure.width));
  for (const block of blocks) drawBlock(figure, block);
  return { ...size, title: matrices.map((matrix) => matrix.title).filter(Boolean).join(" · ") || figure.words.figure };
}

// A matrix with the lines above its map and below it, and its size.
function sized(figure, matrix, laid) {
  const [width, height] = [laid.wide * matrix.columns.length, laid.high * matrix.rows.length];
  const whole = Math.max(laid.width, laid.rowWidth + width + laid.spill);
  const shape = shapeText(matrix);
  const titleRoom = whole - 10 - widthOf(figure.context, shape, SMALL.size);
  const titles = wrapped(figure.context, matrix.title, titleRoom, TITLE.size, 600);
  const notes = [matrix.note, axesText(figure, matrix)].flatMap((text) => (text ? wrapped(figure.context, text, whole, SMALL.size) : []));
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
  const last = widthOf(context, block.titles.at(-1), TITLE.size, 600);
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
  for (const i of block.rows) write(context, cut(context, matrix.rows[i], block.rowWidth - 8, look.size), -8, (i + 0.5) * high, look);
  block.columns.forEach((i, at) => writeColumn(context, matrix.columns[i], block.turns[at], (i + 0.5) * wide, { ...look, size: block.size, align: "left" }));
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
    const placed = keys.map((key) => ({ key, wide: typeof key === "string" ? widthOf(figure.context, key, SMALL.size) : key.ramp ? 80 : 12 }));
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
  if (key.ramp) return drawBar(context, key.ramp, x, y, wide, theme.surface.line);
  const box = [x, y - wide / 2, wide, wide];
  context.fillStyle = key.colour ?? theme.surface.soft;
  context.fillRect(...box);
  if (key.absent) {
    context.fillStyle = hatch(context, theme, key.absent);
    context.fillRect(...box);
  }
  context.strokeStyle = theme.surface.line;
  context.strokeRect(...box);
}
