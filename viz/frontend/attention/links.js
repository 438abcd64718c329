// Words linked to words: keys on one side, queries on the other, lines by weight between.

import { add, el, fill, say, sizeCanvas, widths } from "../common/dom.js";
import { pointerMoved } from "../common/pointer.js";
import { placeOfToken } from "./map.js";
import { largest, weightAt } from "./measures.js";

const TOKEN_PAD = 10;
const TOKEN_GAP = 8;
const TOKEN_HEIGHT = 34;
const LINES = 96;
const FAINT = { light: [0.03, 0.17], dark: [0.1, 0.28] }; // opacity of the lines beside: at least, and what a weight adds

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

// One object per word, with where it stands once laid out.
function sideOf(side, indices, labels, specials, font) {
  const wide = widths(indices.map((i) => labels[i]), font);
  return indices.map((index, position) => ({
    side, index, label: labels[index], special: Boolean(specials[index]), width: wide[position] + 2 * TOKEN_PAD,
  }));
}

export function layoutLinks(figure, room) {
  const { links } = figure;
  const panel = figure.panel();
  const seen = figure.visible(panel.kind);
  const strip = (square) => panel.heads * (square + 2) - 2;
  const sides = (size) => [
    sideOf("key", seen.columns, panel.keys, panel.keySpecials, `700 ${size}px ${figure.font}`),
    sideOf("query", seen.rows, panel.queries, panel.querySpecials, `700 ${size}px ${figure.font}`),
  ];
  const fitting = (size, square) => {
    const pair = sides(size);
    for (const token of pair.flat()) token.slot = Math.max(token.width, strip(square)) + TOKEN_GAP;
    return pair.every((side) => side.reduce((sum, token) => sum + token.slot, 0) <= room) ? pair : null;
  };
  let square = 9;
  let size = 18;
  let pair = fitting(18, 9) || ((square = 7), (size = 16), fitting(16, 7)) || ((square = 5), fitting(16, 5));
  links.upright = !pair;
  if (links.upright) {
    size = 16;
    square = panel.heads > 6 ? 4 : 7;
    pair = sides(16);
    room = Math.min(room, 620);
    standInColumns(links, pair, room, strip(square));
  } else {
    standInRows(links, pair, room);
  }
  links.square = square;
  links.size = size;
  links.width = room;
  links.tokens = pair.flat();
  links.stage.dataset.upright = links.upright;
  links.stage.style.maxWidth = links.upright ? `${room}px` : "";
  links.stage.style.height = `${links.height}px`;
  links.context = sizeCanvas(links.canvas, room, links.height);
  nameSides(figure, panel.kind);
  placeTokens(figure, links.keys, pair[0]);
  placeTokens(figure, links.queries, pair[1]);
}

const SIDE_NAME = 26;

function standInRows(links, pair, room) {
  const tops = [SIDE_NAME, SIDE_NAME + TOKEN_HEIGHT + 22 + LINES + 22];
  pair.forEach((side, number) => {
    const used = side.reduce((sum, token) => sum + token.slot, 0);
    const spare = Math.min((room - used) / side.length, 64);
    let x = Math.max(0, (room - used - spare * side.length) / 2);
    for (const token of side) {
      token.x = x + (token.slot + spare) / 2;
      token.left = token.x - token.width / 2;
      token.y = tops[number];
      x += token.slot + spare;
    }
  });
  links.height = tops[1] + TOKEN_HEIGHT + SIDE_NAME;
  // Strips sit next to the words, the lines begin beyond them.
  links.strips = { key: tops[0] + TOKEN_HEIGHT + 4, query: tops[1] - 13 };
  links.ends = { key: tops[0] + TOKEN_HEIGHT + 20, query: tops[1] - 20 };
}

function standInColumns(links, pair, room, strip) {
  const most = Math.max(pair[0].length, pair[1].length);
  const step = most > 24 ? 28 : TOKEN_HEIGHT;
  const widest = Math.min(200, Math.floor((room - 2 * (strip + 14) - 56) / 2));
  const [left, right] = pair.map((side) => Math.min(widest, Math.max(...side.map((token) => token.width))));
  pair.forEach((side, number) => {
    side.forEach((token, i) => {
      token.width = Math.min(token.width, number ? right : left);
      token.left = number ? room - right : left - token.width;
      token.y = SIDE_NAME + 4 + i * step;
      token.x = token.y + TOKEN_HEIGHT / 2;
    });
  });
  links.sides = { left, right, room };
  links.height = SIDE_NAME + 4 + most * step + 8;
  links.strips = { key: left + 5, query: room - right - 5 - strip };
  links.ends = { key: left + strip + 12, query: room - right - strip - 12 };
}

function nameSides(figure, kind) {
  const { names, keys, queries, upright, height } = figure.links;
  for (const [side, group] of [["key", keys], ["query", queries]]) {
    const text = figure.words[`${side === "key" ? "keys" : "queries"}_${kind}`];
    say(names[side], text);
    group.setAttribute("aria-label", text);
  }
  names.query.style.top = upright ? "0" : `${height - 18}px`;
  names.key.style.left = names.query.style.left = upright ? "" : "0";
  if (!upright) return;
  // Above their words where there is room, else at the edges.
  const { left, right, room } = figure.links.sides;
  const [key, query] = [names.key.offsetWidth, names.query.offsetWidth];
  names.key.style.left = `${Math.max(0, left - TOKEN_PAD - key)}px`;
  names.query.style.left = `${Math.min(room - right + TOKEN_PAD, room - query)}px`;
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
  const active = figure.active();
  const from = active.main === "key" ? "key" : "query";
  const index = active[from];
  links.context.clearRect(0, 0, links.width, links.height);
  const heads = figure.preview ? [figure.preview.head] : [...figure.drawn].sort((a, b) => a - b);
  drawCurves(figure, panel, heads, (key, query) => (from === "key" ? key : query) === index);
  for (const token of links.tokens) {
    const on = token.side === from && token.index === index;
    token.node.classList.toggle("gf-on", on);
    token.node.classList.toggle("gf-strongest", token.side !== from && token.index === active[token.side]);
    token.node.dataset.state = on ? active.state : "";
    token.node.classList.toggle("gf-unwritten", isUnwritten(figure, token));
    token.node.setAttribute("aria-pressed", String(on && active.state === "locked"));
    token.node.tabIndex = on ? 0 : -1;
    if (token.side !== from && !isUnwritten(figure, token)) drawStrip(figure, panel, token, index);
  }
}

function isUnwritten(figure, token) {
  return token.side === "query" && Boolean(figure.playback?.isHidden(token.index));
}

function drawCurves(figure, panel, heads, isStrong) {
  const tokens = figure.links.tokens.filter((token) => !isUnwritten(figure, token));
  const keys = tokens.filter((token) => token.side === "key");
  const queries = tokens.filter((token) => token.side === "query");
  for (const strong of [false, true]) {
    heads.forEach((head, number) => {
      const at = { ...figure.shown(), head };
      const colour = figure.theme.heads[head % figure.theme.heads.length];
      // Lines of several heads run side by side instead of hiding each other.
      const shift = (number - (heads.length - 1) / 2) * Math.min(4, 14 / heads.length);
      for (const query of queries) {
        for (const key of keys) {
          if (isStrong(key.index, query.index) !== strong) continue;
          const weight = weightAt(panel, at, query.index, key.index);
          if (weight >= (strong ? 0.01 : 0.04)) drawCurve(figure.links, key.x + shift, query.x + shift, weight, colour, strong ? null : FAINT[figure.theme.mode], query.index === figure.playback?.at ? figure.playback.grown : 1);
        }
      }
    });
  }
  figure.links.context.globalAlpha = 1;
}

// `grown` is the share of the line that is drawn, from the key on.
function drawCurve(links, a, b, weight, colour, faint, grown) {
  const { context, ends, upright } = links;
  const middle = (ends.key + ends.query) / 2;
  context.globalAlpha = faint ? faint[0] + faint[1] * weight : 0.2 + 0.8 * weight;
  context.strokeStyle = colour;
  context.lineWidth = 0.8 + 5.2 * weight;
  context.lineCap = "round";
  const length = 1.2 * Math.hypot(ends.query - ends.key, b - a);
  context.setLineDash(grown < 1 ? [grown * length, 2 * length] : []);
  context.beginPath();
  if (upright) {
    context.moveTo(ends.key, a);
    context.bezierCurveTo(middle, a, middle, b, ends.query, b);
  } else {
    context.moveTo(a, ends.key);
    context.bezierCurveTo(a, middle, b, middle, b, ends.query);
  }
  context.stroke();
}

function drawStrip(figure, panel, token, other) {
  const { context, strips, square, upright } = figure.links;
  const { heads, surface } = figure.theme;
  const length = panel.heads * (square + 2) - 2;
  const at = figure.shown();
  for (let head = 0; head < panel.heads; head++) {
    const x = upright ? strips[token.side] + head * (square + 2) : token.x - length / 2 + head * (square + 2);
    const y = upright ? token.x - square / 2 : strips[token.side];
    const [query, key] = token.side === "key" ? [other, token.index] : [token.index, other];
    context.beginPath();
    context.roundRect(x + 0.5, y + 0.5, square - 1, square - 1, 1.5);
    context.globalAlpha = weightAt(panel, { layer: at.layer, head }, query, key);
    context.fillStyle = heads[head % heads.length];
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = surface.line;
    context.lineWidth = 1;
    context.stroke();
  }
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
