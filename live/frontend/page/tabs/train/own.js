// Own pairs: a field to paste them into, with the limits in sight, and one sentence on what is wrong.

import { add, el, say } from "../../../../../viz/frontend/common/dom.js";
import { button, text } from "../../parts.js";
import { words } from "../../words.js";
import { limitsOf, ownTask } from "./own_pairs.js";

export class OwnPairs {
  // used: gets the task that was made of the pairs
  constructor(description, used) {
    this.limits = limitsOf(description);
    this.field = el("textarea", "", { rows: "8", spellcheck: "false", autocomplete: "off", placeholder: "haus\thouse\nbaum\ttree" });
    const label = add(el("span"), words("train.own_table"));
    this.problem = text("", "notice");
    this.problem.setAttribute("role", "alert");
    this.problem.hidden = true;
    const use = button(words("live_train.own_use"), () => this.use(used));
    const hint = text(words("live_train.own_hint", this.limits), "caption");
    this.node = add(el("div", "stack"), add(el("label", "field"), label, this.field), hint, add(el("div", "row"), use), this.problem);
  }

  use(used) {
    const { task, problem } = ownTask(this.field.value, this.limits);
    say(this.problem, problem ? words(...problem) : "");
    this.problem.hidden = !problem;
    if (task) used(task);
  }
}
