// What every tab has: the page, the calls under way, and figures that end with it.

import { Shown } from "../figures.js";
import { isAbort, Latest } from "../session.js";

export class Tab {
  constructor(app) {
    this.app = app;
    this.latest = new Latest();
    this.figures = [];
  }

  // A figure of the tab, see `Shown`.
  figure(name, heard) {
    const figure = new Shown(name, heard);
    this.figures.push(figure);
    return figure;
  }

  // Say what a computation fails by; one that was overtaken has not failed.
  async tried(act) {
    try {
      await act();
    } catch (error) {
      if (!isAbort(error)) this.app.fail(error);
    }
  }

  remove() {
    this.latest.end();
    for (const figure of this.figures) figure.remove();
  }
}
