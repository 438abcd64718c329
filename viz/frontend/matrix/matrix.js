// Labelled matrices side by side: one place is pointed at or locked, and the others show the same row and column.

import { inflate, readHeader } from "../common/data.js";
import { add, el, help, say } from "../common/dom.js";
import { fadeAll } from "../common/scroll_fade.js";
import { Drawn } from "../common/lifecycle.js";
import { mount } from "../common/mount.js";
import { buildBlock, markBlock, summaryText } from "./block.js";
import { layoutBlock } from "./labels.js";
import { isPhone, roomOf } from "./layout.js";
import { paintBlock } from "./paint.js";
import { readMatrices, readoutText } from "./values.js";

class Figure extends Drawn {
  constructor(root) {
    super(root);
    this.heard = "null"; // the selection that Python last sent
  }

  async receive(bytes) {
    const arrival = ++this.arrivals;
    const { header, body } = readHeader(bytes);
    if (header.digest === this.digest) {
      this.adopt(header.selection);
      if (this.retheme()) this.layout();
      else this.draw();
      return;
    }
    const planes = header.deflated ? await inflate(body) : body;
    // The old picture stays until the new one is complete; a newer one may have overtaken it.
    if (arrival !== this.arrivals) return;
    const matrices = readMatrices(header, planes);
    this.digest = header.digest;
    this.words = header.words;
    this.cell = header.cell;
    this.languages = header.languages ?? [];
    this.pointer = null;
    const form = formOf(header);
    const same = !this.retheme() && form === this.form && this.roomWide() === this.width;
    this.form = form;
    if (same) this.refill(matrices);
    else this.build(matrices);
    if (!this.has(this.locked)) this.locked = null;
    this.adopt(header.selection);
    if (same) this.draw();
    else this.layout();
  }

  // Only what Python has not said before is news.
  adopt(selection) {
    const text = JSON.stringify(selection);
    const news = text !== this.heard && !this.isOld(text);
    this.heard = text;
    if (text === this.told.text) this.told.text = "";
    if (news) this.locked = this.has(selection) ? selection : null;
  }

  has(at) {
    const matrix = at && this.blockOf(at.key)?.matrix;
    return Boolean(matrix) && at.row < matrix.rows.length && at.column < matrix.columns.length;
  }

  blockOf(key) {
    return this.blocks.find((block) => block.matrix.key === key);
  }

  // ---- what a person does

  active() {
    return this.pointer || this.locked;
  }

  pointAt(at) {
    if (JSON.stringify(at) === JSON.stringify(this.pointer || null)) return;
    this.pointer = at;
    this.redraw();
  }

  // A second click lets go: a finger has no Escape.
  lockAt(at) {
    this.setLocked(JSON.stringify(at) === JSON.stringify(this.locked) ? null : at);
  }

  setLocked(at) {
    if (JSON.stringify(at) !== JSON.stringify(this.locked)) this.tell(at);
    this.locked = at;
    this.redraw();
  }

  escaped() {
    if (!this.blocks) return;
    this.pointer = null;
    this.setLocked(null);
  }

  // ---- drawing

  build(matrices) {
    const focused = this.root.getRootNode().activeElement?.dataset?.key;
    this.blocks = matrices.map((matrix, i) => buildBlock(this, matrix, i));
    this.status = el("p", "gf-hidden", { role: "status", "aria-live": "polite" });
    const flow = add(el("div", "gf-flow"), ...this.blocks.map((block) => block.node));
    const card = el("div", "gf-card", { role: "group", "aria-label": this.words.figure });
    this.root.replaceChildren(add(card, flow, help(this.words.help, this.words.keys), this.status));
    if (focused) this.blockOf(focused)?.grid.focus();
  }

  // Other numbers in the same matrices.
  refill(matrices) {
    this.blocks.forEach((block, i) => {
      block.matrix = matrices[i];
      say(block.summary, summaryText(this, block.matrix));
      paintBlock(this, block);
    });
  }

  layout() {
    const width = this.roomWide();
    if (!width || !this.blocks) return;
    this.width = width;
    this.ratio = window.devicePixelRatio || 1;
    this.font = getComputedStyle(this.root).fontFamily;
    this.codeFont = getComputedStyle(this.blocks[0].readout).fontFamily;
    this.root.dataset.phone = isPhone(width);
    const room = roomOf(width);
    for (const block of this.blocks) {
      layoutBlock(this, block, room);
      paintBlock(this, block);
    }
    fadeAll(this.blocks.map((block) => block.scroll));
    this.drawAtOnce();
  }

  draw() {
    const at = this.active();
    const state = this.pointer && JSON.stringify(at) !== JSON.stringify(this.locked) ? "pointed" : "locked";
    const source = at && this.blockOf(at.key).matrix;
    for (const block of this.blocks) markBlock(this, block, source, at, state);
    say(this.status, at ? readoutText(this, source, at) : "");
    const { dataset } = this.root;
    dataset.locked = this.locked ? JSON.stringify(this.locked) : "";
    dataset.active = at ? JSON.stringify(at) : "";
  }
}

// What a figure is but for its numbers.
function formOf({ cell, words, languages, matrices }) {
  return JSON.stringify([cell, words, languages, matrices.map(({ full, decimals, ...form }) => form)]);
}

export default mount(".gf-matrices", Figure);
