// One figure: what is shown, what is locked, and who draws it.

import { inflate, readHeader, readPanels, readWeights } from "../common/data.js";
import { add, el, fill } from "../common/dom.js";
import { Drawn } from "../common/lifecycle.js";
import { watchPointer } from "../common/pointer.js";
import { alone, paintAtlas } from "./paint_heads.js";
import { buildFrame, layoutFrame } from "./frame.js";
import { drawLinks, markChips } from "./links/links.js";
import { drawMap } from "./map.js";
import { hasHead, restingQuery, strongestKey, strongestQuery, visiblePart } from "./measures.js";
import { Playback } from "./playback.js";
import { writeSummary, writeTexts } from "./text.js";
import { markWall } from "./wall.js";

const NEWS = "gf-attention-pointed"; // what figures of one group tell each other
const LAID = "gf-attention-laid"; // that one of them has a new size

export class Figure extends Drawn {
  constructor(root) {
    super(root);
    watchPointer();
    this.hide = false;
    this.toldPin = { text: "", at: -Infinity };
    this.onNews = (event) => this.follow(event.detail);
    document.addEventListener(NEWS, this.onNews);
    this.onLaid = (event) => this.level(event.detail);
    document.addEventListener(LAID, this.onLaid);
  }

  destroy() {
    super.destroy();
    document.removeEventListener(NEWS, this.onNews);
    document.removeEventListener(LAID, this.onLaid);
    this.playback?.stop();
  }

  // ---- data in

  async receive(bytes) {
    const arrival = ++this.arrivals;
    const { header, body } = readHeader(bytes);
    if (header.digest === this.digest) {
      this.adopt(header);
      this.refresh();
      return;
    }
    const planes = header.deflated ? await inflate(body) : body;
    // The old picture stays until the new one is complete; a newer one may have overtaken it.
    if (arrival !== this.arrivals) return;
    this.panels = readPanels(header, readWeights(planes));
    this.digest = header.digest;
    this.resting = new Map();
    this.forgetMaps();
    this.pins = new Map();
    this.heardPin = ""; // another picture has no lock but what Python now says
    this.pointer = null;
    this.preview = null;
    const frame = JSON.stringify([header.view, Boolean(header.written), header.words, header.languages, header.panels.map((p) => [p.kind, p.layers, p.heads, Boolean(p.blocks)])]);
    this.view = header.view;
    this.compact = Boolean(header.compact);
    this.words = header.words;
    this.link = header.link;
    this.languages = header.languages ?? {};
    this.adopt(header);
    this.retheme();
    if (!header.written) this.playback = null;
    else this.playback ??= new Playback(this);
    if (frame !== this.skeleton) this.build();
    this.skeleton = frame;
    this.playback?.begin(header.written, header.paused);
    this.layout();
  }

  // Python repeats what was locked here; only what it did not hear from here is news.
  adopt(header) {
    const { pin = null, ...at } = header.selection;
    const text = JSON.stringify(at);
    if (!this.isOld(text)) {
      this.told.text = "";
      if (!this.locked || text !== JSON.stringify(this.locked)) this.setLocked(at);
    }
    // A new sentence may have fewer layers or other kinds than what was locked before.
    const panel = this.panels.get(this.locked.kind);
    if (!panel || this.locked.layer >= panel.layers || this.locked.head >= panel.heads) this.setLocked(header.selection);
    if (this.preview && !this.panels.has(this.preview.kind)) this.preview = null;
    this.adoptPin(pin);
  }

  // The word or cell of a link, or the one that was locked here, which Python repeats.
  adoptPin(pin) {
    const text = JSON.stringify(pin);
    const news = text !== this.heardPin && !this.isOld(text, this.toldPin);
    this.heardPin = text;
    if (text === this.toldPin.text) this.toldPin.text = "";
    if (!news) return;
    this.pins.clear();
    if (pin) this.pins.set(pin.kind, { query: pin.query, key: pin.key });
  }

  setLocked(at) {
    this.locked = { kind: at.kind, layer: at.layer, head: at.head };
    this.drawn = new Set([at.head]);
  }

  // ---- questions

  // Of the links, the words speak about a head that has lines.
  shown() {
    if (this.preview) return this.preview;
    if (this.view === "matrix" || !this.drawn.size || this.drawn.has(this.locked.head)) return this.locked;
    return { ...this.locked, head: Math.min(...this.drawn) };
  }

  // Of the words on either side: self-attention looks from a text to itself, cross-attention from target to source.
  languageOf(side, kind) {
    const isSource = kind === "encoder" || (kind === "cross" && side === "key");
    return this.languages[isSource ? "source" : "target"];
  }

  // Of a long input, the blocks where a head that is shown is not exact.
  panel() {
    const at = this.shown();
    const heads = this.view === "links" && !this.preview && this.drawn.size ? [...this.drawn] : [at.head];
    return this.panelOf(at, heads);
  }

  panelOf(at, heads = [at.head]) {
    const panel = this.panels.get(at.kind);
    return panel.coarse && !heads.every((head) => hasHead(panel, { ...at, head })) ? panel.coarse : panel;
  }

  // The small maps are of all heads.
  wallPanel(kind) {
    const panel = this.panels.get(kind);
    return panel.coarse ?? panel;
  }

  visible(panel) {
    return visiblePart(panel, this.hide);
  }

  // The maps of all heads, so large each.
  atlas(context, panel, wide, high) {
    const name = `${panel.kind} ${wide} ${high}`;
    if (!this.atlases.has(name)) {
      this.atlases.set(name, paintAtlas(context, panel, this.visible(panel), this.theme, wide, high));
    }
    return this.atlases.get(name);
  }

  // The map of one head, a pixel for each of its cells.
  fineMap(context, panel, at) {
    const name = JSON.stringify([at, panel.rows]);
    if (this.fine?.name !== name) {
      const seen = this.visible(panel);
      const painted = paintAtlas(context, alone(panel, at), seen, this.theme, seen.columns.length, seen.rows.length);
      this.fine = { name, painted };
    }
    return this.fine.painted;
  }

  forgetMaps() {
    this.atlases = new Map();
    this.fine = null;
  }

  // One that the panel has, for what is shown before any is pointed at.
  firstHead(panel) {
    const place = Math.max(0, panel.places?.findIndex((each) => each >= 0) ?? 0);
    return { kind: panel.kind, layer: Math.floor(place / panel.heads), head: place % panel.heads };
  }

  headName(at) {
    return fill(this.words.head_name, { kind: this.words[at.kind], layer: at.layer, head: at.head });
  }

  // The place the figure speaks about: pointed at, else locked, else the one it chose itself.
  active() {
    const { kind } = this.shown();
    const panel = this.panel();
    const seen = this.visible(panel);
    const isSeen = (at) =>
      at && (at.query === null || seen.rows.includes(at.query)) && (at.key === null || seen.columns.includes(at.key));
    const pin = inPanel(this.pins.get(kind), panel);
    const onPin = JSON.stringify(this.pointer) === JSON.stringify(pin);
    const step = { query: this.playback?.at ?? null, key: null };
    if (step.query !== null && !isSeen(this.pointer)) return this.completed(step, seen, "resting");
    if (isSeen(this.pointer)) return this.completed(this.pointer, seen, onPin ? "locked" : "pointed");
    if (isSeen(pin)) return this.completed(pin, seen, "locked");
    if (!this.resting.has(panel)) {
      const at = kind === this.locked.kind && panel === this.panelOf(this.locked) ? this.locked : this.firstHead(panel);
      this.resting.set(panel, restingQuery(panel, at));
    }
    const query = this.resting.get(panel);
    return this.completed({ query: seen.rows.includes(query) ? query : seen.rows[0], key: null }, seen, "resting");
  }

  completed(at, seen, state) {
    const panel = this.panel();
    const head = this.shown();
    if (at.query === null) {
      return { query: strongestQuery(panel, head, at.key, seen.rows), key: at.key, main: "key", state };
    }
    if (at.key === null) {
      return { query: at.query, key: strongestKey(panel, head, at.query, seen.columns), main: "query", state };
    }
    return { ...at, main: "cell", state };
  }

  // ---- what a person does

  previewHead(at) {
    if (JSON.stringify(at) === JSON.stringify(this.preview || null)) return;
    this.preview = at;
    this.pointer = null;
    this.share();
    this.redraw();
  }

  lockHead(at) {
    const same = JSON.stringify(at) === JSON.stringify(this.locked);
    this.preview = null;
    this.setLocked(at);
    this.redraw();
    writeSummary(this);
    if (!same) this.tell(this.locked);
  }

  pointAt(at) {
    if (JSON.stringify(at) === JSON.stringify(this.pointer)) return;
    if (at) this.playback?.finish();
    this.pointer = at;
    this.share();
    this.redraw();
  }

  // What is pointed at here is shown in the other figure of the group; each says which of its heads go together.
  share() {
    if (!this.link) return;
    const { kind } = this.shown();
    const to = this.preview && this.link.heads[this.preview.kind]?.[this.preview.layer]?.[this.preview.head];
    const preview = to ? { kind: this.preview.kind, layer: to[0], head: to[1] } : null;
    const pointer = this.link.cells.includes(kind) ? this.pointer : null;
    const detail = { from: this, group: this.link.group, kind, preview, pointer };
    document.dispatchEvent(new CustomEvent(NEWS, { detail }));
  }

  follow({ from, group, kind, preview, pointer }) {
    if (from === this || !this.panels || this.link?.group !== group) return;
    this.preview = preview && this.panels.has(preview.kind) ? preview : null;
    this.pointer = this.shown().kind === kind ? pointer : null;
    this.redraw();
  }

  // A second click lets go: a finger has no Escape. Of a block it is the first token that is locked.
  pinAt(at) {
    const { kind } = this.shown();
    const panel = this.panel();
    const again = JSON.stringify(at) === JSON.stringify(inPanel(this.pins.get(kind), panel));
    this.setPin(kind, again ? null : overBlocks(at, panel, (place, size) => place * size));
  }

  setPin(kind, at) {
    const had = this.pins.size > 0;
    this.pins.clear();
    if (at) this.pins.set(kind, at);
    if (at || had) this.tellPin(at && { kind, query: at.query, key: at.key });
    this.redraw();
  }

  tellPin(pin) {
    this.toldPin = { text: JSON.stringify(pin), at: performance.now() };
    this.hand("pin", pin);
  }

  toggleHead(head) {
    if (!this.drawn.delete(head)) this.drawn.add(head);
    this.redraw();
  }

  leaveAlone(head) {
    this.lockHead({ ...this.locked, head });
  }

  hideSpecials(hide) {
    this.hide = hide;
    this.forgetMaps();
    this.layout();
  }

  escaped() {
    if (!this.panels) return;
    if (this.preview) {
      this.preview = null;
      if (this.focused()?.closest(".gf-wall")) this.tileOf(this.locked)?.focus();
      this.preview = null;
      this.redraw();
      return;
    }
    this.pointer = null;
    this.setPin(this.shown().kind, null);
  }

  tileOf(at) {
    const block = this.blocks.find(({ panel }) => panel.kind === at.kind);
    return block?.cells[at.layer * block.panel.heads + at.head];
  }

  // ---- drawing

  build() {
    const parts = (this.parts = {
      readout: el("p", "gf-readout", { role: "status", "aria-live": "polite" }),
      said: el("span"),
      read: el("span", "gf-read"),
      about: el("p", "gf-about"),
      note: el("p", "gf-note"),
      reduced: el("p", "gf-about gf-reduced"),
      summaryTitle: el("p", "gf-hidden"),
      summary: el("ul", "gf-hidden"),
    });
    add(parts.readout, parts.said, parts.read);
    this.frameNode = buildFrame(this);
    this.root.dataset.view = this.view;
    this.root.dataset.compact = this.compact;
    const below = [...this.panels.values()].some((panel) => panel.blocks) ? [parts.reduced] : [];
    this.root.replaceChildren(this.frameNode, ...below, parts.summaryTitle, parts.summary);
    for (const block of this.blocks) block.panel = this.wallPanel(block.panel.kind);
  }

  layout() {
    const width = this.roomWide();
    if (!width || !this.panels) return;
    this.width = width;
    const style = getComputedStyle(this.root);
    this.font = style.fontFamily;
    this.codeFont = getComputedStyle(this.parts.readout).fontFamily;
    for (const block of this.blocks) block.panel = this.wallPanel(block.panel.kind);
    layoutFrame(this, width);
    writeSummary(this);
    cancelAnimationFrame(this.frame);
    this.draw();
    this.root.dataset.ready = "true";
    if (this.link) document.dispatchEvent(new CustomEvent(LAID, { detail: this }));
  }

  // Of two figures beside each other the walls end at one height, so that the large maps begin at one.
  level(other) {
    if (other === this || !this.frameNode || this.link?.group !== other.link.group) return;
    const walls = [this, other].map((figure) => figure.frameNode.firstElementChild);
    for (const wall of walls) wall.style.minHeight = "";
    const [one, two] = walls.map((wall) => wall.getBoundingClientRect());
    if (one.left === two.left) return;
    const end = Math.max(one.bottom, two.bottom);
    for (const [wall, box] of [[walls[0], one], [walls[1], two]]) wall.style.minHeight = `${end - box.top}px`;
  }

  draw() {
    writeTexts(this);
    markWall(this);
    if (this.view === "links") {
      drawLinks(this);
      markChips(this);
    } else {
      drawMap(this);
    }
    const { dataset } = this.root;
    const shown = this.shown();
    for (const name of ["kind", "layer", "head"]) {
      dataset[name] = shown[name];
      dataset[`locked${name[0].toUpperCase()}${name.slice(1)}`] = this.locked[name];
    }
  }

  refresh() {
    if (this.retheme()) {
      this.forgetMaps();
      this.layout();
    } else {
      this.draw();
      writeSummary(this);
    }
  }
}

// A place of the text as a place of the panel, which may be of blocks.
const inPanel = (at, panel) => at && overBlocks(at, panel, (place, size) => Math.floor(place / size));

function overBlocks(at, panel, change) {
  if (!panel.joined) return at;
  const [queries, keys] = panel.joined;
  const changed = (place, size) => (place === null ? null : change(place, size));
  return { query: changed(at.query, queries), key: changed(at.key, keys) };
}
