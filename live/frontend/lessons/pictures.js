// The picture of a question of the quiz: a row of weights, bars that follow a factor, or matrices.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { softmax } from "../formulas.js";
import { Shown } from "../page/figures.js";
import { matrixMessage } from "../page/figure_data.js";
import { section, words } from "../page/words.js";
import { weightsNode } from "./parts.js";

// asked: a draw of model/graph/quiz_questions.py that has a picture.
export class QuizPicture {
  constructor(asked) {
    this.asked = asked;
    this.node = el("div", "picture");
    this.figure = asked.picture.kind === "row" || asked.picture.kind === "bars" ? null : new Shown("matrix");
    if (this.figure) this.node.append(this.figure.node);
    this.step = asked.options[0];
  }

  // Once the node is on the page, whose colours a figure reads.
  appear() {
    this.show(this.step);
  }

  // With the step that is chosen: a factor, or a base.
  show(step) {
    const { kind, values, columns, colour } = this.asked.picture;
    if (kind === "row") {
      this.node.replaceChildren(weightsNode(words("quiz_figure.weight"), [...columns, words("quiz_figure.rest")], values, { colour }));
    } else if (kind === "bars") {
      const weights = softmax(values.map((score) => score * Number(step)));
      this.node.replaceChildren(weightsNode(words("quiz_figure.bars"), columns, weights, { colour }));
    } else this.figure.show(matrixMessage([this.matrix(step)], section("matrix_figure")));
  }

  matrix(step) {
    const { picture, options, labels, values: numbers } = this.asked;
    const { kind, values, rows, columns, colour } = picture;
    const axes = { rowAxis: words("quiz_figure.queries"), columnAxis: words("quiz_figure.keys") };
    if (kind === "mask") {
      return { key: "mask", title: words("quiz_figure.mask"), values: values.flat(), rows, columns, ...axes, scale: "mask" };
    }
    if (kind === "weights") {
      const title = words("quiz_figure.place", { kind: words(`quiz_figure.kind_${colour}`), layer: numbers.layer, head: numbers.head });
      return { key: "weights", title, values: values.flat(), rows, columns, ...axes, scale: "weight", colour, decimals: 2 };
    }
    const at = options.indexOf(step);
    const [one, other] = values[at];
    return {
      key: "positions",
      title: words("quiz_figure.rows", { base: labels[at] }),
      values: [...one, ...other, ...other.map((value, place) => value - one[place])],
      rows: [...rows.map((m) => words("quiz_figure.position", { m })), words("quiz_figure.difference")],
      columns: one.map((_, place) => String(place)),
      columnAxis: words("quiz_figure.dimension"),
      limit: 1,
    };
  }

  remove() {
    this.figure?.remove();
  }
}

// All heads of a run, to choose one from. `chosen` gets { kind, layer, head }.
export class HeadChoice {
  constructor(message, chosen) {
    this.figure = new Shown("attention", { selection: (at) => at.kind && chosen(at) });
    this.node = add(el("div"), this.figure.node);
    this.message = message;
  }

  appear() {
    this.figure.show(this.message);
  }

  remove() {
    this.figure.remove();
  }
}
