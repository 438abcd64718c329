// The drawing of paths, on a canvas or into a file.

import { shownToken } from "../common/dom.js";
import { cut, write } from "../common/svg/text.js";

const SIZE = { token: 14, small: 12 };
const DASH = [5, 3]; // of what speaks against the token
const FAINT = 0.22; // what is not meant while another edge is pointed at

export const isDashed = (edge) => edge.value < 0;

// `active`: the edge that is meant, as a place in the list, or null.
export function paintPaths({ context, theme }, laid, active = null) {
  const { ink, muted, line } = theme.surface;
  const alpha = (at) => (active === null || at === active ? 1 : FAINT);
  for (const step of laid.steps) {
    stroke(context, [0, step.y + 0.5, laid.width, step.y + 0.5], line, 1, 0.6);
    write(context, cut(context, step.label, laid.gutter - 8, SIZE.small), 0, step.y, { size: SIZE.small, colour: muted });
  }
  for (const { x, y, top } of laid.streams) {
    stroke(context, [x, y, x, top], muted, 1.5, active === null ? 0.7 : 0.4);
    dot(context, x, y, muted);
  }
  for (const { at, edge, curve, thick } of [...laid.lines].sort((a, b) => (a.at === active) - (b.at === active))) {
    context.globalAlpha = alpha(at);
    Object.assign(context, { strokeStyle: theme.kinds[edge.kind].colour, lineWidth: at === active ? thick + 1.5 : thick });
    context.setLineDash(isDashed(edge) ? DASH : []);
    context.beginPath();
    context.moveTo(curve[0], curve[1]);
    context.bezierCurveTo(...curve.slice(2));
    context.stroke();
    context.say?.(edge.said);
  }
  context.setLineDash([]);
  for (const square of laid.squares) paintSquare(context, theme, square, alpha(square.at), square.at === active);
  context.globalAlpha = 1;
  for (const { text, said, x, y } of laid.tokens) {
    write(context, cut(context, shownToken(text), laid.wide - 4, SIZE.token), x, y - 8, { size: SIZE.token, align: "center", colour: ink });
    write(context, cut(context, said, laid.wide - 2, SIZE.small), x, y + 9, { size: SIZE.small, align: "center", colour: muted });
  }
  const { text, said, x, y } = laid.answer;
  const room = 2 * Math.min(x - 2, Math.max(laid.width - x, 40));
  write(context, cut(context, shownToken(text), room, SIZE.token), x, y - 26, { size: SIZE.token, weight: 600, align: "center", colour: ink });
  write(context, cut(context, said, room, SIZE.small), x, y - 10, { size: SIZE.small, align: "center", colour: muted });
}

function paintSquare(context, theme, { edge, x, y, size }, alpha, isActive) {
  const box = [x - size / 2, y - size / 2, size, size];
  const { colour } = theme.kinds[edge.kind];
  context.globalAlpha = alpha;
  context.fillStyle = isDashed(edge) ? theme.surface.card : colour;
  context.fillRect(...box);
  context.say?.(edge.said);
  Object.assign(context, { strokeStyle: isActive ? theme.surface.ink : colour, lineWidth: isActive ? 2 : 1.5 });
  context.setLineDash(isDashed(edge) ? [3, 2] : []);
  context.strokeRect(...box);
  context.setLineDash([]);
}

function stroke(context, [x0, y0, x1, y1], colour, width, alpha) {
  Object.assign(context, { strokeStyle: colour, lineWidth: width, globalAlpha: alpha });
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
  context.globalAlpha = 1;
}

function dot(context, x, y, colour) {
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(x - 3, y - 3, 6, 6, 3);
  context.fill();
}
