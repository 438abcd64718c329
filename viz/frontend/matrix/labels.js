// One matrix: its layout put on the page, and its labels.

import { labelToken, sizeCanvas, speak, widths } from "../common/dom.js";
import { matrixLayout } from "./layout.js";

export function layoutBlock(figure, block, room) {
  const { matrix, stage } = block;
  const { cell, ratio } = figure;
  const measure = (labels, size) => widths(labels, `600 ${size}px ${figure.font}`);
  const laid = matrixLayout(matrix, figure.blocks.map((other) => other.matrix), room, { measure, cell, ratio });
  const { wide, high, rowWidth } = laid;
  const [width, height] = [wide * matrix.columns.length, high * matrix.rows.length];
  Object.assign(block, { wide, high, rowWidth, width, height });
  const styles = {
    "--cell-w": wide, "--cell-h": high, "--row-width": rowWidth, "--row-size": high < 18 ? 12 : 14,
    "--label-size": laid.size, "--columns-height": laid.top, "--spill": laid.spill,
  };
  for (const name in styles) stage.style.setProperty(name, `${styles[name]}px`);
  block.node.style.width = `${laid.width}px`;
  block.body.style.width = `${width}px`;
  block.body.style.height = `${height}px`;
  const [rows, columns] = figure.languages[figure.blocks.indexOf(block)] ?? [];
  speak(block.rows, rows);
  speak(block.columns, columns);
  block.rowLabels = placeLabels(block.rows, laid.rows, matrix.rows);
  block.columnLabels = placeLabels(block.columns, laid.columns, matrix.columns, laid.turns);
  block.context = sizeCanvas(block.canvas, width, height);
}

// `turns`: of the labels shown, columns only
function placeLabels(parent, shown, labels, turns) {
  const turnOf = (at) => (turns ? { "data-turn": turns[at] } : {});
  const nodes = new Map(shown.map((index, at) => [index, labelToken(labels[index], index, turnOf(at))]));
  parent.replaceChildren(...nodes.values());
  return nodes;
}
