// A slider for each head of the chosen layer.

import { add, el } from "../../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../../viz/frontend/common/numbers.js";
import { button, Pills } from "../../parts.js";
import { words } from "../../words.js";
import { chosenHead } from "../head.js";

const STEP = 0.05; // of a slider

export const without = (heads, at) => Object.fromEntries(Object.entries(heads).filter(([key]) => key !== at));

export function headName(kind, layer, head) {
  const place = [words("attention_figure.layer", { layer }), words("attention_figure.head", { head })];
  return [words(`attention_figure.${kind}`), ...place].join(" · ");
}

export class Sliders {
  constructor(app, change) {
    this.app = app;
    this.change = change;
    this.kinds = new Pills(words("place.attention_kind"), (kind) => app.choose({ attention_kind: kind, head: null }), "pills", "head");
    this.layers = new Pills(words("place.layer"), (layer) => app.choose({ layer, head: null }), "pills", "head");
    this.rows = el("div", "sliders");
    this.choices = add(el("div", "row wide"), this.kinds.node, this.layers.node);
    this.node = add(el("div"), this.choices, this.rows);
  }

  show(panels, heads) {
    this.heads = heads;
    const { kind, layer, head } = chosenHead(this.app, panels);
    const panel = panels.find((each) => each.kind === kind);
    this.kinds.node.hidden = panels.length < 2;
    this.layers.node.hidden = panel.layers < 2;
    this.choices.hidden = this.kinds.node.hidden && this.layers.node.hidden;
    this.kinds.show(panels.map((each) => [each.kind, words(`attention_figure.wall_${each.kind}`)]), kind);
    this.layers.show([...Array(panel.layers).keys()].map((each) => [each, String(each)]), layer);
    const form = `${kind}.${layer}.${panel.heads}`;
    if (form !== this.form) this.build(kind, layer, panel.heads);
    this.form = form;
    this.lines.forEach((line, at) => line.show(heads[`${kind}.${layer}.${at}`] ?? 1, at === head));
  }

  offAll() {
    const { kind, layer } = this.lines[0];
    const off = Object.fromEntries(this.lines.map((_, head) => [`${kind}.${layer}.${head}`, 0]));
    this.change({ ...this.heads, ...off }, true);
  }

  build(kind, layer, count) {
    this.lines = [...Array(count).keys()].map((head) => new Slider(kind, layer, head, (scale, isLast) => {
      this.heads = { ...without(this.heads, `${kind}.${layer}.${head}`), ...(scale === 1 ? {} : { [`${kind}.${layer}.${head}`]: scale }) };
      this.change(this.heads, isLast);
    }));
    this.rows.replaceChildren(...this.lines.map((line) => line.node));
  }
}

class Slider {
  constructor(kind, layer, head, change) {
    Object.assign(this, { kind, layer });
    const name = words("attention_figure.head", { head });
    this.input = el("input", "", { type: "range", min: "0", max: "1", step: String(STEP), "aria-label": headName(kind, layer, head) });
    this.value = el("output");
    this.off = button("", () => change(Number(this.input.value) ? 0 : 1, true), "button small");
    this.node = add(el("div", "slider"), add(el("span", "name"), name), this.input, this.value, this.off);
    this.node.style.setProperty("--own", `var(--gf-${kind})`);
    this.input.addEventListener("input", () => {
      this.say(Number(this.input.value));
      change(Number(this.input.value), false);
    });
    this.input.addEventListener("change", () => change(Number(this.input.value), true));
  }

  show(scale, isChosen) {
    this.input.value = String(scale);
    this.node.toggleAttribute("data-chosen", isChosen);
    this.say(scale);
  }

  say(scale) {
    this.value.textContent = percent(scale);
    this.node.toggleAttribute("data-off", scale === 0);
    this.input.style.setProperty("--share", `${100 * scale}%`);
    this.off.textContent = words(scale ? "intervene_how.off" : "live_intervene.on");
  }
}
