// Typed answers, read as model/quiz/answers.py reads them.

const LONGEST_ANSWER = 40; // characters that are read
const SEPARATED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d*)?$/; // 1,024 or 1,024.5
const DOTTED = /^([+-]?[1-9]\d{0,2}(\.\d{3})+,\d*|[+-]?[1-9]\d{0,2}(\.\d{3}){2,})$/; // 1.024,5 or 1.280.000
const NUMBER = /^[+-]?[\d.,]+(e[+-]?\d{1,2})?$/;

// Whether an answer to a question of model/graph/quiz_questions.py is right; null for one that cannot be read.
export function isRight({ kind, key, margin }, answer) {
  if (kind === "number") {
    const values = readings(answer);
    return values && Math.min(...values.map((value) => Math.abs(value - key))) <= margin;
  }
  if (kind === "shape") {
    const sizes = shape(answer);
    return sizes && sizes.join() === key.join();
  }
  return kind === "head" ? key.includes(answer) : answer === key;
}

// Every number that a text may stand for, the likelier one first; null for what is none.
export function readings(text) {
  if (/\p{No}/u.test(cut(text))) return null; // 10² is not 102
  const plain = plainText(text).replaceAll(" ", "").replaceAll("−", "-").replace(/[=≈]+$/, "");
  const isShare = plain.endsWith("%");
  const [above, below, ...more] = (isShare ? plain.slice(0, -1) : plain).split("/");
  if (more.length) return null;
  const over = decimals(above);
  const under = below === undefined ? [1] : decimals(below);
  const values = over.flatMap((one) => under.map((other) => one / other));
  if (under.includes(0) || !values.length || !values.every(Number.isFinite)) return null;
  return values.map((value) => (isShare ? value / 100 : value));
}

// A comma or a dot may be the decimal mark, and the other one stand between thousands. [] for what is no number.
function decimals(text) {
  if (!NUMBER.test(text)) return [];
  if (DOTTED.test(text)) return finite(text.replaceAll(".", "").replaceAll(",", "."));
  const pointed = text.replaceAll(",", ".");
  if (!SEPARATED.test(text)) return finite(pointed);
  const isSure = text.replace(/[^.,]/g, "").length > 1;
  return finite(text.replaceAll(",", ""), ...(isSure ? [] : [pointed]));
}

function finite(...texts) {
  const values = texts.map(Number);
  return values.every(Number.isFinite) ? values : [];
}

// (4, 9, 9), 4 9 9 or 4 × 9 × 9; null for anything else.
export function shape(text) {
  const parts = plainText(text).replace(/[()[\]]/g, " ").split(/[\s,;x×*、·]+/).filter(Boolean);
  return parts.length && parts.every((part) => /^\d{1,9}$/.test(part)) ? parts.map(Number) : null;
}

const cut = (text) => [...text].slice(0, LONGEST_ANSWER).join("");

// Digits and marks of Chinese keyboards, and digits of other scripts, as plain ones.
const plainText = (text) => cut(text).normalize("NFKC").trim().toLowerCase().replace(/\p{Nd}/gu, digit);

function digit(sign) {
  const point = sign.codePointAt(0);
  const first = /\p{Nd}/u.test(String.fromCodePoint(point & ~15)) ? 0 : 6; // where the digits of a script begin
  return String((point & 15) - first);
}
