// The labels that a model gives, in one pass or in several beside each other: pages/shared/ui/label_table.py.

import { add, el, say, shownToken } from "../../../viz/frontend/common/dom.js";
import { percent } from "../../../viz/frontend/common/numbers.js";
import { likeliest, logSum } from "../decoding.js";
import { card, heading, text } from "./parts.js";
import { words } from "./words.js";

const MOST = 12; // labels of a sentence that are listed

// The card of a result's labels, or null of a model without any.
export function labelsCard({ label_each: each, labels }, result) {
  if (!result.values.labels) return null;
  const hint = text(words(each ? "labels.hint_token" : "labels.hint_sentence"), "caption");
  const head = words(each ? "labels.label" : "labels.probability");
  return card(heading(words("labels.title")), hint, labelTable({ labels, each, tokens: result.sourceTokens }, { [head]: result.values.labels }));
}

// A column for each pass: its head, and its logits (S or 1, labels).
export function labelTable({ labels, each, tokens }, passes) {
  const columns = Object.values(passes).map(({ data, shape: [rows] }) => Array.from({ length: rows }, (_, row) => sharesOf(data, row, labels.length)));
  const lines = each ? ofTokens(labels, columns, tokens) : ofSentence(labels, columns);
  return table([words(each ? "labels.token" : "labels.label"), ...Object.keys(passes)], lines, each ? -1 : 0);
}

function sharesOf(data, row, count) {
  const logits = data.subarray(row * count, (row + 1) * count);
  const sum = logSum(logits);
  return Array.from(logits, (logit) => Math.exp(logit - sum));
}

// The places of numbers, the largest first.
const ordered = (numbers) => numbers.map((_, at) => at).sort((a, b) => numbers[b] - numbers[a]);

const ofSentence = (labels, columns) =>
  ordered(columns[0][0]).slice(0, MOST).map((at) => [labels[at], ...columns.map(([shares]) => percent(shares[at], 1))]);

const ofTokens = (labels, columns, tokens) =>
  tokens.map((token, at) => [shownToken(token), ...columns.map((rows) => labelOf(labels, rows[at]))]);

function labelOf(labels, shares) {
  const best = likeliest(shares);
  return `${labels[best]} · ${percent(shares[best], 1)}`;
}

// The table of viz/html/plain_table.py.
function table(heads, rows, chosen) {
  const head = add(el("tr"), ...heads.map((content) => cell("th", content, { scope: "col" })));
  const lines = rows.map(([first, ...others], at) => {
    const line = add(el("tr", "", at === chosen ? { "aria-current": "true" } : {}), cell("th", first, { scope: "row" }));
    return add(line, ...others.map((other) => cell("td", other)));
  });
  const whole = add(el("table", "gf-plain"), add(el("thead"), head), add(el("tbody"), ...lines));
  return add(el("div", "gf-wide", { tabindex: "0", role: "group" }), whole);
}

function cell(kind, content, attributes = {}) {
  const node = el(kind, "", attributes);
  say(node, content);
  return node;
}
