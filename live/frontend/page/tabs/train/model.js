// What was trained is a model: it becomes a checkpoint file, and goes on from one.

import { save } from "../../../../../viz/frontend/common/save_file.js";
import { add, el, say } from "../../../../../viz/frontend/common/dom.js";
import { errorText } from "../../notices.js";
import { button, card, heading, labelled, Notice, text } from "../../parts.js";
import { sentences, words } from "../../words.js";

export class ModelCard {
  // trainings: see run.js; show: gets the model for the other views
  constructor(trainings, show) {
    this.trainings = trainings;
    this.look = button(words("live_train.look"), () => this.tried(async () => show(await trainings.viewed())), "button main");
    this.save = button(words("live_train.save"), () => this.tried(() => this.saveFile()));
    this.forget = button(words("live_train.forget"), () => trainings.forget());
    this.field = el("input", "", { type: "file", accept: ".zip" });
    this.field.addEventListener("change", () => this.open());
    this.said = new Notice("status");
    this.about = text("", "caption");
    this.node = card(
      heading(words("live_train.model_title")), text(words("live_train.model_hint"), "caption"), add(el("div", "row"), this.look, this.save), this.about,
      labelled(words("live_train.open"), this.field), add(el("div", "row"), this.forget), this.said.node,
    );
  }

  show() {
    const { run, start, from, canBeSaved, isBeginning } = this.trainings;
    this.look.disabled = this.save.disabled = !canBeSaved || isBeginning;
    this.field.disabled = isBeginning;
    this.forget.hidden = !start;
    const cannot = !run ? words("live_train.save_first") : canBeSaved ? "" : words("live_train.save_not");
    say(this.about, sentences(cannot, from && words("live_train.opened", { file: from.file })));
  }

  async tried(act) {
    this.said.say("");
    await act().catch((error) => this.said.say(errorText(error)));
  }

  async saveFile() {
    const { name, bytes } = await this.trainings.save();
    save(new Blob([bytes], { type: "application/zip" }), `${name}.zip`);
    this.said.say(words("live_train.saved", { file: `${name}.zip`, step: this.trainings.run.step }));
  }

  open() {
    const [file] = this.field.files;
    this.field.value = "";
    if (file) this.tried(() => this.trainings.openFile(file));
  }
}
