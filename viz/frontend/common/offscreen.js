// Small drawings that others are made of: on a canvas of their own, or as its context keeps them where a file is drawn.

import { el } from "./dom.js";

// One colour word for each pixel.
export function pixelImage(context, width, height, pixels) {
  if (context.tile) return { width, height, pixels };
  const canvas = el("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d").putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
  return canvas;
}

// A square of so many pixels, to fill with again and again.
export function patternOf(context, size, draw) {
  if (context.tile) return context.tile(size, draw);
  const canvas = el("canvas");
  canvas.width = canvas.height = size;
  draw(canvas.getContext("2d"));
  return context.createPattern(canvas, "repeat");
}
