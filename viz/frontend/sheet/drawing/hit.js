// What is meant by a place in the picture: the label or the closed block of a group, a cell, or the ground of a group.

import { cellAt, frameAt } from "../parts.js";
import { isShut } from "./groups.js";
import { contains } from "./screen.js";

export function hitAt(figure, left, top) {
  const { camera, labels, sheet } = figure;
  const label = labels.findLast((box) => left >= box.x && left <= box.x + box.width && top >= box.y && top <= box.y + box.height);
  if (label) return { frame: label.frame, isLabel: true };
  const [x, y] = camera.place(left, top);
  const block = sheet.frames.find((frame) => isShut(frame, frame.width * camera.at.k) && contains(frame, x, y)); // what it hides cannot be meant
  if (block) return { frame: block, isLabel: true };
  const cell = cellAt(sheet.pieces, x, y);
  if (cell) return { cell };
  const frame = frameAt(sheet.frames, x, y);
  return frame?.depth ? { frame, isLabel: false } : null;
}
