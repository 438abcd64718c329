// What the questions of a unit are made of: options, verdicts, marks, rows of weights.

import { add, el, say, shownToken } from "../../../viz/frontend/common/dom.js";
import { button, text } from "../page/parts.js";

// Options of a question, [value, label]: `tried` ones are marked, and of a question that is `over` the right ones. Keys 1
// to 4 choose, too. `act` gets the value.
export function optionsNode(options, { tried, right, isOver }, act) {
  const row = el("div", "options");
  options.forEach(([value, label], at) => {
    const isRight = isOver && right.includes(value);
    const node = button(`${isRight ? "✓ " : tried.includes(value) ? "✗ " : ""}${label}`, () => act(value), "button option");
    node.disabled = isOver || tried.includes(value);
    node.dataset.key = String(at + 1);
    node.toggleAttribute("data-right", isRight);
    row.append(node);
  });
  return row;
}

export function listenForKeys() {
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("[type=text], textarea")) return;
    if (!/^[1-9]$/.test(event.key)) return;
    document.querySelector(`.option[data-key="${event.key}"]:not(:disabled)`)?.click();
  });
}

export function verdictNode(content, look) {
  const node = text(content, `verdict ${look}`);
  node.setAttribute("role", "status");
  return node;
}

// A mark for each step, "first", "later", "told" or "" (open): the drawing of viz/html/quiz.py.
export function stripNode(states, at) {
  const marks = states.map((state, each) => el("span", [state && `gf-${state}`, each === at && "gf-here"].filter(Boolean).join(" ")));
  return add(el("div", "gf-strip", { "aria-hidden": "true" }), ...marks);
}

// A row of weights as a table with bars; null is the one that is asked for. The drawing of viz/html/quiz.py.
export function weightsNode(title, tokens, weights, { colour = "cross", decimals = 3 } = {}) {
  const table = add(el("table", "gf-weights"), add(el("caption"), title));
  tokens.forEach((token, at) => {
    const weight = weights[at];
    const [row, name, number, bar] = [el("tr", weight === null ? "gf-asked" : ""), el("th", "", { scope: "row" }), el("td", "gf-number"), el("td", "gf-bar")];
    say(name, shownToken(token));
    say(number, weight === null ? "?" : weight.toFixed(decimals));
    if (weight !== null) bar.append(el("div", "", { style: `width: ${(100 * Math.max(0, weight)).toFixed(2)}%; background: var(--gf-${colour})` }));
    table.append(add(row, name, number, bar));
  });
  return table;
}

// A slider over named places; `act` gets the place.
export function sliderNode(label, names, at, act) {
  const [title, output] = [el("span"), el("output")];
  const input = el("input", "", { type: "range", min: "0", max: String(names.length - 1), step: "1", value: String(at) });
  const show = () => {
    say(output, names[Number(input.value)]);
    input.style.setProperty("--share", `${(100 * Number(input.value)) / (names.length - 1)}%`);
    input.setAttribute("aria-valuetext", output.textContent);
  };
  say(title, label);
  input.addEventListener("input", () => {
    show();
    act(Number(input.value));
  });
  show();
  return add(el("label", "steps-slider"), title, add(el("div", "row"), input, output));
}
