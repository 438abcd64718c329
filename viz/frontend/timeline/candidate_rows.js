// The candidates of a step as rows, for the screen and for a file.

import { fill, shownToken } from "../common/dom.js";
import { percent } from "../common/numbers.js";

// Small shares with one more decimal; a token that is cut off before the draw has none.
const shareText = (share) => percent(share ?? 0, share < 0.01 ? 2 : 1);

// Likeliest first, all others together as the last. drawn: the share after temperature, top-k and top-p, null if greedy
export function candidateRows(step, words) {
  const rows = step.candidates.map(([id, token, share, drawn]) => {
    const [word, isChosen] = [shownToken(token), id === step.id];
    return { id, word, isChosen, isRest: false, name: isChosen ? `${word} ✓` : word, share, drawn: drawn ?? null };
  });
  const name = fill(words.others, { count: step.left });
  rows.push({ name, isChosen: false, isRest: true, share: step.others, drawn: step.othersDrawn ?? null });
  return rows.map((row) => ({ ...row, text: row.drawn === null ? shareText(row.share) : `${shareText(row.share)} → ${shareText(row.drawn)}` }));
}

// What the step did, in a sentence.
export function captionOf(step, words) {
  const template = step.forced ? words.caption_forced : words.caption;
  return fill(template, { read: shownToken(step.read), word: shownToken(step.word), share: shareText(step.chosen), rank: step.rank });
}
