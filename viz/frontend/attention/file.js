// One head as a file: its cells or its lines as on the screen while nobody points, and the words that stand round them.

import { readPanels, readWeights } from "../common/data.js";
import { fill } from "../common/dom.js";
import { cut, drawBar, measureOf, widthOf, wrapped, write, writeColumn } from "../common/svg/text.js";
import { MARGIN, svgFile } from "../common/svg/file.js";
import { drawCells } from "./cells.js";
import { alone, paintAtlas } from "./paint_heads.js";
import { drawPicture, layPicture, LEAST, restingAt, SMALL } from "./links/picture.js";
import { mapLayout } from "./map_layout.js";
import { meanEntropy, visiblePart } from "./measures.js";

// px, as in attention.css
const TITLE = { size: 17, line: 23.8 };
const TEXT = { size: 14, line: 20.3 };
const BAR = 96;

export const attentionFile = (messages, options) => svgFile(drawAttention, messages, options);

function drawAttention(figure, header, planes) {
  const at = header.selection;
  const panel = readPanels(header, readWeights(planes)).get(at.kind);
  const seen = visiblePart(panel, false);
  const head = { ...figure, panel, at, seen, room: figure.width - 2 * MARGIN - 2 };
  return header.view === "links" ? drawLinked(head) : drawLarge(head);
}

function drawLarge(head) {
  const { context, words, panel, at, seen, room, theme } = head;
  const laid = mapLayout(panel, seen, room, { measure: measureOf(context, 600) });
  const width = Math.max(laid.whole, Math.min(room, LEAST));
  const entropy = fill(words.entropy, { bits: meanEntropy(panel, at).toFixed(2) });
  const top = writeAbove(head, width, [entropy]) + 14;
  const fineMap = () => paintAtlas(context, alone(panel, at), seen, theme, seen.columns.length, seen.rows.length);
  inside(context, MARGIN + laid.rowWidth, top + laid.top, () => {
    drawCells(head, { ...laid, panel, at, fineMap });
    writeLabels(head, laid);
  });
  const below = top + laid.top + laid.height + 12;
  const y = below + TEXT.line / 2;
  const look = { size: SMALL, colour: theme.surface.muted };
  const bar = MARGIN + widthOf(context, `${words.scale}  0`, SMALL) + 6;
  write(context, `${words.scale}  0`, MARGIN, y, look);
  drawBar(context, theme.kinds[panel.kind].ramp, bar, y, BAR, theme.surface.line);
  write(context, "1", bar + BAR + 6, y, look);
  return ended(head, width, below + TEXT.line + 6, words[`about_${panel.kind}`]);
}

function writeLabels({ context, panel, seen, theme }, { wide, high, size, turns, rowWidth }) {
  const look = (special) => ({ size, colour: special ? theme.surface.muted : theme.surface.ink });
  seen.rows.forEach((query, i) => {
    const label = cut(context, panel.queries[query], rowWidth - 10, size);
    write(context, label, -10, (i + 0.5) * high, { ...look(panel.querySpecials[query]), align: "right" });
  });
  seen.columns.forEach((key, j) => writeColumn(context, panel.keys[key], turns[j], (j + 0.5) * wide, look(panel.keySpecials[key])));
}

function drawLinked(head) {
  const laid = layPicture(head);
  const top = writeAbove(head, laid.width, []) + 14;
  inside(head.context, MARGIN, top, () => drawPicture(head, laid, { active: restingAt(head) }));
  return ended(head, laid.width, top + laid.height + 12, head.words.about_links);
}

// ---- above and below

// The name of the head, and lines below it; gives where they end.
function writeAbove({ context, words, panel, at, theme }, width, lines) {
  const name = fill(words.head_name, { kind: words[panel.kind], layer: at.layer, head: at.head });
  const title = { size: TITLE.size, weight: 600, colour: theme.kinds[panel.kind].ink };
  let y = MARGIN;
  for (const line of wrapped(context, name, width, TITLE.size, 600)) {
    write(context, line, MARGIN, y + TITLE.line / 2, title);
    y += TITLE.line;
  }
  return lines.reduce((end, line) => writeText(context, line, width, end, theme), y);
}

function writeText(context, text, width, top, theme) {
  const lines = wrapped(context, text, width, TEXT.size);
  lines.forEach((line, i) => write(context, line, MARGIN, top + (i + 0.5) * TEXT.line, { size: TEXT.size, colour: theme.surface.muted }));
  return top + lines.length * TEXT.line;
}

// The last text, and the size of the whole.
function ended({ context, words, panel, at, theme }, width, top, about) {
  const title = fill(words.head_name, { kind: words[panel.kind], layer: at.layer, head: at.head });
  return { width: width + 2 * MARGIN, height: writeText(context, about, width, top, theme) + MARGIN, title };
}

function inside(context, x, y, draw) {
  context.save();
  context.translate(x, y);
  draw();
  context.restore();
}
