// What switching off each head alone does to one word, filled as it is computed.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { firstRow, largestSize, matrixMessage } from "../../figure_data.js";
import { card, distinctTokens, heading, longestAt, Pills, text } from "../../parts.js";
import { isAbort } from "../../session.js";
import { section, words } from "../../words.js";
import { chosenHead } from "../head.js";
import { Tab } from "../tab.js";

export class Effects extends Tab {
  constructor(app) {
    super(app);
    this.steps = new Pills(words("intervene.step"), (step) => app.choose({ step }));
    this.done = text("", "caption");
    this.maps = new Map(); // by kind
    this.kinds = el("div", "kinds");
    this.about = text("", "caption");
    this.node = card(heading(words("intervene_show.effect")), this.about, this.steps.node, this.kinds, this.done);
  }

  choose(cell) {
    const [kind] = (cell?.key ?? "").split("_");
    if (kind) this.app.choose({ attention_kind: kind, layer: cell.row, head: cell.column });
  }

  draw(panels) {
    const { app } = this;
    const isEncoder = app.model.config.architecture === "encoder";
    this.about.textContent = words(isEncoder ? "intervene_encoder.effect" : "intervene_about.effect");
    this.panels = panels;
    this.tokens = isEncoder ? app.result.sourceTokens : app.result.steps.map(({ token }) => token);
    this.step = Math.min(app.view.step ?? longestAt(this.tokens), this.tokens.length - 1);
    this.steps.show(distinctTokens(this.tokens).map((token, at) => [at, token]), this.step);
    if (this.of !== app.result) this.compute();
    this.show();
  }

  async compute() {
    const { app } = this;
    this.of = app.result;
    this.found = new Map();
    const [signal, begun] = [this.latest.begin(), performance.now()];
    const onLayer = ({ kind, layer, effects }) => {
      this.found.set(`${kind}.${layer}`, effects);
      if (app.isOn(app.tabs.intervene)) this.show();
    };
    try {
      await app.session.engine.effects(app.result.source, app.result.target, { onLayer, signal });
      this.node.dataset.milliseconds = Math.round(performance.now() - begun);
    } catch (error) {
      this.of = null;
      if (!isAbort(error)) app.fail(error);
    }
  }

  // Both maps of each kind: what a head's loss does, and its largest weight for this word.
  show() {
    const { app, panels, step } = this;
    const row = firstRow(app.result) + step;
    const layers = panels.flatMap(({ kind, layers: count }) => [...Array(count).keys()].map((layer) => [kind, layer]));
    const effectOf = (kind, layer, head) => this.found.get(`${kind}.${layer}`)?.[head][row] ?? NaN;
    const every = panels.map((panel) => mapOf(panel, (layer, head) => effectOf(panel.kind, layer, head)));
    const limit = Math.max(...every.map(largestSize)) || 1;
    const texts = section("intervene_map");
    const place = chosenHead(app, panels);
    panels.forEach((panel, at) => {
      const most = mapOf(panel, (layer, head) => strength(panel, layer, head, row));
      const matrices = headMatrices(panel, every[at], most, limit, texts, app);
      const selection = panel.kind === place.kind ? { key: `${place.kind}_effect`, row: place.layer, column: place.head } : null;
      this.mapFor(panel.kind).show(matrixMessage(matrices, section("matrix_figure"), { cell: 44, selection }));
    });
    const [done, count] = [this.found.size, layers.length];
    this.done.textContent = done < count ? words("progress.done", { done, count }) : "";
    this.node.dataset.done = done === count;
  }

  mapFor(kind) {
    if (!this.maps.has(kind)) {
      const figure = this.figure("matrix", { selection: (cell) => this.choose(cell) });
      this.maps.set(kind, figure);
      this.kinds.append(add(el("div"), heading(words(`attention_figure.wall_${kind}`), "h3"), figure.node));
    }
    return this.maps.get(kind);
  }
}

function mapOf({ layers, heads }, value) {
  return Float32Array.from({ length: layers * heads }, (_, at) => value(Math.floor(at / heads), at % heads));
}

// The largest weight of a head in a row; of the encoder, which no step reads in one row, the mean over its rows.
function strength({ kind, weights, queries, keys }, layer, head, row) {
  const of = (query) => Math.max(...weights[layer].subarray((head * queries.length + query) * keys.length, (head * queries.length + query + 1) * keys.length));
  if (kind !== "encoder") return of(row);
  return queries.reduce((total, _, query) => total + of(query), 0) / queries.length;
}

function headMatrices({ kind, layers, heads }, effect, most, limit, texts, app) {
  const labels = {
    rows: [...Array(layers).keys()].map(String),
    columns: [...Array(heads).keys()].map(String),
    rowAxis: texts.layer,
    columnAxis: texts.head,
  };
  const note = kind === "encoder" && app.model.config.architecture !== "encoder" ? texts.mean : "";
  return [
    { key: `${kind}_effect`, title: texts.effect, values: effect, ...labels, limit, blank: "…" },
    { key: `${kind}_strength`, title: texts.strength, values: most, ...labels, scale: "weight", colour: kind, note },
  ];
}
