// A reader's own pairs, a word and its answer on each line: what cannot be learned from is refused with its line.

import { shuffled } from "../../../random.js";

const HELD_SHARE = 0.1; // of the lines, and at most so many as a task of ours holds out
const OWN_SEED = 1; // of what is held out
export const OWN_TASK = "own";

// How many lines there have to be and may be.
//   letters   of a word at most; least: pairs to learn from; most: pairs; held: pairs that are held out at most
export const limitsOf = ({ letters, batch, tasks: [{ pairs, heldOut }] }) => ({
  letters,
  least: Math.ceil(batch / (1 - HELD_SHARE)),
  most: pairs.length,
  held: heldOut.length,
});

// { task } as of the description, or { problem: [key of a text, values] }.
export function ownTask(typed, { letters, least, most, held }) {
  const isWord = new RegExp(`^[a-z]{1,${letters}}$`);
  const rows = new Map(); // of each word
  const found = [];
  for (const [at, line] of typed.split("\n").entries()) {
    const row = at + 1;
    const cells = line.trim().toLowerCase().split(/\s+/);
    if (!cells[0]) continue;
    if (cells.length !== 2) return { problem: ["refused.own_columns", { row, count: cells.length }] };
    const wrong = cells.find((cell) => !isWord.test(cell));
    if (wrong) return { problem: ["live_train.own_letters", { row, text: wrong.slice(0, 2 * letters), letters }] };
    const [word] = cells;
    if (rows.has(word)) return { problem: ["refused.own_duplicate", { row, first: rows.get(word) }] };
    rows.set(word, row);
    found.push(cells);
  }
  if (found.length < least) return { problem: ["refused.own_few", { count: found.length, needed: least }] };
  if (found.length > most) return { problem: ["refused.own_many", { count: found.length, limit: most }] };
  const count = Math.min(held, Math.round(HELD_SHARE * found.length));
  const chosen = new Set(shuffled(found.length, OWN_SEED).subarray(0, count));
  return { task: { name: OWN_TASK, kind: "letters", pairs: found.filter((_, at) => !chosen.has(at)), heldOut: found.filter((_, at) => chosen.has(at)) } };
}
