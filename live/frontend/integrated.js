// Integrated gradients by any engine: gradients along a path, whose scales the analysis `path` gives until what they add
// up to is known well enough; the mathematics is that of model/attribution/integration.py.

// asked    { row, word } of `gradients` in engine.js
// begins   `gradient` of the description
// Promises { values, sum, change, gap, holds, points }: the values of the tokens read, those of the source first; what they
// add up to and would have to, the difference, whether it is small enough, and how many scales that took.
export async function integrated(engine, begins, source, target, asked, signal) {
  const width = source.length + target.length;
  const size = Math.max(1, Math.floor(begins.tokens / width)); // scales of a call
  const known = new Map(); // the row of the table of each scale
  for (let scales = Float32Array.from(begins.scales); ; ) {
    const missing = [...new Set(scales)].filter((scale) => !known.has(scale));
    for (let at = 0; at < missing.length; at += size) {
      const batch = missing.slice(at, at + size);
      const { scores, products } = await engine.gradients(source, target, { ...asked, scales: batch, signal });
      batch.forEach((scale, place) => known.set(scale, [scale, scores.data[place], ...products.data.subarray(place * width, (place + 1) * width)]));
    }
    const data = Float32Array.from([...scales].flatMap((scale) => known.get(scale)));
    const found = await engine.analyse("path", { data, shape: [scales.length, width + 2] }, { signal });
    const [sum, change, gap, error, tolerance, ...rest] = found.data;
    scales = Float32Array.from(rest.slice(width));
    const isKnown = scales.every((scale) => known.has(scale)) || known.size >= begins.most;
    if (isKnown) return { values: rest.slice(0, width), sum, change, gap, holds: error <= tolerance, points: known.size };
  }
}
