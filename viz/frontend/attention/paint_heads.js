// The maps of all heads of a panel, painted once and drawn from there.

import { pixelImage } from "../common/offscreen.js";
import { startOf } from "./measures.js";

// Which of the 256 colours of its kind a weight has.
export const stepOf = (weight) => Math.min(255, Math.floor(weight * 256));

// All heads of a panel side by side, `wide` by `high` pixels each, of the visible rows and columns.
// Where there are more weights than pixels, a pixel shows the largest it covers: a mean would
// wash out just what one looks for, a thin diagonal or a single column.
export function paintAtlas(context, panel, visible, theme, wide, high) {
  const { rows, columns } = visible;
  const across = columns.map((_, j) => Math.floor((j * wide) / columns.length));
  const down = rows.map((_, i) => Math.floor((i * high) / rows.length));
  const stride = panel.heads * wide;
  const most = new panel.values.constructor(stride * panel.layers * high);
  for (let layer = 0; layer < panel.layers; layer++) {
    for (let head = 0; head < panel.heads; head++) {
      const start = (layer * panel.heads + head) * panel.rows * panel.columns;
      for (let i = 0; i < rows.length; i++) {
        const from = start + rows[i] * panel.columns;
        const to = (layer * high + down[i]) * stride + head * wide;
        for (let j = 0; j < columns.length; j++) {
          const value = panel.values[from + columns[j]];
          if (value > most[to + across[j]]) most[to + across[j]] = value;
        }
      }
    }
  }
  const colours = theme.lookups[panel.kind].pixels;
  const pixels = Uint32Array.from(most, (value) => (value === 0 ? theme.ground : colours[stepOf(value / panel.one)]));
  return { image: pixelImage(context, stride, panel.layers * high, pixels), wide, high };
}

// One head as a panel of its own, so that no other is painted.
export function alone(panel, at) {
  const start = startOf(panel, at);
  const values = panel.values.subarray(start, start + panel.rows * panel.columns);
  return { ...panel, layers: 1, heads: 1, values, places: null };
}

export function drawHead(context, atlas, at, x, y, width, height) {
  const { image, wide, high } = atlas;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, at.head * wide, at.layer * high, wide, high, x, y, width, height);
}
