// A text to learn from: a field to paste it into or to drop a file on, with the limits in sight, and one sentence on what is
// wrong.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { button, labelled, text } from "../../parts.js";
import { words } from "../../words.js";
import { Brought } from "./own.js";
import { textTask } from "./text_task.js";

export class OwnText extends Brought {
  // kind: what is known of models of a text
  constructor(kind, used) {
    super("", used);
    this.kind = kind;
    this.field.value = words("train_example.own_text").trim();
    this.field.addEventListener("dragover", (event) => event.preventDefault());
    this.field.addEventListener("drop", (event) => this.drop(event));
    const file = el("input", "", { type: "file", accept: ".txt,text/plain" });
    file.addEventListener("change", () => this.read(file.files[0]));
    const use = button(words("live_train.text_use"), () => this.take());
    const hint = text(words("live_train.text_hint", kind), "caption");
    this.node = add(
      el("div", "stack"), labelled(words("train.own_text"), this.field), hint, labelled(words("live_train.text_file"), file), add(el("div", "row"), use), this.problem.node,
    );
  }

  // The task of the example, before anything is pasted.
  task() {
    return textTask(words("train_example.own_text"), this.kind).task;
  }

  take() {
    this.use(textTask(this.field.value, this.kind));
  }

  drop(event) {
    const [file] = event.dataTransfer.files;
    if (!file) return; // a text that is dragged lands in the field
    event.preventDefault();
    this.read(file);
  }

  async read(file) {
    if (!file) return;
    this.field.value = await file.text();
    this.take();
  }
}
