// What is known of the part or the number that was chosen, in words.

import { add, el, fill, say } from "../../common/dom.js";
import { titleOf } from "../drawing/groups.js";
import { numberOf } from "../drawing/numbers.js";
import { TOKENS } from "../parts.js";

const ACTIVATIONS = { relu: "ReLU", gelu: "GELU", "gelu-tanh": "GELU (tanh)", silu: "SiLU" };
const FIRST = 3; // products that are written out at once

export function buildPanel() {
  return el("div", "gf-about", { "aria-live": "polite", hidden: "" });
}

export const nameOf = (figure, part) => part.name + (part.role === "k_transposed" ? "ᵀ" : "");

// Of the part that is looked at, and of its cell.
export function showPanel(figure) {
  const { panel, words, sheet } = figure;
  const at = figure.cell ? figure.cell.part : figure.focus;
  panel.hidden = at === null;
  figure.camera.inset = panel.hidden || getComputedStyle(panel).position === "relative" ? 0 : panel.offsetWidth + 8;
  if (panel.hidden) return;
  const part = sheet.parts[at];
  const open = el("button", "gf-plain", { type: "button" });
  say(open, words.open);
  open.addEventListener("click", () => figure.hand("open", { part: part.name, role: part.role }));
  const close = el("button", "gf-close", { type: "button", "aria-label": words.close, title: words.close });
  say(close, "×");
  close.addEventListener("click", () => figure.letGo());
  panel.replaceChildren(
    close,
    paragraph(where(figure, part), "gf-where"),
    heading(nameOf(figure, part)),
    paragraph(`${words[["weight_kind", "value_kind", "derived_kind", "copy_kind"][part.kind]]} · ${shapeOf(figure, part)}`),
    paragraph(figure.roles[part.role] ?? ""),
    paragraph(fill(words.range, { least: numberOf(part.least), greatest: numberOf(part.greatest), mean: numberOf(part.mean) })),
  );
  if (figure.cell) panel.append(...cellOf(figure, part));
  panel.append(open);
}

function paragraph(text, className = "") {
  const node = el("p", className);
  say(node, text);
  return node;
}

function heading(text) {
  const node = el("h3", "gf-name");
  say(node, text);
  return node;
}

const where = (figure, part) =>
  figure.sheet.frames.filter((frame) => part.frame && frame.path.every((name, i) => part.frame.path[i] === name))
    .map((frame) => titleOf(figure, frame)).join(" › ");

export function shapeOf({ words }, part) {
  const shape = `${part.rows} × ${part.columns}`;
  const whole = `(${part.recorded.join(", ")})`;
  const same = part.recorded.filter((size) => size > 1).join() === [part.rows, part.columns].filter((size) => size > 1).join();
  return same ? shape : fill(words.shape_of_head, { shape, whole });
}

// ---- one number

export function lineName({ sheet, words }, axis, index, template) {
  const token = TOKENS.includes(axis) ? sheet.tokens[axis][index] : undefined;
  return token === undefined ? fill(words[template], { number: index }) : `${fill(words[template], { number: index })} “${token}”`;
}

function cellOf(figure, part) {
  const { words, cell, worked } = figure;
  const row = lineName(figure, part.rowAxis, cell.row, "row");
  const column = lineName(figure, part.columnAxis, cell.column, "column");
  const value = worked ? numberOf(worked.value) : "…";
  const nodes = [paragraph(fill(words.here, { row, column, value }), "gf-value")];
  if (!worked) return nodes;
  nodes.push(...sums(words, worked).map((text) => paragraph(text, "gf-sum")));
  if (worked.rule === "product" && worked.terms.length > FIRST) nodes.push(allTerms(words, worked));
  if (worked.changed) nodes.push(paragraph(words.changed, "gf-changed"));
  if (worked.marks.length) nodes.push(follow(figure, worked.marks));
  return nodes;
}

const times = ([a, b]) => `${numberOf(a)} · ${numberOf(b)}`;

// The rule with its numbers, a sentence for each step.
function sums(words, { rule, terms, numbers, value, result }) {
  const n = (name) => numberOf(numbers[name]);
  const say = (key, values) => fill(words[key], values);
  const first = terms.slice(0, FIRST);
  if (rule === "product") {
    const dots = terms.length > FIRST ? " + …" : "";
    const lines = [`${first.map(times).join(" + ")}${dots} = ${n("sum")}`];
    let now = numbers.sum;
    if ("bias" in numbers) {
      lines.push(say("bias", { sum: numberOf(now), bias: n("bias"), result: numberOf(now + numbers.bias) }));
      now += numbers.bias;
    }
    if (numbers.factor !== 1) lines.push(`${numberOf(now)} ÷ √d_k = ${numberOf(now)} ÷ ${numberOf(1 / numbers.factor)} = ${n("before")}`);
    if (numbers.activation) lines.push(`${ACTIVATIONS[numbers.activation]}(${n("before")}) = ${numberOf(result)}`);
    return lines;
  }
  if (rule === "difference") return [say("difference", { before: numberOf(terms[0][0]), after: numberOf(terms[1][0]), result: numberOf(value) })];
  if (rule === "lookup") return [say("lookup", { entry: numberOf(terms[0][0]), row: numbers.row, factor: n("factor"), result: numberOf(result) })];
  if (rule === "sinusoid") return [say("sinusoid", { ...numbers, angle: n("angle"), result: numberOf(result) })];
  if (rule === "add") return [`${numberOf(terms[0][0])} + ${numberOf(terms[1][0])} = ${numberOf(result)}`];
  if (rule === "scale") return [`${times([terms[0][0], terms[1][0]])} = ${numberOf(result)}`];
  if (rule === "slope") return [say("slope", { ...numbers, slope: n("slope"), result: numberOf(result) })];
  if (rule === "bucket") return [say("bucket", { ...numbers, result: numberOf(result) })];
  if (rule === "rotation") {
    const [x, y] = terms.map(([each]) => numberOf(each));
    const [one, other, sign] = numbers.odd ? ["sin", "cos", "+"] : ["cos", "sin", "−"];
    const turned = `${x} · ${one}(${n("angle")}) ${sign} ${y} · ${other}(${n("angle")}) = ${numberOf(result)}`;
    return [say("angle", { ...numbers, angle: n("angle") }), turned];
  }
  if (rule === "mask") {
    const [score, bias] = terms.map(([each]) => numberOf(each));
    const key = numbers.hidden ? "hidden" : bias === undefined ? "mask" : "mask_bias";
    return [say(key, { score, bias, value: numberOf(value) })];
  }
  if (rule === "softmax") return [say("softmax", { largest: n("largest"), power: n("power"), sum: n("sum"), result: numberOf(result) })];
  if (rule === "norm") {
    const [x, mean, deviation, weight, bias] = ["x", "mean", "deviation", "weight", "bias"].map(n);
    return [say(numbers.kind === "rms" ? "rms" : "norm", { x, mean, deviation, weight, bias, result: numberOf(result) })];
  }
  return [say(rule === "copy" ? "copy" : "trained", {})];
}

function allTerms(words, { terms }) {
  const details = el("details", "gf-terms");
  const list = el("ol", "", { start: "0" });
  details.append(add(el("summary"), fill(words.more, { count: terms.length })), list);
  details.addEventListener("toggle", () => {
    if (details.open && !list.children.length) list.append(...terms.map((pair) => add(el("li"), `${times(pair)} = ${numberOf(pair[0] * pair[1])}`)));
  });
  return details;
}

// Buttons to the parts that the number was made from.
function follow(figure, marks) {
  const { words, sheet } = figure;
  const box = add(el("div", "gf-follow"), paragraph(words.follow));
  for (const [index, row, column] of marks) {
    const part = sheet.parts[index];
    const lines = [
      row !== null && part.rows > 1 && lineName(figure, part.rowAxis, row, "row"),
      column !== null && lineName(figure, part.columnAxis, column, "column"),
    ].filter(Boolean);
    const button = el("button", "gf-plain", { type: "button" });
    say(button, [nameOf(figure, part), ...lines].join(" · "));
    button.addEventListener("click", () => figure.goToCell({ part: index, row: row ?? 0, column: column ?? 0 }));
    box.append(button);
  }
  return box;
}
