// The figures of the steps of the course, from what model/course/page_data.py computed. Each has `node`, `appear`, which
// is called once the node is on the page (whose colours a figure reads), and `remove`.

import { add, el, say, shownToken } from "../../../viz/frontend/common/dom.js";
import { percent } from "../../../viz/frontend/common/numbers.js";
import { softmax } from "../formulas.js";
import { Shown } from "../page/figures.js";
import { attentionMessage, matrixMessage } from "../page/figure_data.js";
import { distinctTokens, Pills, text } from "../page/parts.js";
import { section, words } from "../page/words.js";
import { sliderNode, weightsNode } from "./parts.js";

const FACTORS = Array.from({ length: 17 }, (_, at) => at / 4);

// What a step shows: { course, figure, panels, language, live }, `course` being all data and `figure` that of the step.
export function figureOf(name, material) {
  return new FIGURES[name](material);
}

// A choice of one of the tokens that stand for text, and what is shown for it.
class OfToken {
  constructor({ course, figure }, first = course.longest) {
    this.figure = figure;
    this.pills = new Pills(words("unit.tokens"), (place) => this.choose(place));
    const names = distinctTokens(course.output);
    this.options = course.worded.map((place) => [place, names[place]]);
    this.shown = el("div", "picture");
    this.node = add(el("div", "stack"), this.pills.node, this.shown);
    this.place = first;
  }

  choose(place) {
    this.place = place;
    this.pills.show(this.options, place);
    this.shown.replaceChildren(this.drawing(place));
  }

  appear() {}

  remove() {}
}

class Lookup extends OfToken {
  constructor(material) {
    super(material);
    this.factor = 1;
    const names = FACTORS.map((factor) => factor.toFixed(2));
    const slider = sliderNode(words("course_lookup.factor"), names, FACTORS.indexOf(1), (at) => {
      this.factor = FACTORS[at];
      this.choose(this.place);
    });
    this.pills.node.after(slider);
    this.choose(this.place);
  }

  drawing(place) {
    const weights = softmax(this.figure.scores[place].map((score) => score * this.factor));
    return weightsNode(words("course_lookup_chart.value"), this.figure.keys, weights);
  }
}

class Vectors extends OfToken {
  constructor(material) {
    super(material);
    this.choose(this.place);
  }

  drawing(place) {
    const near = this.figure.near[place];
    return weightsNode(words("course_vectors_chart.value"), near.map(([token]) => token), near.map(([, cosine]) => cosine), { decimals: 2, colour: "decoder" });
  }
}

class Layers extends OfToken {
  constructor(material) {
    super(material);
    this.node.append(text(words("course_layers.legend"), "caption"));
    this.choose(this.place);
  }

  // The likeliest tokens after each layer; the one that is finally written is marked.
  drawing(place) {
    const { places, top, shares } = this.figure;
    const final = top.at(-1)[place][0];
    const table = el("table", "lens");
    places.forEach((at, depth) => {
      const name = add(el("th", "", { scope: "row" }), placeName(at));
      const cells = top[depth][place].map((token, rank) => lensCell(token, shares[depth][place][rank], token === final));
      table.append(add(el("tr"), name, ...cells));
    });
    return table;
  }
}

function lensCell(token, share, isFinal) {
  return add(el("td", isFinal ? "final" : ""), add(el("b"), shownToken(token)), add(el("small"), percent(share, 1)));
}

// The place after a whole layer, as pages/shared/text/depth.py names it.
export function placeName(at) {
  const [layer, part] = at.split(".");
  return part ? words("layers_place.layer", { layer }) : words(`layers_place.${at}`);
}

// A switch; `act` gets whether it is on.
function toggleNode(title, act) {
  const toggle = el("input", "", { type: "checkbox", role: "switch" });
  const label = add(el("span"), title);
  toggle.addEventListener("change", () => act(toggle.checked));
  return add(el("label", "toggle"), toggle, label);
}

// A figure of the app, and what stands beside it.
class OfFigure {
  constructor(name, data) {
    this.drawn = new Shown(name);
    this.data = data;
  }

  appear() {
    this.show();
  }

  showMatrix(matrix) {
    this.drawn.show(matrixMessage([matrix], section("matrix_figure")));
  }

  remove() {
    this.drawn.remove();
  }
}

class Position extends OfFigure {
  constructor({ figure }) {
    super("matrix", figure);
    this.outputs = el("div", "outputs", { "aria-live": "polite" });
    const toggle = toggleNode(words("course_position.without"), (isOn) => this.show(isOn));
    this.node = add(el("div", "stack"), toggle, this.outputs, this.drawn.node);
  }

  show(isOff = false) {
    const { orders, before, after, tokens, vectors } = this.data;
    const now = isOff ? after : before;
    const lines = orders.flatMap((sentence, at) => [text(words("course_position.writes", { sentence }), "caption"), text(now[at], "written")]);
    lines.push(text(words(`course_position.${now[0] === now[1] ? "same" : "different"}`), "caption"));
    if (isOff && after[0] === before[0]) lines.push(text(words("course_position.unchanged"), "caption"));
    this.outputs.replaceChildren(...lines);
    this.showMatrix({
      key: "position", title: words("course_position.matrix"), values: vectors.flat().map((value) => (isOff ? 0 : value)), rows: tokens,
      columns: vectors[0].map((_, at) => String(at)), rowAxis: words("course_position.rows"), columnAxis: words("course_position.columns"), limit: 1,
    });
  }
}

// The links of one head.
class Head extends OfFigure {
  constructor({ course, panels }) {
    super("attention", panels);
    const [layer, head] = course.head;
    this.look = { view: "links", kind: "cross", layer, head };
    this.node = this.drawn.node;
  }

  show() {
    this.drawn.show(attentionMessage(this.data, { ...this.look, words: section("attention_figure") }));
  }
}

// The heads of the decoder side by side.
class Heads extends Head {
  constructor({ course, panels }) {
    super({ course, panels: panels.filter(({ kind }) => kind === "decoder") });
    this.look = { view: "matrix", kind: "decoder", layer: 0, head: 0, compact: true };
  }
}

class Mask extends OfFigure {
  constructor({ figure }) {
    super("matrix", figure);
    this.later = el("p", "caption", { "aria-live": "polite" });
    this.node = add(el("div", "stack"), toggleNode(words("course_mask.without"), (isOff) => this.show(isOff)), this.drawn.node, this.later);
  }

  show(isOff = false) {
    const { tokens, head, scores } = this.data;
    const weights = scores.map((row, query) => softmax(row.map((score, key) => (isOff || key <= query ? score : -Infinity))));
    const later = weights.flatMap((row, query) => row.slice(query + 1)).reduce((total, weight) => total + weight, 0);
    say(this.later, words("course_mask.later", { share: (later / tokens.length).toFixed(2) }));
    this.showMatrix({
      key: "mask", title: words("course_mask.matrix", { head }), values: weights.flat(), rows: tokens, columns: tokens,
      rowAxis: words("course_mask.rows"), columnAxis: words("course_mask.columns"), scale: "weight", colour: "decoder", decimals: 2,
    });
  }
}

class Cross extends OfFigure {
  constructor({ course, figure, language }) {
    super("architecture", figure);
    Object.assign(this, { course, language });
    this.output = el("div", "outputs", { "aria-live": "polite" });
    this.node = add(el("div", "stack"), this.drawn.node, toggleNode(words("course_cross.without"), (isOff) => this.show(isOff)), this.output);
  }

  appear() {
    this.drawn.show(this.course.maps[this.language]);
    super.appear();
  }

  show(isOff = false) {
    const lines = [text(words("course_position.writes", { sentence: this.course.sentence }), "caption"), text(this.data[isOff ? "after" : "before"], "written")];
    if (isOff) lines.push(text(words("course_cross.cut"), "caption"));
    this.output.replaceChildren(...lines);
  }
}

class Writing {
  constructor({ course, language, live }) {
    this.live = live();
    this.node = this.live.node;
    this.live.show("decoding", { sentence: course.sentence, language });
  }

  appear() {}

  remove() {
    this.live.remove();
  }
}

class Learning extends OfFigure {
  constructor({ figure }) {
    super("matrix", figure);
    this.output = el("div", "outputs", { "aria-live": "polite" });
    const slider = sliderNode(words("course_learning.moment"), figure.steps, 0, (at) => this.show(at));
    this.node = add(el("div", "stack"), slider, this.output, this.drawn.node);
  }

  show(at = 0) {
    const { steps, sentence, moments, head: [layer, head] } = this.data;
    const { output, rows, columns, weights } = moments[at];
    this.output.replaceChildren(text(words("course_learning.writes", { step: steps[at], sentence }), "caption"), text(output || words("frame.nothing"), "written"));
    this.showMatrix({
      key: "learning", title: words("course_learning.matrix", { layer, head }), values: weights.flat(), rows, columns,
      rowAxis: words("course_learning.rows"), columnAxis: words("course_learning.columns"), scale: "weight", colour: "cross", decimals: 2,
    });
  }
}

const FIGURES = { lookup: Lookup, vectors: Vectors, position: Position, head: Head, heads: Heads, mask: Mask, layers: Layers, cross: Cross, writing: Writing, learning: Learning };
