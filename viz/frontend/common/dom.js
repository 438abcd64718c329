// Small helpers for elements, words and numbers.

function el(tag, className = "", attributes = {}) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

function add(parent, ...children) {
  parent.append(...children);
  return parent;
}

// Tokens are put in once and never looked into again: braces in a sentence stay braces.
function fill(template, values) {
  return template.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? values[name] : whole));
}

function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// White space alone would be an empty label.
function shownToken(token) {
  return token.trim() ? token : token.replace(/\n/g, "⏎").replace(/\s/g, "␣") || "∅";
}

const three = (value) => value.toFixed(3);

// .65, and 1.0 for what rounds to 1
const short = (value) => (value >= 0.995 ? "1.0" : value.toFixed(2).slice(1));

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// One measure of text, shared: a canvas knows the width before the word is on the page.
const ruler = document.createElement("canvas").getContext("2d");

function widths(tokens, font) {
  ruler.font = font;
  return tokens.map((token) => Math.ceil(ruler.measureText(token).width));
}

function sizeCanvas(canvas, width, height) {
  const ratio = window.devicePixelRatio || 1;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.style.width = `${width}px`;
  canvas.style.height = `${height}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  return context;
}

// Over so many columns and rows of a grid, from one cell on.
function place(node, column, row, columns, rows) {
  node.style.setProperty("--x", column);
  node.style.setProperty("--y", row);
  node.style.setProperty("--w", columns);
  node.style.setProperty("--h", rows);
}
