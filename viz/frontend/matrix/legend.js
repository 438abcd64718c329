// One matrix: its colour bar, its least and its greatest value.

import { add, el, fill, sizeCanvas } from "../common/dom.js";
import { hatch } from "./hatch.js";
import { numberText } from "./values.js";

export function paintLegend({ words }, { matrix, legend, theme }) {
  const scale = add(el("span", "gf-scale"), ...scaleKeys(words, matrix, theme).map((key) => keyNode(theme, key)));
  legend.replaceChildren(scale, ...extremes(words, matrix).map((said) => add(el("span", "gf-extreme"), said)));
}

// What the scale consists of, from left to right: a text, a bar of colours, or a square of a colour or a pattern.
export function scaleKeys(words, matrix, theme) {
  const bounds = matrix.scale === "mask" ? maskKeys(words, matrix, theme) : [lowEnd(matrix), { ramp: rampOf(theme, matrix) }, highEnd(matrix)];
  return [...bounds, ...matrix.absent.flatMap((absent) => [{ absent }, absent])];
}

function keyNode(theme, key) {
  if (typeof key === "string") return add(el("span"), key);
  if (key.absent) return swatch(theme, key.absent);
  const node = el("span", key.ramp ? "gf-bar" : "gf-swatch", { "aria-hidden": "true" });
  if (key.ramp) node.style.backgroundImage = `linear-gradient(to right, ${key.ramp})`;
  else node.style.background = key.colour;
  return node;
}

export function extremes(words, matrix) {
  if (matrix.scale === "mask") return [fill(words.true_count, { count: matrix.count, total: matrix.values.length })];
  if (matrix.least < 0) return [words.no_finite];
  const value = (i) => ({ value: numberText(matrix.values[i], matrix.decimals) });
  return [fill(words.least, value(matrix.least)), fill(words.greatest, value(matrix.greatest))];
}

// Float32 values may stand a rounding error beyond the limit that they are measured by.
const beyond = (value, limit) => value > limit * (1 + 1e-6);

function lowEnd(matrix) {
  if (matrix.scale !== "signed") return "0";
  const sign = matrix.least >= 0 && beyond(-matrix.values[matrix.least], matrix.full) ? "≤ " : "";
  return sign + numberText(-matrix.full, matrix.decimals);
}

function highEnd(matrix) {
  if (matrix.scale === "weight") return "1";
  const sign = matrix.greatest >= 0 && beyond(matrix.values[matrix.greatest], matrix.full) ? "≥ " : "";
  return sign + numberText(matrix.full, matrix.decimals);
}

function rampOf({ kinds, lookups }, matrix) {
  const steps = ({ colours }) => [0, 64, 128, 192, 255].map((i) => colours[i]);
  if (matrix.scale === "signed") return [...steps(lookups.negative).reverse(), ...steps(lookups.positive).slice(1)];
  return kinds[matrix.colour]?.ramp || steps(lookups[matrix.colour]);
}

function maskKeys(words, matrix, theme) {
  return [{ colour: theme.lookups[matrix.colour].colours[255] }, `1 ${words.true}`, { colour: theme.surface.soft }, `0 ${words.false}`];
}

function swatch(theme, name) {
  const node = el("canvas", "gf-swatch", { "aria-hidden": "true" });
  const context = sizeCanvas(node, 12, 12);
  context.fillStyle = theme.surface.soft;
  context.fillRect(0, 0, 12, 12);
  context.fillStyle = hatch(context, theme, name);
  context.fillRect(0, 0, 12, 12);
  return node;
}
