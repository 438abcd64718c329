// Words linked to words: keys on one side, queries on the other, lines by weight between.

import { add, el, fill, say, sizeCanvas, speak, widths } from "../../common/dom.js";
import { pointerMoved } from "../../common/pointer.js";
import { placeOfToken, TALL } from "../map.js";
import { linksLayout, namesAt } from "./layout.js";
import { drawCurves, drawStrip } from "./lines.js";
import { largest } from "../measures.js";

export function buildLinks(figure) {
  const stage = el("div", "gf-links");
  const canvas = el("canvas", "", { "aria-hidden": "true" });
  const keys = el("div", "gf-side", { role: "group" });
  const queries = el("div", "gf-side", { role: "group" });
  const name = (side) => el("div", "gf-side-name", { "aria-hidden": "true", "data-side": side });
  const names = { key: name("key"), query: name("query") };
  add(stage, canvas, names.key, keys, names.query, queries);
  figure.links = { stage, canvas, keys, queries, names };
  stage.addEventListener("pointermove", (event) => {
    const token = event.target.closest(".gf-token");
    if (pointerMoved(event)) figure.pointAt(token && placeOfToken(token));
  });
  stage.addEventListener("pointerleave", () => figure.pointAt(null));
  stage.addEventListener("click", (event) => {
    const token = event.target.closest(".gf-token");
    if (token) figure.pinAt(placeOfToken(token));
  });
  stage.addEventListener("focusin", (event) => {
    if (event.target.matches(":focus-visible")) figure.pointAt(placeOfToken(event.target));
  });
  stage.addEventListener("focusout", () => figure.pointAt(null));
  stage.addEventListener("keydown", (event) => onTokenKey(figure, event));
  return stage;
}

export function layoutLinks(figure, room) {
  const { links } = figure;
  const panel = figure.panel();
  const measure = (labels, size) => widths(labels, `700 ${size}px ${figure.font}`);
  const laid = linksLayout(panel, figure.visible(panel), room, measure, targetOf(links.stage));
  const { upright, width, height, high, pair } = laid;
  Object.assign(links, laid, { tokens: pair.flat(), panel });
  links.stage.dataset.upright = upright;
  links.stage.style.setProperty("--token-height", `${high}px`);
  links.stage.style.maxWidth = upright ? `${width}px` : "";
  links.stage.style.height = `${height}px`;
  links.stage.parentElement.dataset.tall = height > TALL;
  links.context = sizeCanvas(links.canvas, width, height);
  placeTokens(figure, links.keys, pair[0]);
  placeTokens(figure, links.queries, pair[1]);
  nameSides(figure, panel.kind);
}

// What one touches is at least so many px high; the page says it in rem, a live page in px, a file not at all.
function targetOf(node) {
  const said = getComputedStyle(node).getPropertyValue("--gf-target").trim();
  const unit = said.endsWith("rem") ? parseFloat(getComputedStyle(document.documentElement).fontSize) : 1;
  return (parseFloat(said) || 0) * unit;
}

function nameSides(figure, kind) {
  const { names, keys, queries, upright, height } = figure.links;
  for (const [side, group] of [["key", keys], ["query", queries]]) {
    const text = figure.words[`${side === "key" ? "keys" : "queries"}_${kind}`];
    say(names[side], text);
    group.setAttribute("aria-label", text);
    const language = figure.languageOf(side, kind);
    for (const node of group.children) speak(node, language, node.textContent);
  }
  names.query.style.top = upright ? "0" : `${height - 18}px`;
  const at = namesAt(figure.links, names.key.offsetWidth, names.query.offsetWidth);
  for (const side of ["key", "query"]) names[side].style.left = `${at[side]}px`;
}

// The buttons stay while the words do, so that focus is not lost.
function placeTokens(figure, group, side) {
  const before = new Map([...group.children].map((node) => [node.dataset.index, node]));
  const nodes = side.map((token) => {
    const node =
      before.get(String(token.index)) ||
      el("button", "gf-token", { type: "button", "data-side": token.side, "data-index": token.index });
    say(node, token.label);
    node.title = token.label;
    node.classList.toggle("gf-special", token.special);
    node.style.left = `${token.left}px`;
    node.style.top = `${token.y}px`;
    node.style.width = `${token.width}px`;
    node.style.fontSize = `${figure.links.size}px`;
    token.node = node;
    return node;
  });
  if (nodes.length !== group.children.length || nodes.some((node, i) => group.children[i] !== node)) {
    group.replaceChildren(...nodes);
  }
}

export function drawLinks(figure) {
  const { links } = figure;
  const panel = figure.panel();
  if (links.panel !== panel) layoutLinks(figure, figure.room);
  const active = figure.active();
  const from = active.main === "key" ? "key" : "query";
  const index = active[from];
  links.context.clearRect(0, 0, links.width, links.height);
  const heads = figure.preview ? [figure.preview.head] : [...figure.drawn].sort((a, b) => a - b);
  const look = { panel, at: figure.shown(), theme: figure.theme };
  const isStrong = (key, query) => (from === "key" ? key : query) === index;
  const grown = (query) => (query === figure.playback?.at ? figure.playback.grown : 1);
  drawCurves(links, links.tokens.filter((token) => !isUnwritten(figure, token)), { ...look, heads, isStrong, grown });
  for (const token of links.tokens) {
    const on = token.side === from && token.index === index;
    token.node.classList.toggle("gf-on", on);
    token.node.classList.toggle("gf-strongest", token.side !== from && token.index === active[token.side]);
    token.node.dataset.state = on ? active.state : "";
    token.node.classList.toggle("gf-unwritten", isUnwritten(figure, token));
    token.node.setAttribute("aria-pressed", String(on && active.state === "locked"));
    token.node.tabIndex = on ? 0 : -1;
    if (token.side !== from && !isUnwritten(figure, token)) drawStrip(links, token, index, look);
  }
}

function isUnwritten(figure, token) {
  return token.side === "query" && Boolean(figure.playback?.isHidden(token.index));
}

function onTokenKey(figure, event) {
  const node = event.target.closest(".gf-token");
  const { tokens, upright } = figure.links;
  const here = node && tokens.find((token) => token.node === node);
  const along = upright ? ["ArrowUp", "ArrowDown"] : ["ArrowLeft", "ArrowRight"];
  const across = upright ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
  if (!here) return;
  const side = tokens.filter((token) => token.side === here.side);
  let next = null;
  if (along.includes(event.key)) next = side[side.indexOf(here) + (event.key === along[0] ? -1 : 1)];
  else if (event.key === "Home") next = side[0];
  else if (event.key === "End") next = side.at(-1);
  else if (across.includes(event.key)) {
    const wanted = event.key === across[0] ? "key" : "query";
    const others = tokens.filter((token) => token.side === wanted && wanted !== here.side);
    if (others.length) next = largest(others, (token) => -Math.abs(token.x - here.x));
  } else return;
  event.preventDefault();
  if (next) next.node.focus();
}

// Chips: which heads have lines. The strips always show all of them.
export function buildChips(figure) {
  const chips = el("div", "gf-chips", { role: "group", "aria-label": figure.words.heads });
  const kind = el("span", "gf-kind-chip");
  figure.kindChip = kind;
  figure.chips = [...Array(figure.panel().heads).keys()].map((head) => buildChip(figure, head));
  return add(chips, kind, ...figure.chips);
}

function buildChip(figure, head) {
  const chip = el("button", "gf-chip", { type: "button", "data-head": head, title: `${figure.words.chips_help} ${figure.words.chips_keys}` });
  add(chip, el("span", "gf-swatch"), add(el("span"), fill(figure.words.head, { head })));
  chip.addEventListener("click", (event) => {
    if (event.shiftKey) figure.leaveAlone(head);
    else figure.toggleHead(head);
  });
  chip.addEventListener("dblclick", () => figure.leaveAlone(head));
  return chip;
}

export function markChips(figure) {
  const at = figure.shown();
  say(figure.kindChip, `${figure.words[at.kind]} · ${fill(figure.words.layer, { layer: at.layer })}`);
  figure.kindChip.dataset.kind = at.kind;
  figure.chips.forEach((chip, head) => {
    const on = figure.preview ? head === figure.preview.head : figure.drawn.has(head);
    chip.setAttribute("aria-pressed", String(on));
    chip.style.setProperty("--swatch", figure.theme.heads[head % figure.theme.heads.length]);
  });
}
