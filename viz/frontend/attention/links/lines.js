// The lines between linked words, and the squares that say what each head gives to a word.

import { three } from "../../common/dom.js";
import { hasHead, headWeights, weightAt } from "../measures.js";

const FAINT = { light: [0.03, 0.17], dark: [0.1, 0.28] }; // opacity of the lines beside: at least, and what a weight adds

// `links`: their layout, with a context. `heads`: those that have lines; `isStrong(key, query)`: whether a line stands
// out; `grown(query)`: the share of its lines that is drawn.
export function drawCurves(links, tokens, { panel, at, theme, heads, isStrong, grown }) {
  const keys = tokens.filter((token) => token.side === "key");
  const queries = tokens.filter((token) => token.side === "query");
  for (const strong of [false, true]) {
    heads.forEach((head, number) => {
      const colour = theme.heads[head % theme.heads.length];
      // Lines of several heads run side by side instead of hiding each other.
      const weights = headWeights(panel, { ...at, head });
      const shift = (number - (heads.length - 1) / 2) * Math.min(4, 14 / heads.length);
      for (const query of queries) {
        for (const key of keys) {
          const weight = weights(query.index, key.index);
          if (weight < (strong ? 0.01 : 0.04) || isStrong(key.index, query.index) !== strong) continue;
          drawCurve(links, key.x + shift, query.x + shift, weight, colour, strong ? null : FAINT[theme.mode], grown(query.index));
          links.context.say?.(`${query.label} → ${key.label}   ${three(weight)}`); // in a file
        }
      }
    });
  }
  links.context.globalAlpha = 1;
  links.context.lineCap = "butt";
  links.context.setLineDash([]);
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

// Beside a word, one square per head: what it gives to the word `other` of the other side.
export function drawStrip({ context, strips, square, upright }, token, other, { panel, at, theme }) {
  const { heads, surface } = theme;
  const length = panel.heads * (square + 2) - 2;
  for (let head = 0; head < panel.heads; head++) {
    if (!hasHead(panel, { layer: at.layer, head })) continue;
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
