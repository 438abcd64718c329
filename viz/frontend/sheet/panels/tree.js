// The same content as a list: groups that open, and in them every part with its shape and its range.

import { add, el, fill } from "../../common/dom.js";
import { nameOf, shapeOf } from "./panel.js";
import { titleOf } from "../drawing/groups.js";
import { numberOf } from "../drawing/numbers.js";

export function buildTree(figure) {
  const tree = el("details", "gf-tree");
  const summary = add(el("summary"), figure.words.tree);
  tree.append(summary);
  tree.addEventListener("toggle", () => {
    if (tree.open && tree.children.length === 1) fillTree(figure, tree);
  });
  return tree;
}

function fillTree(figure, tree) {
  const { sheet, words } = figure;
  const hint = add(el("p", "gf-help"), words.tree_hint);
  tree.append(hint);
  const groups = new Map([["", tree]]);
  for (const part of sheet.parts) groupOf(figure, groups, part.frame).append(item(figure, part));
}

// The list of a frame, made with those round it when the first part needs it: so groups and parts keep their order.
function groupOf(figure, groups, frame) {
  const id = frame ? frame.path.join(".") : "";
  if (groups.has(id)) return groups.get(id);
  const outer = frame.path.slice(0, -1).join(".");
  const around = figure.sheet.frames.find((other) => other.path.join(".") === outer) || null;
  const box = el("details");
  const summary = add(el("summary"), titleOf(figure, frame));
  groupOf(figure, groups, around).append(add(box, summary));
  groups.set(id, box);
  return box;
}

function item(figure, part) {
  const { words } = figure;
  const button = el("button", "gf-part", { type: "button" });
  const name = add(el("b"), nameOf(figure, part));
  const range = fill(words.range, { least: numberOf(part.least), greatest: numberOf(part.greatest), mean: numberOf(part.mean) });
  const about = add(el("span"), `${shapeOf(figure, part)} · ${range}. ${figure.roles[part.role] ?? ""}`);
  button.addEventListener("click", () => figure.goTo(part.index));
  return add(button, name, about);
}
