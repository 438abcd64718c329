// Texts of the page in the reader's language. They are the app's own, picked when the page was made (live/texts.py).

import { fill } from "../../../viz/frontend/common/dom.js";

let spoken = {};
let between = " "; // sentences

// texts: { "table.key": text } of one language. The page says that it is in this language.
export function speakIn(texts, { tag, direction, spaces }) {
  spoken = texts;
  between = spaces ? " " : "";
  Object.assign(document.documentElement, { lang: tag, dir: direction });
}

export function words(key, values = {}) {
  if (!(key in spoken)) throw new Error(`There is no text ${key}.`);
  return fill(spoken[key], values);
}

// All texts of a table, placeholders left open.
export function section(table) {
  const start = `${table}.`;
  const found = Object.entries(spoken).filter(([key]) => key.startsWith(start));
  return Object.fromEntries(found.map(([key, text]) => [key.slice(start.length), text]));
}

// The reader's word for a name that a card uses; the name itself where there is none.
export const named = (table, key) => spoken[`${table}.${key}`] ?? key;

// Sentences after each other, as the language puts them.
export const sentences = (...texts) => texts.filter(Boolean).join(between);

const LISTED = 6; // things named in one notice

// The first few of a list, and how many more there are.
export function listing(names, most = LISTED) {
  const more = names.length - most;
  return names.slice(0, most).join(words("notice.between")) + (more > 0 ? words("notice.more", { count: more }) : "");
}

export const quoted = (text) => words("notice.quoted", { text });

export const hasWords = (key) => key in spoken;
