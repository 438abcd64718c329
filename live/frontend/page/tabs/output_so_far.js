// The output as far as it is written, after each of its tokens: pages/start/output_so_far.py.

import { isSpecial } from "../figure_data.js";

const MARKS = /^·|^##|^[▁Ġ]+/; // how a token joins the one before

export function writtenSoFar(text, tokens) {
  let end = 0;
  const soFar = tokens.map((token) => {
    const piece = isSpecial(token) ? "" : token.replace(MARKS, "").trim();
    const start = piece ? text.indexOf(piece, end) : -1;
    if (start >= 0) end = start + piece.length;
    return text.slice(0, end);
  });
  if (soFar.length) soFar[soFar.length - 1] = text;
  return soFar;
}
