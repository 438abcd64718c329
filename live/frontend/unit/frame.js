// What every unit has around it: its head with the languages, what the platform says, its foot.

import { add, el, say } from "../../../viz/frontend/common/dom.js";
import { exampleResult } from "../page/example.js";
import { panelsOf } from "../page/figure_data.js";
import { heading, languageButtons, licences, text } from "../page/parts.js";
import { sentences, speakIn, words } from "../page/words.js";
import { LivePage } from "./live_page.js";
import { Attempt, findPlatform } from "./scorm.js";


const read = (id) => JSON.parse(document.getElementById(id).textContent);

export class Frame {
  // data: what Python computed for the unit, see live/units/.
  constructor() {
    this.data = read("unit");
    this.languages = read("languages");
    this.texts = read("texts");
    this.root = document.getElementById("app");
    this.main = el("main", "lesson");
    this.attempt = new Attempt(findPlatform(window));
    this.language = this.data.language;
    addEventListener("pagehide", () => this.attempt.end());
    addEventListener("pageshow", ({ persisted }) => persisted && location.reload()); // a new visit
  }

  // What was kept of the last visit, { place, kept: object or null }.
  resumed() {
    const { place, kept } = this.attempt.resume();
    try {
      this.kept = JSON.parse(kept);
    } catch {
      this.kept = null;
    }
    return { place, kept: this.kept };
  }

  // Show the unit in the language of the last visit; `panels` is the attention of its example. `lesson` is made of this
  // frame, and draws in `main`.
  async start(Lesson) {
    const { example, model, name } = this.data;
    this.panels = panelsOf(model, await exampleResult(example));
    this.lesson = new Lesson(this);
    this.speak(this.kept?.language);
    document.body.dataset.ready = name;
  }

  speak(language) {
    this.language = language in this.languages ? language : this.data.language;
    speakIn(this.texts[this.language], this.languages[this.language]);
    document.title = words(`unit.title_${this.data.name}`);
    this.status = el("p", "status", { role: "status" });
    this.root.replaceChildren(this.header(), this.main, add(el("footer"), text(words("unit.made")), licences()));
    this.lesson.draw();
    this.showStatus();
  }

  // Keep where the learner is, and say whether that went well. kept: an object of less than 4,000 characters.
  keep(place, kept) {
    this.attempt.keep(String(place), JSON.stringify({ ...kept, language: this.language }));
    this.showStatus();
  }

  // The title, and at the beginning what the unit is about.
  heads(name, isFirst, values) {
    const title = heading(words(`unit.${name}_heading`), "h1");
    return isFirst ? [title, text(words(`unit.${name}_lead`, values), "lead")] : [title];
  }

  live() {
    return new LivePage();
  }

  // What is said of a result, if the platform knows it.
  reported(said) {
    return sentences(said, this.attempt.problem ? "" : words("unit.reported"));
  }

  showStatus() {
    const { problem } = this.attempt;
    say(this.status, words(problem ? `unit.problem_${problem}` : "unit.saved"));
    this.status.toggleAttribute("data-problem", problem !== "");
  }

  header() {
    const brand = add(el("span", "brand"), words(`unit.title_${this.data.name}`));
    const languages = languageButtons(this.languages, this.language, (language) => this.speak(language));
    return add(el("header"), brand, languages, this.status);
  }
}
