// The values of the matrices: from bytes, into words.

import { fill, powerOfTen, shownToken } from "../common/dom.js";

// A true minus, −∞ and NaN by name, very large and very small numbers as 1.74·10⁻⁷.
export function numberText(value, decimals) {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  const size = Math.abs(value);
  if (value === 0) return (0).toFixed(decimals);
  if (size < 1e5 && size >= 0.5 * 10 ** -decimals) return value.toFixed(decimals).replace("-", "−");
  const [digits, exponent] = value.toExponential(2).split("e");
  return `${digits.replace(/\.?0+$/, "")}·${powerOfTen(+exponent)}`.replace("-", "−");
}

function valueText(figure, matrix, value) {
  if (matrix.scale === "mask") return value ? figure.words.true : figure.words.false;
  return Number.isFinite(value) ? numberText(value, matrix.decimals) : absentText(matrix, value);
}

// −∞ or NaN, or what the page says of a cell that should have no number.
export const absentText = ({ blank }, value) => (Number.isNaN(value) && blank) || numberText(value, 0);

export function readoutText(figure, matrix, { row, column }) {
  const value = valueText(figure, matrix, valueAt(matrix, row, column));
  const { rows, columns, rowNames, columnNames, rowAxis, columnAxis } = matrix;
  const names = { row: ofAxis(rowAxis, rows, rowNames[row]), column: ofAxis(columnAxis, columns, columnNames[column]) };
  return fill(figure.words.readout, { ...names, value });
}

// A label that is no more than its index is said with what its axis counts, without the arrow: "layer 0".
function ofAxis(axis, labels, name) {
  const counts = axis && labels.every((label, i) => label === String(i));
  return counts ? `${axis.replace(/ [↓→]$/, "")} ${name}` : name;
}

// Four planes of bytes back into float32, or one byte per value of a mask; what are numbers already stay as they are.
function readValues(body, start, count, scale) {
  if (scale === "mask" || body instanceof Float32Array) return { values: body.subarray(start, start + count), end: start + count };
  const bytes = new Uint8Array(4 * count);
  for (let plane = 0; plane < 4; plane++) {
    const from = start + plane * count;
    for (let i = 0; i < count; i++) bytes[4 * i + plane] = body[from + i];
  }
  return { values: new Float32Array(bytes.buffer), end: start + 4 * count };
}

export function readMatrices(header, body) {
  let start = 0;
  return header.matrices.map((described) => {
    const rows = described.rows.map(shownToken);
    const columns = described.columns.map(shownToken);
    const { values, end } = readValues(body, start, rows.length * columns.length, described.scale);
    start = end;
    return measured({ ...described, rows, columns, values, rowNames: names(rows), columnNames: names(columns) });
  });
}

// A label that stands there twice is named with its index.
function names(labels) {
  const seen = new Map();
  for (const label of labels) seen.set(label, (seen.get(label) || 0) + 1);
  return labels.map((label, i) => (seen.get(label) > 1 ? `${label} [${i}]` : label));
}

// Where the least and the greatest finite value stand, and what is not finite.
function measured(matrix) {
  const { values } = matrix;
  let least = -1;
  let greatest = -1;
  let count = 0;
  const absent = new Set();
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isFinite(value)) {
      absent.add(absentText(matrix, value));
      continue;
    }
    if (value) count++;
    if (least < 0 || value < values[least]) least = i;
    if (greatest < 0 || value > values[greatest]) greatest = i;
  }
  return { ...matrix, least, greatest, count, absent: [...absent] };
}

export const valueAt = (matrix, row, column) => matrix.values[row * matrix.columns.length + column];
