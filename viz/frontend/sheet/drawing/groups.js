// Groups of parts: their ground, their names, and from afar a block in place of what is in them.

import { clamp } from "../../common/dom.js";
import { kindOf } from "../parts.js";
import { chip, contains, onScreen, overlap } from "./screen.js";

const LINE = 16; // pixels of a line of a block's name
const EDGE = 3; // pixels between a label and its name
const BLOCK = [[0, 0], [0, 0], [150, 300], [80, 150]]; // by depth: below the first width a block, from the second on open

export function colourOf(figure, frame) {
  return frame.path[2] === "feed_forward" ? figure.theme.surface.muted : figure.theme.kinds[kindOf(frame.path)].ink;
}

export const titleOf = (figure, frame) => figure.titles[frame.path.at(-1)] ?? figure.numbered(frame);

// How closed a group is: 1 is a block with its name, 0 shows all that is in it.
function closed(frame, width) {
  const [from, to] = BLOCK[Math.min(frame.depth, 3)];
  return to ? clamp((to - width) / (to - from), 0, 1) : 0;
}

// Whether a block stands in its place, which hides what is in it.
export const isShut = (frame, width) => closed(frame, width) > 0.5;

export function paintGround(figure, frame) {
  const { context, theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  context.fillStyle = frame.depth === 2 ? theme.surface.soft : theme.surface.card;
  context.fillRect(at.x, at.y, at.width, at.height);
  context.strokeStyle = frame.depth === 1 ? theme.surface.line : colourOf(figure, frame);
  context.globalAlpha = frame.depth === 1 ? 1 : 0.55;
  context.lineWidth = 1;
  context.strokeRect(at.x, at.y, at.width, at.height);
  context.globalAlpha = 1;
}

// From the outside in: what is inside of a closed block is not drawn over its name.
export function paintBlocks(figure, frames) {
  const shut = new Set();
  for (const frame of frames) {
    const share = closed(frame, frame.width * figure.camera.at.k);
    if (!share || shut.has(frame.path.slice(0, -1).join())) continue;
    if (isShut(frame, frame.width * figure.camera.at.k)) shut.add(frame.path.join());
    paintBlock(figure, frame, share);
  }
}

function paintBlock(figure, frame, share) {
  const { context, theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  if (at.width < 3) return;
  context.globalAlpha = 0.8 * share;
  context.fillStyle = theme.surface.card;
  context.fillRect(at.x, at.y, at.width, at.height);
  context.globalAlpha = 0.16 * share;
  context.fillStyle = colourOf(figure, frame);
  context.fillRect(at.x, at.y, at.width, at.height);
  context.globalAlpha = share;
  if (share > 0.5) wrapped(figure, titleOf(figure, frame), at, colourOf(figure, frame)); // an open group has its title at its top
  context.globalAlpha = 1;
}

// A title in the middle of a block, in as many lines as it needs; below or beside a label that stands over the block;
// none where it does not fit.
function wrapped({ context, font, labels }, title, at, colour) {
  context.font = `600 13px ${font}`;
  const words = /\s|-/.test(title) ? title.split(/(?<=[\s-])/) : [title];
  const lines = [""];
  for (const word of words) {
    const longer = lines.at(-1) + word;
    if (!lines.at(-1) || context.measureText(longer.trim()).width <= at.width - 8) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const [wide, high] = [Math.max(...lines.map((line) => context.measureText(line.trim()).width)), lines.length * LINE];
  if (high > at.height || wide > at.width - 6) return;
  const middle = { x: at.x + (at.width - wide) / 2, y: at.y + (at.height - high) / 2, width: wide, height: high };
  const [right, bottom] = [at.x + at.width - wide - EDGE, at.y + at.height - high];
  const over = labels.filter((label) => overlap(label, at));
  const below = over.map((label) => ({ ...middle, y: label.y + label.height + 2 }));
  const beside = over.map((label) => ({ ...middle, x: label.x + label.width + EDGE }));
  const box = [middle, ...below, ...beside].find(
    (place) => place.x <= right && place.y <= bottom && !labels.some((label) => overlap(label, place)),
  );
  if (!box) return;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, i) => context.fillText(line.trim(), box.x + wide / 2, box.y + (i + 0.5) * LINE));
}

// The labels of the view, which never overlap: where one is, then the titles of open groups from the outside in.
export function placeLabels(figure, frames) {
  const labels = [];
  for (const place of [whereOneIs, ...frames.map((frame) => () => titleOver(figure, frame))]) {
    const label = place(figure);
    if (label && !labels.some((other) => overlap(other, label))) labels.push(label);
  }
  return labels;
}

export function paintTitles({ context, labels }) {
  for (const { font, text, x, y, width, colour, ground } of labels) {
    context.font = font;
    chip(context, text, x + EDGE, y, width - 2 * EDGE, colour, ground);
  }
}

// The title of an open group stands at its top; it keeps in view while the group is wider than the window.
function titleOver(figure, frame) {
  const { theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  if (isShut(frame, at.width) || at.height < 20 || at.y < -2) return null;
  const label = labelOf(figure, frame, titleOf(figure, frame), [16, 14, 13, 13][frame.depth]);
  if (label.width > at.width - 2) return null;
  const x = clamp(Math.max(at.x, 0) + 3, at.x, at.x + at.width - label.width - 3);
  return { ...label, x, y: at.y + 4, ground: frame.depth === 2 ? theme.surface.soft : theme.surface.card };
}

// The groups round the middle of the window whose titles are out of view.
function whereOneIs(figure) {
  const { camera, sheet, theme } = figure;
  const [x, y] = camera.place((camera.width - camera.inset) / 2, camera.height / 2);
  const way = sheet.frames.filter((frame) => contains(frame, x, y) && frame.y * camera.at.k + camera.at.y < -2);
  if (!way.length) return null;
  const text = way.map((frame) => titleOf(figure, frame)).join(" › ");
  return { ...labelOf(figure, way.at(-1), text, 13), x: 5, y: 6, ground: theme.surface.card };
}

function labelOf(figure, frame, text, size) {
  const font = `600 ${size}px ${figure.font}`;
  figure.context.font = font;
  return { frame, text, font, width: figure.context.measureText(text).width + 2 * EDGE, height: 18, colour: colourOf(figure, frame) };
}
