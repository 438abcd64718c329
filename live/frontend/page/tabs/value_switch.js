// The switch for weights times the norm of what they move: pages/shared/ui/switches/value_switch.py.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { isSpecial, largestFall, panelsOf } from "../figure_data.js";
import { Switch, text } from "../parts.js";
import { section, sentences, words } from "../words.js";

const LEAST = 0.001; // a fall that is worth a sentence
const SINK = 0.1; // a fall of a special token that is called a sink

export class ValueSwitch {
  constructor(app) {
    this.app = app;
    this.toggle = new Switch((isOn) => app.choose({ norms: isOn ? "1" : null }), words("norms.label"));
    this.falls = text("");
    this.about = text("", "caption");
    this.node = add(el("div", "stack"), this.toggle.node, this.falls, this.about);
  }

  get isOn() {
    return this.app.view.norms === "1";
  }

  // The panels of a result as the switch wants them, and the words of their figure.
  shown(result) {
    const shows = this.isOn && Boolean(result.norms);
    const panels = panelsOf(this.app.brief(), result, shows ? result.norms : null);
    return { panels, words: { ...section("attention_figure"), ...(shows && section("norms_figure")) } };
  }

  // What it has changed in the panel of a kind.
  explain(result, kind, panels) {
    this.toggle.input.checked = this.isOn;
    const shows = this.isOn && Boolean(result.norms);
    this.falls.hidden = !shows;
    this.about.hidden = !this.isOn;
    this.about.textContent = shows ? sentences(words("norms.about"), words("norms.limits")) : words("norms.waits");
    if (!shows) return;
    const [weights, shares] = [panelsOf(this.app.brief(), result), panels].map((all) => all.find((panel) => panel.kind === kind));
    this.falls.textContent = falling(shares.keys, largestFall(weights, shares));
  }
}

function falling(keys, { layer, head, key, before, after }) {
  if (before - after < LEAST) return words("norms.alike");
  const said = words("norms.falls", { token: keys[key], layer, head, before: percent(before, 1), after: percent(after, 1) });
  return sentences(said, isSpecial(keys[key]) && before - after >= SINK ? words("norms.sink") : "");
}
