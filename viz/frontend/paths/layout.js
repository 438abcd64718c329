// Where tokens, sublayers and edges stand: tokens as columns, the pass from below to above, the encoder below the decoder.

const LINE = 27; // px of a sublayer: viz/figures/paths.py
const GUTTER = 104; // for the names of sublayers
const SLIM_GUTTER = 76;
const COLUMN = 140; // px, at most
const TOKENS = 44; // px of the line of tokens below a side
const TOP = 50; // px above the last sublayer, for what is written
const FOOT = 6;
const SPREAD = 9; // px between lines from the same token to the same row
const THICK = { least: 1.2, most: 6 };
const SQUARE = { least: 7, most: 15 };

// data: what Python sent; width: of the drawing in px.
export function layoutPaths({ tokens, steps, edges, answer }, width) {
  const gutter = width < 480 ? SLIM_GUTTER : GUTTER;
  const sides = [...new Set(steps.map(([side]) => side))].filter((side) => tokens.some((token) => token[0] === side));
  const columns = Math.max(...sides.map((side) => tokens.filter((token) => token[0] === side).length));
  const aside = sides.length > 1 ? 0.5 : 0; // of a column: or lines from side to side would run along a stream
  const wide = Math.min(COLUMN, Math.max(1, width - gutter) / (columns + aside));
  const own = steps.map(([side, label], step) => ({ side, label, step })).filter(({ side }) => sides.includes(side));
  const height = TOP + own.length * LINE + sides.length * (TOKENS + LINE) + FOOT;
  const laid = { width: Math.ceil(gutter + (columns + aside) * wide), height, gutter, wide, steps: [], tokens: [] };
  const levels = new Map(); // side → y of its input
  let y = height - FOOT;
  for (const side of sides) {
    const at = y - TOKENS / 2;
    y -= TOKENS + LINE / 2;
    levels.set(side, y);
    tokens.filter((token) => token[0] === side).forEach(([, place, text, said], column) => {
      laid.tokens.push({ side, place, text, said, x: gutter + (column + 0.5 + (side === sides[0] ? 0 : aside)) * wide, y: at, input: levels.get(side) });
    });
    for (const each of own.filter((step) => step.side === side)) laid.steps.push({ ...each, y: (y -= LINE) });
    y -= LINE / 2;
  }
  placeEdges(laid, edges, answer, levels);
  return laid;
}

const xOf = (laid, side, place) => laid.tokens.find((token) => token.side === side && token.place === place)?.x;

// The place of a token's stream behind a step of its side, or in front of all.
function levelOf(laid, levels, side, before) {
  const below = laid.steps.filter((step) => step.side === side && step.step < before);
  return below.length ? below.at(-1).y : levels.get(side);
}

function placeEdges(laid, edges, answer, levels) {
  const most = Math.max(...edges.map(({ value }) => Math.abs(value)), 1e-9);
  const tops = new Map(); // how far up the stream of a token matters
  const reach = (side, at, y) => tops.set(`${side} ${at}`, Math.min(y, tops.get(`${side} ${at}`) ?? Infinity));
  const between = new Map();
  laid.lines = [];
  laid.squares = [];
  edges.forEach((edge, at) => {
    const step = laid.steps.find((each) => each.step === edge.step);
    const share = Math.sqrt(Math.abs(edge.value) / most);
    const x = xOf(laid, step.side, edge.row);
    if (edge.key === null) {
      const size = SQUARE.least + share * (SQUARE.most - SQUARE.least);
      laid.squares.push({ at, edge, x, y: step.y, size });
      return;
    }
    const from = { x: xOf(laid, edge.keySide, edge.key), y: levelOf(laid, levels, edge.keySide, edge.step) };
    reach(edge.keySide, edge.key, from.y);
    const pair = `${edge.step} ${edge.row} ${edge.keySide} ${edge.key}`;
    between.set(pair, [...(between.get(pair) ?? []), { at, edge, from, to: { x, y: step.y }, thick: THICK.least + share * share * (THICK.most - THICK.least) }]);
  });
  for (const lines of between.values()) lines.forEach((line, i) => laid.lines.push(curved(line, (i - (lines.length - 1) / 2) * SPREAD)));
  const top = laid.steps.at(-1).y - LINE / 2;
  reach(answer[0], answer[1], top);
  laid.streams = laid.tokens.filter(({ side, place: at }) => tops.has(`${side} ${at}`)).map((token) => ({ x: token.x, y: token.input, top: tops.get(`${token.side} ${token.place}`) }));
  laid.answer = { text: answer[2], said: answer[3], x: xOf(laid, answer[0], answer[1]), y: top };
}

// A line that leaves upwards and arrives from below; between the same two tokens it bends aside.
function curved(line, aside) {
  const { from, to } = line;
  const straight = Math.abs(from.x - to.x) < 1;
  const bend = straight ? aside + (aside >= 0 ? 14 : -14) : aside;
  const half = (from.y - to.y) / 2;
  return { ...line, curve: [from.x, from.y, from.x + bend, from.y - half, to.x + bend, to.y + half, to.x, to.y] };
}

// The edge at a point: the nearest square or line within a few pixels; null if there is none.
export function edgeAt(laid, x, y, near = 7) {
  let best = { distance: near, at: null };
  for (const { at, x: left, y: top, size } of laid.squares) {
    const distance = Math.max(Math.abs(x - left), Math.abs(y - top)) - size / 2;
    if (distance < best.distance) best = { distance, at };
  }
  for (const { at, curve, thick } of laid.lines) {
    const distance = distanceTo(curve, x, y) - thick / 2;
    if (distance < best.distance) best = { distance, at };
  }
  return best.at;
}

const POINTS = 24; // of a curve that are looked at

function distanceTo([x0, y0, x1, y1, x2, y2, x3, y3], x, y) {
  let least = Infinity;
  for (let i = 0; i <= POINTS; i++) {
    const t = i / POINTS;
    const [a, b, c, d] = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t ** 3];
    least = Math.min(least, Math.hypot(a * x0 + b * x1 + c * x2 + d * x3 - x, a * y0 + b * y1 + c * y2 + d * y3 - y));
  }
  return least;
}
