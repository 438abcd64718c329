// The example that was run when the page was made: shown at once, while the model is still on its way.

import { inflate, readWeights } from "../../../viz/frontend/common/data.js";
import { pathOf } from "./messages.js";

// A result as engine.js has it, with the attention weights alone. stored: live/example.py
export async function exampleResult({ weights, shapes, ...stored }) {
  const bytes = Uint8Array.from(atob(weights), (letter) => letter.charCodeAt(0));
  const whole = readWeights(await inflate(bytes));
  const values = {};
  let start = 0;
  for (const [kind, [layers, ...shape]] of shapes) {
    const count = shape.reduce((product, size) => product * size, 1);
    for (let layer = 0; layer < layers; layer++) {
      const data = Float32Array.from(whole.subarray(start, start + count), (step) => step / 65535);
      values[`${pathOf(kind, layer)}.weights`] = { data, shape };
      start += count;
    }
  }
  return { ...stored, values, isExample: true };
}
