// What tabs are made of: texts, choices, buttons, outputs beside each other.

import { actionButton, add, el, say, shownToken } from "../../../viz/frontend/common/dom.js";
import { isSpecial } from "./figure_data.js";
import { words } from "./words.js";

export const text = (content, look = "") => add(el("p", look), content);

export function heading(content, level = "h2") {
  return add(el(level), content);
}

export function card(...children) {
  return add(el("section", "card"), ...children);
}

export const button = (label, act, look = "button") => actionButton(label, act, look);

// A field with its name.
export function labelled(name, field) {
  return add(el("label", "field"), add(el("span"), name), field);
}

// A form; `act` is called in place of sending it.
export function form(look, act, ...children) {
  const node = add(el("form", look), ...children);
  node.addEventListener("submit", (event) => {
    event.preventDefault();
    act();
  });
  return node;
}

// A line that is hidden while it says nothing; role: how a screen reader hears it.
export class Notice {
  constructor(role) {
    this.node = text("", "notice");
    this.node.setAttribute("role", role);
    this.node.hidden = true;
  }

  say(content) {
    say(this.node, content);
    this.node.hidden = !content;
  }
}

// A number with its sign and a real minus, as viz/numbers.py writes it.
export function signed(value) {
  if (!Number.isFinite(value)) return "–";
  const said = Math.abs(value).toFixed(2);
  return Number(said) ? `${value < 0 ? "−" : "+"}${said}` : said;
}

// A switch: `act` gets whether it is on.
export class Switch {
  constructor(act, label = "") {
    this.input = el("input", "", { type: "checkbox" });
    this.input.addEventListener("change", () => act(this.input.checked));
    this.label = add(el("span"), label);
    this.node = add(el("label", "switch"), this.input, this.label);
  }

  show(label, isOn) {
    say(this.label, label);
    this.input.checked = isOn;
  }
}

let groups = 0;

// One of several, as in the app: options are [value, label, title]. `act` gets the value chosen; of "several" any may be
// chosen, and `act` gets the list of them. `hideable` is the name by which a teacher hides such controls.
export class Pills {
  constructor(label, act, look = "pills", hideable = "", choice = "one") {
    this.act = choice === "one" ? act : () => act(this.checked());
    this.type = choice === "one" ? "radio" : "checkbox";
    this.name = `choice-${++groups}`;
    this.row = el("div", look);
    this.node = add(el("fieldset", "choice", hideable && { "data-hideable": hideable }), add(el("legend"), label), this.row);
    this.form = "";
  }

  show(options, chosen) {
    const form = JSON.stringify(options);
    if (form !== this.form) this.build(options);
    this.form = form;
    const all = [chosen].flat().map(String);
    for (const input of this.row.querySelectorAll("input")) input.checked = all.includes(input.value);
  }

  checked() {
    return [...this.row.querySelectorAll("input:checked")].map(({ value }) => value);
  }

  build(options) {
    const nodes = options.map(([value, label, title]) => {
      const input = el("input", "", { type: this.type, name: this.name, value: String(value) });
      input.addEventListener("change", () => this.act(value));
      const node = add(el("label", "pill"), input, add(el("span"), label));
      if (title) node.title = title;
      return node;
    });
    this.row.replaceChildren(...nodes);
  }
}

// Outputs beside each other, { name, tokens, forced, note }: the drawing of viz/html/outputs.py.
export function outputsNode(outputs) {
  const shared = sharedPlaces(outputs[0].tokens, outputs[1].tokens);
  const nodes = outputs.map((output, side) => {
    const tokens = output.tokens.map((token, at) => tokenNode(shownToken(token), output.forced?.has(at), shared[side].has(at)));
    const line = el("p");
    tokens.forEach((token, at) => line.append(at ? " " : "", token));
    return add(el("section"), heading(output.name, "h3"), line, text(output.note ?? "", "gf-under"));
  });
  return add(el("div", "gf-outputs"), ...nodes);
}

function tokenNode(token, isForced, isShared) {
  if (isForced) return add(el("b", "", { title: words("decoding_forks.forced") }), token);
  return isShared ? add(el("span"), token) : add(el("ins", "", { title: words("intervene_outputs.different") }), token);
}

// The places, in each, of the longest list of tokens that both have in this order.
export function sharedPlaces(first, second) {
  const longest = Array.from({ length: first.length + 1 }, () => new Uint16Array(second.length + 1));
  for (let i = first.length - 1; i >= 0; i--) {
    for (let j = second.length - 1; j >= 0; j--) {
      longest[i][j] = first[i] === second[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  const places = [new Set(), new Set()];
  for (let i = 0, j = 0; i < first.length && j < second.length; ) {
    if (first[i] === second[j]) {
      places[0].add(i++);
      places[1].add(j++);
    } else if (longest[i + 1][j] >= longest[i][j + 1]) i += 1;
    else j += 1;
  }
  return places;
}

// Tokens as labels of choices: a second one of the same name gets its place.
export const distinctTokens = (tokens) =>
  tokens.map((token, at) => (tokens.indexOf(token) < at ? `${shownToken(token)} (${at})` : shownToken(token)));

// The place of the longest word, which has the most to tell.
export function longestAt(tokens) {
  const lengths = tokens.map((token) => (token.startsWith("<") || isSpecial(token) ? 0 : token.length));
  return lengths.indexOf(Math.max(...lengths));
}

// The table of viz/html/plain_table.py.
export function table(heads, rows, chosen, look = "gf-plain") {
  const head = add(el("tr"), ...heads.map((content) => add(el("th", "", { scope: "col" }), content)));
  const lines = rows.map(([first, ...others], at) => {
    const line = add(el("tr", "", at === chosen ? { "aria-current": "true" } : {}), add(el("th", "", { scope: "row" }), first));
    return add(line, ...others.map((other) => add(el("td"), other)));
  });
  const whole = add(el("table", look), add(el("thead"), head), add(el("tbody"), ...lines));
  return add(el("div", "gf-wide", { tabindex: "0", role: "group" }), whole);
}

// The buttons of the languages { code: { short, name, tag } }, of which one is spoken; `choose` gets a code.
export function languageButtons(languages, spoken, choose) {
  const row = el("div", "languages", { role: "group", "aria-label": words("frame.language") });
  for (const [language, { short, name, tag }] of Object.entries(languages)) {
    const node = button(short, () => choose(language), "pill-button");
    node.lang = tag;
    node.title = name;
    node.setAttribute("aria-pressed", String(language === spoken));
    row.append(node);
  }
  return row;
}

// The licences of all that the page holds, closed.
export function licences() {
  const notice = document.getElementById("notice")?.content.textContent.trim() ?? "";
  return add(el("details"), add(el("summary"), words("live.licences")), add(el("pre"), notice));
}
