// A checkpoint as a file: a zip with config, tokenizer and card as text, and weights as safetensors, that /checkpoints of the
// app opens. Sizes and order of the weights are those of a description, `parameters` in model/train/browser/ready.py.

import { Refused } from "./errors.js";
import { joined } from "./sources.js";

const HEADER_LENGTH = 8; // bytes before the header of safetensors
const END_LENGTH = 22; // bytes of the record that a zip ends with
const LARGEST = 50_000_000; // bytes of a file that is read, packed or not
const RECORDS = { file: 0x04034b50, entry: 0x02014b50, end: 0x06054b50 }; // how each begins
const METHODS = { stored: 0, deflated: 8 };
const DATE = 0x21; // 1980-01-01: the same files give the same bytes
const NUMBERS = { F32: (bytes) => new Float32Array(bytes.slice().buffer), F16: (bytes) => halves(bytes) };

// ---- weights

export function safetensors(parameters, vector) {
  let at = 0;
  const places = parameters.map(([name, shape]) => {
    const begin = at;
    at += Float32Array.BYTES_PER_ELEMENT * numbersIn(shape);
    return [name, { dtype: "F32", shape, data_offsets: [begin, at] }];
  });
  const text = JSON.stringify(Object.fromEntries(places));
  const header = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / HEADER_LENGTH) * HEADER_LENGTH));
  const length = new Uint8Array(new BigUint64Array([BigInt(header.length)]).buffer);
  return joined([length, header, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)]);
}

// The vector of weights; refused where a name, a shape or a number is not as it has to be.
export function readSafetensors(bytes, parameters) {
  try {
    const begin = HEADER_LENGTH + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(bytes.subarray(HEADER_LENGTH, begin)));
    const parts = parameters.map(([name, shape]) => {
      const { dtype, shape: found, data_offsets: [from, to] } = header[name];
      const part = NUMBERS[dtype](bytes.subarray(begin + from, begin + to));
      if (String(found) !== String(shape) || part.length !== numbersIn(shape) || !part.every(Number.isFinite)) throw new Refused("live_other");
      return part;
    });
    return joined(parts, Float32Array);
  } catch {
    throw new Refused("live_other");
  }
}

export const numbersIn = (shape) => shape.reduce((product, size) => product * size, 1);

// Numbers in half precision, as single precision has them.
function halves(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.length / 2 }, (_, at) => {
    const bits = view.getUint16(2 * at, true);
    const [exponent, fraction] = [(bits >> 10) & 31, (bits & 1023) / 1024];
    const size = exponent ? 2 ** (exponent - 15) * (1 + fraction) : 2 ** -14 * fraction;
    return bits & 0x8000 ? -size : size;
  });
}

// ---- the zip

// Files { name: bytes or text } in one folder, not compressed.
export function zipOf(folder, files) {
  const parts = [];
  const list = [];
  let at = 0;
  for (const [file, content] of Object.entries(files)) {
    const data = typeof content === "string" ? new TextEncoder().encode(content) : content;
    const name = new TextEncoder().encode(`${folder}/${file}`);
    const about = [20, 0, METHODS.stored, 0, DATE, [checksum(data)], [data.length], [data.length], name.length, 0];
    list.push(record([RECORDS.entry], 20, ...about, 0, 0, 0, [0], [at]), name);
    parts.push(record([RECORDS.file], ...about), name, data);
    at += parts.slice(-3).reduce((sum, part) => sum + part.length, 0);
  }
  const entries = joined(list);
  const most = list.length / 2;
  return joined([...parts, entries, record([RECORDS.end], 0, 0, most, most, [entries.length], [at], 0)]);
}

// Fields of two bytes, those in brackets of four.
function record(...values) {
  return joined(values.map((value) => new Uint8Array((Array.isArray(value) ? Uint32Array : Uint16Array).of(value).buffer)));
}

// The files { name: bytes } of a zip, whichever folder they are in.
export async function unzipped(bytes) {
  try {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const end = bytes.length - END_LENGTH;
    if (bytes.length > LARGEST || view.getUint32(end, true) !== RECORDS.end) throw new Refused("live_zip");
    const files = {};
    let at = view.getUint32(end + 16, true);
    for (let left = view.getUint16(end + 10, true); left > 0; left--) {
      const [nameLength, extra, comment] = [28, 30, 32].map((place) => view.getUint16(at + place, true));
      const [packed, unpacked] = [20, 24].map((place) => view.getUint32(at + place, true));
      const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
      const local = view.getUint32(at + 42, true);
      const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      if (view.getUint32(at, true) !== RECORDS.entry || unpacked > LARGEST) throw new Refused("live_zip");
      const data = await inflatedFile(bytes.subarray(begin, begin + packed), view.getUint16(at + 10, true));
      if (data.length !== unpacked || checksum(data) !== view.getUint32(at + 16, true)) throw new Refused("live_zip");
      files[name.split("/").at(-1)] = data;
      at += 46 + nameLength + extra + comment;
    }
    return files;
  } catch {
    throw new Refused("live_zip");
  }
}

async function inflatedFile(data, method) {
  if (method === METHODS.stored) return data;
  if (method !== METHODS.deflated) throw new Refused("live_zip");
  const stream = new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

let remainders = null; // of CRC-32, by byte

function checksum(data) {
  remainders ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit++) value = (value >>> 1) ^ (value & 1 ? 0xedb88320 : 0);
    return value;
  });
  let crc = 0xffffffff;
  for (const byte of data) crc = (crc >>> 8) ^ remainders[(crc ^ byte) & 255];
  return (crc ^ 0xffffffff) >>> 0;
}
