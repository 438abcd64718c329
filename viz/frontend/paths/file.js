// The paths as a file: the drawing, and below it the sentence of each edge, which the screen has as a list.

import { wrapped, write } from "../common/svg/text.js";
import { MARGIN, svgFile } from "../common/svg/file.js";
import { layoutPaths } from "./layout.js";
import { paintPaths } from "./paint.js";

const SENTENCE = { size: 14, high: 20 };
const BETWEEN = 20; // px from the drawing to the list

export const pathsFile = (messages, options) => svgFile(drawPaths, messages, options);

function drawPaths({ context, theme, width, words }, data) {
  const laid = layoutPaths(data, width);
  context.save();
  context.translate(MARGIN, MARGIN);
  paintPaths({ context, theme }, laid);
  let y = laid.height + BETWEEN;
  for (const { said } of data.edges) {
    for (const line of wrapped(context, said, width, SENTENCE.size)) {
      write(context, line, 0, y, { size: SENTENCE.size, colour: theme.surface.ink });
      y += SENTENCE.high;
    }
  }
  context.restore();
  return { width: width + 2 * MARGIN, height: y + 2 * MARGIN, title: words.figure };
}
