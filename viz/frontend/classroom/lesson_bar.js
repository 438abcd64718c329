// The line of a lesson above every page: its text, back and next, and the presentation; or the lesson that is being made.

import { actionButton, add, clamp, el, fill, say } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { open } from "./open_view.js";

const AT = "gf-lesson-at"; // what this tab remembers: the part of which lesson
const NOTES = "gf-lesson-notes"; // "1" while the notes are shown
const PRESENT = "gf-lesson-present"; // "1" while the lesson is presented
const NEXT = ["ArrowRight", "PageDown"];
const BACK = ["ArrowLeft", "PageUp"];

class LessonBar {
  constructor(root) {
    this.root = root;
    this.onKey = (event) => this.key(event);
    document.addEventListener("keydown", this.onKey);
  }

  destroy() {
    document.removeEventListener("keydown", this.onKey);
    delete document.documentElement.dataset.present;
    delete document.documentElement.dataset.lesson;
  }

  receive(text) {
    if (text === this.text) return;
    const data = JSON.parse(text);
    const another = this.data && this.data.id !== data.id;
    Object.assign(this, { text, data, words: data.words });
    if (data.editing) delete document.documentElement.dataset.lesson;
    if (data.editing) this.drawEditing();
    else this.drawPlaying(another);
    this.root.dataset.ready = "true";
  }

  // ---- a lesson that is being made

  drawEditing() {
    const { words, data } = this;
    this.says = add(el("p", "gf-says", { role: "status" }), fill(words.draft, { title: data.title, count: data.count }));
    const view = () => window.location.pathname.slice(data.base.length + 1) + window.location.search;
    const place = () => JSON.stringify({ view: view(), at: Date.now() });
    const row = add(el("div", "gf-row"), this.says);
    if (data.addable) row.append(actionButton(words.add, () => this.trigger("add", place())));
    row.append(actionButton(words.edit, () => open(data.base, "class?show=lessons")), actionButton(words.done, () => this.trigger("end", Date.now())));
    this.root.replaceChildren(row);
  }

  // ---- a lesson that is given

  get at() {
    const [id, at] = (sessionStorage.getItem(AT) ?? "").split(" ");
    return id === this.data.id ? clamp(Number(at) || 0, 0, this.data.parts.length - 1) : 0;
  }

  go(at) {
    const to = clamp(at, 0, this.data.parts.length - 1);
    sessionStorage.setItem(AT, `${this.data.id} ${to}`);
    open(this.data.base, this.data.parts[to].view);
    this.draw();
  }

  drawPlaying(another) {
    const { words } = this;
    if (another) sessionStorage.removeItem(AT);
    this.count = el("span", "gf-count");
    this.says = el("p", "gf-says", { role: "status" });
    this.notes = el("p", "gf-notes");
    this.back = actionButton(words.back, () => this.go(this.at - 1));
    this.next = actionButton(words.next, () => this.go(this.at + 1));
    this.next.classList.add("gf-main");
    const again = actionButton(words.again, () => this.go(this.at));
    this.noted = actionButton(words.notes, () => this.toggle(NOTES));
    this.presented = actionButton(words.present, () => this.toggle(PRESENT));
    const end = actionButton(words.end, () => this.trigger("end", Date.now()));
    const row = add(el("div", "gf-row"), this.count, this.back, this.next, again, this.noted, this.presented, end);
    this.root.replaceChildren(this.says, this.notes, row);
    this.draw();
  }

  draw() {
    const { words, at } = this;
    const { parts, title } = this.data;
    const part = parts[at];
    say(this.count, fill(words.count, { title, number: at + 1, count: parts.length, minutes: part.minutes }));
    say(this.says, part.says);
    document.documentElement.dataset.lesson = JSON.stringify(part.texts); // which the line of the class tells the students
    say(this.notes, part.notes);
    this.says.hidden = !part.says;
    this.notes.hidden = !part.notes || sessionStorage.getItem(NOTES) !== "1";
    this.back.disabled = at === 0;
    this.next.disabled = at === parts.length - 1;
    this.noted.hidden = !parts.some(({ notes }) => notes);
    const present = sessionStorage.getItem(PRESENT) === "1";
    this.noted.setAttribute("aria-pressed", String(sessionStorage.getItem(NOTES) === "1"));
    this.presented.setAttribute("aria-pressed", String(present));
    if (present) document.documentElement.dataset.present = "true";
    else delete document.documentElement.dataset.present;
  }

  toggle(name) {
    sessionStorage.setItem(name, sessionStorage.getItem(name) === "1" ? "0" : "1");
    this.draw();
  }

  // Keys of a presenter's remote control; not while somebody types, or moves in a figure.
  key(event) {
    if (this.data?.editing || sessionStorage.getItem(PRESENT) !== "1" || event.defaultPrevented) return;
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const { activeElement } = document;
    const free = activeElement === null || activeElement === document.body || activeElement.shadowRoot?.contains(this.root);
    if (event.key === "Escape") return this.toggle(PRESENT);
    if (!free) return;
    if (event.key === "n") this.toggle(NOTES);
    const by = NEXT.includes(event.key) ? 1 : BACK.includes(event.key) ? -1 : 0;
    const to = this.at + by;
    if (!by || to < 0 || to >= this.data.parts.length) return;
    event.preventDefault();
    this.go(to);
  }
}

export default mount(".gf-lesson-bar", LessonBar);
