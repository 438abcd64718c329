// The address: what is chosen stands behind `#`, as the app's links have it behind their path.
//
//   #attention?checkpoint=de-en&sentence=…&attention_kind=cross&layer=1&head=0
//
// The page stands first; without one it is Start. Parameters that this page does not know are kept as they are.

const OWN = {
  start: ["norms", "paused", "pin"], attention: ["key", "norms", "open_keys", "open_queries", "pin", "query", "raw", "stage", "term", "view", "without"], course: [], decoding: ["forks", "leaf", "step"], embedding: ["side", "token"],
  glossary: ["find", "show"], intervene: ["changes", "scales", "step"], layers: ["side", "step"], masks: [], position: ["side"], quiz: ["show"], train: ["task"],
  why: ["method", "step"],
};
const PAGES = Object.keys(OWN);
// what of the app's pages is here, by what their links have as `show` or `view`: "" where they have neither
const SHARED_FIGURES = {
  start: [""], attention: ["", "stages", "there"], course: [""], decoding: ["", "attention"], embedding: ["", "way", "near"], glossary: [""], intervene: [""],
  layers: ["", "stream", "early"], masks: ["", "patterns", "scores"], position: ["", "table", "distance", "methods"], quiz: [""], train: [""],
  why: ["", "words"],
};
const IN_APP = { attention: ["by_feature", "tested"], course: ["step"], quiz: ["question"], train: ["run"] }; // what a link has that only the app can open
const OF_APP = ["moment", "seed"];
const SHARED = ["language", "checkpoint", "sentence", "attention_kind", "layer", "head", "embed"];
const NUMBERS = ["layer", "head", "step", "leaf", "token", "query", "key"];
const DIGITS = 5;

// { page, language, checkpoint, … }: what a link says; a number that is none is left out.
export function readAddress(text) {
  const [path, ...query] = text.replace(/^#/, "").split("?");
  const isQuery = !query.length && path.includes("=");
  const page = isQuery ? "" : path.replace(/^\/+|\/+$/g, "");
  const view = { page: PAGES.includes(page) ? page : "start" };
  for (const [key, value] of new URLSearchParams(isQuery ? path : query.join("?"))) {
    if (!NUMBERS.includes(key)) view[key] = value;
    else if (/^\d+$/.test(value) && value.length <= DIGITS) view[key] = Number(value);
  }
  return view;
}

// Whether what a link to the app shows, `attention?head=3`, is shown here too.
export function isHere(text) {
  const [path, query] = text.split("?");
  const page = path || "start";
  const settings = new URLSearchParams(query);
  const figure = settings.get("show") ?? settings.get("view") ?? "";
  return Boolean(SHARED_FIGURES[page]?.includes(figure)) && ![...OF_APP, ...(IN_APP[page] ?? [])].some((key) => settings.has(key));
}

// The address of a view, in which only what its page has is spelled out.
export function spellAddress(view) {
  const keys = [...SHARED, ...OWN[view.page]];
  const chosen = keys.filter((key) => view[key] !== undefined && view[key] !== null && view[key] !== "");
  const query = new URLSearchParams(chosen.map((key) => [key, String(view[key])])).toString();
  return `#${view.page}${query ? `?${query}` : ""}`;
}

// `cross,3,1` is a cell, `cross,3,` a row, `cross,,1` a column; null if there is none such in the panels.
export function readPin(text, panels) {
  const [kind, ...places] = (text ?? "").split(",");
  const panel = panels.find((each) => each.kind === kind);
  if (!panel || places.length !== 2 || !places.join("") || !places.every((place) => /^\d{0,5}$/.test(place))) return null;
  const [query, key] = places.map((place) => (place ? Number(place) : null));
  return (query ?? 0) < panel.queries.length && (key ?? 0) < panel.keys.length ? { kind, query, key } : null;
}

export const spellPin = ({ kind, query, key } = {}) => (kind ? [kind, query ?? "", key ?? ""].join(",") : null);

// `3:1234;5:88|4:77`: outputs, each with its forced [step, id]; what cannot be read is left out.
export function readForks(text) {
  const forks = (text ?? "").split("|").map((part) => part.split(";").map((pair) => pair.split(":")));
  const isFork = (fork) => fork.every((pair) => pair.length === 2 && pair.every((number) => /^\d{1,6}$/.test(number)));
  return forks.filter(isFork).map((fork) => fork.map((pair) => pair.map(Number)));
}

export const spellForks = (forks) => forks.map((fork) => fork.map((pair) => pair.join(":")).join(";")).join("|");

const CHANGE = /^(off|half):(encoder|decoder|cross)\.(\d{1,3}|\*)\.(\d{1,3}|\*)$/;
const PATCH = /^patch:(encoder|decoder)\.(input|\d{1,3})\.(\d{1,5})\.(\d{1,5})=(.+)$/s;
const SCALE = /^(encoder|decoder|cross)\.(\d{1,3})\.(\d{1,3})=([\d.]{1,6})$/;

// The heads of a link's changes, { "cross.1.0": scale }: `off:cross.1.0;half:cross.*.2`, of the app, and other scales in
// `scales`, `cross.1.0=0.3`; and its patches, `patch:encoder.2.4.3=sentence`. Gives those of the model, and what of the link
// is not possible here.
export function readChanges(changes, scales, { layers, config }) {
  const heads = {};
  const patches = {}; // by `keyOf`: of two in one place the last counts, as in the app
  const bad = [];
  const set = (kind, layer, head, scale) => {
    if (layer < (layers[kind] ?? 0) && head < config.heads) heads[`${kind}.${layer}.${head}`] = scale;
    else return false;
    return true;
  };
  const every = (place, count) => (place === "*" ? [...Array(count ?? 0).keys()] : [Number(place)]);
  for (const part of (changes ?? "").split(";").filter(Boolean)) {
    const [, side, at, row, from, sentence] = PATCH.exec(part) ?? [];
    if (side) {
      const patch = { side, at, row: Number(row), from: Number(from), sentence: unescaped(sentence) };
      patches[keyOf(patch)] = patch;
      continue;
    }
    const [, verb, kind, layer, head] = CHANGE.exec(part) ?? [];
    const places = verb ? every(layer, layers[kind]).flatMap((l) => every(head, config.heads).map((h) => [l, h])) : [];
    const done = places.map(([l, h]) => set(kind, l, h, verb === "off" ? 0 : 0.5));
    if (!done.length || done.includes(false)) bad.push(part);
  }
  for (const part of (scales ?? "").split(";").filter(Boolean)) {
    const [, kind, layer, head, scale] = SCALE.exec(part) ?? [];
    if (!kind || !(Number(scale) <= 2) || !set(kind, Number(layer), Number(head), Number(scale))) bad.push(part);
  }
  return { heads, patches: Object.values(patches), bad };
}

// The place that a patch fills.
export const keyOf = ({ side, at, row }) => `${side}.${at}.${row}`;

// The same as parameters of a link.
export function spellChanges(heads, patches = []) {
  const verbs = { 0: "off", 0.5: "half" };
  const changed = Object.entries(heads).filter(([, scale]) => scale !== 1);
  const changes = changed.filter(([, scale]) => scale in verbs).map(([at, scale]) => `${verbs[scale]}:${at}`);
  const scales = changed.filter(([, scale]) => !(scale in verbs)).map(([at, scale]) => `${at}=${scale}`);
  changes.push(...patches.map(spellPatch));
  return { changes: changes.join(";") || null, scales: scales.join(";") || null };
}

// The sentence of a patch is escaped as in model/edit/notation.py.
export const spellPatch = ({ side, at, row, from, sentence }) => `patch:${side}.${at}.${row}.${from}=${sentence.replace(/[;%]|\p{C}/gu, encodeURIComponent)}`;

function unescaped(sentence) {
  try {
    return decodeURIComponent(sentence);
  } catch {
    return sentence;
  }
}

// As the engine wants them.
export const headList = (heads) =>
  Object.entries(heads).map(([at, scale]) => {
    const [kind, layer, head] = at.split(".");
    return { kind, layer: Number(layer), head: Number(head), scale };
  });
