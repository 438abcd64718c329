// What surrounds the large map or the links of a figure: the wall, titles, texts; beside each other where there is room.

import { add, el, fill, help, say } from "../common/dom.js";
import { buildChips, buildLinks, layoutLinks } from "./links/links.js";
import { buildMap, layoutMap, mapFits, textBeside } from "./map.js";
import { buildLegend, buildSwitch } from "./text.js";
import { buildWall, layoutWall } from "./wall.js";

const BESIDE_MATRIX = 740;
const BESIDE_LINKS = 700;
const CARD_PAD = 20;

export function buildFrame(figure) {
  const wall = buildWall(figure);
  wall.setAttribute("aria-description", figure.words.wall_help);
  return figure.view === "matrix" ? matrixFrame(figure, wall) : linksFrame(figure, wall);
}

export function layoutFrame(figure, width) {
  const beside = width >= (figure.view === "matrix" ? BESIDE_MATRIX : BESIDE_LINKS);
  figure.frameNode.dataset.beside = beside;
  if (figure.view === "links") layoutLinked(figure, width, beside);
  else layoutMatrix(figure, width, beside);
  say(figure.parts.wallCaption, wallCaption(figure));
}

function layoutMatrix(figure, width, beside) {
  layoutWall(figure, width - 2 * CARD_PAD - 2, beside);
  const wall = figure.frameNode.firstElementChild;
  figure.room = (beside ? width - wall.offsetWidth - 16 : width) - 2 * CARD_PAD - 2;
  // A map that would be cut beside the wall has the whole width below it.
  if (beside && !mapFits(figure, figure.room)) {
    figure.frameNode.dataset.beside = "false";
    layoutMatrix(figure, width, false);
    return;
  }
  figure.frameNode.lastElementChild.dataset.aside = textBeside(figure, figure.room);
  layoutMap(figure, figure.room);
}

function layoutLinked(figure, width, beside) {
  const inside = width - 2 * CARD_PAD - 2;
  layoutWall(figure, beside ? 250 : inside, beside);
  const wall = figure.frameNode.querySelector(".gf-wall");
  figure.room = beside ? inside - wall.offsetWidth - 36 : inside;
  layoutLinks(figure, figure.room);
  if (!beside || !figure.links.upright) return;
  // A sentence that fits a line of its own gets it; the wall moves below.
  layoutLinks(figure, inside);
  if (figure.links.upright) layoutLinks(figure, figure.room);
  else figure.frameNode.dataset.beside = "false";
}

function matrixFrame(figure, wall) {
  const { parts, words } = figure;
  Object.assign(parts, { wallCaption: el("p", "gf-about"), title: el("h2", "gf-title"), entropy: el("p", "gf-entropy"), caption: el("p", "gf-caption") });
  const wallCard = add(el("section", "gf-card gf-wall-card"), wall, parts.wallCaption);
  const titles = add(el("div"), parts.title, parts.entropy);
  const head = add(el("div", "gf-top"), titles, buildLegend(figure));
  const foot = add(el("div", "gf-foot"), add(el("div"), parts.about, parts.note), buildSwitch(figure));
  const mapCard = add(el("section", "gf-card gf-map-card"), head, parts.caption, buildMap(figure), parts.readout, foot);
  figure.map.grid.setAttribute("aria-description", words.map_help);
  return add(el("div", "gf-frame gf-matrix-frame"), wallCard, mapCard);
}

function linksFrame(figure, wall) {
  const { parts, words } = figure;
  const how = help(`${words.links_help} ${words.chips_help}`, `${words.links_keys} ${words.chips_keys}`);
  parts.wallCaption = el("p", "gf-about");
  const overview = add(el("div", "gf-links-wall"), wall, parts.wallCaption);
  const body = add(el("div", "gf-links-body"), add(el("div", "gf-links-main"), add(el("div", "gf-tall"), buildLinks(figure)), parts.readout), overview);
  const foot = add(el("div", "gf-foot"), add(el("div"), how, parts.about, parts.note), buildSwitch(figure));
  const card = el("section", "gf-card");
  if (figure.playback) {
    figure.playback.build();
    add(card, figure.playback.bar, figure.playback.text);
  }
  add(card, buildChips(figure), body, foot);
  return add(el("div", "gf-frame"), card);
}

function wallCaption(figure) {
  const panels = [...figure.panels.values()];
  const span = (count) => (count > 1 ? `0–\u2060${count - 1}` : "0");
  const caption = fill(figure.words.wall_caption, {
    layers: span(Math.max(...panels.map((panel) => panel.layers))),
    heads: span(Math.max(...panels.map((panel) => panel.heads))),
  });
  return figure.blocks.some((block) => block.crowded) ? `${caption}\n${figure.words.wall_reduced}` : caption;
}
