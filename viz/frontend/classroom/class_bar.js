// The line above every page of somebody in a class: who follows whom, the time that is left, the question that is asked.

import { add, el, fill, say } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { clock } from "./countdown.js";
import { nearer, open } from "./open_view.js";
import { ClassClient, SHOWN_BY_BOARD } from "./class_client.js";

const LOOK = 250; // ms between two looks at the address and at the clock
const FOLLOWS = "gf-class-follows"; // what this tab remembers: "1" while it goes along
const SHOWN = "gf-class-shown"; // how many views of which class it has seen
const DRAFT = "gf-class-draft"; // an answer that is typed and not sent, after the number of its question
const SHARES = "gf-class-shares"; // in a tab: "1" while it shows all that it opens; in the browser: which tab does
const TAB = "gf-class-tab"; // the name of this tab
// where a question of the quiz is answered
const ANSWERS = ".st-key-figure_question :is(.st-key-options, .st-key-typed, .st-key-this, .st-key-take_step)";

class ClassBar {
  constructor(root) {
    this.root = root;
    this.says = el("p", "gf-says", { role: "status" });
    this.line = el("div", "gf-line");
    this.task = el("div", "gf-task");
    this.problem = el("p", "gf-problem", { role: "alert" });
    add(root, this.says, this.line, this.task, this.problem);
    this.timer = setInterval(() => this.look(), LOOK);
    this.shown = new BroadcastChannel(SHOWN_BY_BOARD);
    this.shown.onmessage = ({ data }) => this.showHere(data);
    this.onGone = () => this.shares() && localStorage.removeItem(SHARES);
    window.addEventListener("pagehide", this.onGone);
  }

  destroy() {
    clearInterval(this.timer);
    this.shown.close();
    window.removeEventListener("pagehide", this.onGone);
    this.client?.stop();
  }

  receive(text) {
    if (text === this.text) return;
    const data = JSON.parse(text);
    const same = this.data && this.data.key === data.key && this.data.language === data.language;
    Object.assign(this, { text, data, words: data.words });
    if (!same) {
      this.client?.stop();
      this.client = new ClassClient(data, false, (content) => this.hear(content));
      this.build();
    }
  }

  // ---- what is there

  build() {
    const { teacher, base } = this.data;
    this.code = el("strong", "gf-code");
    this.here = el("span", "gf-here");
    this.left = el("span", "gf-left", { role: "timer" });
    this.follow = el("button", "gf-follow", { type: "button" });
    this.follow.onclick = () => (teacher ? this.share() : this.setFollowing(!this.following(), true));
    this.stays = add(el("span", "gf-stays", { hidden: "" }), teacher ? this.words.stays_teacher : this.words.stays);
    this.way_out = add(el("a", "gf-board-link", { href: `${base}/class`, hidden: "" }), this.words.to_class);
    this.line.replaceChildren(this.code, this.here, this.stays, this.left, this.follow);
    if (!teacher) this.line.append(this.way_out);
    if (teacher) {
      this.show = el("button", "gf-show", { type: "button" });
      this.show.onclick = () => this.act({ do: "show", ...this.view() }, this.words.shown);
      const board = el("a", "gf-board-link", { href: `${base}/class` });
      say(this.show, this.words.show);
      say(board, this.words.board);
      this.line.append(this.show, board);
    }
  }

  hear(content) {
    const before = this.content;
    this.content = content;
    this.heardAt = performance.now();
    const other = before && content && ["ended", "choice", "test"].some((key) => before[key] !== content[key]);
    const goes = content && this.isNew(content) && this.following();
    if (!content || (other && !(goes && before.test !== content.test))) this.trigger("changed", Date.now()); // to go draws anew
    if (!content) return;
    if (goes) this.go();
    this.draw();
  }

  // Whether the teacher shows a view that this tab has not seen; it is asked once.
  isNew({ code, shown }) {
    const seen = `${code} ${shown}`;
    if (this.data.teacher || !shown || sessionStorage.getItem(SHOWN) === seen) return false;
    sessionStorage.setItem(SHOWN, seen);
    return true;
  }

  draw() {
    const { content, words } = this;
    const { teacher } = this.data;
    say(this.code, `${content.title ? `${content.title} · ` : ""}${content.code}`);
    // a student's browser does not hear who comes and goes
    say(this.here, content.ended ? words.ended : teacher ? fill(words.here, { count: content.present }) : "");
    say(this.says, !teacher && !content.ended && this.following() ? content.says : "");
    this.stays.hidden = !content.ended;
    this.way_out.hidden = !content.ended || this.onBoard();
    this.drawFollow();
    this.follow.hidden = content.ended || (!teacher && !content.shown);
    if (this.show) this.show.hidden = content.ended;
    this.drawTask();
    this.tick();
    this.root.dataset.ready = "true";
  }

  drawFollow() {
    const { words } = this;
    const { teacher } = this.data;
    const follows = teacher ? this.shares() : this.following();
    const elsewhere = teacher && !follows && Boolean(localStorage.getItem(SHARES));
    const name = elsewhere ? "elsewhere" : teacher ? "share" : follows ? "following" : "follow";
    say(this.follow, words[name]);
    this.follow.title = words[`${name}_about`];
    this.follow.setAttribute("aria-pressed", String(follows || elsewhere));
  }

  drawTask() {
    const { task, mine, ended } = this.content;
    const asked = this.data.teacher || !task || ended ? "" : JSON.stringify([task, mine]);
    if (asked === this.asked) return;
    this.asked = asked;
    if (!asked) return this.task.replaceChildren();
    this.question = add(el("p", "gf-question"), task.question);
    const parts = [this.question];
    if (mine !== null) {
      const text = task.options.find(([answer]) => answer === mine)?.[1] ?? task.spelled[mine] ?? mine;
      parts.push(add(el("p", "gf-mine"), fill(this.words.mine, { answer: text })));
    } else if (task.kind === "choice") {
      const options = task.options.map(([answer, text]) => {
        const button = add(el("button", "gf-option", { type: "button" }), text);
        button.onclick = () => this.answer(answer);
        return button;
      });
      parts.push(add(el("div", "gf-options"), ...options));
    } else if (task.kind === "text") {
      const form = el("form", "gf-form");
      const field = el("input", "", { maxlength: 200, "aria-label": this.words.answer, autocomplete: "off" });
      const kept = `${task.id} `;
      const draft = sessionStorage.getItem(DRAFT) ?? "";
      if (draft.startsWith(kept)) field.value = draft.slice(kept.length); // a page may be drawn anew while one types
      field.oninput = () => sessionStorage.setItem(DRAFT, kept + field.value);
      form.onsubmit = (event) => (event.preventDefault(), this.answer(field.value));
      parts.push(add(form, field, add(el("button", "gf-send", { type: "submit" }), this.words.send)));
    } else {
      this.way = el("button", "gf-send", { type: "button" });
      this.way.onclick = () => this.toQuestion();
      parts.push(this.way);
    }
    this.task.replaceChildren(...parts);
    this.task.classList.remove("gf-empty");
    this.drawWay();
  }

  // The way to a question of the quiz: its page, then its answers, where a phone has them below the picture.
  drawWay() {
    if (!this.content.task || !this.question?.isConnected) return;
    const there = this.content.task.kind === "quiz" && this.atQuestion();
    this.question.hidden = there; // the page has it
    this.task.classList.toggle("gf-empty", there && ![...this.task.children].some((part) => !part.hidden));
    if (!this.way?.isConnected) return;
    const answers = there && document.querySelector(ANSWERS);
    if (answers && this.wanted) {
      this.wanted = false;
      this.toAnswers(answers);
    }
    say(this.way, there ? this.words.to_answers : this.words.quiz);
    this.way.hidden = Boolean(there && (!answers || this.inView(answers)));
    this.task.classList.toggle("gf-empty", this.question.hidden && this.way.hidden);
  }

  atQuestion() {
    const { view } = this.content.task;
    const [page, settings] = [view.split("?")[0], new URLSearchParams(view.split("?")[1])];
    const here = new URLSearchParams(window.location.search);
    const same = ["question", "numbers"].every((key) => here.get(key) === settings.get(key));
    return same && window.location.pathname === `${this.data.base}/${page}`;
  }

  toQuestion() {
    if (this.atQuestion()) return this.toAnswers(document.querySelector(ANSWERS));
    const { shown, view, task } = this.content;
    this.wanted = true; // its answers, as soon as they are there
    if (shown && view === task.view) return this.setFollowing(true, true);
    this.page = "";
    this.setFollowing(false);
    open(this.data.base, task.view);
  }

  // Whether all of it can be seen below this line.
  inView(node) {
    const { top, bottom } = node.getBoundingClientRect();
    return top >= this.root.getBoundingClientRect().bottom && bottom <= window.innerHeight;
  }

  toAnswers(answers) {
    if (!answers || this.inView(answers)) return;
    answers.style.scrollMarginTop = `${this.root.offsetHeight + 24}px`;
    nearer(answers, "center");
  }

  // ---- what somebody does

  async act(content, done = "") {
    const problem = await this.client.act(content, () => this.say(this.words.waiting, false, true));
    this.say(problem === "" ? done : (problem ?? this.words.away), problem === "");
  }

  say(text, good, stays = false) {
    say(this.problem, text);
    this.problem.dataset.good = String(good);
    clearTimeout(this.silence);
    if (text && !stays) this.silence = setTimeout(() => say(this.problem, ""), 4000);
  }

  answer(text) {
    this.act({ do: "answer", task: this.content.task.id, text });
  }

  // One tab at a time: a click elsewhere ends it.
  share() {
    const now = !this.shares() && !localStorage.getItem(SHARES);
    sessionStorage.setItem(SHARES, now ? "1" : "0");
    if (now) localStorage.setItem(SHARES, this.tab());
    else localStorage.removeItem(SHARES);
    this.shared = this.said = "";
    this.draw();
  }

  shares() {
    if (sessionStorage.getItem(SHARES) !== "1") return false;
    if (this.claimed && localStorage.getItem(SHARES) !== this.tab()) {
      sessionStorage.setItem(SHARES, "0"); // another tab of this browser has ended it
      return false;
    }
    if (!this.claimed) localStorage.setItem(SHARES, this.tab()); // after a reload
    this.claimed = true;
    return true;
  }

  tab() {
    if (!sessionStorage.getItem(TAB)) sessionStorage.setItem(TAB, Math.random().toString(36).slice(2));
    return sessionStorage.getItem(TAB);
  }

  // The board has shown everyone a view: the teacher's tab that keeps everyone goes along.
  showHere(view) {
    if (!this.data?.teacher || !this.content || this.content.ended || this.onBoard() || !this.shares()) return;
    open(this.data.base, view);
    Object.assign(this, { shared: this.place(), said: JSON.stringify(this.view().says) });
  }

  following() {
    return sessionStorage.getItem(FOLLOWS) !== "0";
  }

  setFollowing(now, go) {
    sessionStorage.setItem(FOLLOWS, now ? "1" : "0");
    if (now && go && this.content.shown) this.go();
    this.draw();
  }

  go() {
    this.page = open(this.data.base, this.content.view);
  }

  // ---- what happens by itself

  look() {
    if (!this.content || this.content.ended) return;
    this.tick();
    this.drawWay();
    if (this.data.teacher) return this.lookAtTeacher();
    // somebody who opens another page goes their own way
    if (this.page && this.following() && window.location.pathname !== this.page) {
      this.page = "";
      this.setFollowing(false);
    }
  }

  lookAtTeacher() {
    const { view, says } = this.view();
    this.drawFollow();
    if (!this.shares() || this.onBoard()) return;
    const said = JSON.stringify(says);
    if (view === this.shared && said === this.said) return;
    const act = view === this.shared ? { do: "say", says } : { do: "show", view, says };
    Object.assign(this, { shared: view, said });
    this.act(act);
  }

  // What this tab shows: its address, and what the lesson that is given in it says there.
  view() {
    return { view: this.place(), says: JSON.parse(document.documentElement.dataset.lesson || "{}") };
  }

  onBoard() {
    return window.location.pathname === `${this.data.base}/class`;
  }

  // The address of the page below the app's own.
  place() {
    return window.location.pathname.slice(this.data.base.length) + window.location.search;
  }

  tick() {
    const { left } = this.content;
    this.left.hidden = left === null;
    if (left === null) return;
    const now = left - (performance.now() - this.heardAt) / 1000;
    say(this.left, now > 0 ? clock(now) : this.words.over);
    this.left.dataset.over = String(now <= 0);
  }
}

export default mount(".gf-class-bar", ClassBar);
