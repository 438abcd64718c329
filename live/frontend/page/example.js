// The example that was run when the page was made: shown at once, while the model is still on its way.

import { inflate } from "../../../viz/frontend/common/data.js";
import { pathOf } from "./figure_data.js";

// A result as engine.js has it, with the attention weights alone. stored: live/example.py
export async function exampleResult({ weights, shapes, ...stored }) {
  const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
  const all = new Float32Array((await inflate(bytes)).buffer);
  const values = {};
  let start = 0;
  for (const [kind, [layers, ...shape]] of shapes) {
    const count = shape.reduce((product, size) => product * size, 1);
    for (let layer = 0; layer < layers; layer++) {
      values[`${pathOf(kind, layer)}.weights`] = { data: all.subarray(start, start + count), shape };
      start += count;
    }
  }
  return { ...stored, values, isExample: true };
}
