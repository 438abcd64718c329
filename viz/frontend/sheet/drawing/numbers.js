// Numbers as text, and as the bytes that stand for their colours.

import { clamp } from "../../common/dom.js";
import { ZERO } from "../parts.js";

const HIDDEN = -1e8; // a score that a model hides with −1e9 in place of −∞

export function codeOf(number, full) {
  if (!Number.isFinite(number) || number <= HIDDEN) return 0;
  if (number === 0) return ZERO;
  return ZERO + Math.sign(number) * clamp(Math.round((Math.abs(number) / full) * 127), 1, 127);
}

// Three decimals; what would be 0.000 as a power of ten.
export function numberOf(number) {
  if (typeof number === "string") return number === "-inf" ? "−∞" : number === "inf" ? "∞" : "NaN";
  if (!Number.isFinite(number)) return Number.isNaN(number) ? "NaN" : number < 0 ? "−∞" : "∞";
  const size = Math.abs(number);
  if (size >= 1e6) return number.toExponential(0).replace("-", "−").replace("e+", "e");
  const text = size && size < 0.0005 ? size.toExponential(0).replace("e-", "e−") : size.toFixed(size < 100 ? 3 : size < 1000 ? 1 : 0);
  return (number < 0 ? "−" : "") + text;
}
