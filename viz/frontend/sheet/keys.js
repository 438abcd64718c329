// The keyboard: arrows move the view or the chosen cell, Tab goes from part to part, Enter zooms in, Escape out.

import { clamp, say } from "../common/dom.js";
import { showPanel } from "./panels/panel.js";
import { frameAt, parentOf } from "./parts.js";
import { contains } from "./drawing/screen.js";

const STEP = 70; // pixels of an arrow key

// Lets go of the cell, then of the part, then shows the group around.
export function zoomOut(figure) {
  if (figure.cell) {
    figure.setCell(null);
    return;
  }
  if (figure.focus !== null || figure.group) {
    figure.focus = figure.group = null;
    showPanel(figure);
  }
  const { camera } = figure;
  const { k } = camera.target; // during a flight: from where it ends
  const [x, y] = camera.target.invert([(camera.width - camera.inset) / 2, camera.height / 2]);
  const fits = (frame) => frame.width * k <= camera.width && frame.height * k <= camera.height;
  let frame = frameAt(figure.sheet.frames, x, y);
  while (frame && (fits(frame) || !frame.depth)) frame = parentOf(figure.sheet.frames, frame);
  figure.leaves = k <= camera.least * 1.01;
  if (frame) camera.fit(frame);
  else camera.whole();
  figure.tell();
}

// Arrows move the view, or the chosen cell; Tab goes through the parts in the order of the computation.
export function pressed(figure, event) {
  if (!figure.sheet || event.ctrlKey || event.metaKey || event.altKey) return;
  const arrow = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
  if (arrow) figure.cell ? moveCell(figure, ...arrow) : figure.camera.move(-arrow[0] * STEP, -arrow[1] * STEP);
  else if (event.key === "+" || event.key === "=") figure.closer(1.6);
  else if (event.key === "-") figure.closer(1 / 1.6);
  else if (event.key === "Home") figure.goToWhole();
  else if (event.key === "Enter") enter(figure);
  else if (event.key === "Tab") {
    if ((figure.cell || figure.group) && !event.shiftKey) return; // to the panel
    if (!step(figure, event.shiftKey ? -1 : 1)) return; // out of the sheet
  } else return;
  event.preventDefault();
}

function step(figure, direction) {
  const next = figure.focus === null ? (direction > 0 ? 0 : -1) : figure.focus + direction;
  if (figure.leaves || next < 0 || next >= figure.sheet.parts.length) return false;
  figure.goTo(next, false); // who holds the key tells where it ends
  say(figure.notice, "");
  return true;
}

function moveCell(figure, across, down) {
  const part = figure.sheet.parts[figure.cell.part];
  const at = { ...figure.cell, row: clamp(figure.cell.row + down, 0, part.rows - 1), column: clamp(figure.cell.column + across, 0, part.columns - 1) };
  figure.choose(at, true, false);
}

// Into the part that is in focus, or into the group in the middle.
function enter(figure) {
  if (figure.focus !== null && !figure.cell) figure.choose({ part: figure.focus, row: 0, column: 0 }, true);
  else if (figure.focus === null) {
    const { camera } = figure;
    const [x, y] = camera.place(camera.width / 2, camera.height / 2);
    const inner = figure.sheet.frames.find((frame) => frame.depth && frame.width * camera.at.k < camera.width * 0.7 && contains(frame, x, y));
    if (inner) figure.goToGroup(inner);
    else camera.closer(1.6);
  }
}
