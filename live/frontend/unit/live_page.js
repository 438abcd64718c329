// The live page of the unit in a frame, as high as what it shows.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { words } from "../page/words.js";

const ADDRESS = "live/index.html";

export class LivePage {
  constructor() {
    this.isFramed = true; // and asks for no sentence of its own
    this.frame = el("iframe", "live", { title: words("unit.live") });
    this.node = add(el("div", "live-page"), this.frame);
    this.follow = ({ data, source }) => {
      if (source === this.frame.contentWindow && data?.glassformer === "height") this.frame.style.height = `${data.height}px`;
    };
    addEventListener("message", this.follow);
  }

  // page: of the live page, such as "decoding"; choices: as in its address.
  show(page, choices) {
    const query = new URLSearchParams({ embed: "1", ...choices });
    const address = `${ADDRESS}#${page}?${query}`;
    const inside = this.frame.contentWindow;
    // another view of the same page keeps its model, and adds nothing for the browser's Back
    if (this.frame.getAttribute("src")) inside.location.replace(new URL(address, document.baseURI));
    else this.frame.src = address;
  }

  // Whether a message is of the page in the frame.
  isSource(source) {
    return source === this.frame.contentWindow;
  }

  remove() {
    removeEventListener("message", this.follow);
  }
}
