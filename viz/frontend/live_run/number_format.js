// How the numbers of a run are written.

import { powerOfTen } from "../common/dom.js";
import { percent } from "../common/numbers.js";

// Small shares with a decimal.
export const shareText = (share) => percent(share, share < 0.1 ? 1 : 0);

// Three digits that count: 0.00400 → 0.004, 12.3, 1,230; 0.0000123 → 1.23·10⁻⁵
export function short3(value) {
  const rounded = Number(value.toPrecision(3));
  if (!rounded || Math.abs(rounded) >= 1e-4) return rounded.toLocaleString("en-US", { maximumSignificantDigits: 3 });
  const [digits, power] = rounded.toExponential().split("e");
  const ten = powerOfTen(+power);
  return digits === "1" ? ten : `${digits}·${ten}`;
}
