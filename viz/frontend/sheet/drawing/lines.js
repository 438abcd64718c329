// Lines between parts: residual connections, and the way from the encoder to each cross-attention.

import { contains, meets, onScreen } from "./screen.js";

export function paintLinks(figure, view) {
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
