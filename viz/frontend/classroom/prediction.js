// A question that asks for a prediction, in the line of a class: an answer by one of some options, a word of a sentence or
// a slider, and how sure one is; then what was measured. Until the teacher reveals it, the server sends nothing of that.

import { add, el, fill } from "../common/dom.js";
import { choiceRadios, emptyRow, measuredRow, percentSlider } from "./prediction_answers.js";

const KEPT_PREDICTION = "gf-class-prediction"; // in this tab: what is chosen and not sent yet, as a page may be drawn anew meanwhile
const HIDDEN_PREDICTION = "gf-class-prediction-hidden"; // in this tab: the question whose result is put away
const CONFIDENCE_STEPS = [1, 2, 3, 4]; // of confidence

// The parts that take an answer; `send` gets it with the step of confidence, `problem` what is missing.
export function predictionParts(task, words, send, problem) {
  const chosen = keptPrediction(task.id);
  const keep = (change) => sessionStorage.setItem(KEPT_PREDICTION, JSON.stringify(Object.assign(chosen, change)));
  const answer = task.look === "percent" ? percentSlider(chosen.text, words.predict_slider, (text) => keep({ text })) : predictionOptions(task, chosen, keep);
  const sure = choiceRadios("sure", CONFIDENCE_STEPS.map((step) => [String(step), words[`sure_${step}`]]), chosen.sure, (value) => keep({ sure: value }));
  sure.setAttribute("aria-label", words.predict_sure);
  const form = add(el("form", "gf-predict"), ...(task.look === "words" ? [add(el("p", "gf-mine"), words.predict_row)] : []), answer);
  add(form, add(el("p", "gf-mine"), words.predict_sure), sure);
  add(form, add(el("button", "gf-send", { type: "submit" }), words.send));
  form.onsubmit = (event) => {
    event.preventDefault();
    if (chosen.text === undefined || chosen.sure === undefined) problem(words.predict_choose);
    else send(chosen.text, Number(chosen.sure));
  };
  return [form];
}

// What is said after the answer: that it is kept, or what was measured.
export function predictionResult(task, mine, words) {
  if (task.open) return [add(el("p", "gf-mine"), words.predict_waits)];
  if (sessionStorage.getItem(HIDDEN_PREDICTION) === String(task.id)) return null;
  const hide = add(el("button", "", { type: "button" }), words.predict_hide);
  const result = add(el("p", "gf-measured"), add(el("strong"), `${mine === task.key ? "✓ " : ""}${fill(words.predict_measured, { answer: task.measured })}`), ` ${task.why}`);
  const row = add(el("div", "gf-predict-result"), result, hide);
  hide.onclick = () => {
    sessionStorage.setItem(HIDDEN_PREDICTION, String(task.id));
    hide.closest(".gf-task")?.replaceChildren();
  };
  return [...(task.look === "words" ? [measuredRow({ ...task, ...task.row }, mine)] : []), row];
}

function keptPrediction(id) {
  const before = JSON.parse(sessionStorage.getItem(KEPT_PREDICTION) ?? "{}");
  return before.id === id ? before : { id };
}

function predictionOptions(task, chosen, keep) {
  const choose = (text) => keep({ text });
  if (task.look === "words") return emptyRow({ ...task.row, options: task.options }, task.question, chosen.text, choose);
  const list = choiceRadios("answer", task.options, chosen.text, choose);
  list.setAttribute("aria-label", task.question);
  return list;
}
