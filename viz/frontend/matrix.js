// Labelled matrices side by side: one place is pointed at or locked, and the others show the same row and column.

const PHONE = 640;
const CARD_PAD = 20;
const PATIENCE = 3000; // ms

class Figure {
  constructor(root) {
    this.root = root;
    this.arrivals = 0;
    this.heard = "null"; // the selection that Python last sent
    this.told = { text: "", at: -Infinity }; // the selection made here that Python has not yet repeated
    this.observer = new ResizeObserver(() => this.resized());
    this.onKey = (event) => this.escaped(event);
    this.observer.observe(root);
    document.addEventListener("keydown", this.onKey);
    document.fonts?.ready.then(() => this.blocks && this.layout());
  }

  destroy() {
    this.observer.disconnect();
    document.removeEventListener("keydown", this.onKey);
    cancelAnimationFrame(this.frame);
    this.arrivals++;
  }

  async receive(bytes) {
    const arrival = ++this.arrivals;
    const { header, body } = readHeader(bytes);
    if (header.digest === this.digest) {
      this.adopt(header.selection);
      this.retheme();
      return;
    }
    const matrices = await readMatrices(header, body);
    // The old picture stays until the new one is complete; a newer one may have overtaken it.
    if (arrival !== this.arrivals) return;
    this.digest = header.digest;
    this.words = header.words;
    this.cell = header.cell;
    this.pointer = null;
    this.theme = themeOf(this.root);
    applyTheme(this.root, this.theme);
    this.build(matrices);
    if (!this.has(this.locked)) this.locked = null;
    this.adopt(header.selection);
    this.layout();
  }

  // Only what Python has not said before is news; while the last lock is on its way, what arrives is older than it.
  adopt(selection) {
    const text = JSON.stringify(selection);
    const waiting = this.told.text && performance.now() - this.told.at < PATIENCE;
    const news = text !== this.heard && !(waiting && text !== this.told.text);
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
    if (JSON.stringify(at) !== JSON.stringify(this.locked)) {
      this.told = { text: JSON.stringify(at), at: performance.now() };
      this.send("selection", at);
    }
    this.locked = at;
    this.redraw();
  }

  escaped(event) {
    if (event.key !== "Escape" || !this.blocks) return;
    const focused = this.root.getRootNode().activeElement;
    const inside = focused && this.root.contains(focused);
    if (!inside && !this.root.matches(":hover")) return;
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
    this.root.replaceChildren(add(card, flow, add(el("p", "gf-help"), this.words.help), this.status));
    if (focused) this.blockOf(focused)?.grid.focus();
  }

  layout() {
    const width = Math.floor(this.root.getBoundingClientRect().width); // clientWidth may round up
    if (!width || !this.blocks) return;
    this.width = width;
    this.ratio = window.devicePixelRatio || 1;
    this.font = getComputedStyle(this.root).fontFamily;
    this.codeFont = getComputedStyle(this.blocks[0].readout).fontFamily;
    const phone = width < PHONE;
    this.root.dataset.phone = phone;
    const room = width - 2 * (phone ? CARD_PAD / 2 + 2 : CARD_PAD) - 2;
    for (const block of this.blocks) {
      layoutBlock(this, block, room);
      paintBlock(this, block);
    }
    cancelAnimationFrame(this.frame);
    this.draw();
    this.root.dataset.ready = "true";
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

  redraw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  resized() {
    if (this.blocks && this.root.clientWidth !== this.width) this.layout();
  }

  retheme() {
    const theme = themeOf(this.root);
    if (theme === this.theme) {
      this.redraw();
      return;
    }
    this.theme = theme;
    applyTheme(this.root, theme);
    this.layout();
  }
}

const figures = new WeakMap();

export default function ({ parentElement, data, setStateValue }) {
  const root = parentElement.querySelector(".gf-matrices");
  if (!root || !data) return undefined;
  if (!figures.has(root)) figures.set(root, new Figure(root));
  const figure = figures.get(root);
  figure.send = setStateValue;
  figure.receive(data);
  // A call that was overtaken while the module loaded is cleaned up at once: not on the newer one's account.
  const turn = (figure.turn = (figure.turn || 0) + 1);
  return () => {
    if (figure.turn !== turn) return;
    figure.destroy();
    figures.delete(root);
  };
}
