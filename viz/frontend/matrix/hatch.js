// The pattern of cells without a finite number.

import { el } from "../common/dom.js";

// −∞ leans to one side; NaN, which is an error, is crossed.
export function hatch(context, theme, name) {
  const tile = el("canvas");
  tile.width = tile.height = 6;
  const pen = tile.getContext("2d");
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
  return context.createPattern(tile, "repeat");
}
