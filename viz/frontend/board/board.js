// The teacher's board of a class: who is here, the countdown, the question and its answers, all sentences that were typed.

import { add, el, fill, say } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { clock } from "../common/countdown.js";
import { Room } from "../common/room_client.js";
import { applyTheme, themeOf } from "../common/theme.js";
import { Wall } from "./wall.js";

const TICK = 250; // ms

class Board {
  constructor(root) {
    this.root = root;
    this.timer = setInterval(() => this.tick(), TICK);
  }

  destroy() {
    clearInterval(this.timer);
    this.room?.stop();
  }

  receive(text) {
    if (text === this.text) return;
    const data = JSON.parse(text);
    const before = this.data;
    Object.assign(this, { text, data, words: data.words });
    if (before && before.key === data.key && before.language === data.language) return;
    this.room?.stop();
    this.build();
    this.room = new Room(data, true, (content) => this.hear(content));
  }

  build() {
    const { words } = this;
    this.problem = el("p", "gf-problem", { role: "alert" });
    this.here = el("h2");
    this.names = el("ul", "gf-names");
    this.left = el("span", "gf-left", { role: "timer" });
    this.asked = el("div", "gf-asked", { "aria-live": "polite" });
    this.wall = new Wall(words, this.data.base, (content) => this.act(content));
    const side = add(
      el("div", "gf-side"), add(el("section"), this.here, this.names), this.asked, this.question(), this.countdown(),
    );
    this.root.replaceChildren(this.problem, add(el("div", "gf-both"), side, this.wall.node));
  }

  countdown() {
    const { words } = this;
    const minutes = el("input", "", { type: "number", min: 0.5, max: 180, step: 0.5, value: 5, "aria-label": words.minutes });
    const start = add(el("button", "", { type: "submit" }), words.start);
    const clear = add(el("button", "", { type: "button" }), words.clear);
    clear.onclick = () => this.act({ do: "countdown", minutes: 0 });
    const form = add(el("form", "gf-row"), minutes, add(el("span"), words.minutes), start, clear);
    form.onsubmit = (event) => (event.preventDefault(), this.act({ do: "countdown", minutes: Number(minutes.value) }));
    return add(el("section"), add(el("h2"), words.countdown, " ", this.left), form);
  }

  question() {
    const { words } = this;
    const asked = el("textarea", "", { rows: 2, maxlength: 600, "aria-label": words.question, placeholder: words.question });
    const options = el("textarea", "", { rows: 3, "aria-label": words.options, placeholder: words.options });
    const form = add(el("form", "gf-ask"), asked, options, add(el("button", "", { type: "submit" }), words.ask));
    form.onsubmit = async (event) => {
      event.preventDefault();
      if (await this.act({ do: "ask", question: asked.value, options: options.value })) asked.value = options.value = "";
    };
    return add(el("section"), add(el("h2"), words.ask_title), form);
  }

  async act(content) {
    const problem = await this.room.act(content);
    say(this.problem, problem ?? this.words.away);
    return problem === "";
  }

  hear(content) {
    if (!content) return;
    this.content = content;
    this.heardAt = performance.now();
    const theme = themeOf(this.root);
    applyTheme(this.root, theme);
    const here = new Set(content.here);
    const students = content.members.filter(([, , teacher]) => !teacher);
    say(this.here, fill(this.words.here, { count: students.filter(([id]) => here.has(id)).length, all: students.length }));
    this.names.replaceChildren(...students.map(([id, name], at) => {
      const shown = name || fill(this.words.nameless, { number: at + 1 });
      return add(el("li", "", { "data-here": String(here.has(id)), title: here.has(id) ? "" : this.words.away_now }), shown);
    }));
    this.drawAsked(content.asked);
    this.wall.draw(content.sentences, theme);
    this.tick();
    this.root.dataset.ready = "true";
  }

  // The answers as bars: a choice shows all its options, other answers stand in the order of their number.
  drawAsked(asked) {
    const drawn = JSON.stringify(asked);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    if (!asked) return this.asked.replaceChildren();
    const counts = new Map(asked.answers.map(([answer, count, right]) => [answer, { count, right }]));
    const texts = new Map(asked.options);
    for (const [answer] of asked.options) if (!counts.has(answer)) counts.set(answer, { count: 0, right: null });
    const order = asked.options.length ? [...texts.keys(), ...[...counts.keys()].filter((key) => !texts.has(key))] : [...counts.keys()];
    const all = asked.answers.reduce((sum, [, count]) => sum + count, 0);
    const most = Math.max(1, ...[...counts.values()].map(({ count }) => count));
    const bars = order.map((answer) => {
      const { count, right } = counts.get(answer);
      const bar = el("i");
      bar.style.width = `${(100 * count) / most}%`;
      const mark = right === true ? "✓ " : right === false ? "✗ " : "";
      return add(el("li", "", { "data-right": String(right) }), add(el("span"), mark, texts.get(answer) ?? answer), bar, add(el("b"), String(count)));
    });
    const close = add(el("button", "", { type: "button" }), this.words.close);
    close.onclick = () => this.act({ do: "close" });
    close.hidden = !asked.open;
    const count = add(el("p", "gf-count"), fill(asked.open ? this.words.answers : this.words.closed, { count: all }));
    this.asked.replaceChildren(add(el("p", "gf-question"), asked.question), add(el("ul", "gf-bars"), ...bars), count, close);
  }

  tick() {
    if (!this.content) return;
    const { left } = this.content;
    say(this.left, left === null ? "" : clock(left - (performance.now() - this.heardAt) / 1000));
  }
}

export default mount(".gf-board", Board);
