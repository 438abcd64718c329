// One matrix: its colour bar, its least and its greatest value.

import { add, el, fill, sizeCanvas } from "../common/dom.js";
import { hatch } from "./hatch.js";
import { numberText } from "./values.js";

export function paintLegend(figure, block) {
  const { matrix, legend, theme } = block;
  const { words } = figure;
  const text = (said, name = "") => add(el("span", name), said);
  const scale = el("span", "gf-scale");
  if (matrix.scale === "mask") add(scale, ...maskKeys(figure, block));
  else add(scale, text(lowEnd(matrix)), bar(theme, matrix), text(highEnd(matrix)));
  for (const name of matrix.absent) add(scale, swatch(block, name), text(name));
  legend.replaceChildren(scale, ...extremes(words, matrix).map((said) => text(said, "gf-extreme")));
}

function extremes(words, matrix) {
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

function bar(theme, matrix) {
  const { kinds, lookups } = theme;
  const node = el("span", "gf-bar", { "aria-hidden": "true" });
  const steps = ({ colours }) => [0, 64, 128, 192, 255].map((i) => colours[i]);
  const ramp = matrix.scale === "signed"
    ? [...steps(lookups.negative).reverse(), ...steps(lookups.positive).slice(1)]
    : kinds[matrix.colour]?.ramp || steps(lookups[matrix.colour]);
  node.style.backgroundImage = `linear-gradient(to right, ${ramp})`;
  return node;
}

function maskKeys(figure, block) {
  const { theme, matrix } = block;
  return [["1", "true", theme.lookups[matrix.colour].colours[255]], ["0", "false", theme.surface.soft]].flatMap(([digit, name, colour]) => {
    const node = el("span", "gf-swatch", { "aria-hidden": "true" });
    node.style.background = colour;
    return [node, add(el("span"), `${digit} ${figure.words[name]}`)];
  });
}

function swatch(block, name) {
  const node = el("canvas", "gf-swatch", { "aria-hidden": "true" });
  const context = sizeCanvas(node, 12, 12);
  context.fillStyle = block.theme.surface.soft;
  context.fillRect(0, 0, 12, 12);
  context.fillStyle = hatch(context, block.theme, name);
  context.fillRect(0, 0, 12, 12);
  return node;
}
