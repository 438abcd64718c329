// What is known of the part or the number that was chosen, in words.

import { actionButton, add, el, fill, filledNodes } from "../../common/dom.js";
import { titleOf } from "../drawing/groups.js";
import { numberOf } from "../drawing/numbers.js";
import { kindOf } from "../parts.js";
import { allTerms, landing, lineName, lineNodes, notes, sums } from "./sums.js";

export function buildPanel() {
  return el("div", "gf-about", { "aria-live": "polite", hidden: "" });
}

// Whether it stands below the picture, as on a phone.
export const isBelow = (panel) => getComputedStyle(panel).position === "relative";

export const nameOf = (figure, part) => part.name + (part.role === "k_transposed" ? "ᵀ" : "");

// Of the head or part that was chosen, and of its cell. What had the focus in it has it again.
export function showPanel(figure) {
  const { panel, sheet } = figure;
  const at = figure.cell ? figure.cell.part : figure.focus;
  panel.hidden = at === null && !figure.group;
  const below = !panel.hidden && isBelow(panel);
  figure.camera.inset = panel.hidden || below ? 0 : panel.offsetWidth + 8;
  figure.peek.hidden = !below;
  if (panel.hidden) return;
  const focused = figure.focused();
  const name = focused && panel.contains(focused) ? focused.dataset.name : null;
  panel.replaceChildren(
    button(figure.words.close, "close", () => figure.letGo(), "gf-close", "×"),
    ...(figure.group ? aboutHead(figure, figure.group) : aboutPart(figure, sheet.parts[at])),
  );
  figure.peek.replaceChildren(...peekNodes(figure, at));
  if (name) (panel.querySelector(`[data-name="${name}"]`) ?? panel.querySelector("button")).focus({ preventScroll: true });
}

// On a phone the panel stands below the picture: a line in the picture says so.
export function peekLine(figure) {
  const line = el("button", "gf-peek", { type: "button", hidden: "" });
  line.addEventListener("click", () => {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    figure.panel.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  });
  return line;
}

function peekNodes(figure, at) {
  const of = figure.group ? wayTo(figure, figure.group.path) : nameOf(figure, figure.sheet.parts[at]);
  return [...(figure.cell ? hereOf(figure, figure.sheet.parts[at]) : [of]), " ▾"];
}

function aboutHead(figure, { path }) {
  return [heading(wayTo(figure, path)), paragraph(figure.words.about_head), ...headSwitch(figure, path)];
}

function aboutPart(figure, part) {
  const { words } = figure;
  return [
    paragraph(wayTo(figure, part.frame?.path ?? []), "gf-where"),
    heading(nameOf(figure, part)),
    paragraph(`${words[["weight_kind", "value_kind", "derived_kind", "copy_kind"][part.kind]]} · ${shapeOf(figure, part)}`),
    paragraph(figure.roles[part.role] ?? ""),
    paragraph(fill(words.range, { least: numberOf(part.least), greatest: numberOf(part.greatest), mean: numberOf(part.mean) })),
    ...(figure.cell ? cellOf(figure, part) : []),
    ...headSwitch(figure, part.frame?.path ?? []),
    button(words.open, "open", () => figure.leaveFor(part)),
  ];
}

// The button that switches a head off or on; none outside of a head, and none where nothing can be changed.
function headSwitch(figure, path) {
  const { words, off } = figure;
  if (path.length < 4 || !off) return [];
  const at = [kindOf(path), path[1], path[3]];
  const isOff = off.some((each) => each.split(".").every((step, i) => step === "*" || step === at[i]));
  const act = () => figure.hand("head", { at: at.join("."), off: !isOff });
  return [button(words[isOff ? "head_on" : "head_off"], "head", act), ...(isOff ? [paragraph(words.head_is_off, "gf-changed")] : [])];
}

function button(label, name, act, className = "gf-plain", sign = label) {
  return actionButton(sign, act, className, { "data-name": name, ...(sign === label ? {} : { "aria-label": label, title: label }) });
}

const paragraph = (text, className = "") => add(el("p", className), text);

// A recorded name breaks after its dots.
function heading(text) {
  const node = el("h3", "gf-name");
  for (const step of text.split(/(?<=[._])/)) node.append(step, el("wbr"));
  return node;
}

const wayTo = (figure, path) =>
  figure.sheet.frames.filter((frame) => frame.path.every((name, i) => path[i] === name)).map((frame) => titleOf(figure, frame)).join(" › ");

export function shapeOf({ words }, part) {
  const shape = `${part.rows} × ${part.columns}`;
  const whole = `(${part.recorded.join(", ")})`;
  const same = part.recorded.filter((size) => size > 1).join() === [part.rows, part.columns].filter((size) => size > 1).join();
  return same ? shape : fill(words.shape_of_head, { shape, whole });
}

// ---- one number

function hereOf(figure, part) {
  const { words, cell, worked } = figure;
  const row = lineNodes(figure, part.rowAxis, cell.row, "row");
  const column = lineNodes(figure, part.columnAxis, cell.column, "column");
  return filledNodes(words.here, { row, column, value: worked ? numberOf(worked.value) : "…" });
}

function cellOf(figure, part) {
  const { words, worked } = figure;
  const nodes = [add(el("p", "gf-value"), ...hereOf(figure, part))];
  if (!worked) return nodes;
  nodes.push(...sums(figure, worked).map((text) => paragraph(text, "gf-sum")));
  nodes.push(...notes(figure, worked).map((text) => paragraph(text, "gf-note")));
  if (worked.rule === "product" && worked.terms.length > 1) nodes.push(allTerms(figure, worked));
  if (worked.changed) nodes.push(paragraph(words.changed, "gf-changed"));
  if (worked.marks.length) nodes.push(follow(figure, worked.marks));
  return nodes;
}

// Buttons to the parts that the number was made from.
function follow(figure, marks) {
  const { words, sheet } = figure;
  const box = add(el("div", "gf-follow"), paragraph(words.follow));
  marks.forEach((mark, i) => {
    const [index, row, column] = mark;
    const part = sheet.parts[index];
    const lines = [
      row !== null && part.rows > 1 && lineName(figure, part.rowAxis, row, "row"),
      column !== null && lineName(figure, part.columnAxis, column, "column"),
    ].filter(Boolean);
    const at = lines.length ? fill(words.from_zero, { lines: lines.join(" · ") }) : "";
    box.append(button([nameOf(figure, part), at].filter(Boolean).join(" · "), `follow${i}`, () => figure.goToCell(landing(figure, mark))));
  });
  return box;
}
