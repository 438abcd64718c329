// How the labels of columns stand: upright where they fit, Chinese stacked, other words leaning or on end.

import { HAN } from "./dom.js";

export const LABEL_MOST = 120; // px of a label, longer ones are cut
const CLEARANCE = 8; // px between words that stand side by side
const SHORT = 2; // characters of a label that stands upright among leaning ones
const MARK = /^[\u3000-\u303f\uff01-\uff60]+$/; // Chinese marks, such as a full stop
const LEAN_FROM = 20; // px of a column in which words may lean

// For each label: 0, 45 or 90 degrees, or "han", its characters below each other. `wide`: px of a column.
export function turnsOf(labels, widths, wide) {
  if (widths.every((width) => width + CLEARANCE <= wide)) return labels.map(() => "0");
  const turns = labels.map((label, i) => {
    if ([...label].length <= SHORT && widths[i] + 1 <= wide) return "0";
    return HAN.test(label) || MARK.test(label) ? "han" : "";
  });
  // a leaning word would run through a stack of characters
  const long = wide >= LEAN_FROM && !turns.includes("han") ? "45" : "90";
  return turns.map((turn) => turn || long);
}

// What labels need above a matrix and to its right, in px; those `at` so many columns of `wide` px, of `count`.
export function roomAbove(turns, widths, at, wide, count) {
  const tops = widths.map((width, i) => ({ 0: 24, 45: Math.ceil(width * 0.71) + 20 })[turns[i]] ?? width + 12);
  const reaches = widths.map((width, i) => ({ 0: width / 2, 45: width * 0.71 + 12 })[turns[i]] ?? 0);
  const spills = reaches.map((reach, i) => Math.ceil(reach - (count - at[i] - 0.5) * wide));
  return { top: Math.max(...tops), spill: Math.max(0, ...spills) };
}
