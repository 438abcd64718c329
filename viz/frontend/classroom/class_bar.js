// The line above every page of somebody in a class: who follows whom, the time that is left, the question that is asked.
//
// The page around it, of the app or a live page, is its `host`:
//   place()        what is in view as an address of the app, `/attention?head=3`
//   page()         the page of it, by which the line sees that somebody has opened another one
//   open(view)     goes to a view
//   heard(content) what the server tells of the class, each time; gives true where it goes to another page
//   changed()      the class has begun, ended or is gone
//   answers()      where a question of the quiz is answered, null where it is not in view
//   lacks(view)    the address in the app of a view that this page cannot show, else ""
//   leave          leaves the class; null where another page does it

import { actionButton, add, el, fill, say } from "../common/dom.js";
import { clock } from "./countdown.js";
import { nearer } from "./open_view.js";
import { ClassClient, SHOWN_BY_BOARD } from "./class_client.js";
import { predictionParts, predictionResult } from "./prediction.js";

const LOOK = 250; // ms between two looks at the address and at the clock
const FOLLOWS = "gf-class-follows"; // what this tab remembers: "1" while it goes along
const SEEN = "gf-class-shown"; // how many views of which class it has seen
const DRAFT = "gf-class-draft"; // an answer that is typed and not sent, after the number of its question
const SHARING = "gf-class-shares"; // in a tab: "1" while it shows all that it opens; in the browser: which tab does
const TAB = "gf-class-tab"; // the name of this tab

export class ClassBar {
  constructor(root, host) {
    Object.assign(this, { root, host });
    this.says = el("p", "gf-says", { role: "status" });
    this.line = el("div", "gf-line");
    this.only = el("p", "gf-only", { role: "status" });
    this.task = el("div", "gf-task");
    this.problem = el("p", "gf-problem", { role: "alert" });
    add(root, this.says, this.only, this.line, this.task, this.problem);
    this.timer = setInterval(() => this.look(), LOOK);
    this.shown = new BroadcastChannel(SHOWN_BY_BOARD);
    this.shown.onmessage = ({ data }) => this.showHere(data);
    this.onGone = () => this.shares() && localStorage.removeItem(SHARING);
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
    this.follow = actionButton("", () => (teacher ? this.share() : this.setFollowing(!this.following(), true)), "gf-follow");
    this.stays = add(el("span", "gf-stays", { hidden: "" }), teacher ? this.words.stays_teacher : this.words.stays);
    this.way_out = this.wayOut();
    this.line.replaceChildren(this.code, this.here, this.stays, this.left, this.follow);
    if (!teacher) this.line.append(this.way_out);
    if (!teacher && this.data.live) this.line.append(this.onDevice());
    if (teacher) {
      this.show = actionButton(this.words.show, () => this.act({ do: "show", ...this.view() }, this.words.shown), "gf-show");
      this.line.append(this.show, add(el("a", "gf-board-link", { href: `${base}/class` }), this.words.board));
    }
  }

  wayOut() {
    const { leave } = this.host;
    if (leave) return actionButton(this.words.to_class, leave);
    return add(el("a", "gf-board-link", { href: `${this.data.base}/class` }), this.words.to_class);
  }

  // To the live page of the class, which asks nothing of the server but what is new.
  onDevice() {
    this.device = add(el("a", "gf-board-link", { title: this.words.on_device_about }), this.words.on_device);
    return this.device;
  }

  hear(content) {
    const before = this.content;
    this.content = content;
    this.heardAt = performance.now();
    const other = before && content && ["ended", "choice", "test"].some((key) => before[key] !== content[key]);
    const goes = content && this.isNew(content) && this.following();
    if (!content || (other && !(goes && before.test !== content.test))) this.host.changed(content); // to go draws anew
    if (!content) return;
    if (this.host.heard(content)) return;
    if (goes) this.go();
    this.draw();
  }

  // Whether the teacher shows a view that this tab has not seen; it is asked once.
  isNew({ code, shown }) {
    const seen = `${code} ${shown}`;
    if (this.data.teacher || !shown || sessionStorage.getItem(SEEN) === seen) return false;
    sessionStorage.setItem(SEEN, seen);
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
    this.way_out.hidden = !this.host.leave && (!content.ended || this.onBoard());
    if (this.device) Object.assign(this.device, { hidden: content.ended, href: `${this.data.live}?class=${content.code}` });
    this.drawOnly();
    this.drawFollow();
    this.follow.hidden = content.ended || (!teacher && !content.shown);
    if (this.show) this.show.hidden = content.ended;
    this.drawTask();
    this.tick();
    this.root.dataset.ready = "true";
  }

  // The way to a view that only the app has.
  drawOnly() {
    const { content, words } = this;
    const address = !this.data.teacher && !content.ended && content.shown && this.following() ? this.host.lacks(content.view) : "";
    if (this.only.dataset.address === address) return;
    this.only.dataset.address = address;
    const link = add(el("a", "gf-board-link", { href: address }), words.to_app);
    this.only.replaceChildren(...(address ? [add(el("span"), words.only_app), link] : []));
  }

  drawFollow() {
    const { words } = this;
    const { teacher } = this.data;
    const follows = teacher ? this.shares() : this.following();
    const elsewhere = teacher && !follows && Boolean(localStorage.getItem(SHARING));
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
    if (task.kind === "predict" && (mine !== null || !task.open)) {
      const result = predictionResult(task, mine, this.words);
      if (!result) return this.task.replaceChildren(); // put away
      parts.push(...result);
    }
    if (mine !== null) {
      const text = task.options.find(([answer]) => answer === mine)?.[1] ?? task.spelled[mine] ?? mine;
      parts.push(add(el("p", "gf-mine"), fill(this.words.mine, { answer: text })));
    } else if (task.kind === "choice") {
      const options = task.options.map(([answer, text]) => actionButton(text, () => this.answer(answer), "gf-option"));
      parts.push(add(el("div", "gf-options"), ...options));
    } else if (task.kind === "predict") {
      const send = (text, sure) => this.answer(text, { sure });
      if (task.open) parts.push(...predictionParts(task, this.words, send, (text) => this.say(text, false)));
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
      this.way = actionButton("", () => this.toQuestion(), "gf-send");
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
    const answers = there && this.host.answers();
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
    const [there, query] = this.host.place().split("?");
    const here = new URLSearchParams(query);
    const same = ["question", "numbers"].every((key) => here.get(key) === settings.get(key));
    return same && there === `/${page}`;
  }

  toQuestion() {
    if (this.atQuestion()) return this.toAnswers(this.host.answers());
    const { shown, view, task } = this.content;
    this.wanted = true; // its answers, as soon as they are there
    if (shown && view === task.view) return this.setFollowing(true, true);
    this.page = "";
    this.setFollowing(false);
    this.host.open(task.view);
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

  // Gives "" where it was done.
  async act(content, done = "") {
    const problem = await this.client.act(content, () => this.say(this.words.waiting, false, true));
    this.say(problem === "" ? done : (problem ?? this.words.away), problem === "");
    return problem;
  }

  say(text, good, stays = false) {
    say(this.problem, text);
    this.problem.dataset.good = String(good);
    clearTimeout(this.silence);
    if (text && !stays) this.silence = setTimeout(() => say(this.problem, ""), 4000);
  }

  answer(text, more = {}) {
    this.act({ do: "answer", task: this.content.task.id, text, ...more });
  }

  // One tab at a time: a click elsewhere ends it.
  share() {
    const now = !this.shares() && !localStorage.getItem(SHARING);
    sessionStorage.setItem(SHARING, now ? "1" : "0");
    if (now) localStorage.setItem(SHARING, this.tab());
    else localStorage.removeItem(SHARING);
    this.shared = this.said = "";
    this.draw();
  }

  shares() {
    if (sessionStorage.getItem(SHARING) !== "1") return false;
    if (this.claimed && localStorage.getItem(SHARING) !== this.tab()) {
      sessionStorage.setItem(SHARING, "0"); // another tab of this browser has ended it
      return false;
    }
    if (!this.claimed) localStorage.setItem(SHARING, this.tab()); // after a reload
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
    this.host.open(view);
    Object.assign(this, { shared: this.host.place(), said: JSON.stringify(this.view().says) });
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
    if (this.host.lacks(this.content.view)) return; // the way there is a link
    this.host.open(this.content.view);
    this.page = this.host.page();
  }

  // ---- what happens by itself

  look() {
    if (!this.content || this.content.ended) return;
    this.tick();
    this.drawWay();
    if (this.data.teacher) return this.lookAtTeacher();
    // somebody who opens another page goes their own way
    if (this.page && this.following() && this.host.page() !== this.page) {
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
    return { view: this.host.place(), says: JSON.parse(document.documentElement.dataset.lesson || "{}") };
  }

  onBoard() {
    return this.host.place().split("?")[0] === "/class";
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
