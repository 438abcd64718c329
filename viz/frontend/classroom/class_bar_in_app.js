// The line of a class on a page of the app; see class_bar.js.

import { mount } from "../common/mount.js";
import { ClassBar } from "./class_bar.js";
import { open } from "./open_view.js";

// where a question of the quiz is answered
const ANSWERS = ".st-key-figure_question :is(.st-key-options, .st-key-typed, .st-key-this, .st-key-take_step)";

const SENT = "gf-class-on-device"; // in a tab: the class whose live page it was sent to

class ClassBarInApp extends ClassBar {
  constructor(root) {
    super(root, {
      place: () => window.location.pathname.slice(this.data.base.length) + window.location.search,
      page: () => window.location.pathname,
      open: (view) => open(this.data.base, view),
      heard: (content) => this.toDevice(content),
      changed: () => this.trigger("changed", Date.now()),
      answers: () => document.querySelector(ANSWERS),
      lacks: () => "",
      leave: null,
    });
  }

  // Who has come to the class by its code goes on to its live page, once in a tab, as who has come by its link.
  toDevice({ code, on_device: model, ended }) {
    const isTest = new URLSearchParams(window.location.search).has("show");
    if (this.data.teacher || !model || ended || !this.onBoard() || isTest || sessionStorage.getItem(SENT) === code) return false;
    sessionStorage.setItem(SENT, code);
    window.location.assign(`${this.data.base}/live/${encodeURIComponent(model)}/?${new URLSearchParams({ class: code })}`);
    return true;
  }
}

export default mount(".gf-class-bar", ClassBarInApp);
