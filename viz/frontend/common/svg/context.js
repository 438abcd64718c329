// A canvas context that writes what is drawn as SVG. What only a browser or only Python can do comes from its `host`.

import { pixelImage } from "../offscreen.js";

// XML has no control characters, no half surrogates and neither U+FFFE nor U+FFFF
const escaped = (text) => String(text).replace(/\p{Cc}/gu, "").replace(/[\p{Cs}\ufffe\uffff]/gu, "\ufffd").replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
const n = (number) => Number(number.toFixed(2));
const ANCHOR = { left: "start", center: "middle", right: "end" };
const MIDDLE = 0.35; // of the size of letters: from their middle to their base line

export class SvgContext {
  // host: `measure(text, font)` is the width of a text in pixels, `png(picture)` the address of a picture of pixels.
  constructor(host) {
    Object.assign(this, { host, parts: [], path: [], dash: [], groups: [0], globalAlpha: 1, lineWidth: 1, textAlign: "left", textBaseline: "alphabetic", lang: "inherit" });
  }

  // The whole file; `family`: the font of texts that name no other; `ground`: the colour behind all.
  file(width, height, title, { family, ground } = {}) {
    const size = `width="${n(width)}" height="${n(height)}" viewBox="0 0 ${n(width)} ${n(height)}"`;
    const named = title ? `<title>${escaped(title)}</title>` : "";
    const shared = family ? ` font-family="${escaped(family)}"` : "";
    const parts = family ? this.parts.map((part) => part.replace(`${shared} `, " ")) : this.parts;
    const behind = ground ? `<rect width="100%" height="100%" fill="${ground}"/>\n` : "";
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}${shared}>${named}${behind}${parts.join("\n")}</svg>`;
  }

  get alpha() {
    return this.globalAlpha < 1 ? ` opacity="${Number(this.globalAlpha.toFixed(3))}"` : "";
  }

  get line() {
    const dash = this.dash.length ? ` stroke-dasharray="${this.dash.join(" ")}"` : "";
    const caps = this.lineCap ? ` stroke-linecap="${this.lineCap}"` : "";
    const ends = this.lineJoin ? `${caps} stroke-linejoin="${this.lineJoin}"` : caps;
    return ` fill="none" stroke="${this.strokeStyle}" stroke-width="${n(this.lineWidth)}"${dash}${ends}${this.alpha}`;
  }

  box(x, y, width, height) {
    return `x="${n(x)}" y="${n(y)}" width="${n(Math.max(width, 0))}" height="${n(Math.max(height, 0))}"`;
  }

  // ---- what a canvas has too

  save() {
    this.groups.push(0);
  }

  restore() {
    for (let count = this.groups.pop(); count > 0; count--) this.parts.push("</g>");
  }

  translate(x, y) {
    this.group(`translate(${n(x)} ${n(y)})`);
  }

  rotate(angle) {
    this.group(`rotate(${n((angle * 180) / Math.PI)})`);
  }

  group(transform) {
    this.parts.push(`<g transform="${transform}">`);
    this.groups[this.groups.length - 1]++;
  }

  clearRect() {}

  fillRect(...box) {
    const through = this.fillStyle.startsWith("url") ? ` pointer-events="none"` : ""; // what is below it has the name
    this.parts.push(`<rect ${this.box(...box)} fill="${this.fillStyle}"${this.alpha}${through}/>`);
  }

  strokeRect(...box) {
    this.parts.push(`<rect ${this.box(...box)}${this.line}/>`);
  }

  // A canvas, which only a browser has, or a picture of pixels; the whole of it, or a part.
  drawImage(image, ...places) {
    const [left, top, wide, high] = places.length > 4 ? places : [0, 0, image.width, image.height];
    const source = image.pixels ? this.host.png(cutOut(image, left, top, wide, high)) : addressOf(image, left, top, wide, high);
    this.parts.push(`<image ${this.box(...places.slice(-4))} preserveAspectRatio="none" style="image-rendering:pixelated" href="${source}"/>`);
  }

  measureText(text) {
    return { width: this.host.measure(text, this.font) };
  }

  fillText(text, x, y) {
    const [, weight, size, family] = /^(?:(\d+) )?(\d+(?:\.\d+)?)px (.*)$/.exec(this.font);
    const base = this.textBaseline === "middle" ? y + MIDDLE * size : y;
    const bold = weight ? ` font-weight="${weight}"` : "";
    const language = this.lang === "inherit" ? "" : ` lang="${escaped(this.lang)}"`;
    this.parts.push(
      `<text x="${n(x)}" y="${n(base)}" font-family="${escaped(family)}" font-size="${size}"${bold}${language} ` +
        `text-anchor="${ANCHOR[this.textAlign]}" fill="${this.fillStyle}"${this.alpha}>${escaped(text)}</text>`,
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

  roundRect(x, y, width, height, radius) {
    const [right, down] = [width - 2 * radius, height - 2 * radius];
    const corner = (across, along) => `a${radius} ${radius} 0 0 1 ${n(across)} ${n(along)}`;
    const [r, back] = [radius, -radius];
    this.path.push(`M${n(x + r)} ${n(y)}h${n(right)}${corner(r, r)}v${n(down)}${corner(back, r)}h${n(-right)}${corner(back, back)}v${n(-down)}${corner(r, back)}z`);
  }

  fill() {
    this.parts.push(`<path d="${this.path.join("")}" fill="${this.fillStyle}"${this.alpha}/>`);
  }

  stroke() {
    this.parts.push(`<path d="${this.path.join("")}"${this.line}/>`);
  }

  // ---- what only a file has

  // A small drawing, to fill with again and again.
  tile(size, draw) {
    const pen = new SvgContext(this.host);
    draw(pen);
    return this.define("pattern", `width="${size}" height="${size}" patternUnits="userSpaceOnUse"`, pen.parts.join(""));
  }

  // Colours from left to right, in even steps.
  ramp(colours) {
    const stops = colours.map((colour, i) => `<stop offset="${n(i / (colours.length - 1))}" stop-color="${colour}"/>`);
    return this.define("linearGradient", "", stops.join(""));
  }

  define(element, attributes, inside) {
    const id = `gf-${hashOf(inside)}`; // several files may stand in one page
    const defined = `<defs><${element} id="${id}" ${attributes}>${inside}</${element}></defs>`;
    if (!this.parts.includes(defined)) this.parts.push(defined);
    return `url(#${id})`;
  }

  // What a browser says of the last thing drawn, beside the pointer.
  say(text) {
    const [, start, element] = /^(<(\w+) .*)\/>$/.exec(this.parts.at(-1));
    this.parts[this.parts.length - 1] = `${start}><title>${escaped(text)}</title></${element}>`;
  }
}

function hashOf(text) {
  let hash = 5381;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 33) ^ text.charCodeAt(i)) >>> 0;
  return hash.toString(36);
}

function cutOut({ width, pixels }, left, top, wide, high) {
  if (left === 0 && top === 0 && wide === width && wide * high === pixels.length) return { width, height: high, pixels };
  const cut = new Uint32Array(wide * high);
  for (let row = 0; row < high; row++) cut.set(pixels.subarray((top + row) * width + left, (top + row) * width + left + wide), row * wide);
  return { width: wide, height: high, pixels: cut };
}

function addressOf(image, left, top, wide, high) {
  const cut = document.createElement("canvas");
  cut.width = Math.max(1, Math.round(wide));
  cut.height = Math.max(1, Math.round(high));
  cut.getContext("2d").drawImage(image, left, top, wide, high, 0, 0, cut.width, cut.height);
  return cut.toDataURL();
}

// In a browser: its own measure of text, and its own pictures.
export const browserHost = (context) => ({
  measure(text, font) {
    context.font = font;
    return context.measureText(text).width;
  },
  png: ({ width, height, pixels }) => pixelImage(context, width, height, pixels).toDataURL(),
});
