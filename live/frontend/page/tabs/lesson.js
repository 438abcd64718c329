// The course and the quiz: the lessons that units for learning platforms have, on the page of the model.

import { el } from "../../../../viz/frontend/common/dom.js";
import { Course } from "../../lessons/course.js";
import { Quiz } from "../../lessons/quiz.js";
import { text } from "../parts.js";
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
    this.node.replaceChildren(frame.main);
    this.lesson.draw();
    this.node.dataset.done = "";
  }

  remove() {
    this.lesson?.shown?.remove();
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
  }
}
