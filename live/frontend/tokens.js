// From text to ids and back, as model/tokenization/ does it. The library cuts the text with the checkpoint's own
// tokenizer.json; what Python adds comes as a table (model/graph/page_tokenizer.py).

import { TOKENIZERS } from "./vendor/tokenizers.js";
import { Refused } from "./errors.js";

const SPACES = /\p{White_Space}/u;
// oxlint-disable-next-line no-control-regex -- Python strips these too
const ENDS = /^[\p{White_Space}\u001c-\u001f]+|[\p{White_Space}\u001c-\u001f]+$/gu; // that Python strips
const CONTROLS = /\p{Cc}/u;
const WORD = /[一-鿿]|(?:(?![一-鿿])[\p{L}\p{N}_])+(?:['-](?:(?![一-鿿])[\p{L}\p{N}_])+)*/gu;
const CONTINUES = "·";
const SPACE = "▁";

export class Tokens {
  // table: see `token_table`; files: tokenizer.json of the sources, and of the targets where that is another, or null
  constructor(table, specials, reading, { source, target }) {
    this.table = table;
    this.specials = specials;
    this.reading = reading;
    this.inner = new TOKENIZERS.Tokenizer(source, {});
    this.target = target ? new TOKENIZERS.Tokenizer(target, {}) : this.inner;
    this.ids = new Map(table.pieces.map((piece, id) => [piece, id]));
    this.hidden = new Set(table.hidden);
    this.seen = table.seen && new Set(table.seen);
    this.numeral = new RegExp(`^[\\p{N}${table.numerals}]+$`, "u");
    this.replacements = table.joined?.map(([pattern, text]) => [new RegExp(pattern, "gu"), text]);
    this.whole = table.whole.length && new RegExp(table.whole.map(([pattern]) => `(${pattern})`).join("|"), "gu");
    this.language = table.language && new RegExp(table.language, "u");
  }

  // Ids of a sentence as the model reads it. Refuses one that is empty, too long, or has control characters.
  encode(text) {
    checkText(text, this.reading.characters);
    const { before, after, pair } = this.table;
    const parts = this.texts(text).map((part) => this.pieces(part));
    if (parts.length > 1 && parts.some((part) => !part.length)) throw new Refused("sentence_pair", { separator: pair.separator });
    if (this.texts(text)[1]?.includes(pair.separator)) throw new Refused("sentence_texts", { separator: pair.separator });
    const ids = parts.length > 1
      ? [...pair.before, ...parts[0], ...pair.between, ...parts[1], ...pair.after]
      : [...before, ...parts[0], ...after];
    this.checkCount(ids.length, before.length + after.length);
    return ids;
  }

  // The text, or the two that the first separator parts.
  texts(text) {
    const { separator } = this.table.pair ?? {};
    const at = separator ? text.indexOf(separator) : -1;
    return at < 0 ? [text] : [text.slice(0, at).trimEnd(), text.slice(at + separator.length).trimStart()];
  }

  // The place where the second of two texts begins among the ids that a model reads, or null.
  secondText(ids) {
    const between = this.table.pair?.between ?? [];
    const at = between.length ? ids.findIndex((_, start) => between.every((id, n) => ids[start + n] === id)) : -1;
    return at < 0 || at + between.length >= ids.length ? null : at + between.length;
  }

  // The places of the text, of two texts those of the second: from the first to before the second number.
  lastText(ids) {
    return [this.secondText(ids) ?? this.table.before.length, ids.length - this.table.after.length];
  }

  // Ids of an output without specials, refused as a sentence is.
  encodeTarget(text) {
    checkText(text, this.reading.characters);
    const ids = this.cut(this.target, text);
    this.checkCount(ids.length + 2, 2); // <bos> and <eos> come around it
    return ids;
  }

  checkCount(count, around) {
    if (count > this.reading.tokens) throw new Refused("sentence_tokens", { count, limit: this.reading.tokens });
    if (count === around) throw new Refused("sentence_empty");
  }

  pieces(text) {
    const language = this.language?.exec(text)?.[0];
    if (language === undefined || !this.ids.has(language)) return this.cut(this.inner, text);
    return [this.ids.get(language), ...this.cut(this.inner, text.slice(language.length))];
  }

  // Pieces that are found whole cut a text into parts.
  cut(tokenizer, text) {
    const ids = [];
    let from = 0;
    for (const match of this.whole ? text.matchAll(this.whole) : []) {
      const [, piece] = this.table.whole[match.slice(1).findIndex((found) => found !== undefined)];
      ids.push(...this.cutPart(tokenizer, text.slice(from, match.index), from), this.ids.get(piece));
      from = match.index + match[0].length;
    }
    return [...ids, ...this.cutPart(tokenizer, text.slice(from), from)];
  }

  // Pieces are looked up by name; one that is written like a special is text, and unknown. The library gets one word at a
  // time: of a whole text it would make one <unk> of those of several words. `from`: where the part begins in its text.
  cutPart(tokenizer, text, from) {
    const first = 1 + Math.max(...Object.values(this.specials));
    const normalized = normalizedBy(tokenizer, text);
    if (!normalized) return [];
    const words = tokenizer.pre_tokenizer?.(normalized, { section_index: from }) ?? [normalized];
    return words.flatMap((word) => tokenizer.model([word])).map((piece) => {
      const id = this.ids.get(piece) ?? this.specials.unk;
      return id >= first ? id : this.specials.unk;
    });
  }

  decode(ids) {
    const pieces = ids.filter((id) => !this.hidden.has(id)).map((id) => this.table.pieces[id]);
    if (this.replacements) {
      return this.replacements.reduce((text, [pattern, by]) => text.replace(pattern, by), pieces.join("")).replace(ENDS, "");
    }
    const text = pieces.length && this.target.decoder ? this.target.decoder(pieces) : pieces.join("");
    return text.replaceAll(SPACE, " ").replace(ENDS, "");
  }

  // Each id as a user should see it; `begins` says that the ids begin a text, whose first piece goes on nothing.
  shown(ids, begins = false) {
    const tokens = ids.map((id) => this.table.shown[id]);
    if (!begins) return tokens;
    const first = ids.findIndex((id) => !this.hidden.has(id));
    return tokens.map((token, at) => {
      const opens = at === first || (!this.hidden.has(ids[at]) && ids[at - 1] === this.specials.eos);
      return opens && token !== CONTINUES && token.startsWith(CONTINUES) ? token.slice(CONTINUES.length) : token;
    });
  }

  // [start, end] of each word among the ids of a source, by the marks of their tokens; none of punctuation. As `plain_words`
  // of model/decode/doubt.py.
  plainWords(ids) {
    const tokens = this.shown(ids, true);
    const isWord = (at) => ids[at] === this.specials.unk || (!this.hidden.has(ids[at]) && /[\p{L}\p{N}]/u.test(tokens[at]));
    const starts = [...tokens.keys()].filter((at) => tokens[at] === CONTINUES || !tokens[at].startsWith(CONTINUES));
    return starts.map((start, word) => [start, starts[word + 1] ?? ids.length]).filter(([start]) => isWord(start));
  }

  // { words, unseenWords, unknownCharacters }, see engine.js.
  strange(text, hiddenMark = "") {
    const words = this.seen ? [...this.wordsOf(normalizedBy(this.inner, text))] : [];
    const unseen = words.filter((word) => !word.seen && !hiddenMark.includes(word.text)).map((word) => word.text);
    return { words, unseenWords: [...new Set(unseen)], unknownCharacters: this.unknown(text, hiddenMark) };
  }

  *wordsOf(text) {
    for (const { 0: word, index } of text.matchAll(WORD)) {
      if (this.numeral.test(word) || !/\p{L}/u.test(word)) continue;
      // the first word of a sentence is capitalised whatever it is
      const forms = index === 0 ? [word, lowered(word)] : [word];
      yield { text: word, seen: forms.some((form) => this.seen.has(form)), otherwise: this.knowsOtherwise(word) };
    }
  }

  // Whether a word in capitals is one that training showed: GEHEN, or KINO.
  knowsOtherwise(word) {
    const small = lowered(word);
    return word !== small && word === word.toUpperCase() && [small, word[0] + small.slice(1)].some((form) => this.seen.has(form));
  }

  unknown(text, hiddenMark) {
    if (!this.table.unread) return [];
    this.alphabet ??= new Set(this.table.pieces.filter((_, id) => !this.hidden.has(id)).flatMap((piece) => [...piece]));
    const strange = [...normalizedBy(this.inner, text)].filter((c) => c !== SPACE && !isSpace(c) && !this.alphabet.has(c));
    return [...new Set(strange)].filter((character) => !hiddenMark.includes(character));
  }
}

const normalizedBy = (tokenizer, text) => tokenizer.normalizer?.(text) ?? text;

function lowered(word) {
  const [first] = word;
  return first.toLowerCase() + word.slice(first.length);
}

// As Python's isspace(): four separators are spaces there.
const isSpace = (character) => SPACES.test(character) || (character >= "\u001c" && character <= "\u001f");

function checkText(text, limit) {
  const characters = [...text];
  if (characters.every(isSpace)) throw new Refused("sentence_empty");
  const count = characters.length;
  if (count > limit) throw new Refused("sentence_characters", { count: grouped(count), limit: grouped(limit) });
  const control = characters.find((character) => CONTROLS.test(character) && !isSpace(character));
  if (control) throw new Refused("sentence_control", { point: hexadecimal(control.codePointAt(0)) });
}

const hexadecimal = (point) => point.toString(16).toUpperCase().padStart(4, "0");
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ",");
