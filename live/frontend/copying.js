// How much each head looks at the token before, and at what followed an earlier copy of its token: `previous_share` and
// `induction_share` of model/analysis/attention/copying.py. B texts of T tokens each, H heads.

const FEWEST = 2; // tokens before a query, of those that count for the token before

// { previous, induction }: of the head with the most of each { layer, head, share }, a mean over texts.
//   layers   attention weights { data, dims: [B, H, T, T] } of each layer; ids: of the texts
export function copyingOf(layers, ids) {
  const scores = layers.flatMap(({ data, dims: [, heads, length] }, layer) =>
    Array.from({ length: heads }, (_, head) => {
      const row = (text, query) => data.subarray(((text * heads + head) * length + query) * length).subarray(0, length);
      const over = (share) => mean(ids.map((_, text) => share(ids[text], (query) => row(text, query))));
      return { layer, head, previous: over(previousShare), induction: over(inductionShare) };
    }),
  );
  const best = (name) => scores.map(({ layer, head, [name]: share }) => ({ layer, head, share })).reduce((a, b) => (b.share > a.share ? b : a));
  return { previous: best("previous"), induction: best("induction") };
}

const previousShare = (text, row) => mean(text.map((_, query) => row(query)[query - 1]).slice(FEWEST));

function inductionShare(text, row) {
  const shares = text.flatMap((id, query) => {
    const followers = text.map((_, key) => key).filter((key) => key > 0 && key <= query && text[key - 1] === id);
    return followers.length ? [followers.reduce((sum, key) => sum + row(query)[key], 0)] : [];
  });
  return mean(shares);
}

const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : 0);
