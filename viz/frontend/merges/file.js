// A step of the merges as a file: what is said of it, the text in pieces, the pairs and the curves.

import { fill } from "../common/dom.js";
import { widthOf, wrapped, write } from "../common/svg/text.js";
import { MARGIN, svgFile } from "../common/svg/file.js";
import { drawBlock, sized } from "../live_run/file.js";
import { LENGTHS, lengthsOf } from "./lengths.js";
import { piecesAt, saidOf } from "./pieces.js";

// px, as in merges.css
const SAID = { size: 16, line: 23 };
const PIECE = { size: 15, high: 26, pad: 5, gap: 2, word: 10, row: 32 };
const PAIRS = { size: 14, line: 24, becomes: 170, count: 320, wide: 340 };
const BETWEEN_PARTS = 18;

export const mergesFile = (messages, options) => svgFile(drawMerges, messages, options);

function drawMerges({ context, theme, width, words }, data) {
  const step = data.steps[data.step];
  const isLast = data.step === data.steps.length - 1;
  const said = saidOf(data, data.step, fill);
  context.save();
  context.translate(MARGIN, MARGIN);
  let y = drawLines(context, wrapped(context, said, width, SAID.size), theme.surface.ink);
  y = drawPieces({ context, theme, width }, piecesAt(data.text, data.step, isLast ? null : step.pairs[0]), y + BETWEEN_PARTS);
  y += BETWEEN_PARTS;
  const bottom = drawPairs({ context, theme, words }, step.pairs, isLast, y);
  const block = sized(context, words, LENGTHS, lengthsOf(data.steps), width - PAIRS.wide - BETWEEN_PARTS, Math.max(1, data.steps.length - 1));
  drawBlock({ context, theme, words }, block, PAIRS.wide + BETWEEN_PARTS, y, block.keys.length);
  context.restore();
  const high = 21 * (1 + block.keys.length) + 168; // of the chart, as in live_run/file.js
  return { width: width + 2 * MARGIN, height: Math.max(bottom, y + high) + 2 * MARGIN, title: said };
}

function drawLines(context, lines, colour) {
  lines.forEach((line, i) => write(context, line, 0, (i + 0.5) * SAID.line, { size: SAID.size, colour }));
  return lines.length * SAID.line;
}

// Words from left to right in lines; a word that is longer than a line is broken between its pieces.
function drawPieces({ context, theme, width }, text, top) {
  let [x, y] = [0, top];
  for (const word of text) {
    const widths = word.map((piece) => widthOf(context, piece.text, PIECE.size) + 2 * PIECE.pad);
    if (x && x + widths.reduce((sum, wide) => sum + wide + PIECE.gap, 0) > width) [x, y] = [0, y + PIECE.row];
    word.forEach((piece, i) => {
      if (x && x + widths[i] > width) [x, y] = [0, y + PIECE.row];
      drawPiece({ context, theme }, piece, x, y, widths[i]);
      x += widths[i] + PIECE.gap;
    });
    x += PIECE.word;
  }
  return y + PIECE.high;
}

function drawPiece({ context, theme }, { text, isNew, next }, x, y, wide) {
  const { ink, line, soft } = theme.surface;
  Object.assign(context, { fillStyle: isNew ? soft : theme.surface.card, strokeStyle: next ? theme.tones.b : isNew ? theme.tones.a : line });
  context.lineWidth = next || isNew ? 2 : 1;
  context.beginPath();
  context.roundRect(x + 1, y + 1, wide - 2, PIECE.high - 2, 5);
  context.fill();
  context.stroke();
  write(context, text, x + PIECE.pad, y + PIECE.high / 2, { size: PIECE.size, colour: ink });
}

function drawPairs({ context, theme, words }, pairs, isLast, top) {
  const { ink, muted } = theme.surface;
  const rows = [[words.pair, words.becomes, words.count], ...pairs.map(([left, right, count]) => [`${left} + ${right}`, left + right, String(count)])];
  rows.forEach(([pair, becomes, count], i) => {
    const look = { size: PAIRS.size, colour: i ? ink : muted, weight: i === 1 && !isLast ? 600 : undefined };
    const middle = top + (i + 0.5) * PAIRS.line;
    write(context, pair, 0, middle, look);
    write(context, becomes, PAIRS.becomes, middle, look);
    write(context, count, PAIRS.count, middle, { ...look, align: "right" });
  });
  return top + rows.length * PAIRS.line;
}
