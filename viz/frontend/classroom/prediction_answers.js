// How a prediction is answered: by one of some options, by a slider, or in the row of attention that it asks about. The
// row is a figure with a cell for each word. Its weights are not there before they are measured; then they fill the cells.

import { add, el, short, shownToken } from "../common/dom.js";

// choices: [[answer, text], …]; choose: gets the answer.
export function choiceRadios(name, choices, value, choose) {
  const list = el("div", "gf-choices", { role: "radiogroup" });
  for (const [answer, text] of choices) {
    const input = el("input", "", { type: "radio", name: `gf-${name}`, value: answer });
    input.checked = answer === value;
    input.onchange = () => choose(answer);
    add(list, add(el("label"), input, add(el("span"), text)));
  }
  return list;
}

// A slider from 0 to 100 %, without an answer at first.
export function percentSlider(chosen, label, choose) {
  const input = el("input", "", { type: "range", min: 0, max: 100, step: 1, "aria-label": label });
  const shown = el("output");
  const draw = (answer) => (shown.textContent = answer === undefined ? "?%" : `${answer}%`);
  input.value = chosen ?? "50";
  input.oninput = () => (choose(input.value), draw(input.value));
  input.onclick = input.oninput; // who means the middle
  draw(chosen);
  return add(el("div", "gf-slider"), input, shown);
}

// The row to answer in, by a click on a word or its cell or with the arrow keys: { query, kind, options: [[answer, word], …] }.
export function emptyRow({ query, kind, options }, label, chosen, choose) {
  const list = choiceRadios("answer", options.map(([answer, word]) => [answer, shownToken(word)]), chosen, choose);
  list.setAttribute("aria-label", label);
  list.classList.add("gf-words");
  for (const each of list.children) each.append(el("i"));
  return wordsOfRow(query, kind, list);
}

// The same row with its weights, `shares` by answer: the right word and the own one are marked.
export function measuredRow({ query, kind, options, shares, key }, mine) {
  const list = el("ul", "gf-words");
  for (const [answer, word] of options) {
    const cell = el("i");
    cell.style.setProperty("--share", `${100 * shares[answer]}%`);
    const name = add(el("span"), `${answer === key ? "✓ " : ""}${shownToken(word)}`);
    const item = el("li", "", { "data-right": String(answer === key), "data-mine": String(answer === mine) });
    add(list, add(item, name, cell, add(el("b"), short(shares[answer]))));
  }
  return wordsOfRow(query, kind, list);
}

function wordsOfRow(query, kind, list) {
  return add(el("div", "gf-weight-row", { "data-kind": kind }), add(el("span", "gf-query"), `${shownToken(query)} →`), list);
}
