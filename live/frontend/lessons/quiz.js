// The quiz: a question of each topic; the first answers count. Whoever shows it keeps them.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { percent } from "../../../viz/frontend/common/numbers.js";
import { attentionMessage } from "../page/figure_data.js";
import { button, card, form, heading, labelled, text } from "../page/parts.js";
import { hasWords, section, words } from "../page/words.js";
import { isRight } from "./answers.js";
import { listenForKeys, optionsNode, sliderNode, stripNode, verdictNode } from "./parts.js";
import { HeadChoice, QuizPicture } from "./pictures.js";
import { resultNode } from "./quiz_result.js";
import { counts, isFinished, isPassed, newRound, pointsOf, readRound, spellRound, stateOf } from "./rounds.js";

const OPTION_LETTERS = "abcdefgh"; // of options, as a platform wants them

export class Quiz {
  // frame: as of the course; `data` has `questions` of model/graph/quiz_questions.py and the `mark`, the share that passes
  constructor(frame) {
    this.frame = frame;
    const { place, kept } = frame.resumed();
    this.questions = this.frame.data.questions;
    this.round = readRound(kept?.round, this.questions);
    this.best = Number.isInteger(kept?.best) ? kept.best : null; // points that were reported
    this.at = this.round ? Math.min(Number(place) || 0, this.round.length) : 0;
    this.round ??= newRound(this.questions);
    listenForKeys();
  }

  get item() {
    return this.round[this.at];
  }

  get asked() {
    return this.questions.find(({ name }) => name === this.item.name).draws[this.item.draw];
  }

  keep() {
    this.frame.keep(this.at, { round: spellRound(this.round), best: this.best });
  }

  go(at) {
    this.at = at;
    this.chosen = null;
    this.problem = "";
    this.draw();
    this.keep();
    scrollTo({ top: 0 });
  }

  // ---- answers

  answer(value) {
    const right = isRight(this.asked, value);
    this.problem = right === null ? words(`refused.quiz_${this.asked.kind}`, { value: value.slice(0, 40) }) : "";
    if (right === null) return this.draw();
    const isFirst = !counts(this.item);
    this.item.tried.push(value);
    if (right) this.item.ended = "right";
    if (isFirst) this.note(value, right);
    this.changed();
  }

  tell() {
    const isFirst = !counts(this.item);
    this.item.ended = "told";
    if (isFirst) this.note("?", false);
    this.changed();
  }

  note(answer, right) {
    const { kind, options } = this.asked;
    const isChoice = kind === "choice" && options.includes(answer);
    const response = isChoice ? OPTION_LETTERS[options.indexOf(answer)] : answer;
    const { name, draw } = this.item;
    this.frame.attempt.note({ id: `${name}-${draw}`, type: isChoice ? "choice" : "fill-in", response, isRight: right, about: this.text("title") });
  }

  changed() {
    const points = pointsOf(this.round);
    if (isFinished(this.round) && (this.best === null || points > this.best)) {
      this.best = points;
      this.frame.attempt.finish({ right: points, count: this.round.length, passed: isPassed(this.round, this.frame.data.mark) });
    }
    this.draw();
    this.keep();
    document.querySelector(".verdict")?.scrollIntoView({ block: "nearest" });
  }

  topicOf(name) {
    return words(`quiz_topics.${this.questions.find((each) => each.name === name).topic}`);
  }

  again() {
    this.round = newRound(this.questions);
    this.go(0);
  }

  // ---- drawing

  draw() {
    this.shown?.remove();
    this.shown = null;
    const { main } = this.frame;
    const states = this.round.map(stateOf);
    const strip = stripNode(states, this.at);
    const isAtEnd = this.at === this.round.length;
    const { data } = this.frame;
    const shown = isAtEnd
      ? resultNode(this.round, { mark: data.mark, strip, topicOf: (name) => this.topicOf(name), reported: (said) => this.frame.reported(said), go: (at) => this.go(at), again: () => this.again() })
      : this.question(strip);
    const { sentence, text: output } = data.example;
    const heads = this.frame.heads("quiz", this.at === 0, { count: this.round.length, mark: percent(data.mark), sentence, output });
    main.replaceChildren(...heads, shown, this.ways(isAtEnd));
    this.shown?.appear();
  }

  // One of the texts of the question, filled.
  text(part, more = {}) {
    const values = Object.entries({ ...this.asked.values, ...more });
    return words(`quiz_${this.item.name}.${part}`, Object.fromEntries(values.map(([name, value]) => [name, written(value)])));
  }

  has(part) {
    return hasWords(`quiz_${this.item.name}.${part}`);
  }

  question(strip) {
    const progress = words("quiz.progress", { topic: this.topicOf(this.item.name), number: this.at + 1, count: this.round.length });
    const children = [text(progress, "caption"), strip, heading(this.text("title")), text(this.text("question"), "asked")];
    return card(...children, ...this.body(), this.verdict(), this.helps());
  }

  body() {
    const { kind, picture } = this.asked;
    if (kind === "head") return this.headChoice();
    const controls = kind === "choice" ? this.choice() : kind === "steps" ? this.steps() : this.typed();
    if (!picture) return [controls];
    this.shown ??= new QuizPicture(this.asked);
    if (kind === "steps") this.shown.step = this.step();
    return [add(el("div", "beside"), controls, this.shown.node)];
  }

  choice() {
    const { options, key } = this.asked;
    const named = options.map((option) => [option, this.option(option)]);
    return optionsNode(named, { tried: this.item.tried, right: [key], isOver: Boolean(this.item.ended) }, (value) => this.answer(value));
  }

  option(option) {
    return this.asked.texts[option] ?? this.text(`option_${option}`);
  }

  typed() {
    const { item } = this;
    const name = words(this.asked.kind === "number" ? "quiz.answer_number" : "quiz.answer_shape");
    const field = el("input", "", { type: "text", maxlength: "40", autocomplete: "off", id: "answer", value: item.ended ? (item.tried.at(-1) ?? "") : "" });
    field.disabled = Boolean(item.ended);
    const check = add(el("button", "button main", { type: "submit" }), words("quiz.check"));
    check.disabled = field.disabled;
    const take = () => {
      if (field.value.trim()) return this.answer(field.value);
      this.problem = words("quiz.empty");
      this.draw();
    };
    const stack = add(el("div", "stack"), form("row typed", take, labelled(name, field), check));
    if (this.problem) stack.append(text(this.problem, "notice"));
    return stack;
  }

  step() {
    const { options } = this.asked;
    return this.chosen ?? this.item.tried.at(-1) ?? options[options.includes("1") ? options.indexOf("1") : 0];
  }

  steps() {
    const { options, labels } = this.asked;
    this.shown = new QuizPicture(this.asked);
    const check = button(words("quiz.check"), () => this.answer(this.step()), "button main");
    const show = () => {
      check.disabled = Boolean(this.item.ended) || this.item.tried.includes(this.step());
    };
    const slider = sliderNode(words(`quiz_figure.${this.asked.picture.kind === "bars" ? "factor" : "base"}`), labels, options.indexOf(this.step()), (at) => {
      this.chosen = options[at];
      this.shown.show(this.chosen);
      show();
    });
    show();
    return add(el("div", "stack"), slider, add(el("div", "row"), check));
  }

  headChoice() {
    const panels = this.frame.panels.filter(({ kind }) => this.asked.options.includes(kind));
    this.chosen ??= { kind: panels[0].kind, layer: 0, head: 0 };
    const title = text("", "caption");
    const spelled = () => [this.chosen.kind, this.chosen.layer, this.chosen.head].join("/");
    const take = button(words("quiz.this_head"), () => this.answer(spelled()), "button main");
    const show = ({ kind, layer, head }) => {
      this.chosen = { kind, layer, head };
      title.textContent = headPlace(this.chosen);
      take.disabled = Boolean(this.item.ended) || this.item.tried.includes(spelled());
    };
    const message = attentionMessage(panels, { view: "matrix", ...this.chosen, words: section("attention_figure") });
    this.shown = new HeadChoice(message, show);
    show(this.chosen);
    return [this.shown.node, add(el("div", "row"), take, title)];
  }

  verdict() {
    const { tried, ended } = this.item;
    if (!tried.length && !ended) return el("div");
    const answer = tried.at(-1);
    if (!ended) {
      const key = this.asked.kind === "number" || this.asked.kind === "shape" ? "quiz.wrong_typed" : "quiz.wrong";
      const part = this.has(`wrong_${answer}`) ? `wrong_${answer}` : "wrong";
      return verdictNode(words(key, { answer: this.spoken(answer), why: this.text(part, this.measured(answer)) }), "wrong");
    }
    const solution = ended === "right" ? answer : this.asked.solution;
    const part = this.has(`why_${this.asked.key}`) ? `why_${this.asked.key}` : "why";
    const why = this.text(part, this.measured(solution));
    if (ended === "told") return verdictNode(words("quiz.told", { answer: this.spoken(solution), why }), "told");
    return verdictNode(words(tried.length === 1 ? "quiz.first" : "quiz.right", { why }), "right");
  }

  measured(answer) {
    return { found: this.asked.measured[answer] ?? "" };
  }

  // An answer as it is said to the learner.
  spoken(answer) {
    const { kind, options, labels } = this.asked;
    if (kind === "choice") return this.option(answer);
    if (kind === "steps") return labels[options.indexOf(answer)];
    if (kind !== "head") return answer;
    const [where, layer, head] = answer.split("/");
    return headPlace({ kind: where, layer, head });
  }

  helps() {
    const { item } = this;
    if (item.ended) return el("div");
    const stack = el("div", "stack");
    if (item.hint) stack.append(text(this.text("hint"), "caption"));
    const row = el("div", "row");
    const hint = () => {
      item.hint = true;
      this.draw();
      this.keep();
    };
    if (!item.hint) row.append(button(words("quiz.hint"), hint));
    if (item.hint || item.tried.length) row.append(button(words("quiz.tell"), () => this.tell()));
    return add(stack, row);
  }

  ways(isAtEnd) {
    const back = button(words("quiz.back"), () => this.go(this.at - 1));
    back.disabled = this.at === 0;
    const isLast = this.at === this.round.length - 1;
    const next = button(words(isLast ? "unit.to_result" : "quiz.next"), () => this.go(this.at + 1), `button${!isAtEnd && counts(this.item) ? " main" : ""}`);
    return add(el("nav", "ways"), back, ...(isAtEnd ? [] : [next]));
  }
}

const headPlace = ({ kind, layer, head }) => words("quiz_figure.place", { kind: words(`quiz_figure.kind_${kind}`), layer, head });

// A value as a text shows it: a share in percent.
const written = (value) => (typeof value === "object" ? percent(value.share) : value);
