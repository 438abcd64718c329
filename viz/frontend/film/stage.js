// The picture of a film: so wide and high, on the ground of the page.

export const WIDE = 960; // px
export const HIGH = 504; // at least: 1.9 times as wide as high, as previews of links are
const HIGHEST = 960;
const LARGEST = 1.6; // times

// How a drawing of so many px stands in it: as large as it fits, in the middle.
export function fitted(width, height) {
  const most = Math.min(LARGEST, WIDE / width, HIGHEST / height);
  const scale = height * most > HIGH ? Math.min(most, Math.max(1, HIGH / height)) : most;
  const high = Math.max(HIGH, Math.ceil(height * scale));
  return { scale, height: high, x: (WIDE - width * scale) / 2, y: (high - height * scale) / 2 };
}
