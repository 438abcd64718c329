// Chance that a number decides: the same for the same seed.

// The numbers below `count` in an order that the seed decides: Fisher and Yates' way, by mulberry32.
export function shuffled(count, seed) {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  const next = random(seed);
  for (let at = count - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

// Numbers from 0 to below 1, the same for the same seed.
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
