// A file of one figure, or of several below each other.

import { CODE_FONT, FONT } from "./text.js";
import { SvgContext } from "./context.js";
import { themeIn } from "../theme.js";

export const MARGIN = 20; // px round a figure

// `draw(figure, header, planes)` draws what a component gets, and says its width, height and title. `mode`: light or
// dark; `width`: of the figure on a screen; `host`: what SvgContext needs.
export function svgFile(draw, messages, { mode, width, host }) {
  const context = new SvgContext(host);
  const theme = themeIn(mode);
  const whole = { width: 0, height: 0, titles: new Set() };
  for (const { header, planes } of messages) {
    context.save();
    if (whole.height) context.translate(0, whole.height);
    const size = draw({ context, theme, width, words: header.words, codeFont: CODE_FONT }, header, planes);
    context.restore();
    whole.width = Math.max(whole.width, Math.ceil(size.width));
    whole.height += Math.ceil(size.height);
    whole.titles.add(size.title);
  }
  return context.file(whole.width, whole.height, [...whole.titles].join(" · "), { family: FONT, ground: theme.surface.card });
}
