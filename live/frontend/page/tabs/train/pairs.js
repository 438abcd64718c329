// The pairs that a model learns from, and what a reader changed in them. A pair is [word, answer, right answer].

import { random } from "../../../random.js";

const SEED = 1; // of what is spoiled: the same choice spoils the same pairs

export class Pairs {
  // pairs: [word, answer] as they came, none of a text; letters, answer: of a word and of an answer at most; alphabet: an
  // object with a key for each letter; least: pairs that have to stay
  constructor(pairs, { letters, answer, alphabet, least }) {
    Object.assign(this, { original: pairs, letters, answer, alphabet, least });
    this.restore();
  }

  restore() {
    this.all = this.original.map(([word, answer]) => [word, answer, answer]);
    this.share = 0; // of the answers, spoiled at random
  }

  get changed() {
    return this.all.filter(([, answer, right]) => answer !== right).length;
  }

  get removed() {
    return this.original.length - this.all.length;
  }

  get taught() {
    return this.all.map(([word, answer]) => [word, answer]);
  }

  // Whether these are taught.
  are(pairs) {
    return pairs.length === this.all.length && pairs.every(([word, answer], at) => word === this.all[at][0] && answer === this.all[at][1]);
  }

  // As the letters are that it knows: in small ones, where it has no others.
  cased(text) {
    return Object.keys(this.alphabet).some((letter) => letter !== letter.toLowerCase()) ? text : text.toLowerCase();
  }

  // Whether it has known letters only, and no more than `most`.
  isWord(text, most = this.letters) {
    const letters = [...text];
    return letters.length > 0 && letters.length <= most && letters.every((letter) => letter === " " || letter in this.alphabet);
  }

  // Swap two different letters in this share of all answers, each chosen at random; what was spoiled before is mended.
  spoil(share) {
    const next = random(SEED);
    this.share = share;
    for (const pair of this.all) {
      const [, , right] = pair;
      const isChosen = next() < share;
      const [first, second] = [Math.floor(next() * right.length), Math.floor(next() * right.length)];
      pair[1] = isChosen ? swapped(right, first, second) : right;
    }
  }

  // Whether enough pairs stay without those whose word has the letter; if so, they are gone.
  remove(letter) {
    const others = this.all.filter(([word]) => !word.includes(letter));
    if (others.length < this.least) return false;
    this.all = others;
    return true;
  }
}

// Two letters change places; where they are the same, the next one that differs is taken.
function swapped(text, first, second) {
  const letters = [...text];
  for (let on = 0; on < letters.length && letters[first] === letters[second]; on++) second = (second + 1) % letters.length;
  [letters[first], letters[second]] = [letters[second], letters[first]];
  return letters.join("");
}
