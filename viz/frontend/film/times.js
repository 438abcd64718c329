// When something is seen in a film that is saved: fixed times, so that a slow machine makes the same film.

export const MOST_TIME = 10_000; // ms of a film at most
export const STANDS_FIRST = 800; // ms that the finished picture stands first: a printed slide shows it, and a still preview
export const STANDS_LAST = 1600; // and at the end
const SHORTEST_FRAME = 80; // ms of a frame
const TOKEN_TIME = 1150; // ms for a token, of which its lines grow for so many, as on the screen
const GROW_TIME = 550;

// Frames in units of 10 ms, which a GIF counts in.
const tens = (ms) => 10 * Math.floor(ms / 10);

// Those that a film has room for, the last one in any case, and how long each stands: `longest` at most.
export function spread(items, longest) {
  const room = MOST_TIME - STANDS_FIRST - STANDS_LAST;
  const every = Math.ceil((items.length * SHORTEST_FRAME) / room) || 1;
  const kept = items.filter((_, place) => (items.length - 1 - place) % every === 0);
  return { kept, ms: tens(Math.min(longest, room / kept.length)) };
}

// An output of `count` tokens is written: which one it is, the share of its lines that is drawn, and how long.
export function writingFrames(count) {
  const { kept, ms } = spread([...Array(count).keys()], TOKEN_TIME);
  const grows = (ms * GROW_TIME) / TOKEN_TIME;
  const frames = Math.max(1, Math.floor(grows / SHORTEST_FRAME));
  const each = tens(grows / frames);
  return kept.flatMap((at) =>
    [...Array(frames + 1).keys()].map((number) => ({ at, grown: number / frames, ms: number < frames ? each : ms - frames * each })),
  );
}
