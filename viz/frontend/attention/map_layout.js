// The layout of the large map as numbers: how large its cells are, and how its labels are turned.

import { LABEL_MOST, roomAbove, turnsOf } from "../common/column_labels.js";
import { clamp } from "../common/dom.js";

const CELL_MIN = 11;
const CELL_WIDE = 66;
const CELL_HIGH = 44;
const CELL_COMPACT = 25;

// `seen`: the rows and columns that are drawn. `measure(labels, size)`: their widths. `compact`: beside a text.
export function mapLayout(panel, seen, room, { measure, compact }) {
  const queries = seen.rows.map((i) => panel.queries[i]);
  const keys = seen.columns.map((i) => panel.keys[i]);
  const rowWidth = Math.min(LABEL_MOST, Math.max(...measure(queries, 15))) + 14;
  const widest = Math.max(...measure(keys, 15));
  const across = (spill) => {
    const fit = Math.floor((room - rowWidth - spill) / keys.length);
    return clamp(Math.min(fit, Math.max(CELL_HIGH, widest + 12)), CELL_MIN, CELL_WIDE);
  };
  let wide = across(0);
  let above = labelsAbove(keys, wide, measure);
  // the last words lean out over the edge of the map
  if (above.spill) {
    wide = across(above.spill);
    above = labelsAbove(keys, wide, measure);
  }
  const high = Math.min(wide, compact ? CELL_COMPACT : CELL_HIGH);
  const [width, height] = [wide * keys.length, high * queries.length];
  return { ...above, seen, wide, high, rowWidth, width, height, whole: rowWidth + width + above.spill };
}

function labelsAbove(keys, wide, measure) {
  const size = wide < 16 ? 11 : wide < 22 ? 13 : 15;
  const labels = measure(keys, size).map((width) => Math.min(LABEL_MOST, width));
  const turns = turnsOf(keys, labels, wide);
  return { size, turns, ...roomAbove(turns, labels, [...keys.keys()], wide, keys.length) };
}
