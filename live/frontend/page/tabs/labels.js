// The labels that a model gives, in one pass or in several beside each other: pages/shared/ui/label_table.py.

import { add, el, shownToken } from "../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../viz/frontend/common/numbers.js";
import { likeliest } from "../../decoding.js";
import { sharesOf } from "../../labels.js";
import { card, heading, table, text } from "../parts.js";
import { words } from "../words.js";

const MOST = 12; // labels of a sentence that are listed

// The card of a result's labels, or null of a model without any.
export function labelsCard(config, result) {
  if (!result.values.labels) return null;
  const { label_each: each, label_kind: kind } = config;
  const hint = text(words(`labels.hint_${each && kind === "one" ? "token" : kind}`), "caption");
  const head = words(`labels.${kind === "score" ? "number" : each ? "label" : "probability"}`);
  return card(heading(words("labels.title")), hint, labelTable(config, { [head]: result }));
}

// A column for each pass: its head, and its result with labels (S or 1, labels).
export function labelTable({ labels, label_each: each, label_kind: kind }, passes) {
  const heads = Object.keys(passes);
  const results = Object.values(passes);
  const columns = results.map(({ values }) => sharesOf(kind, values.labels));
  const said = kind === "score" ? number : (share) => percent(share, 1);
  if (kind === "span") return answers(results, heads, columns, said);
  if (each) return ofTokens(results[0], heads, columns.map((rows) => rows.map((row) => labelOf(labels, row, said))));
  return table([words("labels.label"), ...heads], ofSentence(labels, columns, said), 0);
}

// With so many decimals as `nats` of pages/shared/text/numbers.py.
const number = (value) => (Number(value.toFixed(3)) + 0).toFixed(3).replace("-", "−");

// The answer of each pass, and for each token how likely it starts and ends there.
function answers(results, heads, columns, said) {
  const several = heads.length > 1;
  const lines = results.flatMap(({ answer }, at) => {
    const found = words("labels.answer", { text: answer.text, share: percent(answer.share, 1) });
    const none = answer.none > answer.share ? [text(words("labels.no_answer", { share: percent(answer.none, 1) }), "caption")] : [];
    return [text(several ? `${heads[at]}: ${found}` : found), ...none];
  });
  const ends = [words("labels.start"), words("labels.end")];
  const names = heads.flatMap((head) => ends.map((end) => (several ? `${head} · ${end}` : end)));
  const shares = columns.flatMap((rows) => ends.map((_, end) => rows.map((row) => said(row[end]))));
  return add(el("div"), ...lines, ofTokens(results[0], names, shares));
}

// A row for each token; of two texts it says which of them the token belongs to.
function ofTokens({ sourceTokens, second }, heads, columns) {
  const texts = second === null ? [] : [sourceTokens.map((_, at) => (at < second ? "1" : "2"))];
  const names = [words("labels.token"), ...texts.map(() => words("labels.text")), ...heads];
  return table(names, sourceTokens.map((token, at) => [shownToken(token), ...[...texts, ...columns].map((column) => column[at])]), -1, "gf-plain gf-long");
}

// The places of numbers, the largest first.
const ordered = (numbers) => numbers.map((_, at) => at).sort((a, b) => numbers[b] - numbers[a]);

const ofSentence = (labels, columns, said) =>
  ordered(columns[0][0]).slice(0, MOST).map((at) => [labels[at], ...columns.map(([shares]) => said(shares[at]))]);

function labelOf(labels, shares, said) {
  const best = likeliest(shares);
  return `${labels[best]} · ${said(shares[best])}`;
}
