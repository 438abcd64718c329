// What stands beside the cells: names with shapes, signs between matrices, tokens.

import { clamp, languageOf } from "../../common/dom.js";
import { TOKENS, shortName } from "../parts.js";

const LABEL_FROM = 12; // pixels of a row that has room for its token
const EDGE_OF_VIEW = 4; // pixels between it and a token
const TOP = 34; // pixels: below the label that says where one is
const LEAST = 30; // pixels of a part whose tokens are still named

const SIGNS = { product: "×", add: "+", softmax: "softmax", norm: "LayerNorm", rms: "RMSNorm", mask: "mask", scale: "⊙", rotation: "R", lookup: "look-up" };

export function paintLabels(figure, piece, at, view) {
  const { context, camera, theme } = figure;
  const { k } = camera.at;
  const { part } = piece;
  if (k >= 0.9) {
    context.font = `600 12px ${figure.font}`;
    context.textAlign = "left";
    context.textBaseline = "alphabetic";
    const name = `${shortName(part)} (${part.recorded.join(", ")})`;
    const hangs = part.kind === 0 || part.role === "k_transposed" || part.role === "v_again";
    const above = hangs && part.rows > 1;
    const room = hangs ? 5 * k : 8 * k;
    if (room >= 14 && context.measureText(name).width < Math.max(at.width, 10 * k)) {
      context.fillStyle = theme.surface.ink;
      const x = at.x < 4 && at.x + at.width > context.measureText(name).width + 12 ? 4 : at.x;
      context.fillText(name, x, above ? at.y - 4 : at.y + at.height + 13);
    }
  }
  const sign = SIGNS[part.rule];
  if (sign && k >= 1.4) paintSign(figure, part, sign, at);
  if (k >= LABEL_FROM) paintTokens(figure, piece, at, view);
}

// In the gap before a part: beside its first line where the tokens of its rows stand in the gap.
function paintSign(figure, part, sign, at) {
  const { context, theme } = figure;
  const { k } = figure.camera.at;
  context.font = `600 ${clamp(3 * k, 12, 18)}px ${figure.font}`;
  if (context.measureText(sign).width > 9.5 * k) return;
  const above = k >= LABEL_FROM && TOKENS.includes(part.rowAxis);
  context.textAlign = "center";
  context.textBaseline = above ? "alphabetic" : "middle";
  context.fillStyle = theme.surface.muted;
  context.fillText(sign, at.x - 5 * k, above ? at.y - 6 : at.y + at.height / 2);
}

// Tokens stand beside their rows and above their columns; where that is out of view, at the edge of the view.
function paintTokens(figure, piece, at, view) {
  const { context, camera, theme, sheet } = figure;
  const { k } = camera.at;
  const { part } = piece;
  context.font = `12px ${figure.font}`;
  context.textBaseline = "middle";
  if (TOKENS.includes(part.rowAxis) && at.x + at.width > LEAST) {
    for (let i = Math.max(0, Math.floor(view.y - piece.y)); i < Math.min(piece.rows, view.bottom - piece.y); i++) {
      const token = sheet.tokens[part.rowAxis][piece.row + i] ?? "";
      spokenBy(figure, token, part.rowAxis);
      paintToken(figure, token, at.x - 4, at.y + (i + 0.5) * k, 8 * k, k);
    }
  }
  if (TOKENS.includes(part.columnAxis) && k >= 30 && at.y + at.height > TOP + LEAST) {
    context.textAlign = "center";
    const y = Math.max(at.y - 9, TOP);
    for (let j = Math.max(0, Math.floor(view.x - piece.x)); j < Math.min(piece.columns, view.right - piece.x); j++) {
      const token = sheet.tokens[part.columnAxis][piece.column + j] ?? "";
      spokenBy(figure, token, part.columnAxis);
      const x = at.x + (j + 0.5) * k;
      if (y > at.y - 9) ground(context, theme, x - k / 2, y - 8, k, 16);
      context.fillStyle = theme.surface.muted;
      context.fillText(token, x, y, k - 4);
    }
  }
  context.lang = "inherit";
}

// The language of a token, by which the font chooses among the forms of a Chinese character.
function spokenBy({ context, languages }, token, axis) {
  context.lang = languageOf(token, languages[axis === "source" ? "source" : "target"]) || "inherit";
}

// A token that ends at `right`, or begins at the edge of the view if it would be cut there.
function paintToken({ context, theme }, token, right, y, most, k) {
  const wide = Math.min(context.measureText(token).width, most);
  const cut = right - wide < EDGE_OF_VIEW;
  if (cut) ground(context, theme, 0, y - Math.min(k / 2, 8), wide + 2 * EDGE_OF_VIEW, Math.min(k, 16));
  context.textAlign = cut ? "left" : "right";
  context.fillStyle = theme.surface.muted;
  context.fillText(token, cut ? EDGE_OF_VIEW : right, y, most);
}

function ground(context, theme, x, y, width, height) {
  context.globalAlpha = 0.86;
  context.fillStyle = theme.surface.card;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
}
