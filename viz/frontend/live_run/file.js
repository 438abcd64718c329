// The curves of a run as a file: as on the screen when nothing is pointed at.

import { fontOf, widthOf, write } from "../common/svg/text.js";
import { MARGIN, svgFile } from "../common/svg/file.js";
import { chartsOf } from "./charts.js";
import { CurveLayout, PLOT } from "./curve_layout.js";
import { RunData } from "./run_data.js";

// px, as in live_run.css
const GAP = { x: 22, y: 16 };
const LEAST = 260; // of the width of a chart
const TITLE = { size: 15, line: 21, weight: 600 };
const KEY = { size: 13, line: 21, mark: 14, gap: 5, between: 14 };
const AXIS = { size: 12 };

export const liveRunFile = (messages, options) => svgFile(drawRun, messages, options);

function drawRun({ context, theme, width, words }, { reports, steps, heads }) {
  const story = Object.assign(new RunData(""), { reports });
  const charts = chartsOf(heads, words);
  const columns = Math.max(1, Math.min(charts.length, Math.floor((width + GAP.x) / (LEAST + GAP.x))));
  const wide = (width - (columns - 1) * GAP.x) / columns;
  const blocks = charts.map((chart) => sized(context, words, chart, story, wide, Math.max(1, steps)));
  let y = MARGIN;
  for (let at = 0; at < blocks.length; at += columns) {
    const row = blocks.slice(at, at + columns);
    const tall = Math.max(...row.map((block) => block.keys.length));
    row.forEach((block, i) => drawBlock({ context, theme, words }, block, MARGIN + i * (wide + GAP.x), y, tall));
    y += TITLE.line + tall * KEY.line + PLOT.height + GAP.y;
  }
  return { width: width + 2 * MARGIN, height: y - GAP.y + MARGIN, title: blocks.map((block) => block.title).join(" · ") };
}

// A chart with its curves, and the lines of its keys.
export function sized(context, words, chart, story, wide, steps) {
  const lines = chart.lines.map(([column, name, tone]) => ({ name: words[name] ?? name, tone, points: story.points(column) }));
  const layout = new CurveLayout(chart, lines.map((line) => line.points), wide, steps);
  const keys = [[]];
  let x = 0;
  for (const { name, tone, points } of lines) {
    const value = points.length ? layout.text(points.at(-1)[1]) : "–";
    const [nameAt, valueAt] = [KEY.mark + KEY.gap, KEY.mark + 2 * KEY.gap + widthOf(context, name, KEY.size)];
    const whole = valueAt + widthOf(context, value, KEY.size);
    if (x && x + whole > wide) x = keys.push([]) && 0;
    keys.at(-1).push({ name, tone, value, x, nameAt: x + nameAt, valueAt: x + valueAt });
    x += whole + KEY.between;
  }
  return { title: words[`chart_${chart.name}`], lines, layout, keys };
}

export function drawBlock({ context, theme, words }, { title, lines, layout, keys }, x, y, tall) {
  const { ink, muted } = theme.surface;
  context.save();
  context.translate(x, y);
  write(context, title, 0, TITLE.line / 2, { ...TITLE, colour: ink });
  keys.forEach((row, i) => {
    const middle = TITLE.line + (i + 0.5) * KEY.line;
    for (const key of row) {
      strokePath(context, [[key.x, middle], [key.x + KEY.mark, middle]], theme.tones[key.tone], 3);
      write(context, key.name, key.nameAt, middle, { size: KEY.size, colour: muted });
      write(context, key.value, key.valueAt, middle, { size: KEY.size, colour: ink });
    }
  });
  context.translate(0, TITLE.line + tall * KEY.line);
  drawAxes({ context, theme, words }, layout);
  Object.assign(context, { lineCap: "round", lineJoin: "round" });
  for (const { points, tone } of lines) strokePath(context, layout.curve(points), theme.tones[tone], 2);
  Object.assign(context, { lineCap: "", lineJoin: "" });
  context.restore();
}

function drawAxes({ context, theme, words }, layout) {
  for (const { y, text } of layout.ticks) {
    strokePath(context, [[PLOT.left, y], [layout.width - PLOT.right, y]], theme.surface.line, 1);
    writeAt(context, text, PLOT.left - 6, y + 4, "right", theme.surface.muted);
  }
  const foot = PLOT.height - PLOT.bottom + 16;
  layout.ends.forEach(({ x, text }, i) => writeAt(context, text, x, foot, i ? "right" : "left", theme.surface.muted));
  writeAt(context, words.steps_axis, layout.x(layout.most / 2), foot, "center", theme.surface.muted);
}

function writeAt(context, text, x, base, align, colour) {
  Object.assign(context, { font: fontOf(AXIS.size), textAlign: align, textBaseline: "alphabetic", fillStyle: colour });
  context.fillText(text, x, base);
}

function strokePath(context, places, colour, width) {
  if (!places.length) return;
  Object.assign(context, { strokeStyle: colour, lineWidth: width });
  context.beginPath();
  places.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.stroke();
}
