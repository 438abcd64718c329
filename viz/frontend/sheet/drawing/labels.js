// What stands beside the cells: names with shapes, signs between matrices, tokens.

import { clamp } from "../../common/dom.js";
import { TOKENS, shortName } from "../parts.js";

const LABEL_FROM = 12; // pixels of a row that has room for its token

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
    const above = part.kind === 0 && part.rows > 1;
    const room = above ? 5 * k : 8 * k;
    if (room >= 14 && context.measureText(name).width < Math.max(at.width, 10 * k)) {
      context.fillStyle = theme.surface.ink;
      const x = at.x < 4 && at.x + at.width > context.measureText(name).width + 12 ? 4 : at.x;
      context.fillText(name, x, above ? at.y - 4 : at.y + at.height + 13);
    }
  }
  const sign = SIGNS[part.rule];
  if (sign && k >= 1.4) paintSign(figure, sign, at, k);
  if (k >= LABEL_FROM) paintTokens(figure, piece, at, view);
}

function paintSign(figure, sign, at, k) {
  const { context, theme } = figure;
  context.font = `600 ${clamp(3 * k, 12, 18)}px ${figure.font}`;
  if (context.measureText(sign).width > 9.5 * k) return;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillStyle = theme.surface.muted;
  context.fillText(sign, at.x - 5 * k, at.y + at.height / 2);
}

function paintTokens(figure, piece, at, view) {
  const { context, camera, theme, sheet } = figure;
  const { k } = camera.at;
  const { part } = piece;
  context.font = `12px ${figure.font}`;
  context.fillStyle = theme.surface.muted;
  context.textBaseline = "middle";
  if (TOKENS.includes(part.rowAxis)) {
    context.textAlign = "right";
    for (let i = Math.max(0, Math.floor(view.y - piece.y)); i < Math.min(piece.rows, view.bottom - piece.y); i++) {
      const token = sheet.tokens[part.rowAxis][piece.row + i] ?? "";
      context.fillText(token, at.x - 4, at.y + (i + 0.5) * k, 8 * k);
    }
  }
  if (TOKENS.includes(part.columnAxis) && k >= 30) {
    context.textAlign = "center";
    for (let j = Math.max(0, Math.floor(view.x - piece.x)); j < Math.min(piece.columns, view.right - piece.x); j++) {
      const token = sheet.tokens[part.columnAxis][piece.column + j] ?? "";
      context.fillText(token, at.x + (j + 0.5) * k, at.y - 9, k - 4);
    }
  }
}
