// Intervene: scale heads or switch them off; the output and the probability of every word follow at once.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { cosine } from "../../cosine.js";
import { headList, readChanges, spellChanges } from "../address.js";
import { Shown } from "../figures.js";
import { chosenHead } from "../head.js";
import { labelTable } from "../labels.js";
import { isSpecial, largestSize, matrixMessage, panelsOf } from "../messages.js";
import { isAbort, Latest } from "../session.js";
import { button, card, distinctTokens, heading, outputsNode, Pills, text } from "../parts.js";
import { section, words } from "../words.js";
import { stopText } from "./decoding.js";

const STEP = 0.05; // of a slider
const SEARCHED = 60; // sentences
const LIKELY = -0.4; // nats that a word loses before another one may win

export class InterveneTab {
  static texts = { name: "pages.intervene", question: "intervene.question", lead: "intervene.lead" };

  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    this.sliders = new Sliders(app, (heads, isLast) => this.change(heads, isLast));
    this.outputs = el("div");
    this.list = el("ul", "changes");
    this.clear = button(words("intervene_list.clear"), () => this.change({}, true));
    this.search = new Search(app);
    const layer = button(words("intervene_change.off", { head: words("intervene_reach.layer") }), () => this.sliders.offAll());
    const { architecture, heads } = app.brief().config;
    layer.hidden = heads < 2;
    this.search.button.hidden = architecture === "encoder"; // which writes nothing
    const tries = add(el("div", "row"), layer, this.search.button);
    const left = card(heading(words("live_intervene.heads")), text(words("live_intervene.hint"), "caption"), this.sliders.node, tries, this.search.said);
    const right = card(heading(words("live_intervene.output")), this.outputs, this.list, add(el("div", "row"), this.clear));
    this.about = text("", "caption");
    this.matrix = new Shown("matrix", { selection: (cell) => cell?.key && app.choose({ step: cell.column }) });
    this.probabilities = card(heading(words(architecture === "encoder" ? "intervene_encoder.title" : "intervene_show.probability")), this.about, this.matrix.node);
    this.effects = new Effects(app);
    this.node = add(el("div", "panel"), add(el("div", "columns", { "data-main": "" }), left, right), this.probabilities, this.effects.node);
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const { heads, bad } = readChanges(app.view.changes, app.view.scales, app.model);
    app.sayOnce("changes", bad.map((value) => words("intervene_list.bad", { value: value.slice(0, 40) })));
    this.heads = heads;
    this.panels = panelsOf(app.model, app.result);
    this.sliders.show(this.panels, heads);
    await this.follow();
    this.effects.draw(this.panels);
  }

  // While a slider moves the address waits; the newest position is computed as soon as the last one is done.
  change(heads, isLast) {
    this.heads = heads;
    if (isLast) this.app.choose({ changes: null, scales: null, ...spellChanges(heads) });
    else this.follow();
  }

  async follow() {
    if (this.busy) return void (this.again = true);
    this.busy = true;
    try {
      do {
        this.again = false;
        await this.compute();
      } while (this.again && this.app.isOn(this));
    } catch (error) {
      if (!isAbort(error)) this.app.fail(error);
    } finally {
      this.busy = false;
    }
  }

  async compute() {
    const { app, heads } = this;
    const begun = performance.now();
    const changed = headList(heads).filter(({ scale }) => scale !== 1);
    const [before, output] = [app.result, app.model.config.architecture === "encoder" ? ["encoder.output", ...(app.model.config.labels.length ? ["labels"] : [])] : []];
    const [after, beside] = changed.length
      ? [
          await app.session.engine.write(app.sentence, { heads: changed, only: [] }),
          await app.session.engine.pass(before.source, before.target, { heads: changed, only: output, written: before.ids, first: Math.max(0, before.prompt.length - 1) }),
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
    this.list.replaceChildren(...changed.map((change) => this.line(change)));
    this.clear.disabled = !changed.length;
    this.outputs.replaceChildren(isEncoder ? this.read(before, beside) : outputsNode(this.pair(before, after, changed)));
    this.about.textContent = words(isEncoder ? "intervene_encoder.probability" : "intervene_about.probability");
    const matrices = isEncoder ? this.vectors(before, beside) : this.changes(before, beside);
    this.matrix.show(matrixMessage(matrices, section("matrix_figure"), { cell: 44 }));
    this.node.dataset.changed = changed.length;
  }

  // What an encoder alone gives: labels, or vectors that no text says.
  read(before, beside) {
    const { config } = this.app.model;
    if (!config.labels.length) return text(words("intervene_outputs.encoder"));
    return labelTable(config, { [words("intervene_outputs.before")]: before, [words("intervene_outputs.after")]: beside });
  }

  pair(before, after, changed) {
    const tokens = (result) => result.steps.map(({ token }) => token);
    const same = String(before.ids) === String(after.ids);
    const other = words("intervene_outputs.other", { count: differing(before.ids, after.ids) });
    const said = !changed.length ? words("intervene_outputs.unchanged") : same ? words("intervene_outputs.same") : other;
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
    const change = Float32Array.from(own, (probability, at) => Math.log(other[at]) - Math.log(probability));
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
    const remove = button(words("intervene_list.remove"), () => this.change(without(this.heads, `${kind}.${layer}.${head}`), true), "link");
    return add(el("li"), text(said), remove);
  }

  remove() {
    this.search.latest.end();
    this.effects.remove();
    this.matrix.remove();
  }
}

const without = (heads, at) => Object.fromEntries(Object.entries(heads).filter(([key]) => key !== at));

function headName(kind, layer, head) {
  const place = [words("attention_figure.layer", { layer }), words("attention_figure.head", { head })];
  return [words(`attention_figure.${kind}`), ...place].join(" · ");
}

// Tokens of the second list that the first lacks, in order.
function differing(first, second) {
  const shared = longestShared(first, second);
  return Math.max(first.length, second.length) - shared;
}

function longestShared(first, second) {
  let row = new Array(second.length + 1).fill(0);
  for (const one of first) {
    const next = [0];
    second.forEach((other, at) => next.push(one === other ? row[at] + 1 : Math.max(row[at + 1], next[at])));
    row = next;
  }
  return row.at(-1);
}

const rowOf = ({ data, shape: [, width] }, row) => data.subarray(row * width, (row + 1) * width);

// A slider for each head of the chosen layer.
class Sliders {
  constructor(app, change) {
    this.app = app;
    this.change = change;
    this.kinds = new Pills(words("place.attention_kind"), (kind) => app.choose({ attention_kind: kind, head: null }));
    this.layers = new Pills(words("place.layer"), (layer) => app.choose({ layer, head: null }));
    this.rows = el("div", "sliders");
    this.choices = add(el("div", "row wide"), this.kinds.node, this.layers.node);
    this.node = add(el("div"), this.choices, this.rows);
  }

  show(panels, heads) {
    this.heads = heads;
    const { kind, layer, head } = chosenHead(this.app, panels);
    const panel = panels.find((each) => each.kind === kind);
    this.kinds.node.hidden = panels.length < 2;
    this.layers.node.hidden = panel.layers < 2;
    this.choices.hidden = this.kinds.node.hidden && this.layers.node.hidden;
    this.kinds.show(panels.map((each) => [each.kind, words(`attention_figure.wall_${each.kind}`)]), kind);
    this.layers.show([...Array(panel.layers).keys()].map((each) => [each, String(each)]), layer);
    const form = `${kind}.${layer}.${panel.heads}`;
    if (form !== this.form) this.build(kind, layer, panel.heads);
    this.form = form;
    this.lines.forEach((line, at) => line.show(heads[`${kind}.${layer}.${at}`] ?? 1, at === head));
  }

  offAll() {
    const { kind, layer } = this.lines[0];
    const off = Object.fromEntries(this.lines.map((_, head) => [`${kind}.${layer}.${head}`, 0]));
    this.change({ ...this.heads, ...off }, true);
  }

  build(kind, layer, count) {
    this.lines = [...Array(count).keys()].map((head) => new Slider(kind, layer, head, (scale, isLast) => {
      this.heads = { ...without(this.heads, `${kind}.${layer}.${head}`), ...(scale === 1 ? {} : { [`${kind}.${layer}.${head}`]: scale }) };
      this.change(this.heads, isLast);
    }));
    this.rows.replaceChildren(...this.lines.map((line) => line.node));
  }
}

class Slider {
  constructor(kind, layer, head, change) {
    Object.assign(this, { kind, layer });
    const name = words("attention_figure.head", { head });
    this.input = el("input", "", { type: "range", min: "0", max: "1", step: String(STEP), "aria-label": headName(kind, layer, head) });
    this.value = el("output");
    this.off = button("", () => change(Number(this.input.value) ? 0 : 1, true), "button small");
    this.node = add(el("div", "slider"), add(el("span", "name"), name), this.input, this.value, this.off);
    this.node.style.setProperty("--own", `var(--gf-${kind})`);
    this.input.addEventListener("input", () => {
      this.say(Number(this.input.value));
      change(Number(this.input.value), false);
    });
    this.input.addEventListener("change", () => change(Number(this.input.value), true));
  }

  show(scale, isChosen) {
    this.input.value = String(scale);
    this.node.toggleAttribute("data-chosen", isChosen);
    this.say(scale);
  }

  say(scale) {
    this.value.textContent = percent(scale);
    this.node.toggleAttribute("data-off", scale === 0);
    this.input.style.setProperty("--share", `${100 * scale}%`);
    this.off.textContent = words(scale ? "intervene_how.off" : "live_intervene.on");
  }
}

// A sentence and a head without which the output is another one: few sentences have one.
class Search {
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    this.button = button(words("intervene_try.matters"), () => this.run());
    this.said = text("", "caption");
  }

  async run() {
    const { app } = this;
    const signal = this.latest.begin();
    const { covers = [], examples } = app.model.card;
    const sentences = [...new Set([...examples, ...covers.flatMap((each) => each.examples)])].slice(0, SEARCHED);
    this.button.disabled = true;
    try {
      for (const [at, sentence] of sentences.entries()) {
        this.said.textContent = words("intervene_try.searching", { number: at + 1, count: sentences.length });
        const head = sentence === app.sentence ? null : await this.headOf(sentence, signal);
        if (head) return this.found(sentence, head);
      }
      this.said.textContent = words("intervene_try.no_matters", { count: sentences.length });
    } catch (error) {
      if (!isAbort(error)) app.fail(error);
    } finally {
      this.button.disabled = false;
    }
  }

  found(sentence, { kind, layer, head }) {
    this.said.textContent = "";
    this.app.choose({ sentence, attention_kind: kind, layer, head, ...spellChanges({ [`${kind}.${layer}.${head}`]: 0 }) });
  }

  // The head with the largest loss for a word that it lets another word win, or null.
  async headOf(sentence, signal) {
    const { engine } = this.app.session;
    const { ids, source, target } = await engine.write(sentence, { only: [], signal });
    const lost = (await engine.effects(source, target, { signal })).flatMap(({ kind, layer, effects }) =>
      effects.map((rows, head) => ({ kind, layer, head, least: Math.min(...rows) })));
    const likely = lost.filter(({ least }) => least < LIKELY).sort((a, b) => a.least - b.least);
    for (const { kind, layer, head } of likely.slice(0, 3)) {
      const without = await engine.write(sentence, { only: [], signal, heads: [{ kind, layer, head, scale: 0 }] });
      if (String(without.ids) !== String(ids)) return { kind, layer, head };
    }
    return null;
  }
}

// What switching off each head alone does to one word, filled as it is computed.
class Effects {
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
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
    const row = Math.max(0, app.result.prompt.length - 1) + step;
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
      const figure = new Shown("matrix", { selection: (cell) => this.choose(cell) });
      this.maps.set(kind, figure);
      this.kinds.append(add(el("div"), heading(words(`attention_figure.wall_${kind}`), "h3"), figure.node));
    }
    return this.maps.get(kind);
  }

  remove() {
    this.latest.end();
    for (const figure of this.maps.values()) figure.remove();
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

// The place of the longest word, which has the most to tell.
function longestAt(tokens) {
  const lengths = tokens.map((token) => (token.startsWith("<") || isSpecial(token) ? 0 : token.length));
  return lengths.indexOf(Math.max(...lengths));
}
