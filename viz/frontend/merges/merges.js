// Byte-pair encoding, merge by merge: the text in pieces, the table of pairs, and both lengths as curves.

import { add, el, fill, help, say } from "../common/dom.js";
import { Drawn } from "../common/lifecycle.js";
import { mount } from "../common/mount.js";
import { Curves } from "../live_run/curves.js";
import { SnapshotSlider } from "../live_run/snapshot_slider.js";
import { LENGTHS, lengthsOf } from "./lengths.js";
import { piecesAt, saidOf } from "./pieces.js";

class Merges extends Drawn {
  constructor(root) {
    super(root);
    this.font = this.codeFont = "";
  }

  destroy() {
    super.destroy();
    this.slider?.destroy();
  }

  receive(text) {
    const data = JSON.parse(text);
    const picture = JSON.stringify({ ...data, step: 0 });
    this.retheme();
    if (picture !== this.picture) {
      this.slider?.destroy();
      Object.assign(this, { picture, data, words: data.words });
      this.build();
    }
    this.slider.hear(data.step);
  }

  build() {
    const { words, data } = this;
    this.slider = new SnapshotSlider([...data.steps.keys()], words, {
      load: (step) => Promise.resolve({ step }),
      show: ({ step }) => this.show(step),
      tell: (step) => this.send("merges", step),
    });
    this.caption = el("p", "gf-said", { role: "status", "aria-live": "polite" });
    this.pieces = el("p", "gf-pieces", { "aria-label": words.text, role: "group" });
    this.rows = el("tbody");
    this.more = el("p", "gf-more");
    this.curves = new Curves(LENGTHS, words);
    const heads = [words.pair, words.becomes, words.count].map((head) => add(el("th", "", { scope: "col" }), head));
    const table = add(el("table"), add(el("caption"), words.pairs), add(el("thead"), add(el("tr"), ...heads)), this.rows);
    const both = add(el("div", "gf-both"), add(el("div"), table, this.more), this.curves.node);
    this.root.replaceChildren(this.slider.node, this.caption, this.pieces, both, help(words.help, words.keys));
  }

  show(step) {
    const { data, words } = this;
    const { pairs, distinct } = data.steps[step];
    const isLast = step === data.steps.length - 1;
    say(this.caption, saidOf(data, step, fill));
    const text = piecesAt(data.text, step, isLast ? null : pairs[0]);
    this.pieces.replaceChildren(...text.map((word) => add(el("span", "gf-word"), ...word.map(chip))));
    this.rows.replaceChildren(...pairs.map((pair, at) => pairRow(pair, at === 0 && !isLast)));
    say(this.more, distinct > pairs.length ? fill(words.more, { count: distinct - pairs.length }) : "");
    this.step = step;
    this.layout();
    this.root.dataset.step = step;
    this.root.dataset.ready = "true";
    this.root.getRootNode().host?.setAttribute("data-drawn", ""); // the room that was kept for it may go
  }

  layout() {
    this.width = this.roomWide();
    if (this.step === undefined || !this.width) return;
    this.curves.draw(lengthsOf(this.data.steps), null, this.step);
    this.curves.point(this.step);
  }

  escaped() {
    this.slider.stop();
  }
}

function chip({ text, isNew, next }) {
  const node = add(el("span", "gf-piece"), text);
  if (isNew) node.dataset.new = "true";
  if (next) node.dataset.next = next;
  return node;
}

function pairRow([left, right, count], isNext) {
  const row = el("tr");
  if (isNext) row.setAttribute("aria-current", "true");
  return add(row, add(el("th", "", { scope: "row" }), `${left} + ${right}`), add(el("td"), left + right), add(el("td"), String(count)));
}

export default mount(".gf-merges", Merges);
