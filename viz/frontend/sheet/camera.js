// What part of the sheet is seen: d3-zoom turns wheel, drag, pinch and double click into a movement and a scale.

import { D3 } from "../vendor/d3.js";

const CLOSEST = 88; // pixels of a cell
const LENGTH = 700; // ms of a flight

export class Camera {
  constructor(canvas, moved, rested) {
    this.canvas = D3.select(canvas);
    this.inset = 0;
    this.at = this.target = D3.zoomIdentity;
    this.zoom = D3.zoom()
      .filter((event) => !event.button && (!event.ctrlKey || event.type === "wheel"))
      .on("zoom", ({ transform }) => {
        this.at = transform;
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
    const [x, y] = [sheet.width * 0.5, sheet.height * 0.5];
    this.zoom
      .extent([[0, 0], [width, height]])
      .scaleExtent([Math.min(this.least, CLOSEST), CLOSEST])
      .translateExtent([[-x, -y], [sheet.width + x, sheet.height + y]]);
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
    const [x, y] = this.place((this.width - this.inset) / 2, this.height / 2);
    const zoom = (this.at.k * this.sheet.width) / this.width;
    return [x / this.sheet.width, y / this.sheet.height, zoom].map((number) => Number(number.toPrecision(5)));
  }

  spell([x, y, zoom]) {
    this.look(x * this.sheet.width, y * this.sheet.height, (zoom * this.width) / this.sheet.width, false);
  }

  // A place in the middle of what no panel covers, `inset` pixels on the right.
  look(x, y, scale, flies = true) {
    const k = Math.min(Math.max(scale, Math.min(this.least, CLOSEST)), CLOSEST);
    const target = D3.zoomIdentity.translate((this.width - this.inset) / 2, this.height / 2).scale(k).translate(-x, -y);
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

  move(x, y) {
    this.canvas.call(this.zoom.translateBy, x / this.at.k, y / this.at.k);
  }

  closer(factor) {
    this.canvas.call(this.zoom.scaleBy, factor);
  }

  destroy() {
    this.canvas.interrupt();
    this.canvas.on(".zoom", null);
  }
}
