// Curves over the steps of a run, drawn in place: the lines change, nothing is put in anew.

import { add, clamp, el, fill, say } from "../common/dom.js";
import { whole } from "../common/numbers.js";
import { CurveLayout, PLOT } from "./curve_layout.js";

const SVG = "http://www.w3.org/2000/svg";

function svgNode(tag, attributes = {}) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

export class Curves {
  constructor(chart, words) {
    this.chart = chart;
    this.words = words;
    this.title = words[`chart_${chart.name}`];
    this.at = null; // the step pointed at
    this.svg = svgNode("svg", { role: "img", tabindex: 0, height: PLOT.height });
    this.axes = svgNode("g", { class: "gf-axes" });
    this.marker = svgNode("line", { class: "gf-marker", y1: PLOT.top, y2: PLOT.height - PLOT.bottom });
    this.cursor = svgNode("line", { class: "gf-at", y1: PLOT.top, y2: PLOT.height - PLOT.bottom });
    this.lines = chart.lines.map(([column, name, tone]) => {
      const own = svgNode("path", { class: "gf-curve", "data-tone": tone });
      const other = svgNode("path", { class: "gf-curve gf-other", "data-tone": tone });
      const text = el("span", "gf-value");
      const swatch = el("i", "", { "data-tone": tone });
      const key = add(el("li"), swatch, add(el("span"), words[name] ?? name), text);
      return { column, name, own, other, text, key };
    });
    this.svg.append(this.axes, this.marker, this.cursor, ...this.lines.flatMap((line) => [line.other, line.own]));
    const legend = add(el("ul", "gf-keys"), ...this.lines.map((line) => line.key));
    this.node = add(el("section", "gf-chart", { "data-chart": chart.name }), add(el("h3"), this.title), legend, this.svg);
    this.svg.addEventListener("pointermove", (event) => this.point(this.layout?.stepAt(event.offsetX) ?? null));
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("blur", () => this.point(null));
    this.svg.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    const places = this.story?.points(this.lines[0].column).map(([step]) => step) ?? [];
    const here = this.at === null ? places.length : places.findIndex((step) => step >= this.at);
    const to = { ArrowLeft: here - 1, ArrowRight: here + 1, Home: 0, End: places.length - 1 }[event.key];
    if (event.key === "Escape") this.point(null);
    if (to === undefined || !places.length) return;
    event.preventDefault();
    this.point(places[clamp(to, 0, places.length - 1)]);
  }

  point(step) {
    this.at = step;
    this.write();
  }

  draw(story, beside, moment) {
    const width = this.node.clientWidth;
    if (!width) return;
    Object.assign(this, { story, beside, moment });
    this.svg.setAttribute("width", width);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${PLOT.height}`);
    for (const line of this.lines) {
      line.points = story.points(line.column);
      line.others = beside ? beside.points(line.column) : [];
    }
    const most = Math.max(1, story.steps || 0, beside?.steps || 0);
    this.layout = new CurveLayout(this.chart, this.lines.flatMap((line) => [line.points, line.others]), width, most);
    for (const line of this.lines) {
      line.own.setAttribute("d", this.path(line.points));
      line.other.setAttribute("d", this.path(line.others));
    }
    this.drawAxes();
    this.write();
  }

  path(points) {
    return this.layout.curve(points).map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("");
  }

  // As many ticks as there are, moved and renamed; a chart that stands still keeps its axes untouched.
  drawAxes() {
    const bottom = PLOT.height - PLOT.bottom;
    const { ticks, ends } = this.layout;
    const wanted = JSON.stringify([ticks, ends]);
    if (wanted === this.drawnAxes) return;
    this.drawnAxes = wanted;
    const rows = ticks.flatMap(({ y, text }) => [
      svgNode("line", { x1: PLOT.left, x2: this.layout.width - PLOT.right, y1: y, y2: y }),
      label(PLOT.left - 6, y + 4, text, "end"),
    ]);
    const feet = ends.map(({ x, text }, i) => label(x, bottom + 16, text, i ? "end" : "start"));
    const middle = label(this.layout.x(this.layout.most / 2), bottom + 16, this.words.steps_axis, "middle");
    this.axes.replaceChildren(...rows, ...feet, middle);
  }

  // The value at the step pointed at, else the last one.
  write() {
    if (!this.layout) return;
    const parts = this.lines.map((line) => {
      const show = (points) => {
        const found = this.at === null ? points[points.length - 1] : nearest(points, this.at);
        return found ? this.layout.text(found[1]) : "–";
      };
      const text = this.beside ? `${show(line.points)} | ${show(line.others)}` : show(line.points);
      say(line.text, text);
      return `${this.words[line.name] ?? line.name} ${text}`;
    });
    const step = this.at === null ? "" : `${fill(this.words.at_step, { step: whole(Math.round(this.at)) })}: `;
    this.svg.setAttribute("aria-label", `${this.title}. ${step}${parts.join(", ")}`);
    stand(this.cursor, this.at === null ? null : this.layout.x(this.at));
    stand(this.marker, Number.isInteger(this.moment) ? this.layout.x(this.moment) : null);
  }
}

function stand(line, x) {
  line.style.display = x === null ? "none" : "";
  if (x === null) return;
  line.setAttribute("x1", x);
  line.setAttribute("x2", x);
}

function label(x, y, text, anchor) {
  const node = svgNode("text", { x, y, "text-anchor": anchor });
  node.textContent = text;
  return node;
}

function nearest(points, step) {
  return points.reduce((best, point) => (!best || Math.abs(point[0] - step) <= Math.abs(best[0] - step) ? point : best), null);
}
