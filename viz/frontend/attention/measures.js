// What can be read off one head.

// Which of the heads of a panel it is; of a long input a panel has some alone, and gives -1 for the others.
function placeOf(panel, at) {
  const place = at.layer * panel.heads + at.head;
  return panel.places ? panel.places[place] : place;
}

export const hasHead = (panel, at) => placeOf(panel, at) >= 0;

// Where the weights of a head begin.
export const startOf = (panel, at) => placeOf(panel, at) * panel.rows * panel.columns;

export function weightAt(panel, at, query, key) {
  return panel.values[startOf(panel, at) + query * panel.columns + key] / panel.one;
}

// The same as a function of query and key, for many of them.
export function headWeights(panel, at) {
  const start = startOf(panel, at);
  return (query, key) => panel.values[start + query * panel.columns + key] / panel.one;
}

// What is added up comes with the weights: small errors of many of these would add up, too.
export const rowSum = (panel, at, query) => panel.sums[placeOf(panel, at)][0][query];
export const columnSum = (panel, at, key) => panel.sums[placeOf(panel, at)][1][key];
// In bits: 0 where a row looks at one word only, log2 K where it looks at all alike.
export const meanEntropy = (panel, at) => panel.entropies[placeOf(panel, at)];

// A row whose keys are all masked has no weights.
export function hasWeights(panel, at, query) {
  const start = startOf(panel, at) + query * panel.columns;
  return panel.values.subarray(start, start + panel.columns).some((value) => value > 0);
}

export function largest(candidates, measure) {
  let best = candidates[0];
  for (const candidate of candidates) if (measure(candidate) > measure(best)) best = candidate;
  return best;
}

export const strongestKey = (panel, at, query, keys) => largest(keys, (key) => weightAt(panel, at, query, key));
export const strongestQuery = (panel, at, key, queries) => largest(queries, (query) => weightAt(panel, at, query, key));

export function visiblePart(panel, hide) {
  const part = (specials) => {
    const all = [...specials.keys()];
    const kept = all.filter((i) => !specials[i]);
    return hide && kept.length ? kept : all;
  };
  return { rows: part(panel.querySpecials), columns: part(panel.keySpecials) };
}

// The word to explain the picture with while nobody points at one: the surest real word.
export function restingQuery(panel, at) {
  const isWord = (label, special) => !special && /\p{L}/u.test(label);
  const queries = [...panel.queries.keys()].filter((q) => isWord(panel.queries[q], panel.querySpecials[q]));
  const keys = [...panel.keys.keys()].filter((k) => isWord(panel.keys[k], panel.keySpecials[k]));
  if (!queries.length || !keys.length) return 0;
  return largest(queries, (q) => weightAt(panel, at, q, strongestKey(panel, at, q, keys)));
}
