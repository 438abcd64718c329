// One number worked out: its rule with the numbers filled in, and the products of a sum.

import { add, el, fill, filledNodes } from "../../common/dom.js";
import { numberOf } from "../drawing/numbers.js";
import { TOKENS } from "../parts.js";

const ACTIVATIONS = { relu: "ReLU", gelu: "GELU", "gelu-tanh": "GELU (tanh)", silu: "SiLU" };
const FIRST = 3; // products that are written out at once

// As nodes, a token in its language.
export function lineNodes({ sheet, words, languages }, axis, index, template) {
  const token = TOKENS.includes(axis) ? sheet.tokens[axis][index] : undefined;
  const language = languages[axis === "source" ? "source" : "target"];
  return filledNodes(words[token === undefined ? template : `${template}_token`], { number: index, token }, { token: language });
}

export const lineName = (...line) => lineNodes(...line).map((node) => node.textContent ?? node).join("");

// The largest products, in the order in which they are added.
export function largestOf(terms) {
  const size = ([a, b]) => Math.abs(a * b);
  const order = terms.map((_, i) => i).sort((i, j) => size(terms[j]) - size(terms[i]));
  return order.slice(0, FIRST).sort((i, j) => i - j);
}

const times = ([a, b]) => `${numberOf(a)} · ${numberOf(b)}`;

// A sentence for each step.
export function sums(figure, worked) {
  const { words } = figure;
  const { rule, terms, numbers, value, result } = worked;
  const n = (name) => numberOf(numbers[name]);
  const say = (key, values) => fill(words[key], values);
  if (rule === "product") {
    const shown = largestOf(terms);
    const product = (i) => (isNamed(figure, worked) ? `${times(terms[i])} (${termName(figure, worked, i)})` : times(terms[i]));
    const lines = [`${shown.map(product).join(" + ")}${terms.length > FIRST ? " + …" : ""} = ${n("sum")}`];
    let now = numbers.sum;
    if ("bias" in numbers) {
      lines.push(say("bias", { sum: numberOf(now), bias: n("bias"), result: numberOf(now + numbers.bias) }));
      now += numbers.bias;
    }
    if (numbers.factor !== 1) {
      const size = Math.round(numbers.factor ** -2);
      lines.push(`${numberOf(now)} ÷ √d_k = ${numberOf(now)} ÷ √${size} = ${numberOf(now)} ÷ ${numberOf(1 / numbers.factor)} = ${n("before")}`);
    }
    if (numbers.activation) lines.push(`${ACTIVATIONS[numbers.activation]}(${n("before")}) = ${numberOf(result)}`);
    return lines;
  }
  if (rule === "difference") return [say("difference", { before: numberOf(terms[0][0]), after: numberOf(terms[1][0]), result: numberOf(value) })];
  if (rule === "lookup") return [say("lookup", { entry: numberOf(terms[0][0]), row: numbers.row, factor: n("factor"), result: numberOf(result) })];
  if (rule === "sinusoid") return [say("sinusoid", { ...numbers, angle: n("angle"), result: numberOf(result) })];
  if (rule === "add") return [`${terms.map(([each]) => numberOf(each)).join(" + ")} = ${numberOf(result)}`];
  if (rule === "scale") return [`${times([terms[0][0], terms[1][0]])} = ${numberOf(result)}`];
  if (rule === "slope") return [say("slope", { ...numbers, slope: n("slope"), result: numberOf(result) })];
  if (rule === "bucket") return [say("bucket", { ...numbers, result: numberOf(result) })];
  if (rule === "rotation") {
    const [x, y] = terms.map(([each]) => numberOf(each));
    const [one, other, sign] = numbers.odd ? ["sin", "cos", "+"] : ["cos", "sin", "−"];
    const turned = `${x} · ${one}(${n("angle")}) ${sign} ${y} · ${other}(${n("angle")}) = ${numberOf(result)}`;
    const angle = numbers.base ? "angle" : "turn"; // a pair's frequency follows from a base, or is the model's own
    return [say(angle, { ...numbers, angle: n("angle"), frequency: n("frequency") }), turned];
  }
  if (rule === "mask") {
    const [score, bias] = terms.map(([each]) => numberOf(each));
    const key = numbers.hidden ? "hidden" : bias === undefined ? "mask" : "mask_bias";
    return [say(key, { score, bias, value: numberOf(value) })];
  }
  if (rule === "softmax") {
    const score = numberOf(terms[figure.cell.column][0]);
    return [say("softmax", { score, largest: n("largest"), power: n("power"), sum: n("sum"), result: numberOf(result) })];
  }
  if (rule === "norm") {
    const [x, mean, deviation, weight, bias] = ["x", "mean", "deviation", "weight", "bias"].map(n);
    return [say(numbers.kind === "rms" ? "rms" : "norm", { x, mean, deviation, weight, bias, result: numberOf(result) })];
  }
  return [say(rule === "copy" ? "copy" : "trained", {})];
}

// What is to be known of the numbers in a sum.
export function notes({ words }, { rule, terms, numbers }) {
  if (rule === "softmax") return [fill(words.softmax_scores, { largest: numberOf(numbers.largest) })];
  if (rule !== "product") return [];
  const size = numbers.factor === 1 ? [] : [fill(words.d_k, { size: Math.round(numbers.factor ** -2) })];
  return terms.length > FIRST ? [...size, fill(words.rounded, { count: terms.length })] : size;
}

// What the products of a sum go through: the columns of the part on the left.
const axisOf = ({ sheet }, { marks }) => sheet.parts[marks[0][0]].columnAxis;
const isNamed = (figure, worked) => TOKENS.includes(axisOf(figure, worked));
const termName = (figure, worked, i) => figure.sheet.tokens[axisOf(figure, worked)][i];

export function allTerms(figure, worked) {
  const { words } = figure;
  const { terms } = worked;
  const details = el("details", "gf-terms");
  const list = el("ol", "", { start: "0" });
  const name = (i) => (isNamed(figure, worked) ? fill(words.named, { token: termName(figure, worked, i) }) : "");
  details.append(add(el("summary", "", { "data-name": "terms" }), fill(words.more, { count: terms.length })), list);
  details.addEventListener("toggle", () => {
    if (!details.open || list.children.length) return;
    list.append(...terms.map((pair, i) => add(el("li"), `${name(i)}${times(pair)} = ${numberOf(pair[0] * pair[1])}`)));
  });
  return details;
}

// The cell of a marked row or column at which one lands: that of the same column where a row is read as a whole, and
// of a sum the one with the largest product.
export function landing({ worked, cell, sheet }, [index, row, column]) {
  const part = sheet.parts[index];
  const largest = worked.rule === "product" ? worked.terms.reduce((best, [a, b], i, all) => (Math.abs(a * b) > Math.abs(all[best][0] * all[best][1]) ? i : best), 0) : null;
  return {
    part: index,
    row: Math.min(row ?? largest ?? cell.row, part.rows - 1),
    column: Math.min(column ?? largest ?? cell.column, part.columns - 1),
  };
}
