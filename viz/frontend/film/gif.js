// Pictures that are drawn one after the other, as an animated GIF.

import { channels } from "../common/theme.js";
import { GIFENC } from "../vendor/gifenc.js";

const MOST = 3e6; // bytes of a film
const SCALES = [1, 0.75, 0.5]; // a film that is larger is made again in fewer pixels
const COLOURS = 255; // and one that stands for what is as before
const SAMPLES = 5; // frames whose colours all frames have

// `frames`: each says how many `ms` it stands; `draw(context, frame)` draws one, `width` × `height` large. Colours of
// `exact` stay as they are. `progress(share)` is told how far it is; `signal` ends it.
export async function gifOf(film, { progress, signal }) {
  for (const scale of SCALES) {
    const bytes = await encoded(film, scale, progress, signal);
    if (bytes.length > MOST && scale !== SCALES.at(-1)) continue;
    const ms = film.frames.reduce((sum, frame) => sum + frame.ms, 0);
    return { blob: new Blob([bytes], { type: "image/gif" }), seconds: ms / 1000, megabytes: bytes.length / 1e6 };
  }
}

async function encoded(film, scale, progress, signal) {
  const { frames } = film;
  const [width, height] = [Math.round(film.width * scale), Math.round(film.height * scale)];
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const pixelsOf = async (frame) => {
    signal.throwIfAborted();
    await breath();
    context.setTransform(width / film.width, 0, 0, height / film.height, 0, 0);
    film.draw(context, frame);
    return context.getImageData(0, 0, width, height).data;
  };
  const samples = [];
  for (let i = 0; i < SAMPLES; i++) samples.push(await pixelsOf(frames[Math.round((i * (frames.length - 1)) / (SAMPLES - 1))]));
  const palette = paletteOf(samples, film.exact);
  const known = new Map();
  const gif = GIFENC.GIFEncoder();
  let before = null; // what is on the screen
  let waiting = null; // a frame that may stand longer, if the next one looks the same
  const write = () => {
    const colours = waiting.first ? [...palette, [0, 0, 0]] : null; // once for all frames
    const look = { palette: colours, transparent: !waiting.first, transparentIndex: palette.length, dispose: 1 };
    gif.writeFrame(waiting.indices, width, height, { ...look, delay: waiting.ms });
  };
  for (const [number, frame] of frames.entries()) {
    const pixels = await pixelsOf(frame);
    const now = new Uint32Array(pixels.buffer);
    const { indices, differs } = indicesOf(now, before, palette, known);
    if (differs) {
      if (waiting) write();
      waiting = { indices, ms: frame.ms, first: !before };
    } else waiting.ms += frame.ms;
    before = now;
    progress((number + 1) / frames.length);
  }
  write();
  gif.finish();
  return gif.bytes();
}

// Lets the page answer in between, also where it is not in view, when timers are slow.
function breath() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resume) => {
    port1.onmessage = () => {
      port1.close();
      resume();
    };
    port2.postMessage(null);
  });
}

function paletteOf(samples, exact) {
  const all = new Uint8Array(samples.reduce((sum, sample) => sum + sample.length, 0));
  samples.reduce((start, sample) => (all.set(sample, start), start + sample.length), 0);
  return [...exact.map(channels), ...GIFENC.quantize(all, COLOURS - exact.length, { format: "rgb444" })];
}

// The place of each pixel's colour in the palette; what is as before has the place behind it. `known`: colours so far.
function indicesOf(now, before, palette, known) {
  const indices = new Uint8Array(now.length).fill(palette.length);
  let differs = 0;
  for (let i = 0; i < now.length; i++) {
    const colour = now[i];
    if (before && colour === before[i]) continue;
    if (!known.has(colour)) known.set(colour, GIFENC.nearestColorIndex(palette, [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255]));
    indices[i] = known.get(colour);
    differs++;
  }
  return { indices, differs };
}
