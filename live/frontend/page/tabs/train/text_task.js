// A reader's text: white space counts as one space, and the last tenth is held out, as in corpora/tasks/user_text.py.

export const TEXT_TASK = "text";
const BEGINNING = 16; // letters of what is gone on with
const CONTINUATION = 24; // letters of how the text goes on
const BEGINNINGS = 20; // at most

// { task }, with `text`, what is held out of it, and beginnings of that with how each goes on; or { problem: [key of a text, values] }.
//   least, most   letters that there have to be and may be
export function textTask(typed, { least, most }) {
  const control = [...typed].find((letter) => /(?!\s)\p{Cc}/u.test(letter));
  if (control) return { problem: ["live_train.text_control", { point: control.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") }] };
  const letters = [...typed.normalize("NFC").trim().replace(/\s+/gu, " ")];
  if (letters.length < least) return { problem: ["refused.text_short", { count: letters.length, needed: least }] };
  if (letters.length > most) return { problem: ["refused.text_long", { count: letters.length, limit: most }] };
  const cut = Math.round(0.9 * letters.length);
  const [text, held] = [letters.slice(0, cut), letters.slice(cut)].map((part) => part.join(""));
  return { task: { name: TEXT_TASK, kind: "text", text, held, heldOut: beginnings(letters.slice(cut)) } };
}

function beginnings(letters) {
  const length = BEGINNING + CONTINUATION;
  const every = Math.max(length, Math.floor(letters.length / BEGINNINGS));
  const count = Math.min(BEGINNINGS, Math.floor((letters.length - length) / every) + 1);
  const part = (from, size) => letters.slice(from, from + size).join("").trim();
  return Array.from({ length: count }, (_, at) => [part(at * every, BEGINNING), part(at * every + BEGINNING, CONTINUATION)]);
}
