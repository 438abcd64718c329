// What is said about a sentence: the app's own sentences (pages/shared/models/sentence_notices.py).

import { percent } from "../../../viz/frontend/common/numbers.js";
import { EngineError } from "../engine.js";
import { isSpecial } from "./figure_data.js";
import { listing, named, quoted, words } from "./words.js";

const SCRIPTS = ["Latin", "Han", "Hiragana", "Katakana", "Hangul", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari", "Thai"];
const OWN_SCRIPT = { de: "Latin", en: "Latin", es: "Latin", zh: "Han" };
const FEWEST = 2; // unseen words that count as evidence: a single one may be a name
const THOUSANDS = /(\d)[., ](?=\d{3}(?!\d))/g;
const ROUND = /hundred|thousand|million/i;
const IN_WORDS = 100; // up to here English often has a word
const REASONS = 2; // that the mark of a doubtful output gives, and words of each that it names
const VISIBLE = /^[^\p{C}\p{M}\p{Z}]$/u;

// The sentence for an error of the engine or of this page.
export function errorText(error) {
  if (!(error instanceof EngineError)) return words("live_problem.failed", { problem: String(error?.message ?? error) });
  const { code, fields } = error;
  const own = {
    live_fetch: fields.status ? "live_problem.missing" : "live_problem.fetch",
    live_failed: fields.problem ? "live_problem.failed" : "live_problem.worker", // a worker that is not allowed says nothing
  }[code];
  const [kind, ...about] = code.split("_");
  return words(own ?? (kind === "live" ? `live_problem.${about.join("_")}` : `refused.sentence_${about.join("_")}`), fields);
}

// Whether an error is about the sentence, so that another one may do.
export const isOfSentence = (error) => error instanceof EngineError && error.code.startsWith("sentence_");

// One sentence for each thing that is to be said of a result; [sentence, what it rests on] of the mark.
export function resultNotices(app, result) {
  if (!app.model.trained) return [words("explain.untrained", { seed: app.model.seed ?? 0 })];
  const fits = () => [...strange(app, result), ...numbers(app, result), ...spaces(app), ...doubtMark(app.model, result)];
  const said = misfit(app.model, result) ?? fits();
  const stop = app.model.config.architecture === "decoder" && result.stop === "length" ? "" : stopText(app, result);
  return [...said, stop].filter(Boolean);
}

// Why an output has no end of its own, empty where it has.
export function stopText({ model }, { stop, ids }, isChanged = false) {
  if (stop === "eos") return "";
  if (stop === "repetition") return words(`decoding_stopped.${model.trained ? (isChanged ? "changed" : "repetition") : "random"}`);
  return words("decoding_stopped.length", { limit: ids.length });
}

// That an output may be wrong, by the measured rule, why, and how good the rule is.
function doubtMark({ doubt: limits, card: { ordinary } }, result) {
  if (!result.doubt?.isDoubted) return [];
  const { doubt: { words: places, looked }, sourceTokens, unseenWords, unknownCharacters } = result;
  const ignored = places.map(([start, end]) => wholeWord(sourceTokens.slice(start, end)));
  const least = writtenWords(result).sort((a, b) => a.share - b.share);
  const named = {
    unseen: unseenWords.filter((word) => !unknownCharacters.includes(word)).map(quoted),
    ignored: ignored.filter((word, at) => looked[at] < limits.ignored && !unseenWords.includes(word)).map(quoted),
    unsure: least.filter(({ share }) => share < limits.unsure).map(withShare),
  };
  if (!unseenWords.length && !named.ignored.length && !named.unsure.length) named.unsure = least.slice(0, 1).map(withShare);
  const reasons = Object.entries(named).filter(([, each]) => each.length).map(([why, each]) => words(`doubt.${why}`, { words: listing(each, REASONS) }));
  const said = words("doubt.mark", { reasons: reasons.slice(0, REASONS).join(words("doubt.between")) });
  const [wrong, right] = [ordinary.marked.wrong, ordinary.marked.right].map(([share]) => Math.round(100 * share));
  return [[said, words("doubt.measured", { wrong, right, count: ordinary.sentences.test })]];
}

const wholeWord = (tokens) => tokens.map((token) => token.replace(/^·(?=.)/, "")).join("");
const withShare = ({ word, share }) => words("notice.pieces", { word: quoted(word), pieces: percent(share) });

// The written words, each with the probability of its least likely token.
function writtenWords({ steps }) {
  const found = [];
  for (const { token, probability } of steps.filter((step) => !isSpecial(step.token))) {
    const last = found.at(-1);
    if (last && /^·./.test(token)) Object.assign(last, { word: last.word + token.slice(1), share: Math.min(last.share, probability) });
    else found.push({ word: token, share: probability });
  }
  return found;
}

// That a sentence is not in the model's script, or not in its words; null if it may be.
function misfit({ card }, { words: read }) {
  const { source_language: source, target_language: target } = card;
  const letters = read.filter(({ text }) => /\p{L}/u.test(text));
  const spoken = { source: named("languages", source), target: named("languages", target) };
  const foreign = letters.filter(({ seen, text }) => !seen && scriptOf(text) !== OWN_SCRIPT[source]);
  if (source in OWN_SCRIPT && foreign.length * 2 > letters.length) {
    return [words("notice.fit_script", { ...spoken, script: scriptName(scriptOf(foreign[0].text)) })];
  }
  const unseen = letters.filter(({ seen, otherwise }) => !seen && !otherwise).length;
  if (!(source in OWN_SCRIPT) || unseen < FEWEST || unseen * 2 < letters.length) return null;
  return [words("notice.fit_words", { ...spoken, unseen, count: letters.length })];
}

const scriptOf = (text) => SCRIPTS.find((script) => new RegExp(`\\p{Script=${script}}`, "u").test(text)) ?? "";
const scriptName = (script) => named("scripts", { Han: "cjk", "": "other" }[script] ?? script.toLowerCase());

// Characters that the model lacks, and words that training never showed.
function strange(app, { unknownCharacters, unseenWords, pieces = {} }) {
  const said = [];
  if (unknownCharacters.length) said.push(words("notice.characters", { characters: listing(unknownCharacters.map(characterName)) }));
  const apart = unseenWords.filter((word) => !unknownCharacters.includes(word));
  if (!apart.length || app.model.doubt) return said; // the mark names them
  const isWhole = apart.every((word) => pieces[word]?.every((piece) => piece === "<unk>"));
  const shown = apart.map((word) => (isWhole || !pieces[word] ? word : words("notice.pieces", { word, pieces: pieces[word].join(" ") })));
  return [...said, words(isWhole ? "notice.unknown" : "notice.unseen", { words: listing(shown) })];
}

// Figures of the sentence that its translation does not have; of small ones English may have the word, as of round ones.
function numbers({ sentence, model: { card } }, { text }) {
  if (card.task !== "translation" || card.target_language !== "en" || ROUND.test(text)) return [];
  const written = new Set(figures(text));
  const lost = figures(sentence).filter((figure) => Number(figure) > IN_WORDS && !written.has(figure));
  return lost.length ? [words("notice.numbers", { numbers: listing([...new Set(lost)].map(quoted)) })] : [];
}

const figures = (text) => text.replace(THOUSANDS, "$1").match(/\d+/g) ?? [];

// A space in what one of our models of a task reads, if its examples have none.
function spaces({ sentence, model: { card } }) {
  const isNew = /\S\s+\S/.test(sentence) && card.task !== "translation" && !card.imported && card.examples.every((example) => !/\s/.test(example.trim()));
  return isNew ? [words("notice.spaces")] : [];
}

function characterName(character) {
  if (VISIBLE.test(character)) return quoted(character);
  return `U+${character.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
}
