// The cells of one head: pixels where they are fine, else rectangles with numbers.

import { short, three } from "../common/dom.js";
import { drawHead, stepOf } from "./paint_heads.js";
import { weightAt } from "./measures.js";

// Cells so small are drawn as a picture with a pixel for each.
const PIXELS_BELOW = 16;
export const areFine = (wide) => wide < PIXELS_BELOW;

const CELL_WITH_NUMBER = 32;
const LEAST_WRITTEN = 0.0995; // 0.10

// `fineMap()`: the map of this head with a pixel for each cell.
export function drawCells({ context, theme, codeFont }, { panel, at, seen, wide, high, fineMap }) {
  if (areFine(wide)) {
    return drawHead(context, fineMap(), { layer: 0, head: 0 }, 0, 0, seen.columns.length * wide, seen.rows.length * high);
  }
  const { colours, inks } = theme.lookups[panel.kind];
  const gap = wide < 24 ? 1 : 2;
  const numbers = wide >= CELL_WITH_NUMBER;
  context.font = `${wide < 40 ? 12 : 13}px ${codeFont}`;
  context.textAlign = "center";
  context.textBaseline = "middle";
  seen.rows.forEach((query, i) => {
    seen.columns.forEach((key, j) => {
      const weight = weightAt(panel, at, query, key);
      if (weight === 0) return;
      const step = stepOf(weight);
      context.fillStyle = colours[step];
      context.fillRect(j * wide + gap / 2, i * high + gap / 2, wide - gap, high - gap);
      context.say?.(`${panel.queries[query]} → ${panel.keys[key]}   ${three(weight)}`); // in a file
      if (!numbers || weight < LEAST_WRITTEN) return;
      context.fillStyle = inks[step];
      context.fillText(short(weight), (j + 0.5) * wide, (i + 0.5) * high + 1);
    });
  });
}
