// What part of the sheet is seen: d3-zoom turns wheel, drag, pinch and double click into a movement and a scale.

import { clamp } from "../common/dom.js";
import { D3 } from "../vendor/d3.js";

const CLOSEST = 88; // pixels of a cell
const LENGTH = 700; // ms of a flight
const WHOLE = 1.02; // times the smallest scale: nearer, the whole is no longer in view
const BESIDE = 0.25; // of the window on each side: something stands between these
const MOST_STEPS = 60; // at most, over a gap

export class Camera {
  // `refuses` may keep an event from moving the camera.
  constructor(canvas, { moved, rested, refuses }) {
    this.node = canvas;
    this.canvas = D3.select(canvas);
    // While the whole is in view, one finger scrolls the page: d3 hears of it only when a second one pinches.
    canvas.addEventListener("touchmove", (event) => event.touches.length === 1 && this.isWhole() && event.stopImmediatePropagation());
    this.inset = 0;
    this.at = this.target = D3.zoomIdentity;
    this.zoom = D3.zoom()
      .filter((event) => !event.button && (!event.ctrlKey || event.type === "wheel") && !refuses(event))
      .constrain((transform) => this.within(transform))
      .on("zoom", ({ transform, sourceEvent }) => {
        this.at = transform;
        if (sourceEvent) this.target = transform; // by hand: no flight is under way
        canvas.style.touchAction = this.isWhole() ? "pan-y" : "none";
        moved();
      })
      .on("end", () => {
        this.target = this.at;
        rested();
      });
    this.canvas.call(this.zoom);
  }

  // The size of the window, and the size of what is looked at.
  resize(width, height, sheet) {
    Object.assign(this, { width, height, sheet });
    const margin = 0.03;
    this.least = Math.min(width / sheet.width, height / sheet.height) * (1 - 2 * margin);
    this.zoom.extent([[0, 0], [width, height]]).scaleExtent([Math.min(this.least, CLOSEST), CLOSEST]);
  }

  isWhole() {
    return this.at.k <= this.least * WHOLE;
  }

  // No gesture leads into emptiness, neither beside the sheet nor into a gap on it.
  within(transform) {
    const { k } = transform;
    const room = { width: this.width - this.inset, height: this.height };
    const at = { x: held(transform.x, this.sheet.width * k, room.width), y: held(transform.y, this.sheet.height * k, room.height), k };
    const [across, down] = toNearest(this.sheet.pieces, at, room);
    const [x, y] = [at.x + across - transform.x, at.y + down - transform.y];
    return x || y ? transform.translate(x / k, y / k) : transform;
  }

  // From pixels of the window to places of the sheet.
  place(x, y) {
    return this.at.invert([x, y]);
  }

  seen() {
    const [x, y] = this.place(0, 0);
    const [right, bottom] = this.place(this.width, this.height);
    return { x, y, right, bottom };
  }

  // The link's form: the centre as shares of the sheet, and how often the view fits into the sheet's width.
  spelled() {
    const [x, y] = this.target.invert([(this.width - this.inset) / 2, this.height / 2]); // during a flight: where it ends
    const zoom = (this.target.k * this.sheet.width) / this.width;
    return [x / this.sheet.width, y / this.sheet.height, zoom].map((number) => Number(number.toPrecision(5)));
  }

  spell([x, y, zoom]) {
    this.look(x * this.sheet.width, y * this.sheet.height, (zoom * this.width) / this.sheet.width, false);
  }

  // A place in the middle of what no panel covers, `inset` pixels on the right.
  look(x, y, scale, flies = true) {
    this.fly(this.centred(x, y, Math.min(Math.max(scale, Math.min(this.least, CLOSEST)), CLOSEST)), flies);
  }

  // As near to a place as something is to be seen, at the same scale.
  lookNear(x, y, flies) {
    this.fly(this.within(this.centred(x, y, this.at.k)), flies);
  }

  centred(x, y, k) {
    return D3.zoomIdentity.translate((this.width - this.inset) / 2, this.height / 2).scale(k).translate(-x, -y);
  }

  fly(target, flies) {
    const still = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.canvas.interrupt();
    this.target = target; // where a flight ends
    if (!flies || still) this.canvas.call(this.zoom.transform, target);
    else this.canvas.transition().duration(LENGTH).call(this.zoom.transform, target);
  }

  // All of a rectangle, with a margin; no closer than `most` pixels a cell.
  fit({ x, y, width, height }, { most = CLOSEST, margin = 0.08, flies = true } = {}) {
    const scale = Math.min(((this.width - this.inset) * (1 - 2 * margin)) / width, (this.height * (1 - 2 * margin)) / height, most);
    this.look(x + width / 2, y + height / 2, scale, flies);
  }

  whole(flies = true) {
    this.fit({ x: 0, y: 0, width: this.sheet.width, height: this.sheet.height }, { margin: 0.03, flies });
  }

  // Over a gap that is wider than a step to what stands behind it.
  move(x, y) {
    const { at } = this;
    for (let steps = 1; steps <= MOST_STEPS; steps++) {
      const target = this.within(at.translate((steps * x) / at.k, (steps * y) / at.k));
      if ((target.x - at.x) * x + (target.y - at.y) * y < 1) continue;
      this.canvas.call(this.zoom.transform, target);
      return;
    }
  }

  // About a place in the window, by default the middle of what no panel covers.
  closer(factor, place = [(this.width - this.inset) / 2, this.height / 2]) {
    this.canvas.call(this.zoom.scaleBy, factor, place);
  }

  destroy() {
    this.canvas.interrupt();
    this.canvas.on(".zoom", null);
  }
}

// Where a side begins that is `size` long, in a window of `room`: all of it stays in view if it fits, at least half of
// the window shows it if it is twice as long, and in between something in between.
export function held(start, size, room) {
  if (size <= room) return clamp(start, 0, room - size);
  const seen = room * (1 - 0.5 * Math.min(size / room - 1, 1));
  return clamp(start, seen - size, room - seen);
}

// How far to move, so that something stands in the middle of the window: the nearest of the pieces, if none does.
export function toNearest(pieces, { x, y, k }, { width, height }) {
  let way = [0, 0];
  let least = Infinity;
  for (const piece of pieces) {
    const across = reach(piece.x * k + x, piece.columns * k, width);
    const down = reach(piece.y * k + y, piece.rows * k, height);
    const length = Math.hypot(across, down);
    if (length < least) [least, way] = [length, [across, down]];
    if (!length) break;
  }
  return way;
}

const reach = (start, size, room) => Math.max(0, BESIDE * room - start - size) + Math.min(0, (1 - BESIDE) * room - start);
