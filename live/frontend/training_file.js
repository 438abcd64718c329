// The file of live/training.py, which has the graphs of every size: a page reads those of the size that it trains.

import { Refused } from "./errors.js";
import { joined, readInto } from "./sources.js";

const LENGTH = 4; // bytes, of the length of the header: `packed` of live/model_file.py

export async function openTrainingFile(blob, address) {
  const read = async (place, length) => {
    const part = new Uint8Array(length);
    await readInto(blob, [[place, part]], address);
    return part;
  };
  try {
    const length = new DataView((await read(0, LENGTH)).buffer).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(await read(LENGTH, length)));
    return new TrainingFile(blob, address, LENGTH + length, header);
  } catch {
    throw new Refused("live_damaged", { file: address });
  }
}

class TrainingFile {
  // header: `described` of model/train/browser/ready.py; the other fields say where the parts lie, from a place on
  constructor(blob, address, place, { parts, graphs, slices, tables, ...header }) {
    Object.assign(this, { blob, address, groups: graphs, slices, tables, header, blocks: {} });
    for (const [name, length] of parts) {
      this.blocks[name] = { place, length };
      place += length;
    }
  }

  // { block, graphs } of the model of a description: the bytes that its graphs have in common, and the graphs whose names begin so,
  // by name.
  async parts({ graphs: kind, size, config }, ...beginnings) {
    const own = `${kind}.${size}.`;
    const isWanted = (name) => beginnings.some((beginning) => name.startsWith(own + beginning));
    const { parts, places } = untangled(this.groups, this.slices, this.blocks.graphs.place, isWanted);
    const { place, length } = this.blocks[`${kind}.${config.d_model}`];
    const block = new Uint8Array(length);
    await readInto(this.blob, [...places, [place, block]], this.address);
    // tables of positions, which the graphs of a kind and width have in common
    for (const [graph, , at, from, count] of this.tables.filter(([graph]) => graph in parts)) {
      parts[graph] = joined([parts[graph].subarray(0, at), block.subarray(from, from + count), parts[graph].subarray(at)]);
    }
    return { block, graphs: Object.fromEntries(Object.entries(parts).map(([name, data]) => [name.slice(own.length), data])) };
  }
}

// Arrays for those of some parts that are wanted, by name, and where each stretch of them lies in a file, for `readInto`. The
// parts are groups [[name, length], …] whose slices take turns from a place on: `_interleaved` of live/training.py.
function untangled(groups, slices, from, wanted) {
  const parts = {};
  const places = [];
  let place = from;
  for (const group of groups) {
    for (const [name, length] of group) if (wanted(name)) parts[name] = new Uint8Array(length);
    for (let slice = 0; slice < slices; slice++) {
      for (const [name, length] of group) {
        const [begin, end] = [slice, slice + 1].map((each) => Math.floor((length * each) / slices));
        if (parts[name]) places.push([place, parts[name].subarray(begin, end)]);
        place += end - begin;
      }
    }
  }
  return { parts, places };
}
