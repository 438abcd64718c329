// One pass of a model on a sheet: what is seen of it, what is chosen in it, and how one moves.

import { readHeader } from "../common/data.js";
import { add, el, fill, say, sizeCanvas } from "../common/dom.js";
import { Drawn } from "../common/lifecycle.js";
import { mount } from "../common/mount.js";
import { Camera } from "./camera.js";
import { paint, paintMap } from "./drawing/paint.js";
import { Film } from "./film.js";
import { pressed, zoomOut } from "./keys.js";
import { saveMenu } from "./panels/menu.js";
import { buildPanel, showPanel } from "./panels/panel.js";
import { cellAt, frameAt, placesOf, readSheet } from "./parts.js";
import { Tiles } from "./tiles.js";
import { buildTree } from "./panels/tree.js";

const LOADING = 202; // the status of a server whose model is not loaded yet
const AGAIN = 700; // ms
const RESTED = 500; // ms without a movement, after which the link follows
const MAP = { wide: 150, narrow: 90 }; // pixels
const NEAR = 60; // pixels of a cell to which one flies

class Figure extends Drawn {
  constructor(root) {
    super(root);
    this.focus = null; // the part that Tab has reached
    this.cell = null;
    this.marks = [];
    this.heard = { camera: "", cell: "" }; // what Python last said
    this.tellings = { camera: { text: "" }, cell: { text: "" } };
  }

  async receive(bytes) {
    const arrival = ++this.arrivals;
    const { header } = readHeader(bytes);
    this.selection = header.selection; // the newest, also where the sheet is still on its way
    if (header.digest === this.digest) {
      if (this.sheet && !this.coming) this.adopt(this.selection);
      if (this.retheme()) this.redraw();
      return;
    }
    Object.assign(this, { digest: header.digest, words: header.words, roles: header.roles, largest: header.largest });
    this.retheme();
    this.titles = Object.fromEntries(
      ["encoder", "decoder", "embedding", "output", "self_attention", "cross_attention", "feed_forward"].map((name) => [name, this.words[name]]),
    );
    const said = JSON.stringify(header.words);
    if (this.camera?.sheet) this.kept = this.camera.spelled();
    if (said !== this.said) { // another language
      this.film?.stop();
      this.camera?.destroy();
      this.build();
      this.said = said;
    }
    this.root.dataset.loading = "true";
    let sheet;
    try {
      this.coming = true;
      const response = await this.overview(arrival, header.address);
      if (response.status !== 200) throw new Error(String(response.status));
      sheet = readSheet(new Uint8Array(await response.arrayBuffer()));
    } catch {
      if (arrival !== this.arrivals) return;
      this.coming = false;
      this.complain();
      this.digest = null; // the next run of the page tries again
      return;
    }
    if (arrival !== this.arrivals) return;
    const before = this.sheet;
    const name = before && this.focus !== null ? before.parts[this.focus].key : null;
    const cell = before && this.cell && [name, this.cell.row, this.cell.column];
    Object.assign(this, { sheet, address: header.address, coming: false });
    const arrived = (error) => {
      if (error) say(this.notice, this.words.failed);
      else if (this.notice.textContent === this.words.failed) say(this.notice, ""); // only what is over: a search may have said something since
      this.redraw();
    };
    this.tiles = new Tiles(this.address, sheet, arrived, () => this.redraw());
    this.focus = name === null ? null : sheet.parts.findIndex((part) => part.key === name);
    if (this.focus === -1) this.focus = null;
    this.cell = null;
    this.marks = [];
    this.fillSearch();
    const tree = buildTree(this);
    this.tree.replaceWith(tree);
    this.tree = tree;
    this.film.load(sheet);
    delete this.root.dataset.loading;
    say(this.notice, "");
    this.layout();
    if (this.kept) this.camera.spell(this.kept);
    else this.camera.whole(false);
    this.adopt(this.selection);
    this.calm(); // nobody has moved yet
    if (cell && !this.cell) this.setCell(this.cellNamed(cell), false);
    showPanel(this);
    this.root.dataset.ready = "true";
    this.root.getRootNode().host?.setAttribute("data-drawn", "");
  }

  // A server that was just started is asked again until its model is loaded.
  async overview(arrival, address) {
    for (;;) {
      const response = await fetch(`${address}/overview`);
      if (response.status !== LOADING || arrival !== this.arrivals) return response;
      await new Promise((resume) => setTimeout(resume, AGAIN));
    }
  }

  // Layers and heads have numbers in place of names.
  numbered(frame) {
    const number = frame.path.at(-1);
    return fill(this.words[frame.depth === 1 ? "layer" : "head"], { number });
  }

  complain() {
    say(this.notice, this.words.failed);
    delete this.root.dataset.loading;
    this.root.dataset.ready = "true";
  }

  // What a link says, or what Python knows: only what it has not said before is news.
  adopt(selection) {
    const camera = JSON.stringify(selection.camera);
    const cell = JSON.stringify(selection.cell);
    const news = { camera: camera !== this.heard.camera && this.isNew("camera", camera), cell: cell !== this.heard.cell && this.isNew("cell", cell) };
    const first = !this.heard.cell;
    this.heard = { camera, cell };
    const at = news.cell && selection.cell && this.cellNamed(selection.cell);
    if (at) this.choose(at, !(first && selection.camera), false);
    else if (news.cell && !selection.cell && !first) this.setCell(null, false);
    if (!news.camera || (at && !first)) return;
    const chosen = selection.cell && this.cellNamed(selection.cell);
    if (selection.camera) this.camera.spell(selection.camera);
    else if (chosen && !first) this.choose(chosen, true, false);
    else if (!first) this.camera.whole();
  }

  // Whether Python says something else than what was last sent to it; until it repeats that, it is behind.
  isNew(name, text) {
    const told = this.tellings[name];
    if (text === told.text) told.text = "";
    else if (!this.isOld(text, told)) return true;
    return false;
  }

  // To Python, which writes it into the link.
  note(name, value, content) {
    this.tellings[name] = { text: JSON.stringify(value), at: performance.now() };
    this.hand(name, content);
  }

  cellNamed([name, row, column]) {
    const part = this.sheet.parts.find((each) => each.key === name);
    return part && row < part.rows && column < part.columns ? { part: part.index, row, column } : null;
  }

  // ---- the frame

  build() {
    this.canvas = el("canvas", "gf-sheet-canvas", { tabindex: "0", role: "application", "aria-label": this.words.sheet });
    this.map = el("canvas", "gf-sheet-map", { role: "img", "aria-label": this.words.map });
    this.notice = el("p", "gf-notice", { role: "status" });
    const button = (label, sign, act) => {
      const node = el("button", "gf-plain", { type: "button", title: label, "aria-label": label });
      say(node, sign);
      node.addEventListener("click", act);
      return node;
    };
    const search = el("label", "gf-search");
    this.search = el("input", "", { type: "search", list: "gf-parts", placeholder: this.words.find, "aria-label": this.words.find });
    this.names = el("datalist", "", { id: "gf-parts" });
    add(search, this.search, this.names);
    this.search.addEventListener("change", () => this.find(this.search.value));
    const bar = add(
      el("div", "gf-bar"),
      search,
      button(this.words.farther, "−", () => this.camera.closer(1 / 1.6)),
      button(this.words.closer, "+", () => this.camera.closer(1.6)),
      button(this.words.whole, this.words.whole, () => this.camera.whole()),
    );
    this.stage = add(el("div", "gf-stage"), this.canvas, add(el("p", "gf-wait"), this.words.loading));
    this.panel = buildPanel();
    this.tree = el("details", "gf-tree");
    const title = el("h2", "gf-hidden");
    say(title, this.words.title);
    const help = el("p", "gf-help");
    say(help, this.words.help);
    this.film = new Film(this);
    bar.append(saveMenu(this));
    const body = add(el("div", "gf-body"), this.stage, this.panel);
    const foot = add(el("div", "gf-foot"), this.map, add(el("div"), this.notice, help));
    this.root.replaceChildren(title, bar, body, this.film.node, foot, this.tree);
    this.camera = new Camera(this.canvas, () => this.moved(), () => this.rested());
    this.listen();
  }

  listen() {
    this.canvas.addEventListener("click", (event) => this.clicked(event));
    this.canvas.addEventListener("keydown", (event) => pressed(this, event));
    this.canvas.addEventListener("focus", () => (this.leaves = false));
    const jump = (event) => {
      if (event.buttons !== 1 && event.type !== "click") return;
      const box = this.map.getBoundingClientRect();
      this.camera.look((event.clientX - box.x) / this.mapScale, (event.clientY - box.y) / this.mapScale, this.camera.at.k, event.type === "click");
    };
    this.map.addEventListener("click", jump);
    this.map.addEventListener("pointermove", jump);
  }

  destroy() {
    super.destroy();
    clearTimeout(this.resting);
    this.camera?.destroy();
    this.film?.stop();
  }

  fillSearch() {
    this.names.replaceChildren(...this.sheet.parts.filter((part) => part.kind !== 3).map((part) => el("option", "", { value: part.name })));
  }

  layout() {
    if (!this.sheet || !this.roomWide()) return;
    this.width = this.roomWide();
    this.font = getComputedStyle(this.root).fontFamily;
    this.codeFont = getComputedStyle(this.root).getPropertyValue("--st-code-font") || "monospace";
    const { clientWidth: width, clientHeight: height } = this.stage;
    const { camera } = this;
    if (width === camera.width && height === camera.height && this.sheet === camera.sheet) {
      this.redraw(); // a font has arrived: a flight goes on
      return;
    }
    const kept = camera.sheet && camera.spelled();
    this.context = sizeCanvas(this.canvas, width, height);
    camera.resize(width, height, this.sheet);
    this.mapScale = (width < 560 ? MAP.narrow : MAP.wide) / this.sheet.width;
    this.mapContext = sizeCanvas(this.map, this.sheet.width * this.mapScale, this.sheet.height * this.mapScale);
    if (kept) camera.spell(kept);
    this.redraw();
  }

  resized() {
    if (this.roomWide() !== this.width || this.stage?.clientHeight !== this.camera?.height) this.layout();
  }

  draw() {
    if (!this.sheet || !this.context) return;
    paint(this);
    paintMap(this);
    this.tiles.settle();
    const { x, y, k } = this.camera.at;
    Object.assign(this.root.dataset, { x: x.toFixed(2), y: y.toFixed(2), k: k.toPrecision(5) });
    this.root.dataset.waiting = String(this.tiles.running > 0 || this.tiles.wanted.size > 0);
  }

  // ---- moving

  moved() {
    clearTimeout(this.resting);
    this.root.dataset.moving = "true";
    this.redraw();
  }

  calm() {
    clearTimeout(this.resting);
    delete this.root.dataset.moving;
  }

  rested() {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => {
      delete this.root.dataset.moving;
      if (!this.sheet || this.film.timer) return; // the film moves on by itself
      const at = this.camera.spelled();
      this.note("camera", at, { at });
    }, RESTED);
  }

  // Fly to a part.
  goTo(index) {
    this.focus = index;
    this.setCell(null);
    showPanel(this);
    const part = this.sheet.parts[index];
    const [piece] = part.pieces;
    const room = part.frame && part.frame.depth > 1 && part.rows * part.columns < 40_000 ? 12 : 0;
    this.camera.fit({ x: piece.x - room, y: piece.y - room, width: piece.columns + 2 * room, height: piece.rows + 2 * room }, { most: NEAR });
    this.redraw();
    this.canvas.scrollIntoView({ block: "nearest" });
  }

  goToCell(at) {
    this.choose(at, true);
    this.canvas.focus({ preventScroll: true });
  }

  find(text) {
    const wanted = text.trim().toLowerCase();
    if (!wanted) return;
    const parts = this.sheet.parts.filter((part) => part.kind !== 3);
    const found = parts.find((part) => part.name.toLowerCase() === wanted) ?? parts.find((part) => part.name.toLowerCase().includes(wanted));
    say(this.notice, found ? "" : fill(this.words.nothing_found, { text }));
    if (found) this.goTo(found.index);
  }

  // ---- choosing

  clicked(event) {
    if (event.defaultPrevented || !this.sheet) return; // the end of a drag
    const [x, y] = this.camera.place(event.offsetX, event.offsetY);
    const at = cellAt(this.sheet.pieces, x, y);
    if (at && this.camera.at.k >= 3) this.choose(at, false);
    else if (at) this.goTo(at.part);
    else {
      const frame = frameAt(this.sheet.frames, x, y);
      if (frame && frame.depth && frame.width * this.camera.at.k < this.camera.width * 0.7) this.camera.fit(frame);
    }
  }

  choose(at, flies, tells = true) {
    this.focus = at.part;
    this.setCell(at, tells);
    if (!flies) return;
    const [place] = placesOf(this.sheet.parts[at.part], at.row, at.column);
    this.camera.look(place.x + 0.5, place.y + 0.5, Math.max(this.camera.at.k, NEAR));
  }

  letGo(byHand = true) {
    this.focus = null;
    this.setCell(null);
    showPanel(this);
    this.redraw();
    if (byHand) this.canvas.focus({ preventScroll: true });
  }

  async setCell(at, tells = true) {
    if (!at && !this.cell) return;
    this.cell = at;
    this.worked = null;
    this.marks = [];
    if (tells) {
      const value = at && [this.sheet.parts[at.part].key, at.row, at.column];
      this.note("cell", value, { at: value });
    }
    showPanel(this);
    this.redraw();
    if (!at) return;
    try {
      const response = await fetch(`${this.address}/cell/${at.part}/${at.row}/${at.column}`);
      if (response.status !== 200) throw new Error(String(response.status));
      const worked = await response.json();
      if (this.cell !== at) return;
      this.worked = worked;
      this.marks = worked.marks;
      showPanel(this);
      this.redraw();
    } catch {
      if (this.cell === at) this.complain();
    }
  }

  escaped() {
    if (this.sheet) zoomOut(this);
  }
}

export default mount(".gf-sheet", Figure);
