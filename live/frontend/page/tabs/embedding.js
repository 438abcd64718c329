// Embedding: what each token becomes before the first layer, and the rows of the table nearest to one of them.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { matrixMessage } from "../figure_data.js";
import { card, distinctTokens, heading, longestAt, Pills, table, text } from "../parts.js";
import { section, words } from "../words.js";
import { Tab } from "./tab.js";

const NEAR = 8; // rows of the table
const PARTS = ["embedding", "position", "segment", "embedding_sum", "input"];
const QUANTILE = 0.98; // of the sizes has full colour: a few outliers must not make all else pale

export class EmbeddingTab extends Tab {
  static texts = { name: "pages.embedding", question: "embedding.question", lead: "embedding.lead" };

  constructor(app) {
    super(app);
    this.sides = new Pills(words("embedding.side"), (side) => app.choose({ side, token: null }));
    this.tokens = new Pills(words("embedding.token"), (token) => app.choose({ token }));
    this.matrix = this.figure("matrix", { selection: (cell) => cell?.key && app.choose({ token: cell.row }) });
    this.way = card(heading(words("embedding.way_title")), this.sides.node, this.matrix.node);
    this.way.dataset.main = "";
    this.of = text("");
    this.near = el("div");
    this.about = text("", "caption");
    this.neighbours = card(heading(words("embedding.neighbours_title")), this.tokens.node, this.of, this.near, this.about);
    this.node = add(el("div", "panel"), this.way, this.neighbours);
  }

  get side() {
    const { layers } = this.app.model;
    const { side } = this.app.view;
    return ["encoder", "decoder"].includes(side) && layers[side] ? side : layers.encoder ? "encoder" : "decoder";
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const { side } = this;
    const { layers } = app.model;
    this.sides.node.hidden = !(layers.encoder && layers.decoder);
    this.sides.show(["encoder", "decoder"].map((each) => [each, words(`embedding.side_${each}`)]), side);
    const { source, target, sourceTokens, targetTokens } = app.result;
    const [ids, tokens] = side === "encoder" ? [source, sourceTokens] : [target, targetTokens];
    const token = Math.min(app.view.token ?? longestAt(tokens), tokens.length - 1);
    this.steps(tokens);
    this.tokens.show(distinctTokens(tokens).map((each, at) => [at, each]), token);
    await this.tried(() => this.drawNear(ids[token], tokens[token]));
  }

  // Embedding, position and input of all tokens (T, d), on one scale.
  steps(tokens) {
    const { config } = this.app.model;
    const { values } = this.app.result;
    const normed = `${this.side}.embedding_sum` in values;
    const titles = {
      embedding: words(config.scale_embedding ? "embedding.matrix_scaled" : "embedding.matrix_plain"), position: words("embedding.matrix_position"),
      segment: words("embedding.matrix_segment"), embedding_sum: words("embedding.row_sum"), input: words(normed ? "embedding.matrix_normed" : "embedding.matrix_input"),
    };
    const { data: input } = values[`${this.side}.input`];
    const limit = input.map(Math.abs).sort()[Math.floor(QUANTILE * (input.length - 1))] || 1;
    const rows = tokens.map((token, at) => `${at} ${token}`);
    const matrices = PARTS.filter((part) => `${this.side}.${part}` in values).map((part) => {
      const { data, shape } = values[`${this.side}.${part}`];
      const columns = [...Array(shape.at(-1)).keys()].map(String);
      return { key: part, title: titles[part], values: data, rows, columns, limit, decimals: 4, columnAxis: words("embedding.axis_dimension") };
    });
    this.matrix.show(matrixMessage(matrices, section("matrix_figure")));
  }

  async drawNear(id, token) {
    const { app } = this;
    const { trained, shown } = app.model;
    const signal = this.latest.begin();
    const { data } = await app.session.engine.analyse(`near_${this.side}`, { data: Int32Array.of(id), shape: [1, 1] }, { signal });
    signal.throwIfAborted();
    const order = [...data.keys()].filter((each) => each !== id).sort((a, b) => data[b] - data[a]).slice(0, NEAR);
    const texts = section("embedding_chart");
    this.of.textContent = words("embedding.neighbours_of", { token, id });
    this.near.replaceChildren(table([texts.token, texts.id, texts.cosine], order.map((each) => [shown[each], each, data[each].toFixed(3)]), -1));
    this.about.textContent = words(trained ? "embedding.neighbours_trained" : "embedding.neighbours_untrained", { size: data.length });
    this.node.dataset.done = "";
  }
}
