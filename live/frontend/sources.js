// Bytes from a file or from the page, with progress, decompressed where they are compressed.

import { Refused } from "./errors.js";

// a server that makes the files of a page anew says so with this status: as often as this, after so many ms, it is asked again
const NOT_YET = 503;
const MOST_TRIES = 10;
const BETWEEN_TRIES = 2000;

// Read several sources { url, bytes } or { data } at the same time: their bytes, in order. A source that is to stay `packed` is
// a Blob, as it came.
// progress({ stage: "download", loaded, total }) counts bytes as they travel.
export async function readAll(sources, progress = () => {}, signal = undefined) {
  const loaded = sources.map(() => 0);
  const total = sources.reduce((sum, source) => sum + (source.data?.size ?? source.data?.length ?? source.bytes), 0);
  const count = (index, bytes) => {
    loaded[index] += bytes;
    progress({ stage: "download", loaded: Math.min(total, loaded.reduce((a, b) => a + b)), total });
  };
  return Promise.all(sources.map((source, index) => readOne(source, (bytes) => count(index, bytes), signal)));
}

// A Blob lies outside of the memory of page and worker.
async function readOne(source, count, signal) {
  const parts = source.data ? [source.data] : await fetched(source.url, count, signal);
  const blob = new Blob(parts);
  if (source.data) count(blob.size);
  return source.packed ? blob : bytesIn(blob, source.url ?? "");
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
  return parts;
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

async function bytesIn(blob, file) {
  const chunks = [];
  await eachChunk(blob, file, (chunk) => void chunks.push(chunk));
  const bytes = joined(chunks);
  free(...chunks);
  return bytes;
}

// Chunks of a Blob, decompressed where it is compressed, until `take` answers true. A host may have decompressed a file on the way.
async function eachChunk(blob, file, take) {
  const [first, second] = new Uint8Array(await blob.slice(0, 2).arrayBuffer());
  const isPacked = first === 0x1f && second === 0x8b;
  const stream = isPacked ? blob.stream().pipeThrough(new DecompressionStream("gzip")) : blob.stream();
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Refused("live_damaged", { file });
    });
    if (done) return;
    if (take(value)) return void reader.cancel();
  }
}

// Give the memory of arrays back, where the browser can. What a worker lets go otherwise stays until its garbage is collected,
// and one that makes few objects waits minutes for that.
export function free(...arrays) {
  for (const { buffer } of arrays) buffer.transfer?.(0);
}

// Fill arrays of bytes from a Blob: [[place in it, array], …] in the order of the places. It is never held as a whole.
export async function readInto(blob, places, file = "") {
  let [at, done, from] = [0, 0, 0]; // the array, how much of it is filled, and where the chunk begins
  await eachChunk(blob, file, (chunk) => {
    const { length } = chunk;
    for (; at < places.length; [at, done] = [at + 1, 0]) {
      const [place, array] = places[at];
      const part = chunk.subarray(Math.min(length, place + done - from), Math.max(0, place + array.length - from));
      array.set(part, done);
      done += part.length;
      if (done < array.length) break;
    }
    from += length;
    free(chunk);
    return at === places.length;
  });
  if (at < places.length) throw new Refused("live_damaged", { file });
}

// As `packed` of live/model_file.py has it.
export function withHeader(text, bodies) {
  const header = new TextEncoder().encode(text);
  const length = new Uint8Array(Uint32Array.of(header.length).buffer);
  return joined([length, header, ...bodies]);
}
