// Own pairs: a field to paste them into, with the limits in sight, and one sentence on what is wrong.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { button, labelled, Notice, text } from "../../parts.js";
import { words } from "../../words.js";
import { limitsOf, ownTask } from "./own_pairs.js";

// A field for what a reader brings; `used` gets the task that was made of it.
export class Brought {
  constructor(placeholder, used) {
    this.used = used;
    this.field = el("textarea", "", { rows: "8", spellcheck: "false", autocomplete: "off", placeholder });
    this.problem = new Notice("alert");
  }

  // read: { task } of what is typed, or { problem: [key of a text, values] }
  use({ task, problem }) {
    this.problem.say(problem ? words(...problem) : "");
    if (task) this.used(task);
  }
}

export class OwnPairs extends Brought {
  constructor(description, used) {
    super("haus\thouse\nbaum\ttree", used);
    const limits = limitsOf(description);
    const use = button(words("live_train.own_use"), () => this.use(ownTask(this.field.value, limits)));
    const hint = text(words("live_train.own_hint", limits), "caption");
    this.node = add(el("div", "stack"), labelled(words("train.own_table"), this.field), hint, add(el("div", "row"), use), this.problem.node);
  }
}
