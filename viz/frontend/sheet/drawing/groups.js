// Groups of parts: their ground, their names, and from afar a block in place of what is in them.

import { clamp } from "../../common/dom.js";
import { kindOf } from "../parts.js";
import { chip, contains, onScreen } from "./screen.js";

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
    if (share > 0.5) shut.add(frame.path.join());
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
  wrapped(figure, titleOf(figure, frame), at, colourOf(figure, frame));
  context.globalAlpha = 1;
}

// A title in the middle of a block, in as many lines as it needs; none where it does not fit.
function wrapped({ context, font }, title, at, colour) {
  context.font = `600 13px ${font}`;
  const words = /\s|-/.test(title) ? title.split(/(?<=[\s-])/) : [title];
  const lines = [""];
  for (const word of words) {
    const longer = lines.at(-1) + word;
    if (!lines.at(-1) || context.measureText(longer.trim()).width <= at.width - 8) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  if (lines.length * 16 > at.height || lines.some((line) => context.measureText(line.trim()).width > at.width - 6)) return;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  lines.forEach((line, i) => context.fillText(line.trim(), at.x + at.width / 2, at.y + at.height / 2 + (i - (lines.length - 1) / 2) * 16));
}

// The title of an open group stands at its top; it keeps in view while the group is wider than the window.
export function paintTitle(figure, frame) {
  const { context, theme } = figure;
  const at = onScreen(figure, frame.x, frame.y, frame.width, frame.height);
  if (closed(frame, at.width) > 0.5 || at.height < 20 || at.y < -2) return;
  context.font = `600 ${[16, 14, 13, 13][frame.depth]}px ${figure.font}`;
  const title = titleOf(figure, frame);
  const wide = context.measureText(title).width;
  if (wide > at.width - 8) return;
  const x = clamp(Math.max(at.x, 0) + 6, at.x, at.x + at.width - wide - 6);
  chip(context, title, x, at.y + 4, wide, colourOf(figure, frame), frame.depth === 2 ? theme.surface.soft : theme.surface.card);
}

// Where one is: the groups round the middle of the window whose titles are out of view.
export function paintWay(figure) {
  const { context, camera, sheet, theme } = figure;
  const [x, y] = camera.place((camera.width - camera.inset) / 2, camera.height / 2);
  const way = sheet.frames.filter((frame) => contains(frame, x, y) && frame.y * camera.at.k + camera.at.y < -2);
  if (!way.length) return;
  const text = way.map((frame) => titleOf(figure, frame)).join(" › ");
  context.font = `600 13px ${figure.font}`;
  chip(context, text, 8, 6, context.measureText(text).width, colourOf(figure, way.at(-1)), theme.surface.card);
}
