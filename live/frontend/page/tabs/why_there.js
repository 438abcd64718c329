// Why there?: the score of one cell as parts of its query times parts of its key, and its row of weights without one of
// these terms: pages/attention/why_there.py. The numbers come from the engine, see `scoreRow` in engine.js.

import { add, el, shownToken } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { numberText } from "../../../../viz/frontend/matrix/values.js";
import { readPin } from "../address.js";
import { isSpecial, matrixMessage, pathOf } from "../figure_data.js";
import { button, card, distinctTokens, heading, Pills, signed, Switch, text } from "../parts.js";
import { section, sentences, words } from "../words.js";
import { ScoreTest } from "./score_test.js";
import { FORBIDDEN, headOf } from "./stages.js";
import { Tab } from "./tab.js";

const LARGEST_TERMS = 3; // in a sentence
const AMONG_INPUTS = ["embedding", "position", "segment", "widening_bias"];

export class WhyThere extends Tab {
  constructor(app) {
    super(app);
    const choosing = (setting) => (value) => app.choose({ [setting]: value });
    this.waits = text(words("attention_stages.waits"), "caption");
    this.pinned = text("", "caption");
    this.queries = new Pills(words("attention_cell.query"), choosing("query"));
    this.keys = new Pills(words("attention_cell.key"), choosing("key"));
    this.lacking = text("");
    const opening = (setting) => new Pills(words(`attention_there.${setting}`), (groups) => app.choose({ [setting]: groups.join(",") }), "pills", "", "several");
    this.opened = { queries: opening("open_queries"), keys: opening("open_keys") };
    this.raw = new Switch((isOn) => app.choose({ raw: isOn ? "1" : null }));
    this.table = this.figure("matrix", { selection: (at) => at?.key && this.clicked(at) });
    this.says = text("");
    this.sides = text("");
    this.heads = el("div", "row");
    this.without = new Switch((isOn) => app.choose({ without: isOn ? "1" : null }));
    this.weights = this.figure("matrix");
    this.apart = text("", "caption");
    this.test = new ScoreTest(app);
    const about = text(words("attention_there.raw_about"), "caption");
    const open = Object.values(this.opened).map(({ node }) => node);
    this.terms = add(el("div", "stack"), this.raw.node, about, ...open, this.table.node, this.says, this.sides, this.heads, this.without.node, this.weights.node, this.apart, this.test.node);
    this.body = add(el("div", "stack"), this.pinned, this.queries.node, this.keys.node, this.lacking, this.terms);
    this.node = card(heading(words("attention_title.there")), text(words("attention_hint.there"), "caption"), this.waits, this.body);
  }

  // The cell of a head of the panel; nothing while the model is on its way.
  async draw(panel, at) {
    const { app } = this;
    const ready = Boolean(app.result);
    this.waits.hidden = ready;
    this.body.hidden = !ready;
    if (!ready) return;
    const of = (part) => headOf(app.result.values[`${pathOf(at.kind, at.layer)}.${part}`], at.head).data;
    const allowed = Array.from(of("masked_scores"), (score) => score > FORBIDDEN);
    const cell = chosenCell(app.view, panel, of("weights"), allowed);
    this.showCell(panel, cell);
    const row = allowed.slice(cell.query * panel.keys.length, (cell.query + 1) * panel.keys.length);
    const isSingle = row.filter(Boolean).length === 1;
    this.lacking.hidden = row[cell.key] && !isSingle;
    this.terms.hidden = !this.lacking.hidden;
    this.lacking.textContent = row[cell.key] ? words("attention_there.single") : words("attention_there.hidden");
    await this.tried(async () => {
      if (!this.terms.hidden) await this.drawTerms(panel, at, cell);
      this.node.dataset.done = "";
    });
  }

  showCell({ queries, keys }, { query, key, isPinned }) {
    this.pinned.hidden = !isPinned;
    if (isPinned) this.pinned.textContent = words("attention_there.pinned", { query_id: query, key_id: key, row: shownToken(queries[query]), column: shownToken(keys[key]) });
    const numbered = (tokens) => distinctTokens(tokens).map((token, place) => [place, token]);
    this.queries.node.hidden = this.keys.node.hidden = isPinned;
    this.queries.show(numbered(queries), query);
    this.keys.show(numbered(keys), key);
  }

  async drawTerms(panel, { kind, layer, head }, { query, key }) {
    const { session, result, view } = this.app;
    const signal = this.latest.begin();
    const parts = await session.engine.scoreParts(kind, layer, { signal });
    signal.throwIfAborted();
    const [rows, columns] = ["queries", "keys"].map((side) => this.entries(parts[side], side));
    const named = rows.flatMap((row) => columns.map((column) => `${row.name},${column.name}`));
    const grouped = { queries: rows.map((row) => row.parts), keys: columns.map((column) => column.parts) };
    const place = (term) => ({ of_query: Math.floor(term / columns.length), of_key: term % columns.length });
    const ask = (term) => session.engine.scoreRow(result.source, result.target, { kind, layer, picked: { head, query, key, ...place(term) }, grouped, signal });
    const asked = Math.max(0, named.indexOf(view.term));
    let found = await ask(asked);
    signal.throwIfAborted();
    const isRaw = view.raw === "1";
    const half = (values) => (isRaw ? values.subarray(0, values.length / 2) : values.subarray(values.length / 2));
    const table = half(found.table.data);
    const order = [...table.keys()].sort((a, b) => Math.abs(table[b]) - Math.abs(table[a]));
    const term = named.includes(view.term) ? asked : order[0];
    if (view.without === "1" && term !== asked) found = await ask(term);
    signal.throwIfAborted();
    this.shown = { rows, columns };
    this.raw.show(words("attention_there.raw"), isRaw);
    const { of_query: row, of_key: column } = place(term);
    this.showTable(table, isRaw, { row, column });
    const title = (at) => ({ of_query: rows[place(at).of_query].title, of_key: columns[place(at).of_key].title });
    const largest = order.slice(0, LARGEST_TERMS).map((at) => words("attention_there.term_value", { ...title(at), value: signed(table[at]) }));
    this.says.textContent = words(`attention_there.says_${isRaw ? "raw" : "centred"}`, {
      row: shownToken(panel.queries[query]), column: shownToken(panel.keys[key]), weight: percent(found.weights.data[key], 1),
      score: signed(half(found.score.data)[0]), terms: largest.join(words("attention_there.comma")),
    });
    const [both, of_key, of_query, neither, position] = [...half(found.sides.data)].map((value) => signed(value));
    const hasBias = `${pathOf(kind, layer)}.position_bias` in result.values;
    this.sides.textContent = sentences(words("attention_there.sides", { both, of_key, of_query, neither }), hasBias ? words("attention_there.position", { value: position }) : "");
    this.showWriters([["query", rows[row], query], ["key", columns[column], key]]);
    this.test.show({ kind, layer, head });
    this.showWeights(panel, query, found, words("attention_there.without", { term: `${rows[row].title} × ${columns[column].title}` }));
  }

  // What stands at one side of the table: groups, and the parts of those that are open, { name, title, parts, group }.
  entries({ parts, groups }, side) {
    const titles = Object.keys(groups).filter((name) => groups[name].length > 1).map((name) => [name, groupTitle(name)]);
    const wanted = (this.app.view[`open_${side}`] ?? "").split(",");
    const open = titles.map(([name]) => name).filter((name) => wanted.includes(name));
    this.opened[side].node.hidden = !titles.length;
    this.opened[side].show(titles, open);
    return inOrder(groups).flatMap((name) => {
      if (groups[name].length > 1 && !open.includes(name)) return [{ name, title: groupTitle(name), parts: groups[name], group: name }];
      return groups[name].map((at) => ({ name: parts[at], title: partTitle(placeOf(parts[at])), parts: [at], group: "" }));
    });
  }

  showTable(values, isRaw, { row, column }) {
    const { rows, columns } = this.shown;
    const matrix = {
      key: "terms", title: words(`score_terms.${isRaw ? "raw" : "centred"}_title`), values, decimals: 2,
      rows: rows.map(({ title }) => title), columns: columns.map(({ title }) => title), rowAxis: words("score_terms.rows"), columnAxis: words("score_terms.columns"),
    };
    this.table.show(matrixMessage([matrix], section("matrix_figure"), { selection: { key: "terms", row, column } }));
  }

  // A layer is opened; a single term is chosen.
  clicked(at) {
    const [of_query, of_key] = [this.shown.rows[at.row], this.shown.columns[at.column]];
    if (!of_query.group && !of_key.group) return this.app.choose({ term: `${of_query.name},${of_key.name}` });
    const opened = {};
    for (const [setting, { group }] of [["open_queries", of_query], ["open_keys", of_key]]) {
      if (group) opened[setting] = [...(this.app.view[setting] ?? "").split(",").filter(Boolean), group].join(",");
    }
    this.app.choose(opened);
  }

  // A button to what wrote each part of the chosen term: a head, to explain its look, or a view that shows it.
  showWriters(sides) {
    const buttons = sides.flatMap(([side, { name, group }, token]) => {
      const place = placeOf(name);
      const choices = group ? null : writerOf(place, token);
      if (!choices) return [];
      const label = words(`attention_there.${place.head === undefined ? "written" : "open"}_${side}`, { part: partTitle(place) });
      return [button(label, () => this.app.choose(choices))];
    });
    this.heads.hidden = !buttons.length;
    this.heads.replaceChildren(...buttons);
  }

  // The weights of the row, and as the softmax gives them without the chosen term: predicted, and computed again.
  showWeights({ kind, queries, keys }, query, { weights, apart }, label) {
    const isWithout = this.app.view.without === "1";
    this.without.show(label, isWithout);
    const rows = [words("attention_there.as_is"), ...(isWithout ? [words("attention_there.predicted"), words("attention_there.computed")] : [])];
    const matrix = {
      key: "weights", title: words("attention_there.row_title", { row: shownToken(queries[query]) }), values: weights.data.subarray(0, rows.length * keys.length),
      rows, columns: keys, columnAxis: words("attention_there.keys"), scale: "weight", colour: kind,
    };
    this.weights.show(matrixMessage([matrix], section("matrix_figure")));
    this.apart.hidden = !isWithout;
    this.apart.textContent = words("attention_there.apart", { apart: numberText(apart.data[0], 0) });
  }

  remove() {
    super.remove();
    this.test.remove();
  }
}

// The pinned cell, else the chosen one; at first the largest weight between tokens that stand for text, of a row that sees
// several keys, where there is one.
function chosenCell({ pin, query, key }, panel, weights, allowed) {
  const pinned = readPin(pin, [panel]);
  if (pinned && pinned.query !== null && pinned.key !== null) return { ...pinned, isPinned: true };
  const width = panel.keys.length;
  const counts = panel.queries.map((_, row) => allowed.slice(row * width, (row + 1) * width).filter(Boolean).length);
  const isText = ({ query: row, key: column }) => !isSpecial(panel.queries[row]) && !isSpecial(panel.keys[column]);
  const cells = Array.from(weights, (weight, at) => ({ weight, query: Math.floor(at / width), key: at % width }));
  const several = cells.filter(({ query: row }) => counts[row] > 1);
  const asked = [several.filter(isText), several.filter(({ query: row }) => !isSpecial(panel.queries[row])), several, cells];
  const first = asked.find((each) => each.length).reduce((best, each) => (each.weight > best.weight ? each : best));
  return { query: query in panel.queries ? query : first.query, key: key in panel.keys ? key : first.key, isPinned: false };
}

// Layers by number between what enters and the biases: JavaScript puts numbers first.
function inOrder(groups) {
  const names = Object.keys(groups);
  const layers = names.filter((name) => /^\d+$/.test(name));
  const others = names.filter((name) => !/^\d+$/.test(name));
  return [...others.filter((name) => name !== "biases"), ...layers, ...others.filter((name) => name === "biases")];
}

// { side, name, kind, layer, head } of a recorded name: `Place.recorded` in model/attribution/score_terms/stream_parts.py.
function placeOf(recorded) {
  const [first, ...rest] = recorded.split(".");
  const side = first === "cross" ? "decoder" : first;
  if (rest.length === 1) return { side, name: rest[0] };
  const [layer, last] = [Number(rest[0]), rest[1]];
  if (!/^\d+$/.test(last)) return { side, name: last, layer };
  return { side, name: first === "cross" ? "cross_attention" : "self_attention", kind: first, layer, head: Number(last) };
}

// What shows how a part was written at a token; nothing for the biases of norms, which no view has.
function writerOf({ side, name, kind, layer, head }, token) {
  if (head !== undefined) return { attention_kind: kind, layer, head, query: null, key: null, term: null, pin: null };
  if (AMONG_INPUTS.includes(name)) return { page: "embedding", side, token };
  if (name === "feed_forward") return { page: "layers", side };
  if (name === "query_bias" || name === "key_bias") return { view: "stages", stage: name.slice(0, -"_bias".length) };
  if (name.endsWith("attention_bias")) return { view: "stages", stage: "output", attention_kind: name.startsWith("cross") ? "cross" : side, layer };
  return null;
}

const groupTitle = (name) => (/^\d+$/.test(name) ? words("attention_there_part.layer", { layer: name }) : words(`attention_there_part.${name}`));
const partTitle = ({ name, layer, head }) => words(`attention_there_part.${name}`, { layer, head });
