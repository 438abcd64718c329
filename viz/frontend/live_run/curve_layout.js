// Where the curves of a run and their axes lie, on the screen and in a file.

import { clamp } from "../common/dom.js";
import { whole } from "../common/numbers.js";
import { shareText, short3 } from "./number_format.js";

// px
export const PLOT = { height: 168, left: 52, right: 12, top: 8, bottom: 22 };

export class CurveLayout {
  // curves: lists of [step, value]; `most`: the last step of the axis
  constructor(chart, curves, width, most) {
    Object.assign(this, { chart, width, most });
    this.scale = scaleOf(chart, curves.flatMap((points) => this.usable(points)).map(([, value]) => value));
  }

  // A logarithm has no 0.
  usable(points) {
    return this.chart.log ? points.filter(([, value]) => value > 0) : points;
  }

  x(step) {
    return PLOT.left + (step / this.most) * (this.width - PLOT.left - PLOT.right);
  }

  y(value) {
    const { low, high, log } = this.scale;
    const of = log ? Math.log : (v) => v;
    const share = (of(value) - of(low)) / (of(high) - of(low));
    return PLOT.height - PLOT.bottom - clamp(share, 0, 1) * (PLOT.height - PLOT.top - PLOT.bottom);
  }

  stepAt(x) {
    const share = (x - PLOT.left) / (this.width - PLOT.left - PLOT.right);
    return clamp(share, 0, 1) * this.most;
  }

  // The points of a curve; one alone is a dot.
  curve(points) {
    const places = this.usable(points).map(([step, value]) => [this.x(step), this.y(value)]);
    return places.length === 1 ? [places[0], [places[0][0] + 0.01, places[0][1]]] : places;
  }

  get ticks() {
    return this.scale.ticks.map((value) => ({ y: this.y(value), text: this.text(value) }));
  }

  get ends() {
    return [0, this.most].map((step) => ({ x: this.x(step), text: whole(step) }));
  }

  text(value) {
    return this.chart.percent ? shareText(value) : short3(value);
  }
}

// A scale that holds all values, its ends on ticks, so that it moves rarely while a run goes on.
export function scaleOf(chart, values) {
  let low = Math.min(...values);
  let high = Math.max(...values);
  if (!values.length) [low, high] = chart.log ? [0.1, 1] : [0, 1];
  if (chart.log) {
    const from = Math.floor(Math.log10(low));
    const to = Math.max(from + 1, Math.ceil(Math.log10(high)));
    const every = Math.ceil((to - from) / 4);
    const ticks = [];
    for (let power = from; power <= to; power += every) ticks.push(10 ** power);
    return { log: true, low: 10 ** from, high: 10 ** to, ticks };
  }
  low = chart.low ?? low;
  high = chart.high ?? high;
  const step = 10 ** Math.floor(Math.log10((high - low) / 2 || 1));
  const size = [1, 2, 5, 10].map((n) => n * step).find((n) => (high - low) / n <= 4) || step;
  high = Math.ceil(high / size - 1e-9) * size || size;
  const ticks = [];
  for (let value = low; value <= high + size / 2; value += size) ticks.push(Number(value.toPrecision(6)));
  return { log: false, low, high, ticks };
}
