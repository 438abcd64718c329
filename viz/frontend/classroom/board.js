// The teacher's board of a class: who is here, the countdown, the question and its answers, the curves of
// trainings, all sentences that were typed.

import { actionButton, add, el, fill, say } from "../common/dom.js";
import { mount } from "../common/mount.js";
import { clock } from "./countdown.js";
import { ClassClient, SHOWN_BY_BOARD } from "./class_client.js";
import { ClassCurves } from "./class_curves.js";
import { classPredictions, predictionChart } from "./prediction_board.js";
import { applyTheme, themeOf } from "../common/theme.js";
import { Wall } from "./wall.js";

const TICK = 250; // ms
const CROWD = 20; // students who have done nothing, from which on one click removes them all: a class waits, a flood is more

class Board {
  constructor(root) {
    this.root = root;
    this.timer = setInterval(() => this.tick(), TICK);
    this.others = new BroadcastChannel(SHOWN_BY_BOARD);
  }

  destroy() {
    clearInterval(this.timer);
    this.others.close();
    this.client?.stop();
    this.curves?.destroy();
  }

  receive(text) {
    if (text === this.text) return;
    const data = JSON.parse(text);
    const before = this.data;
    Object.assign(this, { text, data, words: data.words });
    if (before && before.key === data.key && before.language === data.language) return;
    this.client?.stop();
    this.build();
    this.client = new ClassClient(data, true, (content) => this.hear(content));
  }

  build() {
    const { words } = this;
    this.problem = el("p", "gf-problem", { role: "alert" });
    this.here = el("h2");
    this.names = el("ul", "gf-names");
    this.locked = el("input", "", { type: "checkbox" });
    this.locked.onchange = () => this.act({ do: "lock", locked: this.locked.checked });
    this.crowd = el("button", "", { type: "button", hidden: "" });
    this.backIn = el("button", "", { type: "button", hidden: "" });
    const door = add(el("div", "gf-row gf-door"), add(el("label", "gf-toggle"), this.locked, words.lock), this.crowd, this.backIn);
    this.left = el("span", "gf-left", { role: "timer" });
    this.asked = el("div", "gf-asked", { "aria-live": "polite" });
    this.earlier = el("details", "gf-earlier", { hidden: "" });
    this.predictions = el("section", "gf-predictions", { hidden: "" });
    this.drawn = null;
    this.opened = new Set(); // questions whose hidden answers are shown
    this.wall = new Wall(words, this.data.base, (content) => this.act(content));
    this.curves?.destroy();
    this.curves = new ClassCurves(words);
    const side = add(
      el("div", "gf-side"), add(el("section"), this.here, this.names, door), this.asked, this.question(), this.earlier, this.predictions, this.countdown(),
    );
    this.root.replaceChildren(this.problem, add(el("div", "gf-both"), side, add(el("div", "gf-done"), this.curves.node, this.wall.node)));
  }

  countdown() {
    const { words } = this;
    const minutes = el("input", "", { type: "number", min: 0.5, max: 180, step: 0.5, value: 5, "aria-label": words.minutes });
    const start = add(el("button", "", { type: "submit" }), words.start);
    this.clear = actionButton(words.clear, () => this.act({ do: "countdown", minutes: 0 }), "", { hidden: "" });
    const form = add(el("form", "gf-row"), minutes, add(el("span"), words.minutes), start, this.clear);
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
    const problem = await this.client.act(content, () => say(this.problem, this.words.waiting));
    say(this.problem, problem ?? this.words.away);
    if (problem === "" && content.do === "show") this.others.postMessage(content.view);
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
    const all = students.length - content.removed.length;
    say(this.here, fill(this.words.here, { count: students.filter(([id]) => here.has(id)).length, all }));
    const names = new Map(students.map(([id, name], at) => [id, name || fill(this.words.nameless, { number: at + 1 })]));
    this.drawStudents(content, students, names, here);
    if (students.length) this.foldInvitation();
    this.drawQuestions();
    this.curves.draw(content.trainings, names);
    this.wall.draw(content.sentences, theme, names);
    this.clear.hidden = content.left === null;
    this.tick();
    this.root.dataset.ready = "true";
  }

  // Each student with a button that removes them or lets them back in; a chip that is there stays, with its focus.
  drawStudents({ removed, idle, locked }, students, names, here) {
    const { words } = this;
    const known = this.chips ?? new Map();
    this.chips = new Map();
    const chips = students.map(([id]) => {
      const [name, out, isHere] = [names.get(id), removed.includes(id), here.has(id)];
      const node = known.get(id) ?? add(el("li"), el("span"), el("button", "", { type: "button" }));
      const [label, button] = node.children;
      say(label, name);
      say(button, out ? "↩" : "✕");
      button.setAttribute("aria-label", fill(out ? words.let_back : words.remove, { name }));
      button.title = button.getAttribute("aria-label");
      button.onclick = () => this.act({ do: "remove", members: [id], removed: !out });
      Object.assign(node.dataset, { here: String(isHere), removed: String(out) });
      node.title = out ? words.removed : isHere ? "" : words.away_now;
      this.chips.set(id, node);
      return node;
    });
    if (chips.length !== this.names.children.length || chips.some((chip, at) => this.names.children[at] !== chip)) {
      this.names.replaceChildren(...chips);
    }
    this.locked.checked = locked;
    const nothing = idle.filter((id) => !removed.includes(id));
    this.crowd.hidden = nothing.length < CROWD;
    say(this.crowd, fill(words.remove_idle, { count: nothing.length }));
    this.crowd.onclick = () => this.act({ do: "remove", members: nothing, removed: true });
    this.backIn.hidden = removed.length < 2;
    say(this.backIn, fill(words.let_all_back, { count: removed.length }));
    this.backIn.onclick = () => this.act({ do: "remove", members: removed, removed: false });
  }

  // The QR code makes room for the board as soon as somebody has come; a click unfolds it again.
  foldInvitation() {
    if (this.folded) return;
    this.folded = true;
    document.querySelector(".gf-invite")?.removeAttribute("open");
  }

  drawQuestions() {
    const { asked, earlier, predictions } = this.content;
    const drawn = JSON.stringify([asked, earlier, predictions, [...this.opened]]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    this.asked.replaceChildren(...(asked ? this.chart(asked) : []));
    this.earlier.hidden = !earlier.length;
    this.predictions.hidden = !predictions;
    this.predictions.replaceChildren(...classPredictions(predictions, this.words));
    const title = add(el("summary"), fill(this.words.earlier, { count: earlier.length }));
    this.earlier.replaceChildren(title, ...earlier.map((each) => add(el("section"), ...this.chart(each))));
  }

  // The answers as bars: a choice shows all its options, other answers stand in the order of their number.
  chart(asked) {
    const hidden = new Set(asked.hidden);
    const counts = new Map(asked.answers.map(([answer, count, right]) => [answer, { count, right }]));
    const texts = new Map(asked.options);
    for (const [answer] of asked.options) if (!counts.has(answer)) counts.set(answer, { count: 0, right: null });
    const listed = asked.options.length ? [...texts.keys(), ...[...counts.keys()].filter((key) => !texts.has(key))] : [...counts.keys()];
    const opened = this.opened.has(asked.id);
    const order = listed.filter((answer) => opened || !hidden.has(answer));
    const all = asked.answers.reduce((sum, [, count]) => sum + count, 0);
    const most = Math.max(1, ...[...counts.values()].map(({ count }) => count));
    const bars = order.map((answer) => {
      const { count, right } = counts.get(answer);
      const bar = el("i");
      bar.style.width = `${(100 * count) / most}%`;
      const mark = right === true ? "✓ " : right === false ? "✗ " : "";
      const item = add(el("li", "", { "data-right": String(right), "data-hidden": String(hidden.has(answer)) }));
      add(item, add(el("span"), mark, texts.get(answer) ?? asked.spelled[answer] ?? answer), bar, add(el("b"), String(count)));
      return asked.kind === "text" ? add(item, this.hider(asked, answer, hidden.has(answer))) : item;
    });
    const predict = asked.kind === "predict";
    const close = actionButton(predict ? this.words.predict_reveal : this.words.close, () => this.act({ do: "close" }));
    close.hidden = !asked.open;
    const counted = predict && asked.open ? this.words.predict_count : asked.open ? this.words.answers : this.words.closed;
    const count = add(el("p", "gf-count"), fill(counted, { count: all }));
    const chart = predict ? predictionChart(asked, this.words) : [add(el("ul", "gf-bars"), ...bars)];
    const parts = [add(el("p", "gf-question"), asked.question), ...chart, count, close];
    if (predict && !asked.open) parts.push(actionButton(this.words.show, () => this.act({ do: "show", view: asked.view }))); // where it can be seen
    return hidden.size ? [...parts, this.opener(asked.id, opened)] : parts;
  }

  hider(asked, text, hidden) {
    const act = () => this.act({ do: "hide_answer", task: asked.id, text, hidden: !hidden });
    return actionButton(hidden ? this.words.unhide : this.words.hide, act, "gf-hide");
  }

  opener(task, opened) {
    const box = el("input", "", { type: "checkbox" });
    box.checked = opened;
    box.onchange = () => {
      if (box.checked) this.opened.add(task);
      else this.opened.delete(task);
      this.drawQuestions();
    };
    return add(el("label", "gf-toggle"), box, this.words.show_hidden);
  }

  tick() {
    if (!this.content) return;
    const { left } = this.content;
    say(this.left, left === null ? "" : clock(left - (performance.now() - this.heardAt) / 1000));
  }
}

export default mount(".gf-board", Board);
