// Everything the figure says in words.

import { add, el, fill, say, shownToken, three } from "../common/dom.js";
import { columnSum, hasWeights, meanEntropy, rowSum, strongestKey, weightAt } from "./measures.js";

function readoutOf(figure) {
  const panel = figure.panel();
  const at = figure.shown();
  const { query, key, main } = figure.active();
  if (main !== "key" && !hasWeights(panel, at, query)) return fill(figure.words.no_weights, { query: panel.queries[query] });
  const values = {
    query: panel.queries[query],
    key: panel.keys[key],
    weight: three(weightAt(panel, at, query, key)),
    sum: three(rowSum(panel, at, query)),
    received: three(columnSum(panel, at, key)),
  };
  return fill(figure.words[main === "key" ? "readout_key" : "readout"], values);
}

// Cross-attention only: a row is named after the word it writes, while it reads another.
function readBeside(figure) {
  const { read } = figure.panel();
  return read.length ? fill(figure.words.read_beside, { read: shownToken(read[figure.active().query]) }) : "";
}

function captionOf(figure) {
  const panel = figure.panel();
  const { query } = figure.active();
  if (!hasWeights(panel, figure.shown(), query)) return fill(figure.words.no_weights, { query: panel.queries[query] });
  const key = strongestKey(panel, figure.shown(), query, panel.keys.map((_, i) => i));
  return fill(figure.words[`caption_${panel.kind}`], { query: panel.queries[query], key: panel.keys[key] });
}

// How a head whose blocks are shown is shown exactly.
function blocksHere(figure) {
  const [queries, keys] = figure.panel().joined;
  return fill(figure.words.blocks_here, { queries, keys, ...figure.shown() });
}

function whatIsReduced(figure) {
  const panel = figure.panels.get(figure.shown().kind);
  if (!panel.coarse) return "";
  const [queries, keys] = panel.blocks;
  return fill(figure.words.blocks, { exact: panel.exact.length, count: panel.layers * panel.heads, queries, keys });
}

export function buildLegend(figure) {
  const legend = el("div", "gf-legend");
  const bar = el("span", "gf-bar", { "aria-hidden": "true" });
  const number = (text) => add(el("span"), text);
  figure.legendBar = bar;
  return add(legend, number(figure.words.scale), number("0"), bar, number("1"));
}

export function buildSwitch(figure) {
  const label = el("label", "gf-switch");
  const box = el("input", "", { type: "checkbox", role: "switch" });
  box.checked = figure.hide;
  box.addEventListener("change", () => figure.hideSpecials(box.checked));
  return add(label, box, add(el("span"), figure.words.hide_specials));
}

export function writeTexts(figure) {
  const { parts, words } = figure;
  const panel = figure.panel();
  const at = figure.shown();
  figure.readout = readoutOf(figure);
  say(parts.said, figure.readout);
  say(parts.read, readBeside(figure));
  parts.readout.dataset.state = figure.active().state;
  say(parts.about, words[figure.view === "links" ? "about_links" : `about_${panel.kind}`]);
  const blocks = panel.joined ? blocksHere(figure) : "";
  say(parts.note, [parts.title ? "" : blocks, figure.hide ? words.hidden_note : ""].filter(Boolean).join(" "));
  say(parts.reduced, whatIsReduced(figure));
  if (parts.title) {
    say(parts.title, figure.headName(at));
    parts.title.dataset.kind = panel.kind;
    // the entropy of blocks would not be that of the head
    say(parts.entropy, blocks || fill(words.entropy, { bits: meanEntropy(panel, at).toFixed(2) }));
    say(parts.caption, captionOf(figure));
    parts.caption.dataset.kind = panel.kind;
    figure.legendBar.style.backgroundImage = `linear-gradient(to right, ${figure.theme.kinds[panel.kind].ramp})`;
  }
}

// The picture as a list, for those who do not see it; for the locked head only, or it would chatter.
export function writeSummary(figure) {
  const at = figure.locked;
  const panel = figure.panelOf(at);
  const { rows } = figure.visible(panel);
  const columns = panel.keys.map((_, i) => i); // "most" means of all keys, hidden ones too
  const lines = rows.map((query) => {
    if (!hasWeights(panel, at, query)) return add(el("li"), fill(figure.words.no_weights, { query: panel.queries[query] }));
    const key = strongestKey(panel, at, query, columns);
    const values = { query: panel.queries[query], key: panel.keys[key], weight: three(weightAt(panel, at, query, key)) };
    return add(el("li"), fill(figure.words.summary_row, values));
  });
  say(figure.parts.summaryTitle, fill(figure.words.summary, { head_name: figure.headName(at) }));
  figure.parts.summary.replaceChildren(...lines);
}
