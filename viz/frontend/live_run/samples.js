// What a model writes while it learns, as a table.

import { add, el, say, speak } from "../common/dom.js";

// The rows stay, only their words change.
export function drawSamples(place, samples, words, languages) {
  if (!samples.length) return;
  if (!place.firstChild) {
    const heads = ["source", "reference", "output"].map((name) => add(el("th", "", { scope: "col" }), words[name]));
    const head = add(el("thead"), add(el("tr"), ...heads));
    const box = add(el("div", "gf-wide", { tabindex: "0", role: "group", "aria-label": words.samples }));
    add(place, add(el("h3"), words.samples), add(box, add(el("table"), head)));
  }
  const table = place.querySelector("table");
  const groups = [true, false].map((held) => samples.filter((sample) => sample.held_out === held)).filter((group) => group.length);
  const shape = groups.map((group) => group.length).join();
  if (table.dataset.shape !== shape) {
    table.dataset.shape = shape;
    for (const body of table.querySelectorAll("tbody")) body.remove();
    for (const group of groups) {
      const title = add(el("th", "gf-group", { scope: "rowgroup", colspan: "3" }), group[0].held_out ? words.held_out : words.learned);
      const rows = group.map(() => add(el("tr"), el("td"), el("td"), el("td")));
      add(table, add(el("tbody"), add(el("tr"), title), ...rows));
    }
  }
  groups.forEach((group, g) => {
    const rows = table.tBodies[g].rows;
    group.forEach(({ source, reference, output, right }, i) => {
      const [a, b, c] = rows[i + 1].cells;
      say(a, source);
      say(b, reference);
      const verdict = right === null ? "" : `${right ? "✓" : "✗"} `; // none where an input has many good outputs
      say(c, `${verdict}${output || words.nothing}`);
      speak(a, languages.source, source);
      speak(b, languages.target, reference);
      if (output) speak(c, languages.target, output);
      else c.removeAttribute("lang");
      c.dataset.right = right;
      if (right !== null) c.setAttribute("aria-label", `${right ? words.right : words.wrong}: ${output || words.nothing}`);
      else c.removeAttribute("aria-label");
    });
  });
}
