// Why: what attention or gradients say about a word of the output, and what really happens without each word that was read.

import { add, el, say, shownToken } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { logChange } from "../../formulas.js";
import { integrated } from "../../integrated.js";
import { firstRow, isSpecial, panelsOf } from "../figure_data.js";
import { card, distinctTokens, heading, longestAt, Pills, signed, text } from "../parts.js";
import { words } from "../words.js";
import { Tab } from "./tab.js";

const BY_GRADIENT = ["gradient", "integrated"];
const METHODS = ["attention", "norms", ...BY_GRADIENT];
const STILL = 0.1; // nats; a word does not matter if its deletion changes the score by less
const CONTINUES = "·"; // begins a piece that goes on a word

export class WhyTab extends Tab {
  static texts = { name: "pages.why", question: "why.question", lead: "why.lead" };

  constructor(app) {
    super(app);
    this.found = new Map(); // falls by step, of one result
    this.steps = new Pills(words("why.step"), (step) => app.choose({ step }));
    this.methods = new Pills(words("why.method"), (method) => app.choose({ method }));
    this.said = text("");
    this.claim = el("div");
    this.test = el("div");
    this.verdict = text("", "verdict-line");
    this.about = text("", "caption");
    this.gap = text("");
    this.limit = text("", "caption");
    this.waits = text("", "caption");
    this.body = card(heading(words("why.sentence_title")), this.steps.node, this.said, this.methods.node, this.claim, this.about, this.gap, this.limit, this.test, this.waits, this.verdict);
    this.body.dataset.main = "";
    this.none = text(words("why.no_output"));
    this.node = add(el("div", "panel"), this.none, this.body);
  }

  get method() {
    return this.known.includes(this.app.view.method) ? this.app.view.method : METHODS[0];
  }

  get known() {
    return METHODS.filter((name) => this.app.model.gradient || !BY_GRADIENT.includes(name));
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const { steps } = app.result;
    this.none.hidden = steps.length > 0;
    this.body.hidden = !steps.length;
    if (!steps.length) return;
    if (this.of !== app.result) this.found.clear();
    this.of = app.result;
    const tokens = steps.map(({ token }) => token);
    const step = Math.min(app.view.step ?? longestAt(tokens), tokens.length - 1);
    this.steps.show(distinctTokens(tokens).map((token, at) => [at, token]), step);
    this.methods.show(this.known.map((name) => [name, words(`why_method.${name}`)]), this.method);
    const { token, probability } = steps[step];
    this.said.textContent = words("why.probability", { token: shownToken(token), share: percent(probability, 1) });
    const { share, tolerance } = app.model.gradient || {};
    this.about.textContent = words(`why_about.${this.method}`, { share: percent(share), tolerance });
    this.gap.textContent = "";
    this.limit.textContent = words(`why_limit.${this.method}`);
    const inputs = this.inputs(step);
    const isSigned = BY_GRADIENT.includes(this.method);
    const signal = this.latest.begin();
    this.verdict.textContent = "";
    delete this.node.dataset.done;
    await this.tried(async () => {
      const claimed = this.byWord(inputs, isSigned ? await this.gradient(step, signal) : this.looks(step));
      const shown = isSigned ? signed : (value) => value.toFixed(2);
      this.claim.replaceChildren(line(words("why.says", { method: words(`why_method.${this.method}`) }), inputs, claimed, shown));
      await this.drawTest(step, inputs, claimed, signal);
    });
  }

  async drawTest(step, inputs, claimed, signal) {
    const falls = this.found.get(step) ?? (await this.measured(step, inputs, signal));
    this.found.set(step, falls);
    this.waits.textContent = "";
    this.test.replaceChildren(line(words("why.without"), inputs, falls.map(({ fall }) => fall), signed));
    this.verdict.textContent = this.verdictOf(step, inputs, claimed, falls);
    this.node.dataset.done = "";
  }

  // The words that were read up to a step: { side, places, text }, pieces of a word together.
  inputs(step) {
    const { source, sourceTokens, targetTokens } = this.app.result;
    const row = firstRow(this.app.result) + step;
    const sides = [["source", source.length ? sourceTokens : []], ["target", targetTokens.slice(0, row + 1)]];
    return sides.flatMap(([side, tokens]) => {
      const found = [];
      tokens.forEach((token, at) => {
        const last = found.at(-1);
        if (token.length > 1 && token.startsWith(CONTINUES) && last && !last.special) {
          last.places.push(at);
          last.text += token.slice(1);
        } else found.push({ side, places: [at], text: token, special: isSpecial(token) });
      });
      return found;
    });
  }

  // What the row of a step gives each token by the method, mean of all layers and heads: { source, target }.
  looks(step) {
    const { app } = this;
    const row = firstRow(app.result) + step;
    const panels = panelsOf(app.model, app.result, this.method === "norms" ? app.result.norms : null);
    const mean = (kind) => {
      const panel = panels.find((each) => each.kind === kind);
      if (!panel) return [];
      const { weights, heads, queries, keys } = panel;
      const rows = weights.flatMap((layer) => [...Array(heads).keys()].map((head) => (head * queries.length + row) * keys.length).map((start) => layer.subarray(start, start + keys.length)));
      return keys.map((_, key) => rows.reduce((sum, each) => sum + each[key], 0) / rows.length);
    };
    return { source: mean("cross"), target: mean("decoder") };
  }

  // What the gradient says of each token for the token of a step, in nats: { source, target }.
  async gradient(step, signal) {
    const { source, target, ids } = this.app.result;
    const row = firstRow(this.app.result) + step;
    const [read, asked, { engine }] = [target.slice(0, row + 1), { row, word: ids[step] }, this.app.session];
    const sides = (values) => ({ source: values.slice(0, source.length), target: values.slice(source.length) });
    if (this.method === "gradient") return sides((await engine.gradients(source, read, { ...asked, signal })).products.data);
    const { values, holds, points, ...sums } = await integrated(engine, this.app.model.gradient, source, read, asked, signal);
    const [sum, change, gap] = [sums.sum, sums.change, sums.gap].map(signed);
    this.gap.textContent = words(holds ? "why.gap" : "why.gap_unmet", { sum, change, gap, points });
    return sides(holds ? values : values.map(() => NaN));
  }

  byWord(inputs, values) {
    return inputs.map(({ side, places }) => places.reduce((sum, at) => sum + (values[side][at] ?? 0), 0));
  }

  // By how much log p of the token falls without each word, and what would be written: { fall, instead }; a word that
  // cannot be deleted has none.
  async measured(step, inputs, signal) {
    const { app } = this;
    const { source, target, ids } = app.result;
    const row = firstRow(app.result) + step;
    const before = app.result.steps[step];
    const falls = [];
    for (const [at, { side, places }] of inputs.entries()) {
      this.waits.textContent = words("progress.done", { done: at, count: inputs.length });
      const isFixed = side === "target" ? places.includes(0) : places.length >= source.length;
      if (isFixed) {
        falls.push({ fall: NaN, instead: null });
        continue;
      }
      const left = (list) => list.filter((_, place) => !places.includes(place));
      const read = target.slice(0, row + 1);
      const [from, to] = side === "source" ? [left(source), read] : [source, left(read)];
      const passed = await app.session.engine.pass(from, to, { only: [], written: [ids[step]], first: to.length - 1, signal });
      signal.throwIfAborted();
      const [after] = passed.steps;
      falls.push({ fall: -logChange(before.probability, after.probability), instead: passed.outputTokens.at(-1), probability: after.probability });
    }
    return falls;
  }

  verdictOf(step, inputs, claimed, falls) {
    const { source, steps } = this.app.result;
    const able = inputs.map((_, at) => at).filter((at) => Number.isFinite(falls[at].fall) && (inputs[at].side === "source" || !source.length));
    if (!able.length) return words("why.nothing_to_delete");
    if (!claimed.every(Number.isFinite)) return words("why.nothing_ranked", { method: words(`why_method.${this.method}`) });
    const largest = (values) => able.reduce((best, at) => (values[at] > values[best] ? at : best));
    const lost = falls.map(({ fall }) => fall);
    const [real, named] = [largest(lost), largest(claimed)];
    if (Math.abs(lost[real]) < STILL) return words("why.still", { still: STILL });
    const { token, probability } = steps[step];
    const share = (value) => percent(value, 1);
    const numbers = { token: shownToken(token), before: share(probability), after: share(falls[real].probability) };
    const { instead } = falls[real];
    const after = instead === token ? words("why.after", numbers) : words("why.after_instead", { ...numbers, instead: shownToken(instead) });
    const method = words(`why_method.${this.method}`);
    const values = { method, named: inputs[named].text, real: inputs[real].text, fall: signed(-lost[real]), after };
    return real === named ? words("why.same", values) : words("why.differs", { ...values, little: signed(-lost[named]) });
  }
}

// The words of both sides on coloured ground, each with its number: viz/html/influence.py.
function line(title, inputs, values, shown) {
  const largest = Math.max(...values.filter(Number.isFinite).map(Math.abs)) || 1;
  const most = values.indexOf(Math.max(...values.filter(Number.isFinite)));
  const isAlone = new Set(inputs.map(({ side }) => side)).size < 2;
  const groups = ["source", "target"].flatMap((side) => {
    const items = inputs.flatMap((input, at) => (input.side === side ? [item(input.text, values[at], largest, at === most, shown)] : []));
    if (!items.length) return [];
    const name = add(el("span", "gf-side"), words(isAlone ? "why.text" : `why.${side}`));
    return [add(el("div"), name, add(el("ul", "", { "data-side": side }), ...items))];
  });
  return add(el("div", "gf-influence", { role: "group", "aria-label": title }), heading(title, "h3"), ...groups);
}

function item(name, value, largest, isFirst, shown) {
  const [word, number] = [el("b"), el("i")];
  say(word, shownToken(name));
  say(number, shown(value));
  const node = add(el("li", `${value < 0 ? "less" : "more"}${isFirst ? " first" : ""}`), word, number);
  node.style.setProperty("--share", `${Math.round((60 * Math.abs(value || 0)) / largest)}%`);
  return node;
}
