// Position: what the model itself does with the order of tokens, as a pass over many tokens shows it.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { matrixMessage } from "../figure_data.js";
import { card, heading, text } from "../parts.js";
import { product, transposed } from "./stages.js";
import { section, words } from "../words.js";
import { Tab } from "./tab.js";

const LONGEST = 48; // positions shown
const ROTATED = 16; // positions of the rotated query and key
const HEADS = 4; // whose biases are shown

export class PositionTab extends Tab {
  static texts = { name: "pages.position", question: "position.question", lead: "position.lead" };

  constructor(app) {
    super(app);
    this.title = heading("");
    this.about = text("");
    this.matrix = this.figure("matrix");
    this.note = text("", "caption");
    this.likeTitle = heading(words("position.distance_title"));
    this.like = this.figure("matrix");
    this.second = card(this.likeTitle, this.like.node);
    this.first = card(this.title, this.about, this.matrix.node, this.note);
    this.first.dataset.main = "";
    this.node = add(el("div", "panel"), this.first, this.second);
  }

  async draw() {
    const { app } = this;
    if (!app.model || this.of === app.model) return;
    await this.tried(async () => {
      await this.compute(this.latest.begin());
      this.of = app.model;
    });
  }

  async compute(signal) {
    const { position } = this.app.model.config;
    const inAttention = ["relative", "rotary", "alibi"].includes(position);
    this.title.textContent = words(inAttention ? "position_methods.title" : "position.table_title");
    this.second.hidden = inAttention || position === "none";
    this.about.textContent = inAttention ? words(`position_methods.${position}_says`) : "";
    this.matrix.node.hidden = position === "none";
    this.note.textContent = position === "none" ? words("position.note_none") : "";
    if (position === "none") return;
    if (position === "rotary") return this.rotated(await this.passOver(ROTATED, signal));
    if (inAttention) return this.biases(await this.passOver(LONGEST, signal));
    this.table(await this.passOver(LONGEST, signal));
  }

  get side() {
    return this.app.model.layers.encoder ? "encoder" : "decoder";
  }

  // The recorded values of a pass over one token again and again, the second of the sentence: only positions differ.
  async passOver(length, signal) {
    const { app, side } = this;
    const { source, target } = app.result;
    const most = Math.min(length, app.model.reading.tokens);
    const read = side === "encoder" ? source : target;
    const repeated = Array(most).fill(read[Math.min(1, read.length - 1)]);
    const { values } = await app.session.engine.pass(side === "encoder" ? repeated : [], side === "encoder" ? target : repeated, { signal });
    return values;
  }

  table(values) {
    const { data, shape } = values[`${this.side}.position`];
    const position = { data, shape: shape.slice(-2) };
    const [rows, columns] = position.shape.map((count) => [...Array(count).keys()].map(String));
    const learned = this.app.model.config.position === "learned";
    this.about.textContent = words(learned ? "live_position.learned" : "live_position.sinusoidal");
    const table = {
      key: "table", title: words("position.table_matrix"), values: data, rows, columns, decimals: 4, limit: learned ? null : 1,
      rowAxis: words("position.axis_position"), columnAxis: words("position.axis_column"),
    };
    this.matrix.show(matrixMessage([table], section("matrix_figure")));
    const products = product(position, transposed(position));
    const like = {
      key: "products", title: words("position.products_matrix"), values: products.data, rows, columns: rows, decimals: 2,
      rowAxis: words("position.axis_m"), columnAxis: words("position.axis_n"),
    };
    this.likeTitle.textContent = learned ? words("position.kind_learned") : words("position.distance_title");
    this.like.show(matrixMessage([like], section("matrix_figure")));
  }

  biases(values) {
    const bias = values[`${this.side}.0.self_attention.position_bias`];
    const [heads, rows, columns] = bias.shape;
    const numbers = [...Array(rows).keys()].map(String);
    const shown = [...Array(Math.min(HEADS, heads)).keys()].map((head) => ({
      key: `bias_${head}`,
      title: words("attention_figure.head", { head }),
      values: bias.data.subarray(head * rows * columns, (head + 1) * rows * columns),
      rows: numbers,
      columns: numbers,
      rowAxis: words("position_methods.row"),
      columnAxis: words("position_methods.column"),
    }));
    this.matrix.show(matrixMessage(shown, section("matrix_figure")));
  }

  // One query and one key at all positions: their score follows the distance.
  rotated(values) {
    const scores = values[`${this.side}.0.self_attention.scores`];
    const [, rows, columns] = scores.shape;
    const numbers = [...Array(rows).keys()].map(String);
    const shown = {
      key: "rotated_scores", title: words("position_methods.scores"), values: scores.data.subarray(0, rows * columns), rows: numbers, columns: numbers,
      rowAxis: words("position_methods.row"), columnAxis: words("position_methods.column"), decimals: 2,
    };
    this.matrix.show(matrixMessage([shown], section("matrix_figure")));
  }
}
