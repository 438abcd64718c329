// A canvas context that writes what is drawn as SVG.

const escaped = (text) => String(text).replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const n = (number) => Number(number.toFixed(2));
const ANCHOR = { left: "start", center: "middle", right: "end" };

export class SvgContext {
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
