// What every figure is to Streamlit: one object per root element, told of new data, of a new size and theme, and of its end.

import { applyTheme, themeOf } from "./theme.js";

const PATIENCE = 3000; // ms

export class Drawn {
  constructor(root) {
    this.root = root;
    this.arrivals = 0;
    this.told = { text: "", at: -Infinity }; // the selection made here that Python has not yet repeated
    this.observer = new ResizeObserver(() => this.resized());
    this.onKey = (event) => event.key === "Escape" && this.isHere() && this.escaped();
    this.onFonts = ({ fontfaces }) => fontfaces.some((face) => this.hasFont(face)) && this.layout();
    this.observer.observe(root);
    document.addEventListener("keydown", this.onKey);
    document.fonts?.addEventListener("loadingdone", this.onFonts);
  }

  destroy() {
    this.observer.disconnect();
    document.removeEventListener("keydown", this.onKey);
    document.fonts?.removeEventListener("loadingdone", this.onFonts);
    cancelAnimationFrame(this.frame);
    this.arrivals++;
  }

  tell(selection) {
    this.told = { text: JSON.stringify(selection), at: performance.now() };
    this.hand("selection", selection);
  }

  // A trigger, for a state would be silent where what a link locked is let go: Python never had it from here.
  hand(name, value) {
    this.trigger(name, value ?? {});
  }

  // While the last lock is on its way, what arrives is older than what is shown.
  isOld(text, told = this.told) {
    return Boolean(told.text) && performance.now() - told.at < PATIENCE && text !== told.text;
  }

  // Whether its labels, which were measured in another until now, are written in this one.
  hasFont({ family }) {
    return `${this.font} ${this.codeFont}`.includes(family.replaceAll('"', ""));
  }

  redraw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => this.draw());
  }

  // After its layout: it is there, and the room that was kept for it may go.
  drawAtOnce() {
    cancelAnimationFrame(this.frame);
    this.draw();
    this.root.dataset.ready = "true";
    this.root.getRootNode().host?.setAttribute("data-drawn", "");
  }

  resized() {
    if (this.roomWide() !== this.width) this.layout();
  }

  // In whole pixels: clientWidth may round up.
  roomWide() {
    return Math.floor(this.root.getBoundingClientRect().width);
  }

  // Whether the theme is another one now.
  retheme() {
    const theme = themeOf(this.root);
    if (theme === this.theme) return false;
    this.theme = theme;
    applyTheme(this.root, theme);
    return true;
  }

  focused() {
    const focused = this.root.getRootNode().activeElement;
    return focused && this.root.contains(focused) ? focused : null;
  }

  // Whether a key pressed anywhere is meant for this figure.
  isHere() {
    return Boolean(this.focused()) || this.root.matches(":hover");
  }
}
