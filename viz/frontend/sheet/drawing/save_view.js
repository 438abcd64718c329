// The view as a file: the same drawing on a larger canvas, or as SVG by a context that writes down what is drawn.

import { browserHost, SvgContext } from "../../common/svg/context.js";
import { paint } from "./paint.js";

const SCALE = 2;

export function pngOf(figure) {
  const canvas = document.createElement("canvas");
  const { width, height } = figure.camera;
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  context.scale(SCALE, SCALE);
  paint(borrowed(figure, context));
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

export function svgOf(figure) {
  const { width, height } = figure.camera;
  const context = new SvgContext(browserHost(figure.context));
  paint(borrowed(figure, context));
  return new Blob([context.file(width, height)], { type: "image/svg+xml" });
}

// The figure with another context to draw on.
const borrowed = (figure, context) => Object.create(figure, { context: { value: context } });
