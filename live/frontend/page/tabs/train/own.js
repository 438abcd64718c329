// Own pairs: a field to paste them into, with the limits in sight, and one sentence on what is wrong.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { button, labelled, Notice, text } from "../../parts.js";
import { words } from "../../words.js";
import { limitsOf, ownTask } from "./own_pairs.js";

export class OwnPairs {
  // used: gets the task that was made of the pairs
  constructor(description, used) {
    this.limits = limitsOf(description);
    this.field = el("textarea", "", { rows: "8", spellcheck: "false", autocomplete: "off", placeholder: "haus\thouse\nbaum\ttree" });
    this.problem = new Notice("alert");
    const use = button(words("live_train.own_use"), () => this.use(used));
    const hint = text(words("live_train.own_hint", this.limits), "caption");
    this.node = add(el("div", "stack"), labelled(words("train.own_table"), this.field), hint, add(el("div", "row"), use), this.problem.node);
  }

  use(used) {
    const { task, problem } = ownTask(this.field.value, this.limits);
    this.problem.say(problem ? words(...problem) : "");
    if (task) used(task);
  }
}
