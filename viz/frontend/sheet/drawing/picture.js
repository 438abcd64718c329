// The view as a file: the same drawing on a larger canvas, or as SVG by a context that writes down what is drawn.

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
  const context = new SvgContext(figure.context);
  paint(borrowed(figure, context));
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${context.parts.join("")}</svg>`;
  return new Blob([svg], { type: "image/svg+xml" });
}

// The figure with another context to draw on.
const borrowed = (figure, context) => Object.create(figure, { context: { value: context } });

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const n = (number) => Number(number.toFixed(2));
const ANCHOR = { left: "start", center: "middle", right: "end" };

class SvgContext {
  constructor(model) {
    Object.assign(this, { model, parts: [], path: [], dash: [], globalAlpha: 1, lineWidth: 1, textAlign: "left", textBaseline: "alphabetic" });
  }

  get alpha() {
    return this.globalAlpha < 1 ? ` opacity="${n(this.globalAlpha)}"` : "";
  }

  get line() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    return ` fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${dash}${this.alpha}`;
  }

  box(x, y, width, height) {
    return `x="${n(x)}" y="${n(y)}" width="${n(Math.max(width, 0))}" height="${n(Math.max(height, 0))}"`;
  }

  fillRect(...box) {
    this.parts.push(`<rect ${this.box(...box)} fill="${this.fillStyle}"${this.alpha}/>`);
  }

  strokeRect(...box) {
    this.parts.push(`<rect ${this.box(...box)}${this.line}/>`);
  }

  drawImage(image, left, top, wide, high, ...box) {
    const cut = document.createElement("canvas");
    cut.width = Math.max(1, Math.round(wide));
    cut.height = Math.max(1, Math.round(high));
    cut.getContext("2d").drawImage(image, left, top, wide, high, 0, 0, cut.width, cut.height);
    this.parts.push(`<image ${this.box(...box)} preserveAspectRatio="none" style="image-rendering:pixelated" href="${cut.toDataURL()}"/>`);
  }

  measureText(text) {
    this.model.font = this.font;
    return this.model.measureText(text);
  }

  fillText(text, x, y) {
    const [, weight, size, family] = /^(?:(\d+) )?(\d+(?:\.\d+)?)px (.*)$/.exec(this.font);
    const base = this.textBaseline === "middle" ? ` dominant-baseline="central"` : "";
    this.parts.push(
      `<text x="${n(x)}" y="${n(y)}" font-family="${escaped(family)}" font-size="${size}" font-weight="${weight ?? 400}" ` +
        `text-anchor="${ANCHOR[this.textAlign]}"${base} fill="${this.fillStyle}"${this.alpha}>${escaped(text)}</text>`,
    );
  }

  setLineDash(dash) {
    this.dash = dash;
  }

  beginPath() {
    this.path = [];
  }

  moveTo(x, y) {
    this.path.push(`M${n(x)} ${n(y)}`);
  }

  lineTo(x, y) {
    this.path.push(`L${n(x)} ${n(y)}`);
  }

  bezierCurveTo(...points) {
    this.path.push(`C${points.map(n).join(" ")}`);
  }

  stroke() {
    this.parts.push(`<path d="${this.path.join("")}"${this.line}/>`);
  }
}

export function save(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
