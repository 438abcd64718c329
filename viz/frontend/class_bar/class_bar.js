// The line above every page of somebody in a class: who follows whom, the time that is left, the question that is asked.

import { add, el, fill, say } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { open } from "../common/open_view.js";
import { clock } from "../common/countdown.js";
import { Room } from "../common/room_client.js";

const LOOK = 250; // ms between two looks at the address and at the clock
const FOLLOWS = "gf-class-follows"; // what this tab remembers: "1" while it goes along
const SHOWN = "gf-class-shown"; // how many views of which room it has seen
const DRAFT = "gf-class-draft"; // an answer that is typed and not sent, after the number of its question
const SHARES = "gf-class-shares"; // "1" while a teacher's tab shows all that it opens

class ClassBar {
  constructor(root) {
    this.root = root;
    this.line = el("div", "gf-line");
    this.task = el("div", "gf-task");
    this.problem = el("p", "gf-problem", { role: "alert" });
    add(root, this.line, this.task, this.problem);
    this.timer = setInterval(() => this.look(), LOOK);
  }

  destroy() {
    clearInterval(this.timer);
    this.room?.stop();
  }

  receive(text) {
    if (text === this.text) return;
    const data = JSON.parse(text);
    const same = this.data && this.data.key === data.key && this.data.language === data.language;
    Object.assign(this, { text, data, words: data.words });
    if (!same) {
      this.room?.stop();
      this.room = new Room(data, false, (content) => this.hear(content));
      this.build();
    }
  }

  // ---- what is there

  build() {
    const { teacher } = this.data;
    this.code = el("strong", "gf-code");
    this.here = el("span", "gf-here");
    this.left = el("span", "gf-left", { role: "timer" });
    this.follow = el("button", "gf-follow", { type: "button" });
    this.follow.onclick = () => (teacher ? this.share() : this.setFollowing(!this.following(), true));
    this.line.replaceChildren(this.code, this.here, this.left, this.follow);
    if (teacher) {
      this.show = el("button", "gf-show", { type: "button" });
      this.show.onclick = () => this.act({ do: "show", view: this.place() }, this.words.shown);
      const board = el("a", "gf-board-link", { href: `${this.data.base}/class` });
      say(this.show, this.words.show);
      say(board, this.words.board);
      this.line.append(this.show, board);
    }
  }

  hear(content) {
    const before = this.content;
    this.content = content;
    this.heardAt = performance.now();
    const other = before && content && (before.ended !== content.ended || before.choice !== content.choice);
    if (!content || other) this.trigger("changed", Date.now());
    if (!content) return;
    const seen = `${content.code} ${content.shown}`;
    if (!this.data.teacher && content.shown && sessionStorage.getItem(SHOWN) !== seen) {
      sessionStorage.setItem(SHOWN, seen);
      if (this.following()) this.go();
    }
    this.draw();
  }

  draw() {
    const { content, words } = this;
    const { teacher } = this.data;
    say(this.code, `${content.title ? `${content.title} · ` : ""}${content.code}`);
    say(this.here, content.ended ? words.ended : fill(words.here, { count: content.present }));
    const follows = teacher ? sessionStorage.getItem(SHARES) === "1" : this.following();
    say(this.follow, teacher ? words.share : follows ? words.following : words.follow);
    this.follow.title = teacher ? words.share_about : follows ? words.following_about : words.follow_about;
    this.follow.setAttribute("aria-pressed", String(follows));
    this.follow.hidden = content.ended || (!teacher && !content.shown);
    if (this.show) this.show.hidden = content.ended;
    this.drawTask();
    this.tick();
    this.root.dataset.ready = "true";
  }

  drawTask() {
    const { task, mine } = this.content;
    const asked = this.data.teacher || !task ? "" : JSON.stringify([task, mine]);
    if (asked === this.asked) return;
    this.asked = asked;
    if (!asked) return this.task.replaceChildren();
    const parts = [add(el("p", "gf-question"), task.question)];
    if (mine !== null) {
      const text = task.options.find(([answer]) => answer === mine)?.[1] ?? mine;
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
      const button = add(el("button", "gf-send", { type: "button" }), this.words.quiz);
      button.onclick = () => this.setFollowing(true, true);
      parts.push(button);
    }
    this.task.replaceChildren(...parts);
  }

  // ---- what somebody does

  async act(content, done = "") {
    const problem = await this.room.act(content);
    this.say(problem === "" ? done : (problem ?? this.words.away), problem === "");
  }

  say(text, good) {
    say(this.problem, text);
    this.problem.dataset.good = String(good);
    clearTimeout(this.silence);
    if (text) this.silence = setTimeout(() => say(this.problem, ""), 4000);
  }

  answer(text) {
    this.act({ do: "answer", task: this.content.task.id, text });
  }

  share() {
    const now = sessionStorage.getItem(SHARES) !== "1";
    sessionStorage.setItem(SHARES, now ? "1" : "0");
    this.shared = "";
    this.draw();
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
    if (this.data.teacher) return this.lookAtTeacher();
    // somebody who opens another page goes their own way
    if (this.page && this.following() && window.location.pathname !== this.page) {
      this.page = "";
      this.setFollowing(false);
    }
  }

  lookAtTeacher() {
    const place = this.place();
    if (sessionStorage.getItem(SHARES) !== "1" || place === this.shared || /^\/class(\?|$)/.test(place)) return;
    this.shared = place;
    this.act({ do: "show", view: place });
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
