// Layers: what the model would write if it stopped early, and how long each token's vector is along the depth.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { likeliest, stepOf } from "../../decoding.js";
import { joined } from "../../sources.js";
import { firstRow, matrixMessage } from "../figure_data.js";
import { card, distinctTokens, heading, longestAt, Pills, table, text } from "../parts.js";
import { section, words } from "../words.js";
import { Tab } from "./tab.js";

const SHOWN = 5; // candidates of a depth

export class LayersTab extends Tab {
  static texts = { name: "pages.layers", question: "layers.question", lead: "layers.lead" };

  constructor(app) {
    super(app);
    const { config } = app.brief();
    this.steps = new Pills(words("layers_place.step_decoder"), (step) => app.choose({ step }));
    this.depths = el("div");
    this.candidates = el("div");
    const hint = text(words("live_layers.hint"), "caption");
    this.early = card(heading(words("layers_early.candidates")), hint, this.depths, this.steps.node, this.candidates);
    this.early.hidden = config.architecture === "encoder";
    this.sides = new Pills(words("layers_place.side"), (side) => app.choose({ side }));
    this.matrix = this.figure("matrix", { selection: (cell) => cell?.key && this.side === "decoder" && app.choose({ step: cell.column }) });
    const lengths = words(`live_layers.lengths_${config.norm}`, { d: config.d_model });
    const lengthsCard = card(heading(words("layers_stream.lengths")), text(lengths, "caption"), this.sides.node, this.matrix.node);
    this.node = add(el("div", "panel"), this.early, lengthsCard);
    (this.early.hidden ? lengthsCard : this.early).dataset.main = "";
  }

  get side() {
    const { layers } = this.app.model;
    const asked = this.app.view.side;
    return asked in layers && asked !== "cross" ? asked : layers.decoder ? "decoder" : "encoder";
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const signal = this.latest.begin();
    await this.tried(async () => {
      if (!this.early.hidden) await this.drawEarly(app.result, signal);
      await this.drawLengths(app.result, signal);
      this.node.dataset.done = "";
    });
  }

  // The output layer on the stream after each layer, N depths at once.
  async drawEarly(result, signal) {
    const { app } = this;
    const depths = this.streamOf("decoder").filter(({ part }) => part === "" || part === "feed_forward");
    if (this.of !== result) {
      const { data, shape } = await app.session.engine.analyse("lens", stacked(depths, result), { signal });
      signal.throwIfAborted();
      const [, rows, width] = shape;
      this.logits = depths.map((_, at) =>
        Array.from({ length: rows }, (__, row) => data.subarray((at * rows + row) * width, (at * rows + row + 1) * width)));
      this.of = result;
    }
    const first = firstRow(result);
    const tokens = result.steps.map(({ token }) => token);
    const step = Math.min(app.view.step ?? longestAt(tokens), tokens.length - 1);
    const stepsAt = this.logits.map((rows) => tokens.map((_, at) => stepOf(rows[first + at], likeliest(rows[first + at]), at, SHOWN, app.model.shown)));
    const written = result.steps.map(({ id }) => id);
    this.depths.replaceChildren(this.grid(depths, tokens, stepsAt, written, step));
    this.steps.show(distinctTokens(tokens).map((token, at) => [at, token]), step);
    const rows = depths.map((depth, at) => [
      depthName(depth, true),
      ...stepsAt[at][step].candidates.slice(0, SHOWN).map(({ token, probability }) => `${token} ${percent(probability)}`),
    ]);
    const ranks = [...Array(SHOWN).keys()].map((rank) => String(rank + 1));
    this.candidates.replaceChildren(table([words("early_chart.place"), ...ranks], rows, -1));
  }

  // The likeliest token of each step at each depth, darker the likelier; framed where it is the one that is written.
  grid(depths, tokens, stepsAt, written, chosen) {
    const lines = depths.map((depth, at) => [depthName(depth, true), ...stepsAt[at].map(({ token }) => token)]);
    const node = table([words("early_chart.place"), ...tokens], lines, -1, "gf-plain gf-early");
    node.querySelectorAll("tbody tr").forEach((line, at) => {
      line.querySelectorAll("td").forEach((cell, step) => {
        const { id, probability } = stepsAt[at][step];
        cell.style.setProperty("--share", `${Math.round(60 * probability)}%`);
        cell.title = percent(probability, 1);
        cell.toggleAttribute("data-written", id === written[step]);
        cell.toggleAttribute("data-chosen", step === chosen);
      });
    });
    return node;
  }

  async drawLengths(result, signal) {
    const { side } = this;
    const { layers } = this.app.model;
    this.sides.node.hidden = !(layers.encoder && layers.decoder);
    this.sides.show(["encoder", "decoder"].map((each) => [each, words(`layers_place.${each}`)]), side);
    const depths = this.streamOf(side);
    const { data } = await this.app.session.engine.analyse("lengths", stacked(depths, result), { signal });
    signal.throwIfAborted();
    const columns = side === "encoder" ? result.sourceTokens : result.targetTokens;
    const lengths = {
      key: "lengths", title: words("layers_chart.length"), values: data, rows: depths.map((depth) => depthName(depth)), columns, decimals: 2,
      rowAxis: words("layers_chart.place"), columnAxis: words("layers_chart.token"), colour: side === "encoder" ? "encoder" : "decoder",
    };
    this.matrix.show(matrixMessage([lengths], section("matrix_figure")));
  }

  // Where the stream of a side is recorded, from the input on: { name, layer, part }.
  streamOf(side) {
    return this.app.model.values.flatMap(([name]) => {
      const [, layer, part] = /^\w+\.(?:input|(\d+)\.(\w+)\.residual)$/.exec(name) ?? [];
      return name.startsWith(`${side}.`) && (name.endsWith(".input") || part) ? [{ name, layer, part: part ?? "" }] : [];
    });
  }
}

// The recorded streams (T, d) one after the other, as a batch.
function stacked(depths, { values }) {
  const streams = depths.map(({ name }) => values[name]);
  return { data: joined(streams.map(({ data }) => data), Float32Array), shape: [streams.length, ...streams[0].shape] };
}

// `input`, `layer 0` or `0 self-attn`.
function depthName({ layer, part }, isWhole = false) {
  if (!part) return words("layers_place.input");
  return words(isWhole ? "layers_place.layer" : `layers_place.${part}`, { layer });
}
