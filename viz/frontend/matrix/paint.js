// One matrix: its picture, pixels for fine cells, rectangles with numbers for large ones.

import { clamp, short } from "../common/dom.js";
import { pixelImage } from "../common/offscreen.js";
import { channels } from "../common/theme.js";
import { hatch } from "./hatch.js";
import { paintLegend } from "./legend.js";
import SIZES from "./sizes.json" with { type: "json" };
import { absentText, numberText, readoutText, valueAt } from "./values.js";

const PIXELS_BELOW = 8;

export function paintBlock(figure, block) {
  paintMatrix(figure, block);
  paintLegend(figure, block);
}

export function paintMatrix(figure, block) {
  const { context, wide, high, width, height } = block;
  block.theme = figure.theme;
  block.shades = shadesOf(figure.theme, block.matrix);
  context.clearRect(0, 0, width, height);
  if (Math.min(wide, high) < PIXELS_BELOW) paintFine(block);
  else paintCells(figure, block);
}

// The colours of a matrix in one list: of signed values −255 … 255, of others 0 … 255, then two more.
const ZERO = 255;
const BARE = 511; // exactly 0, or nothing
const SOFT = 512; // false, or not finite

function shadesOf(theme, matrix) {
  const { lookups, surface } = theme;
  const of = (name) =>
    matrix.scale === "signed"
      ? [...lookups.negative[name].slice(1)].reverse().concat([...lookups.positive[name]])
      : [...lookups[matrix.colour][name], ...Array(ZERO).fill(0)];
  const shades = {
    pixels: new Uint32Array([...of("pixels"), theme.ground, pixelOf(surface.soft)]),
    colours: [...of("colours"), surface.card, surface.soft],
    inks: [...of("inks"), surface.ink, surface.ink],
  };
  return { ...shades, step: stepOf(matrix) };
}

function stepOf({ scale, full }) {
  if (scale === "mask") return (value) => (value ? 255 : SOFT);
  if (scale === "signed") {
    return (value) => (Number.isFinite(value) ? ZERO + clamp(Math.round((value / full) * 255), -255, 255) : SOFT);
  }
  return (value) => {
    if (!Number.isFinite(value)) return SOFT;
    return value <= 0 ? BARE : Math.min(255, Math.floor((value / full) * 256));
  };
}

function pixelOf(colour) {
  const [r, g, b] = channels(colour);
  return (255 << 24) | (b << 16) | (g << 8) | r;
}

function paintFine(block) {
  const { matrix, context, width, height, shades } = block;
  const { pixels: colours, step } = shades;
  const pixels = new Uint32Array(matrix.values.length);
  for (let i = 0; i < pixels.length; i++) pixels[i] = colours[step(matrix.values[i])];
  context.imageSmoothingEnabled = false;
  context.drawImage(pixelImage(context, matrix.columns.length, matrix.rows.length, pixels), 0, 0, width, height);
  hatchAbsent(block, 0);
}

function paintCells(figure, block) {
  const { matrix, context, wide, high, shades } = block;
  const gap = wide < 24 ? 1 : 2;
  const count = matrix.columns.length;
  matrix.values.forEach((value, i) => {
    context.fillStyle = shades.colours[shades.step(value)];
    context.fillRect((i % count) * wide + gap / 2, Math.floor(i / count) * high + gap / 2, wide - gap, high - gap);
    context.say?.(readoutText(figure, matrix, { row: Math.floor(i / count), column: i % count })); // in a file
  });
  hatchAbsent(block, gap);
  const write = writer(figure, block);
  if (!write) return;
  matrix.values.forEach((value, i) => {
    write(value, ((i % count) + 0.5) * wide, (Math.floor(i / count) + 0.5) * high + 1, shades.inks[shades.step(value)]);
  });
}

// Runs of −∞ and NaN along a row, hatched.
function hatchAbsent(block, gap) {
  const { matrix, context, wide, high, theme } = block;
  const patterns = new Map(matrix.absent.map((name) => [name, hatch(context, theme, name)]));
  if (!patterns.size) return;
  const count = matrix.columns.length;
  for (let row = 0; row < matrix.rows.length; row++) {
    for (let column = 0; column < count; column++) {
      const value = valueAt(matrix, row, column);
      if (Number.isFinite(value)) continue;
      const start = column;
      // fine cells have no gaps between them
      while (!gap && column + 1 < count && Object.is(valueAt(matrix, row, column + 1), value)) column++;
      context.fillStyle = patterns.get(absentText(matrix, value));
      context.fillRect(start * wide + gap / 2, row * high + gap / 2, (column + 1 - start) * wide - gap, high - gap);
    }
  }
}

// Writes the number of a cell, with as many decimals as all cells have room for; null where there is none.
function writer(figure, block) {
  const { matrix, context, wide, high, theme } = block;
  if (wide < SIZES.number_from || high < 16) return null;
  context.textAlign = "center";
  context.textBaseline = "middle";
  const text = cellText(context, matrix, wide - 3, `12px ${figure.codeFont}`);
  if (!text) return null;
  return (value, x, y, ink) => {
    const said = text(value);
    if (!said) return;
    if (!Number.isFinite(value)) { // clear of the hatching
      const half = context.measureText(said).width / 2 + 2;
      context.fillStyle = theme.surface.soft;
      context.fillRect(x - half, y - 8, 2 * half, 14);
    }
    context.fillStyle = ink;
    context.fillText(said, x, y);
  };
}

export function cellText(context, matrix, room, font) {
  context.font = font;
  const special = (value) => {
    if (Number.isFinite(value)) return null;
    return Number.isNaN(value) && matrix.blank ? "" : numberText(value, 0);
  };
  if (matrix.scale === "mask") return (value) => (value ? "1" : "0");
  if (matrix.scale === "weight") return (value) => special(value) ?? (value === 0 ? "0" : short(value));
  const decimals = mostDecimals(context, matrix, room);
  // no decimals at all would turn 0.4 into 0
  if (decimals < 0 || (decimals === 0 && matrix.decimals > 0 && matrix.full < 10)) return null;
  return (value) => special(value) ?? roundedText(value, decimals);
}

// In a cell, what is too small for the decimals is 0; its power of ten would not fit.
const roundedText = (value, decimals) => numberText(Math.abs(value) < 0.5 * 10 ** -decimals ? 0 : value, decimals);

// How many decimals the least and the greatest value have room for; −1: not even none.
function mostDecimals(context, { values, least, greatest, decimals }, room) {
  const isWide = (i, count) => i >= 0 && context.measureText(roundedText(values[i], count)).width > room;
  let count = decimals;
  while (count >= 0 && (isWide(least, count) || isWide(greatest, count))) count--;
  return count;
}
