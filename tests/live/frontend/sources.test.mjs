// What is read of a file in parts.

import assert from "node:assert/strict";
import test from "node:test";

import { gzipSync } from "node:zlib";

import { readInto } from "../../../live/frontend/sources.js";

const BYTES = Uint8Array.from({ length: 300_000 }, (_, at) => (at * 7919) >> 5); // more than a chunk of a stream
const PACKED = gzipSync(BYTES);

const filled = async (blob, ...ranges) => {
  const places = ranges.map(([from, to]) => [from, new Uint8Array(to - from)]);
  await readInto(blob, places);
  return places;
};

for (const [name, data] of [["compressed", PACKED], ["as it is", BYTES]]) {
  test(`parts of a file are what lies there: ${name}`, async () => {
    const ranges = [[0, 4], [4, 4], [5, 65_536], [65_536, 65_537], [65_540, 262_200], [299_990, 300_000]];
    for (const [from, array] of await filled(new Blob([data]), ...ranges)) assert.deepEqual(array, BYTES.slice(from, from + array.length));
  });
}

test("a file that is cut short, or too short, is refused", async () => {
  const refused = (data, range) => assert.rejects(filled(new Blob([data]), range), { code: "live_damaged" });
  await refused(PACKED.subarray(0, PACKED.length / 2), [0, 300_000]);
  await refused(PACKED, [299_990, 300_001]);
  await refused(BYTES, [400_000, 400_001]);
});
