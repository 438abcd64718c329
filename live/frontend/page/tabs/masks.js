// Masks: which tokens one head may see, what the mask does to its scores, and what the weights would be without it.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { largestSize, matrixMessage, panelsOf, pathOf } from "../figure_data.js";
import { card, heading, Pills, text } from "../parts.js";
import { section, words } from "../words.js";
import { chosenHead } from "./head.js";
import { Tab } from "./tab.js";

const HIDDEN = -5e8; // a score below it is hidden: masks fill with −∞ or −1e9

export class MasksTab extends Tab {
  static texts = { name: "pages.masks", question: "masks.question", lead: "masks.lead" };

  constructor(app) {
    super(app);
    this.kinds = new Pills(words("place.attention_kind"), (kind) => app.choose({ attention_kind: kind, layer: null, head: null }), "pills", "head");
    this.layers = new Pills(words("place.layer"), (layer) => app.choose({ layer, head: null }), "pills", "head");
    this.heads = new Pills(words("place.head"), (head) => app.choose({ head }), "pills", "head");
    const choices = add(el("div", "row wide"), this.kinds.node, this.layers.node, this.heads.node);
    this.note = text("", "caption");
    this.scores = this.figure("matrix");
    const scores = card(heading(words("masks_scores.title")), text(words("live_masks.hint"), "caption"), choices, this.scores.node, this.note);
    scores.dataset.main = "";
    this.without = this.figure("matrix");
    this.later = text("");
    this.leak = card(heading(words("live_masks.without")), text(words("live_masks.without_hint"), "caption"), this.without.node, this.later);
    this.node = add(el("div", "panel"), scores, this.leak);
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const panels = panelsOf(app.model, app.result);
    const place = chosenHead(app, panels, app.view.attention_kind ? undefined : ["decoder"]);
    const panel = panels.find(({ kind }) => kind === place.kind);
    const numbered = (count) => [...Array(count).keys()].map((each) => [each, String(each)]);
    this.kinds.node.hidden = panels.length < 2;
    this.kinds.show(panels.map(({ kind }) => [kind, words(`attention_figure.wall_${kind}`)]), place.kind);
    this.layers.show(numbered(panel.layers), place.layer);
    this.heads.show(numbered(panel.heads), place.head);
    const parts = this.parts(panel, place);
    this.drawScores(panel, parts);
    await this.tried(() => this.drawWithout(panel, place, parts));
  }

  // The numbers (Q, K) of the chosen head before the mask, behind it, and as weights.
  parts({ queries, keys }, { kind, layer, head }) {
    const size = queries.length * keys.length;
    const of = (name) => this.app.result.values[`${pathOf(kind, layer)}.${name}`].data.subarray(head * size, (head + 1) * size);
    return { scores: of("scores"), masked: of("masked_scores"), weights: of("weights") };
  }

  drawScores({ kind, queries, keys }, { scores, masked, weights }) {
    const labels = { rows: queries, columns: keys, rowAxis: words(`masks_axes.queries_${kind}`), columnAxis: words("masks_axes.keys") };
    const limit = largestSize(scores) || 1;
    const hidden = masked.filter((score) => score < HIDDEN);
    const fill = hidden.length && Number.isFinite(hidden[0]) ? "−1e9" : "−∞";
    const seen = masked.map((score) => Number(score >= HIDDEN));
    const matrices = [
      { key: "seen", title: words("live_masks.seen"), values: seen, ...labels, scale: "mask", colour: kind },
      { key: "scores", title: words("masks_scores.scores"), values: scores, ...labels, limit, decimals: 2 },
      { key: "masked_scores", title: words("masks_scores.masked"), values: masked, ...labels, limit, decimals: 2 },
      { key: "weights", title: words("masks_scores.weights"), values: weights, ...labels, scale: "weight", colour: kind },
    ];
    this.scores.show(matrixMessage(matrices, section("matrix_figure")));
    this.note.textContent = hidden.length ? words("masks_scores.hidden", { count: hidden.length, total: masked.length, fill }) : words("live_masks.all");
  }

  // What the same scores give without the mask: weight on tokens that are not written yet.
  async drawWithout({ kind, queries, keys, heads }, { layer, head }, { weights }) {
    const { app } = this;
    const { data, shape } = app.result.values[`${pathOf(kind, layer)}.scores`];
    this.leak.hidden = kind !== "decoder" || `${pathOf(kind, layer)}.position_bias` in app.result.values;
    if (this.leak.hidden) return;
    const signal = this.latest.begin();
    const found = await app.session.engine.analyse("unmasked", { data: data.slice(), shape: [1, heads, ...shape.slice(1)] }, { signal });
    signal.throwIfAborted();
    const size = queries.length * keys.length;
    const without = found.data.subarray(head * size, (head + 1) * size);
    const labels = { rows: queries, columns: keys, rowAxis: words("masks_axes.queries_decoder"), columnAxis: words("masks_axes.keys"), scale: "weight", colour: kind };
    const matrices = [
      { key: "with", title: words("masks_leak.with_mask"), values: weights, ...labels },
      { key: "without", title: words("masks_leak.without_mask"), values: without, ...labels },
    ];
    this.without.show(matrixMessage(matrices, section("matrix_figure")));
    let later = 0;
    without.forEach((weight, at) => {
      if (at % keys.length > Math.floor(at / keys.length)) later += weight;
    });
    this.later.textContent = words("live_masks.later", { share: percent(later / queries.length) });
    this.node.dataset.done = "";
  }
}
