// The end of the course: a sentence of the learner's own in the live model, and their explanation of its output.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { Pills, text } from "../page/parts.js";
import { sentenceForm } from "../page/sentence_form.js";
import { words } from "../page/words.js";

export const VIEWS = { start: "pages.start", attention: "pages.attention", decoding: "pages.decoding", intervene: "pages.intervene" }; // of the live page
const MOST_WRITTEN = 2000; // characters of an explanation

export class Explain {
  // written: what the learner wrote before; told: gets what they write.
  constructor({ course, language, live }, written, told) {
    this.choices = { sentence: course.sentence, language };
    this.view = "start";
    this.live = live();
    this.pills = new Pills(words("unit.view"), (view) => this.show(view));
    this.node = add(el("div", "stack"), ...(this.live.isFramed ? [this.sentenceForm()] : []), this.pills.node, this.live.node);
    this.form = this.explanation(written, told);
    this.show(this.view);
  }

  appear() {}

  show(view) {
    this.view = view;
    this.pills.show(Object.entries(VIEWS).map(([view, name]) => [view, words(name)]), view);
    this.live.show(view, this.choices);
  }

  sentenceForm() {
    const field = el("input", "", { type: "text", id: "sentence", autocomplete: "off", placeholder: words("frame.sentence_hint"), value: this.choices.sentence });
    return sentenceForm(field, (sentence) => {
      this.choices.sentence = sentence;
      this.show(this.view);
    });
  }

  explanation(written, told) {
    const area = el("textarea", "", { id: "explanation", rows: "6", maxlength: String(MOST_WRITTEN), placeholder: words("course_explain.hint") });
    area.value = written;
    area.addEventListener("change", () => told(area.value));
    return add(el("label", "explanation"), text(words("unit.explanation"), "caption"), area);
  }

  remove() {
    this.live.remove();
  }
}
