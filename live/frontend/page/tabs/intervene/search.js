// A sentence and a head without which the output is another one: few sentences have one.

import { spellChanges } from "../../address.js";
import { button, text } from "../../parts.js";
import { words } from "../../words.js";
import { Tab } from "../tab.js";

const SEARCHED = 60; // sentences
const LIKELY = -0.4; // nats that a word loses before another one may win

export class Search extends Tab {
  constructor(app) {
    super(app);
    this.button = button(words("intervene_try.matters"), () => this.run());
    this.said = text("", "caption");
  }

  async run() {
    const { app } = this;
    const signal = this.latest.begin();
    const { covers = [], examples } = app.model.card;
    const sentences = [...new Set([...examples, ...covers.flatMap((each) => each.examples)])].slice(0, SEARCHED);
    this.button.disabled = true;
    await this.tried(async () => {
      for (const [at, sentence] of sentences.entries()) {
        this.said.textContent = words("intervene_try.searching", { number: at + 1, count: sentences.length });
        const head = sentence === app.sentence ? null : await this.headOf(sentence, signal);
        if (head) return this.found(sentence, head);
      }
      this.said.textContent = words("intervene_try.no_matters", { count: sentences.length });
    });
    this.button.disabled = false;
  }

  found(sentence, { kind, layer, head }) {
    this.said.textContent = "";
    this.app.choose({ sentence, attention_kind: kind, layer, head, ...spellChanges({ [`${kind}.${layer}.${head}`]: 0 }) });
  }

  // The head with the largest loss for a word that it lets another word win, or null.
  async headOf(sentence, signal) {
    const { engine } = this.app.session;
    const { ids, source, target } = await engine.write(sentence, { only: [], signal });
    const lost = (await engine.effects(source, target, { signal })).flatMap(({ kind, layer, effects }) =>
      effects.map((rows, head) => ({ kind, layer, head, least: Math.min(...rows) })));
    const likely = lost.filter(({ least }) => least < LIKELY).sort((a, b) => a.least - b.least);
    for (const { kind, layer, head } of likely.slice(0, 3)) {
      const without = await engine.write(sentence, { only: [], signal, heads: [{ kind, layer, head, scale: 0 }] });
      if (String(without.ids) !== String(ids)) return { kind, layer, head };
    }
    return null;
  }
}
