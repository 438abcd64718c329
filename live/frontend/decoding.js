// The decoding loop and the rules of model/decode/: how long an output may be, when it ends, which tokens were likely.

import { logSum, shareOf } from "./formulas.js";

// What is read first, and how many tokens may be written, of a sentence's ids.
export function start(description, ids) {
  const { decoding, specials, config } = description;
  if (config.architecture !== "decoder") return { source: ids, prompt: [specials.bos], limit: decoding.limit };
  const prompt = ids.slice(0, -1); // an <eos> would say that nothing follows
  const [least, most] = decoding.continuation;
  const limit = Math.min(Math.max(least, prompt.length - 1), most, decoding.longest - prompt.length);
  return { source: [], prompt, limit };
}

// { ids, stop } by greedy decoding: `passes.begin(ids)` and then `passes.step(id)` give the logits (V) of the last token.
// `next` is awaited before each step, and may throw.
export async function decode(passes, { source, limit, description }, { forced, candidates }, onStep, next) {
  const { decoding, shown } = description;
  const ids = (forced.length ? forced : decoding.forced).slice(0, Math.max(0, limit));
  const end = () => stopReason(ids, source, description) || (ids.length >= limit ? "length" : "");
  let stop = end();
  if (stop) return { ids, stop };
  for (let logits = await passes.begin(ids); ; ) {
    const id = likeliest(logits);
    onStep(stepOf(logits, id, ids.length, candidates, shown));
    ids.push(id);
    stop = end();
    if (stop) return { ids, stop };
    await next();
    logits = await passes.step(id);
  }
}

// Why decoding ends after these ids, or "". A repeated phrase counts as a loop, unless the source has as many of each.
function stopReason(ids, source, { specials, decoding }) {
  if (ids.at(-1) === specials.eos) return "eos";
  const count = (list, id) => list.filter((each) => each === id).length;
  for (const [length, times] of decoding.repeats) {
    const phrase = ids.slice(-length);
    const end = ids.slice(-length * times);
    if (end.length < length * times || end.some((id, at) => id !== phrase[at % length])) continue;
    if (phrase.some((id) => count(ids, id) > count(source, id))) return "repetition";
  }
  return "";
}

// The likeliest id of logits (V); the lower one where two are equal.
export function likeliest(logits) {
  let best = 0;
  for (let id = 1; id < logits.length; id++) if (logits[id] > logits[best]) best = id;
  return best;
}

// A step as engine.js describes it: the `count` likeliest tokens of logits (V), and the written one.
export function stepOf(logits, id, index, count, shown) {
  const total = logSum(logits);
  const ids = firstOf(logits, count);
  if (!ids.includes(id)) ids.push(id);
  const share = (each) => shareOf(logits[each], total);
  const candidates = ids.map((each) => ({ id: each, token: shown[each], probability: share(each) }));
  let rank = 1;
  for (let each = 0; each < logits.length; each++) {
    if (logits[each] > logits[id] || (logits[each] === logits[id] && each < id)) rank += 1;
  }
  const others = Math.max(0, 1 - candidates.reduce((sum, candidate) => sum + candidate.probability, 0));
  return { index, id, token: shown[id], probability: share(id), rank, candidates, others };
}

// The ids of the `count` largest of logits (V), largest first, the lower id first where two are equal.
function firstOf(logits, count) {
  const ids = [];
  for (let id = 0; id < logits.length; id++) {
    if (ids.length === count && !(logits[id] > logits[ids[count - 1]])) continue;
    let at = ids.length;
    while (at > 0 && logits[id] > logits[ids[at - 1]]) at -= 1;
    ids.splice(at, 0, id);
    if (ids.length > count) ids.pop();
  }
  return ids;
}
