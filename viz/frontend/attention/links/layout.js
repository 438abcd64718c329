// The layout of the links as numbers: where each word stands, and where lines begin and end.

const TOKEN_PAD = 10;
const TOKEN_GAP = 8;
export const TOKEN_HEIGHT = 34;
const SIDE_NAME = 26;
const LINES = 96;

// In rows where both fit into `room`, else in columns. `seen`: the rows and columns of the panel that are drawn;
// `measure(labels, size)`: their widths; `target`: px that a word is at least high, for a finger.
// `needed`: of rows, the room that they take.
export function linksLayout(panel, seen, room, measure, target = 0) {
  const high = Math.max(TOKEN_HEIGHT, target);
  const strip = (square) => panel.heads * (square + 2) - 2;
  const sides = (size) => [
    sideOf("key", seen.columns, panel.keys, panel.keySpecials, (labels) => measure(labels, size)),
    sideOf("query", seen.rows, panel.queries, panel.querySpecials, (labels) => measure(labels, size)),
  ];
  for (const [size, square] of [[18, 9], [16, 7], [16, 5]]) {
    const pair = sides(size);
    for (const token of pair.flat()) token.slot = Math.max(token.width, strip(square)) + TOKEN_GAP;
    if (pair.every((side) => usedBy(side) <= room)) return { ...laidInRows(pair, room, high), pair, square, size, width: room, upright: false };
  }
  const square = panel.heads > 6 ? 4 : 7;
  const pair = sides(16);
  const width = Math.min(room, 620);
  return { ...laidInColumns(pair, width, strip(square), high, target), pair, square, size: 16, width, upright: true };
}

// One object per word, with where it stands once laid out.
function sideOf(side, indices, labels, specials, measure) {
  const wide = measure(indices.map((i) => labels[i]));
  return indices.map((index, position) => ({
    side, index, label: labels[index], special: Boolean(specials[index]), width: wide[position] + 2 * TOKEN_PAD,
  }));
}

const usedBy = (side) => side.reduce((sum, token) => sum + token.slot, 0);

function laidInRows(pair, room, high) {
  const tops = [SIDE_NAME, SIDE_NAME + high + 22 + LINES + 22];
  let needed = 0;
  pair.forEach((side, number) => {
    const used = usedBy(side);
    const spare = Math.min((room - used) / side.length, 64);
    needed = Math.max(needed, used + spare * side.length);
    let x = Math.max(0, (room - used - spare * side.length) / 2);
    for (const token of side) {
      token.x = x + (token.slot + spare) / 2;
      token.left = token.x - token.width / 2;
      token.y = tops[number];
      x += token.slot + spare;
    }
  });
  return {
    high,
    height: tops[1] + high + SIDE_NAME,
    needed,
    // Strips sit next to the words, the lines begin beyond them.
    strips: { key: tops[0] + high + 4, query: tops[1] - 13 },
    ends: { key: tops[0] + high + 20, query: tops[1] - 20 },
  };
}

function laidInColumns(pair, room, strip, high, target) {
  const most = Math.max(pair[0].length, pair[1].length);
  const step = most > 24 ? Math.max(28, target) : high;
  const widest = Math.min(200, Math.floor((room - 2 * (strip + 14) - 56) / 2));
  const [left, right] = pair.map((side) => Math.min(widest, Math.max(...side.map((token) => token.width))));
  pair.forEach((side, number) => {
    side.forEach((token, i) => {
      token.width = Math.min(token.width, number ? right : left);
      token.left = number ? room - right : left - token.width;
      token.y = SIDE_NAME + 4 + i * step;
      token.x = token.y + high / 2;
    });
  });
  return {
    high,
    height: SIDE_NAME + 4 + most * step + 8,
    sides: { left, right, room },
    strips: { key: left + 5, query: room - right - 5 - strip },
    ends: { key: left + strip + 12, query: room - right - strip - 12 },
  };
}

// Where the names of both sides begin that are so wide: above their words where there is room, else at the edges.
export function namesAt({ upright, sides }, key, query) {
  if (!upright) return { key: 0, query: 0 };
  const { left, right, room } = sides;
  return { key: Math.max(0, left - TOKEN_PAD - key), query: Math.min(room - right + TOKEN_PAD, room - query) };
}
