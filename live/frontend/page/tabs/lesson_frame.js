// What the course and the quiz have around them on a live page: they keep their answers in the browser.

import { add, el, say } from "../../../../viz/frontend/common/dom.js";
import { VIEWS } from "../../lessons/explain.js";
import { exampleResult } from "../example.js";
import { panelsOf } from "../figure_data.js";
import { button } from "../parts.js";
import { tellTraining } from "../training_news.js";
import { words } from "../words.js";

const SILENT = { note() {}, finish() {}, comment() {}, objective() {} }; // no platform is told

export class LessonFrame {
  // data: of one lesson in the model's file of lessons (live/lessons.py).
  static async of(app, name, data) {
    const frame = new LessonFrame(app, name, data);
    frame.panels = panelsOf(app.taught.model, await exampleResult(data.example));
    return frame;
  }

  constructor(app, name, data) {
    Object.assign(this, { app, data });
    this.key = `glassformer.${name}.${app.taught.name}`;
    this.main = el("div", "lesson");
    this.attempt = SILENT;
  }

  get language() {
    return this.app.spoken;
  }

  // What was kept of the last visit, { place, kept: object or null }.
  resumed() {
    try {
      const { place, kept } = JSON.parse(localStorage.getItem(this.key)) ?? {};
      return { place: place ?? "", kept: kept ?? null };
    } catch {
      return { place: "", kept: null }; // damaged, or this browser keeps nothing for a page like this one
    }
  }

  keep(place, kept) {
    try {
      localStorage.setItem(this.key, JSON.stringify({ place: String(place), kept }));
    } catch {
      // as above: the answers stay until the page is closed
    }
  }

  heads() {
    return []; // the page says what it shows
  }

  live() {
    return new OtherTab(this.app);
  }

  reported(said) {
    return said;
  }
}

// In place of a live page in a frame: the way to another tab of this one.
class OtherTab {
  constructor(app) {
    this.app = app;
    this.go = button("", () => app.choose({ page: this.page }), "button");
    this.node = add(el("div", "row"), this.go);
  }

  show(page) {
    this.page = page;
    this.app.training?.then(tellTraining); // what was trained before
    say(this.go, `${words(VIEWS[page] ?? "pages.train")} →`);
  }

  isSource(source) {
    return source === window;
  }

  remove() {}
}
