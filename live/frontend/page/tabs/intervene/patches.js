// Activation patching: a vector of the pass over another sentence in place of one of this pass.

import { add, el, shownToken } from "../../../../../viz/frontend/common/dom.js";
import { errorText } from "../../notices.js";
import { button, card, distinctTokens, heading, labelled, Pills, text } from "../../parts.js";
import { words } from "../../words.js";

const SENTENCE = "160"; // characters
const nameOf = ({ side, at }) => (at === "input" ? `${side}.input` : `${side}.${at}.feed_forward.residual`);
const depthOf = (at) => (at === "input" ? words("intervene_change.input") : words("attention_figure.layer", { layer: at }));
const tokensOf = (result, side) => (side === "encoder" ? result.sourceTokens : result.targetTokens);

// A patch as a line of the list says it.
export function patchText(result, { side, at, row, from, sentence }) {
  const token = `${shownToken(tokensOf(result, side)[row])} (${row})`;
  return words("intervene_change.patch", { side: words(`intervene_side.${side}`), depth: depthOf(at), token, place: from, sentence });
}

export class Patches {
  // put: gets a patch, { side, at, row, from, sentence }.
  constructor(app, put) {
    this.app = app;
    this.passes = new Map(); // over other sentences
    this.chosen = { at: "input" };
    const pills = (label, name) => new Pills(label, (value) => this.draw({ [name]: value }));
    this.sentence = el("input", "", { type: "text", maxlength: SENTENCE, autocomplete: "off" });
    this.sentence.addEventListener("change", () => {
      this.from.node.disabled = this.add.disabled = true; // until they are those of this sentence
      this.draw({ from: null });
    });
    this.sides = new Pills(words("intervene_form.side"), (side) => this.draw({ side, at: "input", row: null, from: null }));
    this.depths = pills(words("intervene_form.depth"), "at");
    this.rows = pills(words("intervene_form.to"), "row");
    this.from = pills(words("intervene_form.from"), "from");
    this.add = button(words("intervene.add"), () => put({ ...this.chosen }));
    this.problem = text("", "caption");
    const choices = [this.sides, this.depths, this.from, this.rows].map(({ node }) => node);
    this.node = card(heading(words("intervene_show.patching")), text(words("live_intervene.patch"), "caption"), labelled(words("intervene_form.other"), this.sentence), ...choices, this.problem, add(el("div", "row"), this.add));
  }

  // The form, with what is chosen anew in it.
  async draw(chosen = {}) {
    const { result, model } = this.app;
    const sides = [...new Set(model.patched.map((name) => name.split(".")[0]))];
    this.sentence.value ||= model.card.examples.find((each) => each !== this.app.sentence) ?? this.app.sentence;
    const sentence = this.sentence.value;
    const { side = sides[0], at, row, from } = Object.assign(this.chosen, chosen, { sentence });
    const other = await this.pass(sentence).catch((error) => ((this.problem.textContent = errorText(error)), null));
    if (result !== this.app.result || sentence !== this.sentence.value) return;
    this.from.node.disabled = this.add.disabled = !other;
    if (!other) return;
    this.problem.textContent = "";
    const [own, given] = [tokensOf(result, side), tokensOf(other, side)];
    const place = Math.min(row ?? Math.max(1, own.findIndex((token, number) => token !== given[number])), own.length - 1);
    Object.assign(this.chosen, { side, row: place, from: Math.min(from ?? place, given.length - 1) });
    this.sides.node.hidden = sides.length < 2;
    this.sides.show(sides.map((each) => [each, words(`intervene_side.${each}`)]), side);
    const depths = model.patched.filter((name) => name.startsWith(side)).map((_, number) => (number ? String(number - 1) : "input"));
    this.depths.show(depths.map((each) => [each, depthOf(each)]), at);
    const numbered = (tokens) => distinctTokens(tokens).map((token, number) => [number, token]);
    this.rows.show(numbered(own), place);
    this.from.show(numbered(given), this.chosen.from);
    this.node.dataset.done = "";
  }

  // The result of another sentence, with its streams; what fails is asked for again.
  pass(sentence) {
    const { model, session } = this.app;
    if (this.of !== model) this.passes.clear();
    this.of = model;
    if (!this.passes.has(sentence)) {
      this.passes.set(sentence, session.engine.write(sentence, { only: model.patched }));
      this.passes.get(sentence).catch(() => this.passes.delete(sentence));
    }
    return this.passes.get(sentence);
  }

  // Of patches those that fit the sentence, with their vectors, as the engine wants them; and those that do not.
  async found(patches) {
    const [ready, bad] = [[], []];
    for (const patch of patches) {
      const name = nameOf(patch);
      const value = this.app.model.patched.includes(name) && (await this.pass(patch.sentence).catch(() => null))?.values[name];
      const isHere = value && patch.from < value.shape[0] && patch.row < tokensOf(this.app.result, patch.side).length;
      const width = value?.shape?.[1];
      if (isHere) ready.push({ ...patch, name, vector: value.data.slice(patch.from * width, (patch.from + 1) * width) });
      else bad.push(patch);
    }
    return { ready, bad };
  }
}
