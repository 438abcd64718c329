// Predict first: a question that the model on the page decides, an answer with how sure it is, then the model runs and shows
// what is true. The questions are drawn in model/predict/page_data.py; their answers are not known before the model has run.

import { add, el, shownToken } from "../../../viz/frontend/common/dom.js";
import { choiceRadios, emptyRow, measuredRow, percentSlider } from "../../../viz/frontend/classroom/prediction_answers.js";
import { button, form, heading, Pills, text } from "../page/parts.js";
import { hasWords, words } from "../page/words.js";
import { measuredFor } from "./measures.js";
import { verdictNode } from "./parts.js";

const SURE = ["1", "2", "3", "4"]; // steps of confidence

export class Predictions {
  // asked: [{ name, draws }, …]; run: { ready(), result(), write({ forced }), pass(result, options) } of the model;
  // store: { read(), keep(made) } of what was answered, { "where-0": { text, sure, key, values, shares }, … }
  constructor(asked, run, store) {
    Object.assign(this, { asked, run, store });
    this.made = store.read();
    this.name = asked[0].name;
    this.at = Object.fromEntries(asked.map(({ name }) => [name, 0]));
    this.chosen = {};
    this.kinds = new Pills(words("predict.kind"), (name) => this.go(name, this.at[name]));
    this.body = el("div", "stack");
    this.record = text("", "caption");
    const about = text(words("live_predict.about"), "caption");
    this.node = add(el("section", "card lesson-predict"), heading(words("predict.title")), text(words("predict.lead")), this.kinds.node, this.body, this.record, about);
  }

  get draws() {
    return this.asked.find(({ name }) => name === this.name).draws;
  }

  get posed() {
    return this.draws[this.at[this.name]];
  }

  get id() {
    return `${this.name}-${this.at[this.name]}`;
  }

  go(name, at) {
    this.name = name;
    this.at[name] = at;
    this.chosen = {};
    this.problem = "";
    this.draw();
  }

  // One of the texts of the question, filled.
  text(part, more = {}) {
    const values = { ...this.posed.values, ...more };
    if (values.kind) values.kind = words(`quiz_figure.kind_${values.kind}`);
    return words(`predict_${this.name}.${part}`, values);
  }

  options() {
    return this.posed.options.map(([answer, token]) => [answer, token ? shownToken(token) : this.text(`option_${answer}`)]);
  }

  spoken(answer) {
    return this.options().find(([option]) => option === answer)?.[1] ?? answer;
  }

  draw() {
    this.kinds.show(this.asked.map(({ name }) => [name, words(`predict_kinds.${name}`)]), this.name);
    const made = this.made[this.id];
    const again = button(words("predict.again"), () => this.go(this.name, (this.at[this.name] + 1) % this.draws.length));
    const ways = add(el("div", "row"), ...(this.draws.length > 1 ? [again] : []));
    this.body.replaceChildren(text(this.text("question"), "asked"), ...(made ? this.verdict(made) : this.form()), ways);
    const all = Object.values(this.made);
    this.record.textContent = all.length ? words("live_predict.record", { right: all.filter(({ right }) => right).length, count: all.length }) : "";
  }

  form() {
    const { look, values } = this.posed;
    const choose = (answer) => (this.chosen.text = answer);
    const question = this.text("question");
    const row = { query: values.query, kind: values.kind, options: this.posed.options };
    const answer = {
      words: () => emptyRow(row, question, this.chosen.text, choose),
      percent: () => percentSlider(this.chosen.text, words("predict.percent"), choose),
      options: () => choiceRadios("answer", this.options(), this.chosen.text, choose),
    }[look]();
    if (look === "options") answer.setAttribute("aria-label", question);
    const sure = choiceRadios("sure", SURE.map((step) => [step, words(`predict_sure.sure_${step}`)]), this.chosen.sure, (step) => (this.chosen.sure = step));
    sure.setAttribute("aria-label", words("predict.sure"));
    const reveal = add(el("button", "button main", { type: "submit" }), words("predict.reveal"));
    const problem = text(this.run.ready() ? this.problem : words("attention_stages.waits"), "caption");
    problem.setAttribute("role", "status");
    reveal.disabled = !this.run.ready();
    const hint = look === "words" ? [text(words("predict_line.predict_row"), "caption")] : [];
    return [form("stack", () => this.reveal(), ...hint, answer, text(words("predict.sure"), "caption"), sure, add(el("div", "row"), reveal), problem)];
  }

  // The first answer to a question counts.
  async reveal() {
    const { chosen, id, posed: asked } = this;
    if (chosen.text === undefined || chosen.sure === undefined) {
      this.problem = words("predict.choose");
      return this.draw();
    }
    const found = await measuredFor(this.name, asked, await this.run.result(), this.run);
    const distance = asked.look === "percent" ? Math.abs(Number(chosen.text) - found.key) : null;
    const right = distance === null ? chosen.text === found.key : distance <= asked.margin;
    this.made[id] = { ...chosen, ...found, distance, right };
    this.store.keep(this.made);
    if (id === this.id) this.draw();
    return this.body.querySelector(".verdict")?.scrollIntoView({ block: "nearest" });
  }

  verdict({ text: answer, key, values, shares, distance, right }) {
    const why = this.text(hasWords(`predict_${this.name}.why_${key}`) ? `why_${key}` : "why", values);
    const near = distance !== null && { answer, measured: Number(key).toFixed(0), distance: distance.toFixed(0), why };
    const said = near ? words("predict.near", near) : right ? words("predict.right", { why }) : words("predict.wrong", { answer: this.spoken(answer), measured: this.spoken(key), why });
    const shown = right ? undefined : this.posed.shows[answer];
    const { look, options, values: asked } = this.posed;
    const row = look === "words" ? [measuredRow({ query: asked.query, kind: asked.kind, options, shares, key }, answer)] : [];
    return [verdictNode(said, right ? "right" : "wrong"), ...(shown ? [text(words("predict.shows", { name: words(`misconceptions.${shown}`) }))] : []), ...row];
  }
}
