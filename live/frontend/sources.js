// Bytes from a file or from the page, with progress, decompressed where they are compressed.

import { Refused } from "./errors.js";

// a server that makes the files of a page anew says so with this status: as often as this, after so many ms, it is asked again
const NOT_YET = 503;
const MOST_TRIES = 10;
const BETWEEN_TRIES = 2000;

// Read several sources { url, bytes } or { data } at the same time: their bytes, in order.
// progress({ stage: "download", loaded, total }) counts bytes as they travel.
export async function readAll(sources, progress = () => {}, signal = undefined) {
  const loaded = sources.map(() => 0);
  const total = sources.reduce((sum, source) => sum + (source.data?.length ?? source.bytes), 0);
  const count = (index, bytes) => {
    loaded[index] += bytes;
    progress({ stage: "download", loaded: Math.min(total, loaded.reduce((a, b) => a + b)), total });
  };
  return Promise.all(sources.map((source, index) => readOne(source, (bytes) => count(index, bytes), signal)));
}

async function readOne(source, count, signal) {
  const bytes = source.data ?? (await fetched(source.url, count, signal));
  if (source.data) count(bytes.length);
  // a host may have decompressed a file on the way
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? decompressed(bytes, source.url ?? "") : bytes;
}

async function fetched(url, count, signal) {
  let answer;
  try {
    answer = await fetch(url, { signal });
    for (let tries = 0; answer.status === NOT_YET && tries < MOST_TRIES; tries++) {
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_TRIES));
      answer = await fetch(url, { signal });
    }
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Refused("live_fetch", { url: String(url), status: 0 });
  }
  if (!answer.ok) throw new Refused("live_fetch", { url: String(url), status: answer.status });
  const parts = [];
  const reader = answer.body.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refused("live_fetch", { url: String(url), status: 0 });
    });
    if (done) break;
    parts.push(value);
    count(value.length);
  }
  return joined(parts);
}

// Arrays as one of a kind.
export function joined(parts, Kind = Uint8Array) {
  const whole = new Kind(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

async function decompressed(bytes, file) {
  try {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new Refused("live_damaged", { file });
  }
}

// Parts by name, from groups [[name, length], …] whose slices take turns: `_interleaved` of live/training.py.
export function untangled(block, groups, slices) {
  const parts = {};
  let at = 0;
  for (const group of groups) {
    for (const [name, length] of group) parts[name] = new Uint8Array(length);
    for (let slice = 0; slice < slices; slice++) {
      for (const [name, length] of group) {
        const [from, to] = [slice, slice + 1].map((each) => Math.floor((length * each) / slices));
        parts[name].set(block.subarray(at, at + to - from), from);
        at += to - from;
      }
    }
  }
  return parts;
}

// As `packed` of live/model_file.py has it.
export function withHeader(text, bodies) {
  const header = new TextEncoder().encode(text);
  const length = new Uint8Array(Uint32Array.of(header.length).buffer);
  return joined([length, header, ...bodies]);
}
