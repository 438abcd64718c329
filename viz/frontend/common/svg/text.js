// Texts of a file: its fonts, and what a browser does with the texts of a page.

import { LABEL_MOST } from "../column_labels.js";
import { HAN } from "../dom.js";

export const FONT = "'Source Sans', 'Source Sans 3', 'Noto Sans SC', system-ui, sans-serif";
// its quotes, dots and dashes stand as high and wide as the characters
const HAN_FONT = "'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif";
export const CODE_FONT = "'Source Code Pro', ui-monospace, monospace";

export const fontOf = (size, weight, family = FONT) => `${weight ? `${weight} ` : ""}${size}px ${family}`;
export const widthOf = (context, text, size, weight) => context.host.measure(text, fontOf(size, weight));

// How a layout asks for widths.
export const measureOf = (context, weight) => (labels, size) => labels.map((label) => Math.ceil(widthOf(context, label, size, weight)));

// A text whose middle is at `y`.
export function write(context, text, x, y, { size, weight, align = "left", colour }) {
  context.font = fontOf(size, weight, HAN.test(text) ? HAN_FONT : FONT);
  context.textAlign = align;
  context.textBaseline = "middle";
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

export function cut(context, text, room, size) {
  if (widthOf(context, text, size) <= room) return text;
  const signs = [...text];
  while (signs.length && widthOf(context, `${signs.join("")}…`, size) > room) signs.pop();
  return `${signs.join("")}…`;
}

// Lines that fit: broken at spaces, within a word where it alone is too long or Chinese.
export function wrapped(context, text, room, size, weight) {
  const lines = [""];
  const fits = (line) => widthOf(context, line.trimEnd(), size, weight) <= room;
  for (const word of text.split(/(?<= )/)) {
    for (const piece of HAN.test(word) || !fits(word) ? [...word] : [word]) {
      if (lines.at(-1) && !fits(lines.at(-1) + piece)) lines.push("");
      lines[lines.length - 1] += piece;
    }
  }
  return lines.map((line) => line.trimEnd());
}

// The label of a column above the middle of its cells, whose upper edge is at 0; turned as column_labels.js says.
export function writeColumn(context, label, turn, x, look) {
  const text = cut(context, label, LABEL_MOST, look.size);
  if (turn === "0") write(context, text, x, -5 - 0.6 * look.size, { ...look, align: "center" });
  else if (turn === "han") writeUpright(context, text, x, look);
  else {
    context.save();
    context.translate(x, turn === "45" ? -11 : -5);
    context.rotate(turn === "45" ? -Math.PI / 4 : -Math.PI / 2);
    write(context, text, 0, 0, look);
    context.restore();
  }
}

// One sign below the other; what is not Chinese, Japanese or Korean lies on its side.
function writeUpright(context, text, x, look) {
  const pieces = [];
  for (const sign of text) {
    const joins = pieces.length && !HAN.test(sign) && !HAN.test(pieces.at(-1));
    if (joins) pieces[pieces.length - 1] += sign;
    else pieces.push(sign);
  }
  const lengths = pieces.map((piece) => (HAN.test(piece) ? look.size : widthOf(context, piece, look.size)));
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

// A bar of colours from left to right, the middle of whose height is at `y`.
export function drawBar(context, colours, x, y, width, line) {
  context.fillStyle = context.ramp(colours);
  context.fillRect(x, y - 5, width, 10);
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.strokeRect(x, y - 5, width, 10);
}
