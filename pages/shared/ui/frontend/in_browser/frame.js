// The live page of the view in a frame; see in_browser.py. It tells how high it is and what is chosen in it.

import { el, say } from "../../../../../viz/frontend/common/dom.js";
import { missing } from "../../../../../viz/frontend/common/missing.js";
import { mount } from "../../../../../viz/frontend/common/mount.js";
import { open } from "../../../../../viz/frontend/classroom/open_view.js";
import { computeOn } from "./compute_on.js";

class InBrowser {
  constructor(root) {
    [this.about, this.loading] = root.querySelectorAll("p");
    this.frame = null;
    this.told = {}; // choices that no run has known yet; null is the default
    this.hear = (event) => this.heard(event);
    window.addEventListener("message", this.hear);
  }

  // data: `path` of the live page, `page` and `choices` of its address, `own` choices of the app's page, and `place`, those of all pages
  receive(data) {
    const refused = navigator.connection?.saveData ? "saves_data" : missing();
    if (refused) return this.trigger("refused", refused);
    const { data: before, told } = this;
    this.data = data;
    const [lacks, back] = this.about.children;
    say(lacks, data.texts.lacks);
    say(back, data.texts.back);
    back.onclick = () => computeOn(data.base, "server");
    if (before?.path !== data.path || before.page !== data.page) return this.load();
    // A run from before what the frame told last knows an older choice of that.
    const changed = Object.keys({ ...before.choices, ...data.choices }).filter((key) => !(key in told) && before.choices[key] !== data.choices[key]);
    if (Object.entries(told).every(([key, value]) => value === (data.choices[key] ?? null))) this.told = {};
    if (changed.length && !this.loading.hidden) return this.load(); // its address is not there yet
    if (changed.includes("sentence")) for (const key of data.own) if (!(key in data.choices)) delete this.chosen[key]; // of the old one
    for (const key of changed) this.chosen[key] = data.choices[key];
    this.frame.title = data.texts.title;
    const { location } = this.frame.contentWindow;
    if (changed.length) location.replace(new URL(this.hash(), location.href).href); // it leaves nothing for Back to undo
    return undefined;
  }

  // Another frame: an address that changes would be one more step for Back.
  load() {
    const { path, choices, texts } = this.data;
    this.chosen = { ...choices };
    this.told = {};
    const frame = el("iframe", "", { title: texts.title, src: path + this.hash() });
    if (this.frame) this.frame.replaceWith(frame);
    else this.loading.after(frame);
    this.frame = frame;
    this.loading.hidden = false;
    say(this.loading, texts.loading);
  }

  hash() {
    const chosen = Object.entries(this.chosen).filter(([, value]) => value !== undefined && value !== "");
    return `#${this.data.page}?${new URLSearchParams(chosen)}`;
  }

  heard({ source, origin, data }) {
    if (!this.frame || source !== this.frame.contentWindow || origin !== window.location.origin) return;
    if (data.glassformer === "height") {
      this.loading.hidden = true;
      this.frame.style.height = `${data.height}px`;
    } else if (data.glassformer === "view") {
      const [page, query = ""] = data.address.replace(/^#\/?/, "").split("?");
      if (page === this.data.page) this.keep(new URLSearchParams(query));
      else open(this.data.base, this.elsewhere(page, new URLSearchParams(query)));
    }
  }

  // What is chosen in the frame stands in the address of the page. Streamlit hears of it only where a choice is one of
  // all pages: then it writes the address, with a step for Back. Otherwise nothing runs.
  keep(inFrame) {
    const { choices, place, own } = this.data;
    this.chosen = { ...Object.fromEntries(inFrame), visible: choices.visible };
    const chosen = [...place, ...own].map((key) => [key, inFrame.get(key)]);
    const told = Object.fromEntries(chosen.filter(([key, value]) => key in this.told || value !== (choices[key] ?? null)));
    if (place.some((key) => key in told)) {
      const isNew = Object.keys(told).some((key) => told[key] !== this.told[key]);
      this.told = told;
      return void (isNew && this.trigger("chosen", told));
    }
    const address = new URL(window.location.href);
    for (const key of [...place, ...own]) {
      if (inFrame.has(key)) address.searchParams.set(key, inFrame.get(key));
      else address.searchParams.delete(key);
    }
    if (address.href !== window.location.href) window.history.replaceState(window.history.state, "", address);
  }

  // Another page that is opened in the frame, as a link of the app: it stands around the frame.
  elsewhere(page, settings) {
    for (const key of ["embed", "visible", "language"]) settings.delete(key);
    return `${page}?${settings}`;
  }

  destroy() {
    window.removeEventListener("message", this.hear);
    this.frame?.remove();
  }
}

export default mount(".gf-in-browser", InBrowser);
