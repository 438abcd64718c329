// The text after some merges: pieces, those just made, and those of the pair that is merged next.

// `text`: of each word its characters, and of each place between two the merge that joins them, 0 for none.
export function piecesAt(text, step, pair) {
  return text.map(([word, joins]) => marked(piecesOf([...word], joins, step), pair));
}

function piecesOf(characters, joins, step) {
  const pieces = [{ text: characters[0], made: 0 }];
  joins.forEach((merge, at) => {
    const sign = characters[at + 1];
    if (!merge || merge > step) return pieces.push({ text: sign, made: 0 });
    pieces.at(-1).text += sign;
    pieces.at(-1).made = Math.max(pieces.at(-1).made, merge);
  });
  return pieces.map(({ text, made }) => ({ text, isNew: made === step && step > 0, next: "" }));
}

// From left to right, as they are merged: of three equal pieces the first two.
function marked(pieces, pair) {
  for (let at = 0; pair && at + 1 < pieces.length; at++) {
    if (pieces[at].text !== pair[0] || pieces[at + 1].text !== pair[1]) continue;
    pieces[at].next = "left";
    pieces[++at].next = "right";
  }
  return pieces;
}

// What stands below the slider, as sentences.
export function saidOf({ steps, words }, at, fill) {
  const { tokens, vocabulary, pairs, ties } = steps[at];
  const sentences = [fill(words.caption, { tokens, vocabulary })];
  if (at < steps.length - 1) {
    const [left, right, count] = pairs[0];
    sentences.push(fill(words.next_pair, { left, right, count }));
    if (ties) sentences.push(fill(words.tie, { count: ties }));
  } else sentences.push(words.end);
  return sentences.reduce((said, next) => `${said}${said.endsWith("。") ? "" : " "}${next}`);
}
