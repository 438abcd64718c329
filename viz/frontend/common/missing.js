// What a browser needs to run a model of a live page. The app asks, too, before it shows one.

const SIMD = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];

// Why this browser cannot run a model, the code of an EngineError, or "".
export function missing() {
  if (!globalThis.WebAssembly?.validate(new Uint8Array(SIMD))) return "live_simd";
  return globalThis.DecompressionStream ? "" : "live_decompression";
}
