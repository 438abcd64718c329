// Decoding: the output step by step with its candidates, and outputs in which a word was forced.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { logOfAll } from "../../formulas.js";
import { readForks, spellForks } from "../address.js";
import { chosenHead } from "./head.js";
import { matrixMessage, panelsOf, playerMessage } from "../figure_data.js";
import { stopText } from "../notices.js";
import { button, card, form, heading, outputsNode, Pills, text } from "../parts.js";
import { section, words } from "../words.js";
import { Tab } from "./tab.js";

const PROMPT = 12; // tokens of a prompt that are shown before the first step
const FEW = 8; // outputs that a link keeps

export class DecodingTab extends Tab {
  static texts = { name: "pages.decoding", question: "decoding.question", lead: "decoding.lead" };

  constructor(app) {
    super(app);
    this.player = this.figure("timeline", { step: (step) => app.choose({ step }, { quiet: true }), force: ({ step, id }) => this.force(step, [id]) });
    this.stopped = text("", "caption");
    this.own = new OwnWord(app, (ids) => this.force(this.step, ids));
    this.leaves = new Pills(words("decoding.leaf"), (leaf) => app.choose({ leaf, step: null }));
    this.compared = el("div");
    this.undo = button(words("decoding_forks.clear"), () => app.choose({ forks: null, leaf: null, step: null }));
    this.forks = card(heading(words("decoding_forks.title")), text(words("live.compare_hint"), "caption"), this.leaves.node, this.compared, add(el("div", "row"), this.undo));
    this.matrix = this.figure("matrix", { selection: (cell) => this.lockHead(cell) });
    this.looks = card(heading(words("decoding_title.attention")), text(words("decoding_hint.attention"), "caption"), this.matrix.node);
    this.steps = card(this.player.node, this.stopped, this.own.node);
    this.steps.dataset.main = "";
    this.node = add(el("div", "panel"), this.steps, this.forks, this.looks);
  }

  get step() {
    return Math.min(this.app.view.step ?? 0, this.result.steps.length - 1);
  }

  async draw() {
    const { app } = this;
    if (!app.result) return;
    const writes = app.model.config.architecture !== "encoder";
    for (const node of [this.steps, this.forks, this.looks]) node.hidden = !writes;
    if (!writes) return this.say(words("decoding.encoder"));
    this.say("");
    await this.tried(() => this.drawOutputs(this.latest.begin()));
  }

  say(content) {
    this.message ??= this.node.insertBefore(text(""), this.steps);
    this.message.textContent = content;
    this.message.hidden = !content;
  }

  async drawOutputs(signal) {
    const { app } = this;
    const forks = readForks(app.view.forks).slice(-FEW);
    const outputs = [{ fork: [], result: app.result }];
    for (const fork of forks) {
      const found = await this.follow(outputs, fork, signal);
      if (found) outputs.push({ fork, result: found });
    }
    signal.throwIfAborted();
    this.outputs = outputs;
    const leaf = Math.min(app.view.leaf ?? outputs.length - 1, outputs.length - 1);
    this.output = outputs[leaf];
    this.result = this.output.result;
    app.tell(this.result.text);
    this.drawPlayer();
    this.drawForks(leaf);
    this.drawLooks();
  }

  // The output of a fork: each forced token stands behind what the model wrote before it.
  async follow(outputs, fork, signal) {
    let base = outputs[0].result;
    for (const [step, id] of fork) {
      if (step > base.ids.length || id >= this.app.model.shown.length) return null;
      base = await this.app.session.write(this.app.sentence, { forced: [...base.ids.slice(0, step), id], signal });
    }
    return base;
  }

  drawPlayer() {
    const { app, result } = this;
    const forced = new Set(this.output.fork.map(([step]) => step));
    const read = result.targetTokens.slice(result.prompt.length - 1);
    const steps = result.steps.map((step, at) => ({ ...step, read: read[at], forced: forced.has(at) }));
    const prompt = result.targetTokens.slice(0, result.prompt.length);
    const shown = prompt.length <= PROMPT ? prompt : ["…", ...prompt.slice(-PROMPT)];
    if (!steps.length) return;
    this.player.show(playerMessage(shown, steps, this.step, section("player"), { vocabulary: app.model.shown.length }));
    this.stopped.textContent = stopText(app, result);
    this.stopped.hidden = !this.stopped.textContent;
    this.own.show(this.step, result.steps[this.step]);
  }

  drawForks(leaf) {
    this.forks.hidden = this.outputs.length < 2;
    if (this.forks.hidden) return;
    const names = this.outputs.map((output, at) => outputName(output, at));
    this.leaves.show(names.map((name, at) => [at, name]), leaf);
    const first = leaf ? 0 : 1;
    const both = leaf ? [first, leaf] : [leaf, first];
    this.compared.replaceChildren(outputsNode(both.map((at) => this.beside(at, names[at]))));
  }

  beside(at, name) {
    const { fork, result } = this.outputs[at];
    const total = logOfAll(result.steps);
    const note = words("decoding_forks.log_probability", { total: total.toFixed(2).replace("-", "−"), count: result.ids.length });
    return { name, tokens: result.steps.map(({ token }) => token), forced: new Set(fork.map(([step]) => step)), note };
  }

  // What every head of the chosen layer looks at in this step, then the means.
  drawLooks() {
    const { app, result } = this;
    const row = result.prompt.length - 1 + this.step;
    const panels = panelsOf(app.model, result).filter(({ kind }) => kind !== "encoder");
    const at = chosenHead(app, panels, ["cross"]);
    const matrices = panels.reverse().map((panel) => this.looksOf(panel, Math.min(at.layer, panel.layers - 1), row));
    const selection = matrices[0].key === at.kind ? { key: at.kind, row: at.head, column: strongest(matrices[0], at.head) } : null;
    this.matrix.show(matrixMessage(matrices, section("matrix_figure"), { selection, cell: 34 }));
  }

  looksOf({ kind, layers, heads, queries, keys, weights }, layer, row) {
    const seen = kind === "decoder" ? row + 1 : keys.length; // what comes later is masked
    const rowOf = (l, h) => weights[l].subarray((h * queries.length + row) * keys.length, (h * queries.length + row) * keys.length + seen);
    const all = Array.from({ length: layers }, (_, l) => Array.from({ length: heads }, (__, h) => rowOf(l, h)));
    const rows = [...all[layer], meanOf(all[layer]), meanOf(all.flat())];
    const means = [words("decoding_attention.mean_layer"), words("decoding_attention.mean_all")];
    return {
      key: kind,
      title: words(`decoding_attention.${kind}`, { layer }),
      values: Float32Array.from(rows.flatMap((each) => [...each])),
      rows: [...all[layer].map((_, head) => words("decoding_attention.head", { head })), ...means],
      columns: keys.slice(0, seen),
      rowAxis: words("decoding_attention.rows"),
      columnAxis: words(`decoding_attention.columns_${kind}`),
      scale: "weight",
      colour: kind,
      note: words(`decoding_attention.note_${kind}`, { word: this.result.steps[this.step].token, read: this.result.targetTokens[row] }),
    };
  }

  lockHead(cell) {
    if (cell?.key && cell.row < this.app.model.config.heads) this.app.choose({ head: cell.row });
  }

  force(step, ids) {
    const { app } = this;
    const kept = this.output.fork.filter(([at]) => at < step);
    const fork = [...kept, ...ids.map((id, at) => [step + at, id])];
    const forks = readForks(app.view.forks).slice(1 - FEW);
    const known = forks.findIndex((each) => JSON.stringify(each) === JSON.stringify(fork));
    if (known < 0) forks.push(fork);
    app.choose({ forks: spellForks(forks), leaf: known < 0 ? forks.length : known + 1, step });
  }
}

const meanOf = (rows) => rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);

function strongest({ values, columns }, row) {
  const own = [...values.subarray(row * columns.length, (row + 1) * columns.length)];
  return own.indexOf(Math.max(...own));
}

// An output is called by the words that were forced in it.
function outputName({ fork, result }, number) {
  if (!fork.length) return words("decoding_forks.first");
  const places = fork.map(([step]) => words("decoding_forks.place", { step, token: result.steps[step]?.token ?? "" }));
  return `${number} · ${places.join(words("notice.between"))}`;
}

// The field for a word of the reader's own, and the button that forces it.
class OwnWord {
  constructor(app, force) {
    Object.assign(this, { app, force });
    this.label = el("span");
    this.input = el("input", "", { type: "text", maxlength: "40", autocomplete: "off" });
    this.button = button("", () => this.take());
    this.problem = text("", "caption");
    this.node = add(el("div"), form("row own-word", () => this.take(), add(el("label", "field"), this.label, this.input), this.button), this.problem);
    this.input.addEventListener("input", () => this.read());
  }

  // Force what stands in the field now: its ids may still be on their way when Enter is pressed.
  async take() {
    if (!(await this.read()) || !this.ids.length) return;
    this.input.value = "";
    this.force(this.ids);
  }

  // What is typed stays: a step may be drawn late.
  show(step, { id, candidates }) {
    this.step = step;
    this.label.textContent = words("decoding.word", { step });
    const other = candidates.find((each) => each.id !== id && /^\p{L}/u.test(each.token))?.token ?? "";
    this.input.placeholder = other ? words("decoding.word_hint", { word: other }) : this.app.model.shown[this.app.model.specials.eos];
    this.read();
  }

  // Promises whether `ids` are of what is typed.
  async read() {
    const { app } = this;
    const typed = this.input.value;
    const ids = await this.idsOf(typed);
    if (typed !== this.input.value) return false; // typed on meanwhile
    this.ids = ids ?? [];
    this.button.hidden = !this.ids.length;
    this.button.textContent = words("decoding.force", { word: this.ids.map((id) => app.model.shown[id]).join(" + "), step: this.step });
    this.problem.textContent = ids ? "" : words("decoding.unknown", { word: typed });
    return true;
  }

  // Ids of a typed word, [] of none, null where the model has no token for it; `·s` is a piece that goes on a word.
  async idsOf(typed) {
    const { model, session } = this.app;
    const word = typed.trim();
    if (!word) return [];
    if (["<eos>", model.shown[model.specials.eos]].includes(word)) return [model.specials.eos];
    const piece = word.startsWith("·") ? model.shown.indexOf(word) : -1;
    if (piece >= 0) return [piece];
    const ids = await session.engine.encodeTarget(word).catch(() => null);
    return ids?.length && !ids.includes(model.specials.unk) ? ids : null;
  }
}
