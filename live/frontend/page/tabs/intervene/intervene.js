// Intervene: scale heads or switch them off; the output and the probability of every word follow at once.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../../viz/frontend/common/numbers.js";
import { cosine, logChange } from "../../../formulas.js";
import { headList, keyOf, readChanges, spellChanges, spellPatch } from "../../address.js";
import { firstRow, largestSize, matrixMessage, panelsOf } from "../../figure_data.js";
import { stopText } from "../../notices.js";
import { button, card, heading, outputsNode, sharedPlaces, text } from "../../parts.js";
import { section, words } from "../../words.js";
import { labelTable } from "../labels.js";
import { Tab } from "../tab.js";
import { Effects } from "./effects.js";
import { Patches, patchText } from "./patches.js";
import { Search } from "./search.js";
import { headName, Sliders, without } from "./sliders.js";

export class InterveneTab extends Tab {
  static texts = { name: "pages.intervene", question: "intervene.question", lead: "intervene.lead" };

  constructor(app) {
    super(app);
    this.sliders = new Sliders(app, (heads, isLast) => this.change(heads, isLast));
    this.outputs = el("div");
    this.list = el("ul", "changes");
    this.clear = button(words("intervene_list.clear"), () => this.change({}, true, []));
    this.search = new Search(app);
    this.form = new Patches(app, (patch) => this.change(this.heads, true, [...this.others(patch), patch]));
    const layer = button(words("intervene_change.off", { head: words("intervene_reach.layer") }), () => this.sliders.offAll());
    const { architecture, heads } = app.brief().config;
    layer.hidden = heads < 2;
    this.search.button.hidden = architecture === "encoder"; // which writes nothing
    const tries = add(el("div", "row"), layer, this.search.button);
    const left = card(heading(words("live_intervene.heads")), text(words("live_intervene.hint"), "caption"), this.sliders.node, tries, this.search.said);
    const right = card(heading(words("live_intervene.output")), this.outputs, this.list, add(el("div", "row"), this.clear));
    this.about = text("", "caption");
    this.matrix = this.figure("matrix", { selection: (cell) => cell?.key && app.choose({ step: cell.column }) });
    this.probabilities = card(heading(words(architecture === "encoder" ? "intervene_encoder.title" : "intervene_show.probability")), this.about, this.matrix.node);
    this.effects = new Effects(app);
    this.node = add(el("div", "panel"), add(el("div", "columns", { "data-main": "" }), left, right), this.form.node, this.probabilities, this.effects.node);
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const { result, view: { changes, scales } } = app;
    const { heads, patches, bad } = readChanges(changes, scales, app.model);
    const found = await this.form.found(patches);
    const isLate = app.result !== result || app.view.changes !== changes || app.view.scales !== scales;
    if (isLate || !app.isOn(this)) return;
    app.sayOnce("changes", [...bad, ...found.bad.map(spellPatch)].map((value) => words("intervene_list.bad", { value: value.slice(0, 40) })));
    this.heads = heads;
    this.patches = found.ready;
    this.panels = panelsOf(app.model, app.result);
    this.sliders.show(this.panels, heads);
    await this.follow();
    this.form.draw();
    this.effects.draw(this.panels);
  }

  // While a slider moves the address waits; the newest position is computed as soon as the last one is done.
  change(heads, isLast, patches = this.patches) {
    this.heads = heads;
    if (isLast) this.app.choose({ changes: null, scales: null, ...spellChanges(heads, patches) });
    else this.follow();
  }

  // The patches of other places.
  others(patch) {
    return this.patches.filter((each) => keyOf(each) !== keyOf(patch));
  }

  async follow() {
    if (this.busy) return void (this.again = true);
    this.busy = true;
    await this.tried(async () => {
      do {
        this.again = false;
        await this.compute();
      } while (this.again && this.app.isOn(this));
    });
    this.busy = false;
  }

  async compute() {
    const { app, heads, patches: listed } = this;
    const begun = performance.now();
    const changed = headList(heads).filter(({ scale }) => scale !== 1);
    const patches = listed.map(({ name, row, vector }) => ({ name, row, vector }));
    const [before, output] = [app.result, app.model.config.architecture === "encoder" ? ["encoder.output", ...(app.model.config.labels.length ? ["labels"] : [])] : []];
    const count = changed.length + patches.length;
    const [after, beside] = count
      ? [
          await app.session.engine.write(app.sentence, { heads: changed, patches, only: [] }),
          await app.session.engine.pass(before.source, before.target, { heads: changed, patches, only: output, written: before.ids, first: firstRow(before) }),
        ]
      : [before, before];
    if (app.result !== before || !app.isOn(this)) return;
    this.show(before, after, beside, changed);
    this.node.dataset.milliseconds = Math.round(performance.now() - begun);
  }

  show(before, after, beside, changed) {
    const { app } = this;
    const isEncoder = app.model.config.architecture === "encoder";
    app.tell(after.text);
    const patches = this.patches.map((patch) => this.listed(patchText(before, patch), () => this.change(this.heads, true, this.others(patch))));
    this.list.replaceChildren(...changed.map((change) => this.line(change)), ...patches);
    const count = changed.length + patches.length;
    this.clear.disabled = !count;
    this.outputs.replaceChildren(isEncoder ? this.read(before, beside) : outputsNode(this.pair(before, after, count)));
    this.about.textContent = words(isEncoder ? "intervene_encoder.probability" : "intervene_about.probability");
    const matrices = isEncoder ? this.vectors(before, beside) : this.changes(before, beside);
    this.matrix.show(matrixMessage(matrices, section("matrix_figure"), { cell: 44 }));
    this.node.dataset.changed = count;
  }

  // What an encoder alone gives: labels, or vectors that no text says.
  read(before, beside) {
    const { config } = this.app.model;
    if (!config.labels.length) return text(words("intervene_outputs.encoder"));
    return labelTable(config, { [words("intervene_outputs.before")]: before, [words("intervene_outputs.after")]: beside });
  }

  pair(before, after, count) {
    const tokens = (result) => result.steps.map(({ token }) => token);
    const same = String(before.ids) === String(after.ids);
    const longest = Math.max(before.ids.length, after.ids.length);
    const other = words("intervene_outputs.other", { count: longest - sharedPlaces(before.ids, after.ids)[0].size });
    const said = !count ? words("intervene_outputs.unchanged") : same ? words("intervene_outputs.same") : other;
    const end = stopText(this.app, after, after.stop !== before.stop);
    return [
      { name: words("intervene_outputs.before"), tokens: tokens(before), note: stopText(this.app, before) },
      { name: words("intervene_outputs.after"), tokens: tokens(after), note: [said, end].filter(Boolean).join(" · ") },
    ];
  }

  // The probability of each word of the original, in both passes over it, and how its logarithm changes.
  changes(before, beside) {
    const columns = before.steps.map(({ token }) => token);
    const [own, other] = [before, beside].map(({ steps }) => Float32Array.from(steps, ({ probability }) => probability));
    const change = Float32Array.from(own, (probability, at) => logChange(probability, other[at]));
    const texts = section("intervene_probability");
    const shares = Float32Array.from([...own, ...other]);
    const passes = [words("intervene_outputs.before"), words("intervene_outputs.after")];
    const limit = Math.max(1, largestSize(change));
    return [
      { key: "probability", title: words("intervene_candidates.probability"), values: shares, rows: passes, columns, scale: "weight", colour: "decoder" },
      { key: "change", title: texts.change, values: change, rows: [words("live_intervene.change")], columns, limit, decimals: 2 },
    ];
  }

  // The cosine of each vector with the original.
  vectors(before, beside) {
    const columns = before.sourceTokens;
    const values = columns.map((_, row) => cosine(rowOf(before.values["encoder.output"], row), rowOf(beside.values["encoder.output"], row)) - 1);
    return [{ key: "turned", title: words("intervene_cosine.change"), values: Float32Array.from(values), rows: [words("live_intervene.change")], columns, limit: Math.max(0.05, largestSize(values)) }];
  }

  line({ kind, layer, head, scale }) {
    const verb = { 0: "off", 0.5: "half" }[scale];
    const name = headName(kind, layer, head);
    const said = verb ? words(`intervene_change.${verb}`, { head: name }) : words("live_intervene.scaled", { head: name, share: percent(scale) });
    return this.listed(said, () => this.change(without(this.heads, `${kind}.${layer}.${head}`), true));
  }

  listed(said, remove) {
    return add(el("li"), text(said), button(words("intervene_list.remove"), remove, "link"));
  }

  remove() {
    super.remove();
    this.search.remove();
    this.effects.remove();
  }
}

const rowOf = ({ data, shape: [, width] }, row) => data.subarray(row * width, (row + 1) * width);
