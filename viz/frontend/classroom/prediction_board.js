// Predictions on the teacher's board: the answers of the class beside what was measured, how sure they were, and which
// misconceptions the answers show. Nothing of what was measured is there before the teacher reveals it.

import { add, el, fill } from "../common/dom.js";

const SLIDER_BINS = 10; // of a slider
const SHOWN_SHARE = 0.005; // from which on a measured share has a bar and a text
const inPercent = (share) => `${Math.round(100 * share)}%`;

// The bars of the answers, and below them what was measured.
export function predictionChart(asked, words) {
  const counts = new Map(asked.answers.map(([answer, count]) => [answer, count]));
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const bars = asked.look === "percent" ? sliderBars(asked, counts, all, words) : asked.options.map((option) => answerBar(asked, option, counts, all, words));
  return [add(el("ul", "gf-bars gf-predicted"), ...bars), ...(asked.open ? [] : measuredParts(asked, words))];
}

function answerBar(asked, [answer, text], counts, all, words) {
  const count = counts.get(answer) ?? 0;
  const right = !asked.open && answer === asked.key;
  const item = el("li", "", { "data-right": String(asked.open ? null : right) });
  add(item, add(el("span"), right ? "✓ " : "", text), fillingBar(count / Math.max(1, all)), add(el("b"), String(count)));
  if (asked.open) return item;
  const share = asked.shares[answer];
  if (share >= SHOWN_SHARE) {
    const line = fillingBar(share);
    line.className = "gf-share";
    add(item, line, add(el("small"), fill(words.predict_measured, { share: inPercent(share) })));
  }
  if (asked.shows[answer]) add(item, add(el("small", "gf-shows"), fill(words.predict_shows, { name: asked.shows[answer] })));
  return item;
}

// Answers of a slider in ten parts of the scale; the part that holds the measured value says so.
function sliderBars(asked, counts, all, words) {
  const of = (percent) => Math.min(SLIDER_BINS - 1, Math.floor((Number(percent) * SLIDER_BINS) / 100));
  const sums = new Array(SLIDER_BINS).fill(0);
  for (const [answer, count] of counts) sums[of(answer)] += count;
  const key = asked.open ? -1 : of(asked.key);
  return sums.map((count, at) => {
    const item = el("li", "", { "data-right": asked.open ? "null" : String(at === key) });
    add(item, add(el("span"), `${10 * at}–${10 * (at + 1)}%`), fillingBar(count / Math.max(1, all)), add(el("b"), String(count)));
    return at === key ? add(item, add(el("small"), fill(words.predict_here, { answer: asked.measured }))) : item;
  });
}

function fillingBar(share) {
  const line = el("i");
  line.style.width = `${100 * share}%`;
  return line;
}

function measuredParts(asked, words) {
  const { right, distance, calibration } = asked.result;
  const parts = [];
  if (right !== null) parts.push(fill(words.predict_right, { share: inPercent(right) }));
  if (distance !== null) parts.push(fill(words.predict_distance, { points: distance.toFixed(1) }));
  return [add(el("p", "gf-why"), asked.why), add(el("p", "gf-count"), parts.join(" · ")), ...sureness(calibration, words)];
}

// How sure the answers were, and how many of each step were right; the mark on a bar stands at what the step states.
function sureness(calibration, words) {
  if (!calibration) return [];
  const steps = calibration.steps.map(([stated, count, right]) => {
    const line = fillingBar(right);
    const track = add(el("div", "gf-track"), line, el("em"));
    track.lastChild.style.left = `${100 * stated}%`;
    const step = words[`sure_${[0.25, 0.5, 0.75, 0.95].indexOf(stated) + 1}`];
    const text = fill(words.predict_sure_line, { step, right: Math.round(right * count), count });
    return add(el("li"), add(el("span"), text), track);
  });
  const brier = fill(words.predict_brier, { brier: calibration.brier.toFixed(2) });
  return [add(el("h3"), words.predict_sure_title), add(el("ul", "gf-sure"), ...steps), add(el("p", "gf-count"), brier)];
}

// Everything that the closed predictions say of the class.
export function classPredictions(predictions, words) {
  if (!predictions) return [];
  const found = predictions.findings.map(([name, count, shown, has, students]) => {
    const item = add(el("li", "", { "data-has": String(has) }), add(el("span"), fill(words.predict_finding, { name, shown, count })), fillingBar(shown / count));
    const notes = [has && words.predict_has, students && fill(words.predict_students, { students })].filter(Boolean);
    return notes.length ? add(item, add(el("small"), notes.join(" · "))) : item;
  });
  const title = add(el("h2"), fill(words.predict_title, { answers: predictions.answers }));
  const beliefs = found.length ? [add(el("h3"), words.predict_beliefs), add(el("ul", "gf-bars gf-beliefs"), ...found)] : [];
  return [title, ...sureness(predictions.calibration, words), ...beliefs];
}
