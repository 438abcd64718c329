// The paths of a logit: a drawing to point at, and beside it the same edges as a list of sentences.

import { add, clamp, el, help, say, sizeCanvas } from "../common/dom.js";
import { Drawn } from "../common/lifecycle.js";
import { mount } from "../common/mount.js";
import { pointerMoved, watchPointer } from "../common/pointer.js";
import { browserHost } from "../common/svg/context.js";
import { edgeAt, layoutPaths } from "./layout.js";
import { isDashed, paintPaths } from "./paint.js";

const BESIDE = 720; // px from which the list stands beside the drawing
const LIST = 0.42; // its share of the width there

class Paths extends Drawn {
  constructor(root) {
    super(root);
    this.pointed = this.locked = null;
    watchPointer();
  }

  receive(text) {
    if (text !== this.text) {
      this.text = text;
      this.data = JSON.parse(text);
      this.pointed = this.locked = null;
      this.retheme();
      this.build();
      this.layout();
    } else if (this.retheme()) this.layout();
  }

  // ---- what a person does

  point(at) {
    if (at === this.pointed) return;
    this.pointed = at;
    this.redraw();
  }

  // A second click lets go.
  lock(at) {
    this.locked = at === this.locked ? null : at;
    this.pointed = null;
    this.redraw();
  }

  escaped() {
    this.pointed = this.locked = null;
    this.redraw();
  }

  key(event) {
    const at = this.items.indexOf(event.target);
    const move = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: this.items.length - 1 };
    if (at < 0 || !(event.key in move)) return;
    event.preventDefault();
    this.items[clamp(move[event.key], 0, this.items.length - 1)].focus();
  }

  // ---- drawing

  build() {
    const { words, edges } = this.data;
    const inside = Boolean(this.focused());
    this.canvas = el("canvas", "gf-drawing", { role: "img", "aria-label": words.figure });
    this.canvas.addEventListener("pointermove", (event) => pointerMoved(event) && this.point(this.under(event)));
    this.canvas.addEventListener("pointerleave", () => this.point(null));
    this.canvas.addEventListener("click", (event) => this.lock(this.under(event)));
    this.items = edges.map((edge, at) => this.item(edge, at));
    this.list = add(el("ol", "gf-edges", { "aria-label": words.list }), ...this.items.map((item) => add(el("li"), item)));
    this.list.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerleave", () => this.point(null));
    this.status = el("p", "gf-hidden", { role: "status", "aria-live": "polite" });
    const both = add(el("div", "gf-both"), add(el("div", "gf-stage"), this.canvas), this.list);
    this.root.replaceChildren(add(el("div", "gf-card"), both, this.legend(), help(words.help, words.keys), this.status));
    if (inside) this.items[0]?.focus();
  }

  item(edge, at) {
    const node = el("button", "gf-edge", { type: "button" });
    node.tabIndex = at === 0 ? 0 : -1;
    node.dataset.kind = edge.kind;
    add(node, el("span", edge.key === null ? "gf-square" : "gf-line"), add(el("span"), edge.said));
    if (isDashed(edge)) node.dataset.against = "true";
    node.addEventListener("pointerenter", (event) => pointerMoved(event) && this.point(at));
    node.addEventListener("focus", () => this.point(at));
    node.addEventListener("blur", () => this.point(null));
    node.addEventListener("click", () => this.lock(at));
    return node;
  }

  legend() {
    const { words } = this.data;
    const keys = [["gf-line", words.adds], ["gf-line gf-against", words.takes], ["gf-square", words.feed_forward]];
    return add(el("p", "gf-legend"), ...keys.map(([look, text]) => add(el("span"), el("span", look), text)));
  }

  under(event) {
    const box = this.canvas.getBoundingClientRect();
    return edgeAt(this.laid, event.clientX - box.left, event.clientY - box.top, event.pointerType === "touch" ? 16 : 7);
  }

  layout() {
    const width = this.roomWide();
    if (!width || !this.data) return;
    this.width = width;
    this.font = this.codeFont = getComputedStyle(this.root).fontFamily;
    const inner = width - 42;
    const beside = inner >= BESIDE;
    this.root.dataset.beside = beside;
    this.laid = layoutPaths(this.data, Math.floor(beside ? inner * (1 - LIST) - 20 : inner));
    this.context = sizeCanvas(this.canvas, this.laid.width, this.laid.height);
    this.context.host = browserHost(this.context);
    this.list.style.maxHeight = beside ? `${this.laid.height}px` : "";
    this.drawAtOnce();
  }

  draw() {
    const at = this.pointed ?? this.locked;
    this.context.clearRect(0, 0, this.laid.width, this.laid.height);
    paintPaths(this, this.laid, at);
    this.items.forEach((item, each) => {
      item.dataset.on = each === at;
      item.setAttribute("aria-pressed", String(each === this.locked));
      if (each === at) item.tabIndex = 0;
      else if (at !== null) item.tabIndex = -1;
    });
    this.canvas.style.cursor = this.pointed === null ? "" : "pointer";
    if (at !== null && !this.focused()) {
      const item = this.items[at];
      const { list } = this;
      const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
      say(this.status, this.data.edges[at].said);
    } else say(this.status, "");
    this.root.dataset.active = at ?? "";
  }
}

export default mount(".gf-paths", Paths);
