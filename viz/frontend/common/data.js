// What a figure gets: header length (4 bytes, little-endian), header (JSON), body: where it is long, deflated. A page that
// has the numbers itself hands over { header, body } with these as the body, a Float32Array.

import { shownToken } from "./dom.js";

const FULL = 65535; // a weight of 1

export function readHeader(bytes) {
  if (bytes.header) return bytes;
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
  if (planes instanceof Float32Array) return planes;
  const count = planes.length / 2;
  const values = new Uint16Array(count);
  for (let i = 0; i < count; i++) values[i] = (planes[i] << 8) | planes[count + i];
  return values;
}

// Panels by kind, each with its own stretch of the weights: (L, H, Q, K). Of a long input they are of some heads alone,
// `places` has the place of each head or -1, and `coarse` is a panel of all heads whose tokens are blocks of tokens.
export function readPanels(header, values) {
  const one = values instanceof Float32Array ? 1 : FULL;
  const panels = new Map();
  let start = 0;
  const next = (count) => values.subarray(start, (start += count));
  for (const described of header.panels) {
    const { layers, heads, blocks, exact } = described;
    const panel = { ...described, queries: described.queries.map(shownToken), keys: described.keys.map(shownToken) };
    Object.assign(panel, { rows: panel.queries.length, columns: panel.keys.length, one });
    if (blocks) {
      panel.coarse = coarsePanel(panel);
      panel.coarse.values = next(layers * heads * panel.coarse.rows * panel.coarse.columns);
    }
    if (exact) {
      panel.places = new Int32Array(layers * heads).fill(-1);
      exact.forEach(([layer, head], place) => (panel.places[layer * heads + head] = place));
    }
    panel.values = next((exact?.length ?? layers * heads) * panel.rows * panel.columns);
    panels.set(described.kind, panel);
  }
  return panels;
}

// `joined`: so many queries and keys are in a block.
function coarsePanel({ kind, layers, heads, blocks, blockSums, one, ...panel }) {
  const [queries, querySpecials] = inBlocks(panel.queries, panel.querySpecials, blocks[0]);
  const [keys, keySpecials] = inBlocks(panel.keys, panel.keySpecials, blocks[1]);
  const sizes = { rows: queries.length, columns: keys.length };
  return { kind, layers, heads, one, joined: blocks, sums: blockSums, queries, keys, querySpecials, keySpecials, read: [], ...sizes };
}

// Tokens in blocks: their names, and whether all in them are special.
function inBlocks(tokens, specials, size) {
  const starts = tokens.map((_, place) => place).filter((place) => place % size === 0);
  const names = starts.map((start) => {
    const end = Math.min(start + size, tokens.length) - 1;
    return start === end ? tokens[start] : `${start}–${end} ${tokens[start]} … ${tokens[end]}`;
  });
  return [names, starts.map((start) => Number(specials.slice(start, start + size).every(Boolean)))];
}
