// The figures of the app on this page: each in a root of its own, so that the styles of two never meet.

import { el } from "../../../viz/frontend/common/dom.js";
import { areAlike } from "./figure_data.js";

const isFramed = () => document.documentElement.hasAttribute("data-embed");
const dark = matchMedia("(prefers-color-scheme: dark)");
const drawn = new Set();
let digests = 0;
dark.addEventListener("change", () => drawn.forEach((figure) => figure.draw()));

// A figure of the component `name`, in an element to put on the page. `heard` gets what a person does in it: selection,
// pin, step, force. Its style and script stand in the page (live/document.py).
export class Shown {
  constructor(name, heard = {}) {
    this.name = name;
    this.heard = heard;
    this.node = el("div", name === "matrix" || isFramed() ? "figure flat" : "figure", { "data-figure": name }); // matrices stand in cards
    this.root = this.node.attachShadow({ mode: "open" });
    this.root.append(document.getElementById(`gf-${name}`).content.cloneNode(true), document.getElementById("gf-flat").content.cloneNode(true));
    this.data = null;
    drawn.add(this);
  }

  // data: what figure_data.js makes. A figure of which the selection alone is another one keeps its digest: it is not built anew.
  show(data) {
    if (data.header) data.header.digest = this.data && areAlike(this.data, data) ? this.data.header.digest : ++digests;
    this.data = data;
    this.draw();
  }

  draw() {
    if (!this.data) return;
    const told = (event, value) => this.heard[event]?.(value);
    this.end = globalThis.gfComponents[this.name]({
      parentElement: this.root, data: this.data, setStateValue: told, setTriggerValue: told,
    });
  }

  remove() {
    this.end?.();
    drawn.delete(this);
  }
}
