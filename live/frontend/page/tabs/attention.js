// Attention: every head at a glance, the chosen one large, and the same head step by step.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { readPin } from "../address.js";
import { chosenHead } from "./head.js";
import { attentionMessage, matrixMessage } from "../figure_data.js";
import { button, card, heading, Pills, text } from "../parts.js";
import { aboutStep, countsOf, stageMatrices, stageValues, stepNotes, STEPS } from "./stages.js";
import { Tab } from "./tab.js";
import { ValueSwitch } from "./value_switch.js";
import { WhyThere } from "./why_there.js";
import { section, words } from "../words.js";
import { headEvents } from "./start.js";

export class AttentionTab extends Tab {
  static texts = { name: "pages.attention", question: "attention.question", lead: "attention.lead" };

  constructor(app) {
    super(app);
    this.kind = text("", "caption");
    this.heads = this.figure("attention", headEvents(app));
    this.stages = new Stages(app);
    this.there = new WhyThere(app);
    this.norms = new ValueSwitch(app);
    this.views = new Pills(words("attention.view"), (view) => app.choose({ view }));
    const closer = [this.views.node, this.stages.node, this.there.node];
    this.node = add(el("div", "panel"), this.kind, this.heads.node, text(words("hint.cause"), "caption"), this.norms.node, ...closer);
  }

  draw() {
    const { app } = this;
    const result = app.shownResult();
    if (!result) return;
    const { panels, words: own } = this.norms.shown(result);
    const at = chosenHead(app, panels);
    const pin = readPin(app.view.pin, panels);
    this.kind.textContent = words(`attention_kind_about.${at.kind}`);
    this.heads.show(attentionMessage(panels, { view: "matrix", ...at, pin, words: own }));
    this.norms.explain(result, at.kind, panels);
    const isThere = app.view.view === "there";
    this.views.show([["stages", words("attention_view.stages")], ["there", words("attention_view.there")]], isThere ? "there" : "stages");
    this.stages.node.hidden = isThere;
    this.there.node.hidden = !isThere;
    this.heads.node.toggleAttribute("data-main", !isThere && !app.view.stage);
    this.stages.node.toggleAttribute("data-main", !isThere && Boolean(app.view.stage));
    this.there.node.toggleAttribute("data-main", isThere);
    (isThere ? this.there : this.stages).draw(panels.find(({ kind }) => kind === at.kind), at);
  }

  remove() {
    super.remove();
    this.stages.remove();
    this.there.remove();
  }
}

// The chosen head from its input to the residual stream.
class Stages extends Tab {
  constructor(app) {
    super(app);
    this.pills = new Pills(words("attention_stages.stage"), (stage) => app.choose({ stage }), "pills");
    this.about = text("");
    this.note = text("", "caption");
    this.count = text("", "caption");
    this.back = button(words("page.back"), () => this.move(-1));
    this.next = button(words("page.next"), () => this.move(1));
    this.matrices = this.figure("matrix");
    this.waits = text(words("attention_stages.waits"), "caption");
    this.body = add(el("div", "stack"), this.pills.node, this.about, this.note, add(el("div", "row"), this.back, this.next, this.count), this.matrices.node);
    this.node = card(heading(words("attention_title.stages")), text(words("attention_hint.stages"), "caption"), this.waits, this.body);
  }

  get step() {
    return this.app.view.stage in STEPS ? this.app.view.stage : "input";
  }

  move(by) {
    const order = Object.keys(STEPS);
    this.app.choose({ stage: order[order.indexOf(this.step) + by] });
  }

  draw(panel, at) {
    const { app, step } = this;
    const ready = Boolean(app.result);
    this.waits.hidden = ready;
    this.body.hidden = !ready;
    if (!ready) return;
    const order = Object.keys(STEPS);
    this.pills.show(order.map((name) => [name, words(`attention_step.${name}`)]), step);
    const values = stageValues(app.model, app.result, at, panel);
    this.about.textContent = words(`attention_about.${aboutStep(step, at.kind, app.model.config)}`, countsOf(values, panel, app.model.config));
    this.note.textContent = stepNotes(step, values, app.model.config, at);
    this.note.hidden = !this.note.textContent;
    this.back.disabled = step === order[0];
    this.next.disabled = step === order.at(-1);
    this.count.textContent = words("attention_stages.of", { number: order.indexOf(step) + 1, count: order.length });
    this.matrices.show(matrixMessage(stageMatrices(step, values, panel), section("matrix_figure")));
  }
}
