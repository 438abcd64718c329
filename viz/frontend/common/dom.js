// Small helpers for elements, words and numbers.

import { whole } from "./numbers.js";

export function el(tag, className = "", attributes = {}) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

export function add(parent, ...children) {
  parent.append(...children);
  return parent;
}

export function actionButton(label, act, look = "", attributes = {}) {
  const node = add(el("button", look, { type: "button", ...attributes }), label);
  node.addEventListener("click", act);
  return node;
}

// Tokens are put in once and never looked into again: braces in a sentence stay braces.
export function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (mark, name) => (name in values ? plain(values[name]) : mark));
}

const plain = (value) => (Number.isInteger(value) ? whole(value) : value);

export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// The same as nodes: a value with a language stands in an element of its own, a value of nodes as it is.
export function filledNodes(template, values, languages = {}) {
  return template.split(/(\{\w+\})/).flatMap((part) => {
    const name = part.slice(1, -1);
    if (!part.startsWith("{") || !(name in values)) return [part];
    return Array.isArray(values[name]) ? values[name] : [inLanguage(plain(values[name]), languages[name])];
  });
}

function inLanguage(value, language) {
  if (!language) return String(value);
  const node = add(el("span"), String(value));
  speak(node, language, node.textContent);
  return node;
}

// White space alone would be an empty label.
export function shownToken(token) {
  return token.trim() ? token : token.replace(/\n/g, "⏎").replace(/\s/g, "␣") || "∅";
}

// How a figure is used; `keys` is for those who have a keyboard.
export function help(text, keys) {
  return add(el("p", "gf-help"), `${text} `, add(el("span", "gf-keys"), keys));
}

export const three = (value) => value.toFixed(3);

// A weight in a cell.
export const short = (value) => value.toFixed(2);

const RAISED = { "-": "⁻", ...Object.fromEntries([..."⁰¹²³⁴⁵⁶⁷⁸⁹"].entries()) };
// An exponent as a power of ten: 10⁻⁵ of −5
export const powerOfTen = (exponent) => `10${[...String(exponent)].map((sign) => RAISED[sign]).join("")}`;

// Whether a label is Chinese, Japanese or Korean.
export const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

export const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// One measure of text, shared: a canvas knows the width before the word is on the page.
let rulerPen = null;
export const ruler = () => (rulerPen ??= document.createElement("canvas").getContext("2d"));

export function widths(tokens, font) {
  const pen = ruler();
  pen.font = font;
  return tokens.map((token) => Math.ceil(pen.measureText(token).width));
}

const CHINESE = /\p{Script=Han}/u;

// Characters are Chinese whatever language the model is said to speak.
export const languageOf = (text, language) => (CHINESE.test(text) ? "zh-CN" : language);

// The language of a text, for screen readers and fonts.
export function speak(node, language, text = "") {
  const tag = languageOf(text, language);
  if (tag) node.lang = tag;
  else node.removeAttribute("lang");
}

// The label of a row or a column, `at` which cell it stands.
export function labelToken(label, at, attributes = {}) {
  const node = el("span", "gf-token", { title: label, ...attributes });
  speak(node, attributes.lang, label);
  node.style.setProperty("--at", at);
  say(node, label);
  return node;
}

// A canvas with just so many pixels, for a picture that is widened.
export function pixelCanvas(canvas, width, height) {
  Object.assign(canvas, { width, height });
  return canvas.getContext("2d");
}

const MOST_PIXELS = 32000; // that a browser takes along one side

export function sizeCanvas(canvas, width, height) {
  const ratio = Math.min(window.devicePixelRatio || 1, MOST_PIXELS / Math.max(width, height));
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// Over so many columns and rows of a grid, from one cell on.
export function place(node, column, row, columns, rows) {
  node.style.setProperty("--x", column);
  node.style.setProperty("--y", row);
  node.style.setProperty("--w", columns);
  node.style.setProperty("--h", rows);
}
