// The candidates of a step as a file, as the screen shows them.

import { cut, wrapped, write } from "../common/svg/text.js";
import { MARGIN, svgFile } from "../common/svg/file.js";
import { candidateRows, captionOf } from "./candidate_rows.js";

// px, as in timeline.css
const ROW = { height: 30, gap: 3, pad: 8, between: 10 };
const NAME = 144;
const SHARE = { greedy: 70.4, sampled: 137.6 };
const BAR = { height: 16, radius: 4 };
const CAPTION = { size: 16, line: 22.4 };
const SIZE = 16;

export const timelineFile = (messages, options) => svgFile(drawStep, messages, options);

function drawStep({ context, theme, width, words }, { steps, step: at, sampled }) {
  const step = steps[at];
  const { ink, muted } = theme.surface;
  const { page, kinds } = theme;
  const share = sampled ? SHARE.sampled : SHARE.greedy;
  const left = ROW.pad + NAME + ROW.between;
  const track = width - left - ROW.between - share - ROW.pad;
  const caption = captionOf(step, words);
  const lines = wrapped(context, caption, width, CAPTION.size);
  context.save();
  context.translate(MARGIN, MARGIN);
  lines.forEach((line, i) => write(context, line, 0, (i + 0.5) * CAPTION.line, { size: CAPTION.size, colour: ink }));
  const top = lines.length * CAPTION.line + 10;
  const rows = candidateRows(step, words);
  rows.forEach((row, i) => {
    const middle = top + i * (ROW.height + ROW.gap) + ROW.height / 2;
    const letters = { size: SIZE, weight: row.isChosen ? 600 : undefined, colour: row.isRest ? muted : ink };
    write(context, cut(context, row.name, NAME, SIZE), ROW.pad, middle, letters);
    bar(context, left, middle, track, page.bar_track);
    bar(context, left, middle, Math.max(1, row.share * track), row.isChosen ? kinds.decoder.colour : row.isRest ? page.bar_others : page.bar);
    if (row.drawn !== null) {
      Object.assign(context, { strokeStyle: page.accent, lineWidth: 2 });
      context.beginPath();
      const inner = Math.max(2, row.drawn * track - 2);
      context.roundRect(left + 1, middle - BAR.height / 2 - 1, inner, BAR.height + 2, Math.min(3, inner / 2));
      context.stroke();
    }
    write(context, row.text, width - ROW.pad, middle, { ...letters, align: "right" });
  });
  context.restore();
  const height = top + rows.length * (ROW.height + ROW.gap) - ROW.gap;
  return { width: width + 2 * MARGIN, height: height + 2 * MARGIN, title: caption };
}

function bar(context, x, middle, width, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x, middle - BAR.height / 2, width, BAR.height, Math.min(BAR.radius, width / 2));
  context.fill();
}
