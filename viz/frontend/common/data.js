// Header length (4 bytes, little-endian), header (JSON), body: where it is long, deflated.

import { shownToken } from "./dom.js";

export function readHeader(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = view.getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
  return { header, body: bytes.subarray(4 + length) };
}

export async function inflate(body) {
  const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Weights are two planes, the high bytes and the low ones.
export function readWeights(planes) {
  const count = planes.length / 2;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; i++) values[i] = (planes[i] << 8) | planes[count + i];
  return values;
}

// Panels by kind, each with its own stretch of the weights: (L, H, Q, K).
export function readPanels(header, values) {
  const panels = new Map();
  let start = 0;
  for (const described of header.panels) {
    const rows = described.queries.length;
    const columns = described.keys.length;
    const count = described.layers * described.heads * rows * columns;
    panels.set(described.kind, {
      ...described,
      queries: described.queries.map(shownToken),
      keys: described.keys.map(shownToken),
      rows,
      columns,
      values: values.subarray(start, start + count),
    });
    start += count;
  }
  return panels;
}
