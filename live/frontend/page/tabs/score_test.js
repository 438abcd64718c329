// How well the terms of scores foresee what replacing a part by its mean does, and for which heads they do not: what was
// recorded of the model, `score_test` of live/example.py; _agreement_by_head of pages/attention/replaced_parts.py.

import { add, el } from "../../../../viz/frontend/common/dom.js";
import { matrixMessage } from "../figure_data.js";
import { text } from "../parts.js";
import { section, sentences, words } from "../words.js";
import { Tab } from "./tab.js";

export class ScoreTest extends Tab {
  constructor(app) {
    super(app);
    this.whole = text("");
    this.own = text("");
    this.reliable = this.figure("matrix", { selection: (at) => at?.key && app.choose({ attention_kind: at.key, layer: at.row, head: at.column }) });
    this.count = text("", "caption");
    this.node = add(el("div", "stack"), text(words("live_there.replaced"), "caption"), this.whole, this.own, this.reliable.node, this.count);
  }

  show({ kind, layer, head }) {
    const test = this.app.file.score_test;
    const [cells, rho] = test?.heads[`${kind}.${layer}.${head}`] ?? [];
    this.node.hidden = cells === undefined;
    if (this.node.hidden) return;
    const parts = Object.entries(test.parts).map(([name, [, each]]) => `${words(`attention_there_name.${name}`)} ${each.toFixed(2)}`);
    this.whole.textContent = words("attention_there.agreement", { cells: test.all[0], value: test.all[1].toFixed(2), parts: parts.join(words("attention_there.comma")) });
    const { goal } = test;
    const verdict = words(`attention_there.agreement_${rho >= goal ? "holds" : "fails"}`, { goal });
    this.own.textContent = sentences(words("attention_there.agreement_head", { cells, value: rho.toFixed(2) }), verdict);
    const all = Object.values(test.heads);
    this.reliable.show(matrixMessage(this.matrices(test.heads), section("matrix_figure"), { selection: { key: kind, row: layer, column: head } }));
    const each = Math.round(all.reduce((sum, [count]) => sum + count, 0) / all.length);
    this.count.textContent = words("attention_there.agreement_heads", { count: all.length, reached: all.filter(([, value]) => value >= goal).length, goal, each });
  }

  // ρ of each head, layers × heads of each kind of attention; a head without enough cells has none.
  matrices(found) {
    const { layers, config } = this.app.brief();
    const places = (count) => [...Array(count).keys()];
    return Object.entries(layers).filter(([kind]) => Object.keys(found).some((name) => name.startsWith(`${kind}.`))).map(([kind, count]) => ({
      key: kind, title: words(`attention_figure.wall_${kind}`), limit: 1, decimals: 2,
      values: places(count).flatMap((layer) => places(config.heads).map((head) => found[`${kind}.${layer}.${head}`]?.[1] ?? NaN)),
      rows: places(count).map(String), columns: places(config.heads).map(String), rowAxis: words("attention_chart.layers"), columnAxis: words("attention_chart.heads"),
    }));
  }
}
