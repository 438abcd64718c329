// A class on a live page: the way in, and the line that the app has, too (viz/frontend/classroom/class_bar.js).
//
// A page of the app's server knows where the app is (`files.app`, live/pages.py), and the link of a class names its code:
// /live/NAME/?class=CODE. The server only passes on; what is typed is computed here, and sent for the teacher's board.

import { ClassBar } from "../../../viz/frontend/classroom/class_bar.js";
import { UNSENT } from "../../../viz/frontend/classroom/class_client.js";
import { add, el } from "../../../viz/frontend/common/dom.js";
import { isHere, readAddress, spellAddress } from "./address.js";
import { ClassCurve } from "./class_curve.js";
import { ClassTest, isTest } from "./class_test.js";
import { pathOf } from "./figure_data.js";
import { button, card, form, heading, labelled, Notice, text } from "./parts.js";
import { readVisible } from "./visible.js";
import { section, words } from "./words.js";

const SHOWN_TOKENS = 40; // of a picture on the board: viz/components/classroom/board.py
const COMPARES = "two lesson"; // a test whose lesson shows figures as pictures to half of the class: only the app does
const CODE_LENGTH = 12; // with the marks that people add

export const classCode = () => new URLSearchParams(location.search).get("class");

export class ClassPanel {
  constructor(app) {
    this.app = app;
    this.node = el("section", "class-panel");
    this.code = classCode();
    this.key = "";
    this.bar = null;
    this.test = new ClassTest(this);
    this.curve = new ClassCurve((message) => this.tellCurve(message));
  }

  get base() {
    return this.app.files.app.base;
  }

  // Whether this browser is in the class already; else how to join it.
  async begin() {
    const own = await this.ask("GET");
    if (!own) return this.say(words("class_bar.away"), () => this.begin());
    if (own.code && codeOnly(own.code) === codeOnly(this.code)) return this.enter(own);
    this.showForm();
  }

  // In another language.
  build() {
    this.node.setAttribute("aria-label", words("pages.class"));
    this.test.forget();
    if (this.bar) this.draw();
    else if (this.form) this.showForm();
    else if (this.said) this.leaveLine(this.said);
  }

  // What the class keeps of this browser, or its test before and after the lesson; null where no server answers.
  ask(method, content = null, about = "own") {
    const headers = { ...(content && { "Content-Type": "application/json" }), ...(this.key && { Authorization: `Bearer ${this.key}` }) };
    const body = content && JSON.stringify(content);
    const address = `${this.base}/room/${about}?${new URLSearchParams({ language: this.app.spoken })}`;
    return fetch(address, { method, headers, body, cache: "no-store", credentials: "same-origin" })
      .then((answer) => answer.json())
      .catch(() => null);
  }

  // ---- the way in

  showForm() {
    const before = this.form;
    const [code, nickname] = ["code", "nickname"].map((name) => {
      const field = el("input", "", { type: "text", autocomplete: "off", id: `class-${name}`, maxlength: name === "code" ? CODE_LENGTH : 24 });
      field.value = before?.[name].value ?? (name === "code" ? this.code : "");
      return field;
    });
    const problem = new Notice("alert");
    const go = add(el("button", "button", { type: "submit" }), words("class.join"));
    const joining = form("row", () => this.join(), labelled(words("class.code"), code), labelled(words("class.nickname"), nickname), go);
    this.form = { code, nickname, problem };
    this.node.replaceChildren(card(heading(words("class.join_title")), joining, problem.node, text(words("class.stored"), "caption")));
  }

  async join() {
    const { code, nickname, problem } = this.form;
    const answer = await this.ask("POST", { code: code.value, nickname: nickname.value });
    if (answer?.key) return this.enter(answer);
    problem.say(answer?.says ?? words("class_bar.away"));
  }

  // ---- in the class

  enter({ key, teacher }) {
    Object.assign(this, { key, teacher, form: null });
    this.bar?.destroy();
    const root = el("div", "gf-class-bar");
    this.bar = new ClassBar(root, this.host());
    this.node.replaceChildren(root);
    this.draw();
  }

  draw() {
    const { base, key, teacher } = this;
    const texts = { ...section("class_bar"), ...section("predict_line"), ...section("predict_sure") };
    this.bar.receive(JSON.stringify({ key, teacher, base, language: this.app.spoken, live: "", words: texts }));
  }

  host() {
    const { app } = this;
    return {
      place: () => `/${appAddress({ ...app.view, checkpoint: app.file.name, language: null })}`,
      page: () => app.view.page,
      open: (view) => (this.lacks(view) ? location.assign(this.lacks(view)) : this.open(view)),
      heard: (content) => this.hear(content),
      changed: (content) => content || this.leaveLine("class.gone"),
      answers: () => null,
      lacks: (view) => this.lacks(view),
      leave: this.teacher ? null : () => this.leave(),
    };
  }

  hear(content) {
    if (this.teacher) return;
    this.app.seeOnly(readVisible(content.ended ? "" : content.choice));
    this.test.hear(content);
  }

  // The address in the app of a view that this page cannot show, "" of one that it can.
  lacks(view) {
    if (isTest(view)) return "";
    const { checkpoint } = readAddress(view);
    const canRun = !checkpoint || checkpoint === this.app.file.name || this.app.files.app.models.includes(checkpoint);
    const isSeen = isHere(view) && canRun && this.bar.content?.test !== COMPARES;
    return isSeen ? "" : `${this.base}/${view}`;
  }

  // A view of this page, or of the live page of another model.
  open(view) {
    const { app } = this;
    if (isTest(view)) return this.test.open();
    const address = spellAddress({ ...readAddress(view), language: app.view.language });
    const { checkpoint } = readAddress(view);
    if (checkpoint && checkpoint !== app.file.name) return location.assign(`../${encodeURIComponent(checkpoint)}/${location.search}${address}`);
    return app.open(address);
  }

  // Put a sentence that was typed here on the teacher's board, with the head to look at first.
  tell(sentence, { text: output, values, sourceTokens, targetTokens, outputTokens }) {
    if (!this.bar?.content || this.bar.content.ended || this.teacher) return;
    const { attention_kind: kind, layer, head } = this.app.brief().card.first_look;
    const { data, shape: [, queries, keys] } = values[`${pathOf(kind, layer)}.weights`];
    const rows = { encoder: sourceTokens, decoder: targetTokens, cross: outputTokens }[kind].slice(0, SHOWN_TOKENS);
    const columns = (kind === "decoder" ? targetTokens : sourceTokens).slice(0, SHOWN_TOKENS);
    const cells = rows.flatMap((_, query) => columns.map((__, key) => Math.round(255 * data[(head * queries + query) * keys + key])));
    const picture = { kind, layer, head, rows, columns, cells: btoa(String.fromCharCode(...cells)) };
    this.bar.act({ do: "type", checkpoint: this.app.file.name, text: sentence, output, picture });
  }

  // Put the curve of a training in this page on the board; null outside of a class that goes on.
  async tellCurve(message) {
    if (!this.bar?.content || this.bar.content.ended || this.teacher) return null;
    const answer = await this.bar.client.post({ do: "train", ...message });
    return Boolean(answer?.ok);
  }

  async leave() {
    if (!window.confirm(words("live_class.leave_sure"))) return;
    const answer = await this.ask("DELETE");
    if (answer?.refused || !answer) return this.bar.say(answer?.says ?? words("class_bar.away"), false);
    sessionStorage.removeItem(UNSENT);
    this.leaveLine("live_class.left");
  }

  leaveLine(key) {
    this.bar?.destroy();
    this.test.forget();
    this.app.seeOnly(readVisible(""));
    Object.assign(this, { bar: null, key: "", said: key });
    this.say(words(key));
  }

  say(sentence, again = null) {
    const line = text(sentence, "notice");
    line.setAttribute("role", "status");
    this.node.replaceChildren(line, ...(again ? [button(words("live_class.again"), again)] : []));
  }
}

const codeOnly = (code) => code.replace(/[\s\-–—_.]/g, "").toUpperCase();

// A view as an address of the app has it.
const appAddress = (view) => spellAddress(view).slice(1).replace(/^start/, "");
