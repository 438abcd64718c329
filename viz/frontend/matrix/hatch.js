// The pattern of cells without a finite number.

import { patternOf } from "../common/offscreen.js";

// −∞ leans to one side; NaN, which is an error, is crossed.
export function hatch(context, theme, name) {
  return patternOf(context, 6, (pen) => lines(pen, theme, name));
}

function lines(pen, theme, name) {
  pen.strokeStyle = theme.surface.muted;
  pen.globalAlpha = 0.55;
  pen.beginPath();
  for (const [from, to] of [[[-1, 1], [1, -1]], [[0, 6], [6, 0]], [[5, 7], [7, 5]]]) {
    pen.moveTo(...from);
    pen.lineTo(...to);
  }
  if (name === "NaN") {
    pen.moveTo(0, 0);
    pen.lineTo(6, 6);
  }
  pen.stroke();
}
