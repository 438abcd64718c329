// Tiles of numbers from the server: asked for in batches, kept as pictures while there is room.

import { el } from "../common/dom.js";
import { NUMBERS, TILE, ZERO, kindOf } from "./parts.js";

const TOGETHER = 64; // tiles of one request
const PAUSE = 1500; // ms before a failed request is tried again
const LONGEST_PAUSE = 60_000;
const AT_ONCE = 2; // requests
const ROOM = 48e6; // bytes of pictures

let turn = 0; // counts frames, so that what was seen last is known over sentences
const weightTiles = new Map(); // of each model: weights stay the same when the sentence changes

export class Tiles {
  constructor(address, sheet, arrived, again) {
    this.again = again;
    this.pause = PAUSE;
    this.address = address;
    this.sheet = sheet;
    this.arrived = arrived;
    if (!weightTiles.has(sheet.weights)) {
      weightTiles.clear(); // one model at a time
      weightTiles.set(sheet.weights, new Map());
    }
    this.kept = { weights: weightTiles.get(sheet.weights), values: new Map() };
    this.wanted = new Map();
    this.asked = new Set();
    this.running = 0;
    this.frame = ++turn;
    this.size = [...this.kept.weights.values()].reduce((sum, tile) => sum + tile.rows * tile.columns * 5, 0);
  }

  store(part) {
    return part.kind === 0 ? this.kept.weights : this.kept.values;
  }

  // The tile, or undefined while it is on its way.
  get(part, level, row, column) {
    const id = `${part.index}.${level}.${row}.${column}`;
    const store = this.store(part);
    const tile = store.get(id);
    if (tile) {
      tile.used = this.frame;
      return tile;
    }
    if (!this.asked.has(id)) this.wanted.set(id, { id, part, level, row, column, frame: this.frame });
    return undefined;
  }

  // After a frame: ask for what it lacked. What an earlier frame lacked is no longer in view.
  settle() {
    for (const [id, want] of this.wanted) if (want.frame !== this.frame) this.wanted.delete(id);
    this.frame = ++turn;
    while (this.wanted.size && this.running < AT_ONCE) this.ask();
    if (this.size > ROOM) this.forget();
  }

  async ask() {
    const batch = [...this.wanted.values()].slice(0, TOGETHER);
    for (const { id } of batch) {
      this.wanted.delete(id);
      this.asked.add(id);
    }
    this.running++;
    try {
      const response = await fetch(`${this.address}/tiles?of=${batch.map(({ id }) => id).join("_")}`);
      let bytes = new Uint8Array(await response.arrayBuffer());
      if (response.status !== 200) throw new Error(String(response.status)); // 202: its model is not loaded yet
      for (const want of batch) bytes = this.take(want, bytes);
      for (const { id } of batch) this.asked.delete(id);
      this.pause = PAUSE;
      this.arrived(null);
    } catch (error) {
      this.arrived(error);
      // a server that was away is asked again, at longer and longer intervals
      this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
      setTimeout(() => {
        for (const { id } of batch) this.asked.delete(id);
        this.again();
      }, this.pause);
    } finally {
      this.running--;
    }
  }

  take({ id, part, level, row, column }, bytes) {
    const side = level < 0 ? NUMBERS : TILE;
    const [rows, columns] = sizeAt(part, level);
    const high = Math.min(side, rows - row * side);
    const wide = Math.min(side, columns - column * side);
    const length = high * wide * (level < 0 ? 4 : 1);
    const own = bytes.slice(0, length);
    const tile = { rows: high, columns: wide, used: this.frame };
    if (level < 0) tile.numbers = new Float32Array(own.buffer);
    else tile.bytes = own;
    this.store(part).set(id, tile);
    this.size += high * wide * 5;
    return bytes.subarray(length);
  }

  // The pictures that have not been seen for the longest time.
  forget() {
    const all = [this.kept.weights, this.kept.values].flatMap((store) => [...store].map(([id, tile]) => ({ store, id, tile })));
    all.sort((a, b) => a.tile.used - b.tile.used);
    for (const { store, id, tile } of all) {
      if (this.size < ROOM / 2) break;
      store.delete(id);
      this.size -= tile.rows * tile.columns * 5;
    }
  }
}

// Rows and columns of a part at a level.
function sizeAt(part, level) {
  let { rows, columns } = part;
  for (let i = 0; i < level; i++) [rows, columns] = [Math.ceil(rows / 2), Math.ceil(columns / 2)];
  return [rows, columns];
}

// 256 colours for the bytes of a part, as pixels for ImageData.
export function shadesOf(theme, part) {
  const kind = part.role === "weights" && part.rule !== "difference" ? kindOf(part.frame.path) : "";
  theme.shades ??= {};
  return (theme.shades[kind] ??= makeShades(theme, kind));
}

function makeShades(theme, kind) {
  const { lookups } = theme;
  const pixels = new Uint32Array(256);
  for (let code = 1; code < 256; code++) {
    const step = Math.min(255, Math.abs(code - ZERO) * 2);
    const ramp = kind ? lookups[kind] : code < ZERO ? lookups.negative : lookups.positive;
    pixels[code] = code === ZERO ? theme.ground : ramp.pixels[step];
  }
  pixels[0] = pixelOf(theme.surface.soft);
  return pixels;
}

function pixelOf(colour) {
  const value = parseInt(colour.slice(1), 16);
  return ((255 << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

// Bytes as a picture of one pixel for each cell.
export function picture({ bytes, rows, columns }, shades) {
  const canvas = el("canvas");
  canvas.width = columns;
  canvas.height = rows;
  const image = new ImageData(columns, rows);
  const pixels = new Uint32Array(image.data.buffer);
  for (let i = 0; i < pixels.length; i++) pixels[i] = shades[bytes[i]];
  canvas.getContext("2d").putImageData(image, 0, 0);
  return canvas;
}
