// The course and the quiz: the lessons that units for learning platforms have, on the page of the model. Beside the quiz
// stand predictions, for which the model has to run.

import { el } from "../../../../viz/frontend/common/dom.js";
import { Course } from "../../lessons/course.js";
import { Predictions } from "../../lessons/predictions.js";
import { Quiz } from "../../lessons/quiz.js";
import { Pills, text } from "../parts.js";
import { words } from "../words.js";
import { LessonFrame } from "./lesson_frame.js";

class LessonTab {
  // name: of the lesson; Lesson: its class.
  constructor(app, name, Lesson) {
    Object.assign(this, { app, name, Lesson });
    this.node = el("div", "panel");
    this.node.dataset.main = "";
  }

  async draw() {
    if (this.lesson) return;
    const { app, name, Lesson } = this;
    const lessons = await app.lessons().catch((error) => app.fail(error));
    if (this.lesson || !lessons || !app.isOn(this)) return;
    if (!lessons[name]) return this.node.replaceChildren(text(words("course.needs")));
    const frame = await LessonFrame.of(app, name, lessons[name]);
    this.lesson = new Lesson(frame);
    this.node.replaceChildren(...this.beside(lessons), frame.main);
    this.lesson.draw();
    this.node.dataset.done = "";
  }

  // What else the tab has, above the lesson.
  beside() {
    return [];
  }

  remove() {
    this.lesson?.shown?.remove();
    this.lesson?.training?.remove();
  }
}

export class CourseTab extends LessonTab {
  static texts = { name: "pages.course", question: "course.question", lead: "course.lead" };

  constructor(app) {
    super(app, "course", Course);
  }
}

export class QuizTab extends LessonTab {
  static texts = { name: "pages.quiz", question: "quiz.question", lead: "live_quiz.lead" };

  constructor(app) {
    super(app, "quiz", Quiz);
    this.shows = new Pills(words("quiz.show"), (show) => app.choose({ show: show === "questions" ? null : show }), "pills", "tabs");
  }

  beside({ predictions }) {
    const { app } = this;
    if (!predictions.length || app.file !== app.taught) return []; // a model that was trained here has no questions
    const sentence = app.taught.model.card.examples[0];
    const { session } = app;
    const run = {
      ready: () => Boolean(app.model),
      result: () => session.write(sentence),
      write: (options) => session.write(sentence, options),
      pass: ({ source, target }, options) => session.engine.pass(source, target, { only: [], ...options }),
    };
    const kept = new LessonFrame(app, "predictions", null);
    const store = { read: () => kept.resumed().kept ?? {}, keep: (made) => kept.keep("", made) };
    this.predictions = new Predictions(predictions, run, store);
    return [this.shows.node, this.predictions.node];
  }

  async draw() {
    await super.draw();
    if (!this.predictions) return;
    const show = this.app.view.show === "predict" ? "predict" : "questions";
    this.shows.show(["questions", "predict"].map((each) => [each, words(`quiz.view_${each}`)]), show);
    this.predictions.node.hidden = show !== "predict";
    this.node.lastChild.hidden = show === "predict";
    this.predictions.draw();
  }
}
