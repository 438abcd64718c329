// The film as a file: the view as it is, with each stop that changes something in it.
// The camera stays: a flight changes every pixel, and a GIF would have to hold each of them again in every frame.

import { cut, wrapped, write } from "../common/svg/text.js";
import { browserHost } from "../common/svg/context.js";
import { gifOf } from "../film/gif.js";
import { spread, STANDS_FIRST, STANDS_LAST } from "../film/times.js";
import { meets } from "./drawing/screen.js";

const LONGER = 960; // px, the longer side of the view
const STOP_TIME = 700; // ms at most
const AGAIN_IN = 50; // ms, while tiles are on their way
// px, the texts below
const SIDE = 20;
const READ = { size: 17, line: 25 };
const WRITTEN = { size: 19, line: 27, weight: 600 };
const PLACE = { size: 14, line: 26 };

// `paint(figure)` draws a figure on its context.
export default async function film(figure, { paint, ...hooks }) {
  await tilesOf(figure, hooks.signal);
  const { sheet, theme } = figure;
  const view = still(figure);
  const { width, height } = view.camera;
  const scale = LONGER / Math.max(width, height);
  const context = document.createElement("canvas").getContext("2d"); // to measure with
  context.host = browserHost(context);
  const room = width * scale - 2 * SIDE;
  const lines = (text, { size, weight }) => wrapped(context, text, room, size, weight);
  const whole = sheet.written?.at(-1)?.[2] ?? "";
  const read = lines(sheet.sentence, READ);
  const output = whole ? lines(whole, WRITTEN).length : 0;
  const below = SIDE + read.length * READ.line + output * WRITTEN.line + PLACE.line + SIDE / 2;
  const { kept, ms } = spread(stopsInView(view), STOP_TIME);
  const draw = (pen, { at }) => {
    pen.host = context.host;
    pen.save();
    pen.scale(scale, scale);
    paint(Object.create(view, { context: { value: pen }, film: { value: Object.create(figure.film, { at: { value: at } }) } }));
    if (at !== null) outline(pen, view, figure.film.stops[at]);
    pen.restore();
    pen.fillStyle = theme.surface.card;
    pen.fillRect(0, height * scale, width * scale, below);
    pen.fillStyle = theme.surface.line;
    pen.fillRect(0, height * scale, width * scale, 1);
    let top = height * scale + SIDE / 2;
    const texts = (all, { size, weight, line }, colour) => {
      all.forEach((text, i) => write(pen, text, SIDE, top + (i + 0.5) * line, { size, weight, colour }));
      top += all.length * line;
    };
    texts(read, READ, theme.surface.muted);
    const start = top;
    texts(lines(at === null ? whole : figure.film.written(at), WRITTEN), WRITTEN, theme.surface.ink);
    top = start + output * WRITTEN.line;
    const place = at === null ? "" : Object.create(figure.film, { at: { value: at } }).place();
    texts([cut(pen, place, room - 100, PLACE.size)], PLACE, theme.surface.muted);
    write(pen, "Glassformer", SIDE + room, top - PLACE.line / 2, { size: PLACE.size, align: "right", colour: theme.surface.muted });
  };
  const frames = [{ at: null, ms: STANDS_FIRST }, ...kept.map((at) => ({ at, ms })), { at: null, ms: STANDS_LAST }];
  return gifOf({ width: width * scale, height: height * scale + below, frames, draw, exact: [theme.surface.card, theme.surface.ink] }, hooks);
}

// Round the group in which something is computed: from afar its values are too small to be seen.
function outline(pen, { sheet, theme, camera }, { parts: [{ frame }] }) {
  const group = frame.path.slice(0, 3).join();
  const { x, y, width, height } = sheet.frames.find(({ path }) => path.join() === group);
  const { k, x: left, y: top } = camera.at;
  pen.strokeStyle = theme.kinds.cross.ink;
  pen.lineWidth = 2;
  pen.strokeRect(x * k + left, y * k + top, width * k, height * k);
  pen.lineWidth = 1;
}

// The figure as it is now, whatever is moved while the film is made.
function still(figure) {
  const { camera } = figure;
  const now = Object.create(camera, { at: { value: camera.at }, width: { value: camera.width }, height: { value: camera.height } });
  return Object.create(figure, { camera: { value: now }, sheet: { value: figure.sheet }, theme: { value: figure.theme } });
}

async function tilesOf(figure, signal) {
  for (figure.draw(); figure.tiles.running || figure.tiles.wanted.size; figure.draw()) {
    signal.throwIfAborted();
    await new Promise((resume) => setTimeout(resume, AGAIN_IN));
  }
}

// Those that compute something in view, and those at which a token is written.
function stopsInView({ camera, film }) {
  const view = camera.seen();
  const isSeen = ({ x, y, columns, rows }) => meets(view, x, y, columns, rows);
  return [...film.stops.keys()].filter((at) => film.writes(at) || film.stops[at].parts.some(({ pieces }) => pieces.some(isSeen)));
}
