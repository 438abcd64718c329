// Start: the output word by word, with lines to what each word looked at.

import { add, el, say } from "../../../../viz/frontend/common/dom.js";
import { readPin, spellPin } from "../address.js";
import { attentionMessage } from "../figure_data.js";
import { text } from "../parts.js";
import { chosenHead } from "./head.js";
import { labelsCard } from "./labels.js";
import { writtenSoFar } from "./output_so_far.js";
import { Tab } from "./tab.js";
import { ValueSwitch } from "./value_switch.js";
import { named, words } from "../words.js";

export class StartTab extends Tab {
  static texts = { name: "pages.start", question: "start.question", lead: "start.lead" };

  constructor(app) {
    super(app);
    this.heads = this.figure("attention", headEvents(app));
    this.heads.node.dataset.main = "";
    this.labels = el("div");
    this.beginner = text("", "caption");
    this.norms = new ValueSwitch(app);
    this.node = add(el("div", "panel"), this.beginner, this.labels, this.heads.node, text(words("hint.cause"), "caption"), this.norms.node);
  }

  draw() {
    const { app } = this;
    const result = app.shownResult();
    this.introduce(app.brief().card);
    if (!result) return;
    this.labels.replaceChildren(...[labelsCard(app.brief().config, result)].filter(Boolean));
    const { panels, words: own } = this.norms.shown(result);
    const at = chosenHead(app, panels, ["cross"]);
    const written = at.kind === "cross" && result.text ? writtenSoFar(result.text, result.outputTokens) : [];
    app.frame.output.toggleAttribute("data-drawn", written.length > 0);
    const paused = app.view.paused === "1";
    const pin = readPin(app.view.pin, panels);
    this.heads.show(attentionMessage(panels, { view: "links", ...at, pin, written, paused, words: own }));
    this.norms.explain(result, at.kind, panels);
  }

  // How many words a translator of ours has learnt, and how many ordinary sentences come out right.
  introduce({ ordinary, source_language: source }) {
    this.beginner.hidden = !ordinary;
    if (!ordinary) return;
    say(this.beginner, words("start.beginner", { source: named("languages", source), words: ordinary.words, right: Math.round(100 * ordinary.right[0]) }));
  }
}

// What a person locks in a figure of attention stands in the address.
export function headEvents(app) {
  return {
    selection: ({ kind, layer, head }) => kind && app.choose({ attention_kind: kind, layer, head }),
    pin: (pin) => app.choose({ pin: spellPin(pin) }),
  };
}
