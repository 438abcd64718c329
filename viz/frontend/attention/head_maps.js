// The maps of all heads of a panel, painted once and drawn from there.

import { el } from "../common/dom.js";

// All heads of a panel side by side, `wide` by `high` pixels each, of the visible rows and columns.
// Where there are more weights than pixels, a pixel shows the largest it covers: a mean would
// wash out just what one looks for, a thin diagonal or a single column.
export function paintAtlas(panel, visible, theme, wide, high) {
  const { rows, columns } = visible;
  const across = columns.map((_, j) => Math.floor((j * wide) / columns.length));
  const down = rows.map((_, i) => Math.floor((i * high) / rows.length));
  const stride = panel.heads * wide;
  const most = new Uint16Array(stride * panel.layers * high);
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
  return { canvas: paintPixels(most, stride, theme, theme.lookups[panel.kind].words), wide, high };
}

function paintPixels(values, width, theme, words) {
  const canvas = el("canvas");
  canvas.width = width;
  canvas.height = values.length / width;
  const image = new ImageData(canvas.width, canvas.height);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < values.length; i++) pixels[i] = values[i] === 0 ? theme.ground : words[values[i] >> 8];
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}

export function drawHead(context, atlas, at, x, y, width, height) {
  const { canvas, wide, high } = atlas;
  context.imageSmoothingEnabled = false;
  context.drawImage(canvas, at.head * wide, at.layer * high, wide, high, x, y, width, height);
}
