// The height of the figure before a browser draws it, so that its space can be reserved: from estimated widths of texts.

import { isPhone, matrixLayout, roomOf } from "./layout.js";
import SIZES from "./sizes.json" with { type: "json" };

// px, as in matrix.css
const BETWEEN = 28; // from one row of matrices to the next
const TITLE = 22.4;
const LINE = 18.85; // of a note, of the axes, of the legend
const HELP = 34.85;
const READOUT = 21;
const AROUND_MAP = 21;
const PAD = { phone: 14, wide: 18 };
const LETTER = 6.7; // of a note; SQUARE: a Chinese one
const SQUARE = 13;

// `matrices` as in the header of a message; `measure(text, size)` estimates a width.
export function matrixHeight(matrices, { width, cell, measure }) {
  const [room, phone] = [roomOf(width), isPhone(width)];
  const measureAll = (labels, size) => labels.map((label) => measure(label, size));
  const rows = [];
  let used = 0;
  for (const matrix of matrices) {
    const laid = matrixLayout(matrix, matrices, room, { measure: measureAll, cell, ratio: 1 });
    if (phone || !rows.length || used + SIZES.gap + laid.width > room) {
      rows.push(0);
      used = -SIZES.gap;
    }
    rows[rows.length - 1] = Math.max(rows.at(-1), blockHeight(matrix, laid, measure));
    used += SIZES.gap + laid.width;
  }
  const around = 2 * (phone ? PAD.phone : PAD.wide) + 2 + HELP;
  return rows.reduce((total, high) => total + high, around + BETWEEN * (rows.length - 1));
}

function blockHeight(matrix, laid, measure) {
  const titles = measure(matrix.title, 16) + 70 > laid.width ? 2 : 1;
  const axes = matrix.rowAxis || matrix.columnAxis ? 1 : 0;
  const notes = matrix.note ? linesOf(matrix.note, laid.width, measure) : 0;
  const map = AROUND_MAP + laid.top + laid.high * matrix.rows.length;
  return titles * TITLE + LINE * (axes + notes) + map + LINE + READOUT;
}

function linesOf(text, width, measure) {
  const wide = [...text].reduce((sum, letter) => sum + (measure(letter, 15) > 12 ? SQUARE : LETTER), 0);
  return 1 + Math.floor(wide / width);
}
