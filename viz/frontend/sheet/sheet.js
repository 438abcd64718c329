// One pass of a model on a sheet: what is seen of it, what is chosen in it, and how one moves.

import { readHeader } from "../common/data.js";
import { add, el, fill, say, sizeCanvas } from "../common/dom.js";
import { Drawn } from "../common/lifecycle.js";
import { mount } from "../common/mount.js";
import { Camera } from "./camera.js";
import { hitAt } from "./drawing/hit.js";
import { paint, paintMap } from "./drawing/paint.js";
import { meets } from "./drawing/screen.js";
import { Film } from "./film.js";
import { pressed, zoomOut } from "./keys.js";
import { Link } from "./link.js";
import { legend } from "./panels/legend.js";
import { saveMenu } from "./panels/menu.js";
import { buildPanel, isBelow, peekLine, showPanel } from "./panels/panel.js";
import { Search } from "./panels/search.js";
import { buildTree } from "./panels/tree.js";
import { zoomButtons } from "./panels/zoom_buttons.js";
import { placesOf, readSheet } from "./parts.js";
import { Tiles } from "./tiles.js";

const LOADING = 202; // the status of a server whose model is not loaded yet
const AGAIN = 700; // ms
const RESTED = 500; // ms without a movement, after which the link follows
const MAP = { wide: 150, narrow: 90 }; // pixels
const NEAR = 60; // pixels of a cell to which one flies

class Figure extends Drawn {
  constructor(root) {
    super(root);
    this.focus = null; // the part that Tab has reached
    this.group = null; // the head that was chosen as a whole
    this.cell = null;
    this.marks = [];
    this.labels = [];
    this.link = new Link((view) => this.hand("view", view));
    this.onPointer = (event) => this.pressedElsewhere(event.composedPath());
    document.addEventListener("pointerdown", this.onPointer);
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
    Object.assign(this, { digest: header.digest, words: header.words, roles: header.roles, largest: header.largest, off: header.off, filmModule: header.filmModule, file: header.file, languages: header.languages ?? {} });
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
    this.filming?.abort();
    const before = this.sheet;
    const name = before && this.focus !== null ? before.parts[this.focus].key : null;
    const group = this.group?.path.join();
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
    this.group = (group && sheet.frames.find((frame) => frame.path.join() === group)) || null;
    this.cell = null;
    this.marks = [];
    this.search.load();
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
    if (cell && !this.cell && this.link.now.cell) this.setCell(this.cellNamed(cell), false);
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

  // What a link says, or what Python knows.
  adopt(selection) {
    const news = this.link.hear(selection);
    if (!news) return;
    const at = selection.cell && this.cellNamed(selection.cell);
    if ("film" in news) this.film.jump(selection.film);
    if (at && "cell" in news) {
      Object.assign(this, { focus: at.part, group: null });
      this.setCell(at, false);
    } else if (!at && ("cell" in news || "camera" in news)) this.letGo(false);
    if (selection.camera) "camera" in news && this.camera.spell(selection.camera);
    else if (at) this.lookAt(at);
    else if (selection.film !== null) this.film.follow();
    else if ("camera" in news) this.camera.whole();
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
    this.search = new Search(this);
    this.menu = saveMenu(this);
    const bar = add(el("div", "gf-bar"), this.search.node, ...zoomButtons(this), this.menu);
    this.peek = peekLine(this);
    this.stage = add(el("div", "gf-stage"), this.canvas, this.notice, this.peek, add(el("p", "gf-wait"), this.words.loading));
    this.panel = buildPanel();
    this.tree = el("details", "gf-tree");
    const title = add(el("h2", "gf-hidden"), this.words.title);
    const stop = this.film?.at ?? null; // another language keeps it
    this.film = new Film(this);
    this.film.at = stop;
    const body = add(el("div", "gf-body"), this.stage, this.panel);
    this.below = add(el("div", "gf-below"), add(el("div"), this.film.node, legend(this)), this.map);
    this.root.replaceChildren(title, bar, body, this.below, this.tree);
    this.camera = new Camera(this.canvas, {
      moved: () => this.moved(),
      rested: () => this.rested(),
      refuses: (event) => event.type === "dblclick" && this.flight, // its first click flies already
    });
    this.listen();
  }

  listen() {
    this.canvas.addEventListener("click", (event) => this.clicked(event));
    this.canvas.addEventListener("dblclick", () => this.flight?.()); // which the second press has stopped
    this.canvas.addEventListener("keydown", (event) => pressed(this, event));
    this.canvas.addEventListener("focus", () => (this.leaves = false));
    const jump = (event) => {
      if (event.buttons !== 1 && event.type !== "click") return;
      const box = this.map.getBoundingClientRect();
      this.camera.lookNear((event.clientX - box.x) / this.mapScale, (event.clientY - box.y) / this.mapScale, event.type === "click");
      if (event.type === "click" && this.focus !== null && !this.willSee(this.sheet.parts[this.focus])) this.letGo();
    };
    this.map.addEventListener("click", jump);
    this.map.addEventListener("pointermove", jump);
  }

  retheme() {
    if (!super.retheme()) return false;
    for (const sign of ["negative", "positive"]) this.root.style.setProperty(`--gf-${sign}`, this.theme.lookups[sign].colours[200]);
    return true;
  }

  destroy() {
    super.destroy();
    document.removeEventListener("pointerdown", this.onPointer);
    clearTimeout(this.resting);
    this.filming?.abort();
    this.camera?.destroy();
    this.film?.stop();
  }

  layout() {
    if (!this.sheet || !this.roomWide()) return;
    this.width = this.roomWide();
    this.font = getComputedStyle(this.root).fontFamily;
    this.codeFont = getComputedStyle(this.root).getPropertyValue("--st-code-font") || "monospace";
    const { clientWidth: width, clientHeight: height } = this.stage;
    const { camera } = this;
    const narrow = isBelow(this.panel);
    (narrow ? this.stage : this.below).append(this.map);
    if (width === camera.width && height === camera.height && this.sheet === camera.sheet) {
      this.redraw(); // a font has arrived: a flight goes on
      return;
    }
    const kept = camera.sheet && camera.spelled();
    this.context = sizeCanvas(this.canvas, width, height);
    camera.resize(width, height, this.sheet);
    this.mapScale = (narrow ? MAP.narrow : MAP.wide) / this.sheet.width;
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
    this.root.dataset.whole = String(this.camera.isWhole());
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
      if (this.sheet && !this.film.timer) this.tell(); // the film moves on by itself
    }, RESTED);
  }

  // Into the link: where the camera is or flies to, the cell, the stop of the film.
  tell() {
    const cell = this.cell && [this.sheet.parts[this.cell.part].key, this.cell.row, this.cell.column];
    this.link.tell({ camera: this.camera.spelled(), cell, film: this.film.at });
  }

  // Whether a part is in view where a flight ends.
  willSee({ pieces }) {
    const { target, width, height, inset } = this.camera;
    const [x, y] = target.invert([0, 0]);
    const [right, bottom] = target.invert([width - inset, height]);
    return pieces.some((piece) => meets({ x, y, right, bottom }, piece.x, piece.y, piece.columns, piece.rows));
  }

  // Closer to what is chosen while it is in view, else to the middle.
  closer(factor) {
    const place = this.cell && placesOf(this.sheet.parts[this.cell.part], this.cell.row, this.cell.column)[0];
    const part = !place && this.focus !== null && this.sheet.parts[this.focus].pieces[0];
    const [x, y] = place ? [place.x + 0.5, place.y + 0.5] : part ? [part.x + part.columns / 2, part.y + part.rows / 2] : [NaN, NaN];
    const { k, x: left, y: top } = this.camera.at;
    const at = [x * k + left, y * k + top];
    const inView = at[0] >= 0 && at[0] <= this.camera.width - this.camera.inset && at[1] >= 0 && at[1] <= this.camera.height;
    this.camera.closer(factor, inView ? at : undefined);
  }

  goToWhole() {
    this.letGo(false);
    this.camera.whole();
    this.tell();
  }

  // Fly to a group; of a head the panel says what it is, and switches it off.
  goToGroup(frame) {
    this.letGo(false);
    if (frame.depth === 3) this.group = frame;
    showPanel(this);
    this.camera.fit(frame);
    this.tell();
    this.redraw();
    this.canvas.scrollIntoView({ block: "nearest" });
  }

  // Fly to a part; `tells` at once, or when the flight has ended.
  goTo(index, tells = true) {
    Object.assign(this, { focus: index, group: null });
    this.setCell(null, false);
    showPanel(this);
    const part = this.sheet.parts[index];
    const [piece] = part.pieces;
    const room = part.frame && part.frame.depth > 1 && part.rows * part.columns < 40_000 ? 12 : 0;
    this.camera.fit({ x: piece.x - room, y: piece.y - room, width: piece.columns + 2 * room, height: piece.rows + 2 * room }, { most: NEAR });
    if (tells) this.tell();
    this.redraw();
    this.canvas.scrollIntoView({ block: "nearest" });
  }

  goToCell(at) {
    this.choose(at, true);
    this.canvas.focus({ preventScroll: true });
  }

  // ---- choosing

  clicked(event) {
    if (event.defaultPrevented || !this.sheet || event.detail > 1) return; // the end of a drag; the second of a double click
    const hit = hitAt(this, event.offsetX, event.offsetY);
    const near = this.camera.at.k >= 3;
    const isSmall = hit?.frame && hit.frame.width * this.camera.at.k < this.camera.width * 0.7;
    this.flight = null;
    if (hit?.cell && near) this.choose(hit.cell, false);
    else if (hit?.cell) this.flight = () => this.goTo(hit.cell.part);
    else if (hit?.isLabel || isSmall) this.flight = () => this.goToGroup(hit.frame);
    this.flight?.();
  }

  // What stands open closes when one clicks elsewhere.
  pressedElsewhere(path) {
    if (this.menu?.open && !path.includes(this.menu)) this.menu.open = false;
    if (this.search && !path.includes(this.search.node)) this.search.close();
  }

  choose(at, flies, tells = true) {
    Object.assign(this, { focus: at.part, group: null });
    this.setCell(at, false);
    if (flies) this.lookAt(at);
    if (tells) this.tell();
  }

  lookAt(at) {
    const [place] = placesOf(this.sheet.parts[at.part], at.row, at.column);
    this.camera.look(place.x + 0.5, place.y + 0.5, Math.max(this.camera.at.k, NEAR));
  }

  letGo(byHand = true) {
    this.focus = this.group = null;
    this.setCell(null, byHand);
    showPanel(this);
    this.redraw();
    if (byHand) this.canvas.focus({ preventScroll: true });
  }

  // `tells` where nothing else moves with it.
  async setCell(at, tells = true) {
    if (!at && !this.cell) return;
    this.cell = at;
    this.worked = null;
    this.marks = [];
    if (tells) this.tell();
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

  // What stands open closes first. From the panel, the focus returns to the picture.
  escaped() {
    if (!this.sheet) return;
    const focused = this.focused();
    const fromPanel = this.panel.contains(focused);
    if (this.menu.open) {
      this.menu.open = false;
      this.menu.firstChild.focus();
    } else if (!this.search.close() && !this.search.node.contains(focused)) {
      zoomOut(this);
      if (fromPanel) this.canvas.focus({ preventScroll: true });
    }
  }

  // To the page about a part: what is still on its way must not be told to the page that is opened.
  leaveFor(part) {
    clearTimeout(this.resting);
    this.hand("open", { part: part.name, role: part.role });
  }
}

export default mount(".gf-sheet", Figure);
