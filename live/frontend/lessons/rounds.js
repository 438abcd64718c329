// A round of the quiz: which questions are asked, what was answered, and what it is worth. Without a page.

const MOST_TRIED = 4; // answers of a question that are kept

// One question of each topic. questions: [{ name, topic, draws }, …]; random: as Math.random.
export function newRound(questions, random = Math.random) {
  const topics = [...new Set(questions.map(({ topic }) => topic))];
  const one = (list) => list[Math.floor(random() * list.length)];
  return topics.map((topic) => {
    const { name, draws } = one(questions.filter((each) => each.topic === topic));
    return { name, draw: Math.floor(random() * draws.length), tried: [], ended: "", hint: false };
  });
}

// As it is kept on the platform: first and last answers of each question.
export const spellRound = (round) =>
  round.map(({ name, draw, tried, ended, hint }) => [name, draw, [...tried.slice(0, 1), ...tried.slice(1).slice(1 - MOST_TRIED)], ended, Number(hint)]);

// What was kept, or null where it is of other questions.
export function readRound(kept, questions) {
  if (!Array.isArray(kept) || !kept.length) return null;
  const isKnown = ([name, draw, tried]) => questions.find((each) => each.name === name)?.draws[draw] && Array.isArray(tried);
  if (!kept.every((each) => Array.isArray(each) && isKnown(each))) return null;
  return kept.map(([name, draw, tried, ended, hint]) => ({ name, draw, tried, ended, hint: Boolean(hint) }));
}

// Whether the first attempt was made: only this one counts.
export const counts = ({ tried, ended }) => Boolean(tried.length || ended);

const isFirst = ({ tried, ended }) => ended === "right" && tried.length === 1;

// "first", "later", "told", or "" while it is open.
export const stateOf = (item) => (isFirst(item) ? "first" : item.ended === "right" ? "later" : item.ended);

export const pointsOf = (round) => round.filter(isFirst).length;

export const isFinished = (round) => round.every(counts);

// mark: the share of points that passes.
export const isPassed = (round, mark) => pointsOf(round) / round.length >= mark;
