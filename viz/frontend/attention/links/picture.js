// Words linked to words, drawn where there are no elements: in a file and in a film.

import { cut, measureOf, widthOf, write } from "../../common/svg/text.js";
import { linksLayout, namesAt, TOKEN_HEIGHT } from "./layout.js";
import { drawCurves, drawStrip } from "./lines.js";
import { restingQuery, strongestKey } from "../measures.js";

export const SMALL = 13; // px, as in attention.css
export const LEAST = 520; // px that a file is wide at least, for its texts

// `room` px wide at most; a short sentence needs no room beside it.
export function layPicture({ context, panel, seen, room }) {
  const measure = measureOf(context, 700);
  const laid = linksLayout(panel, seen, room, measure);
  return laid.needed < room ? linksLayout(panel, seen, Math.min(room, Math.max(LEAST, laid.needed)), measure) : laid;
}

// What stands out while nobody points.
export const restingAt = (head) => activeAt(head, restingQuery(head.panel, head.at));

export const activeAt = ({ panel, at, seen }, query) => ({ query, key: strongestKey(panel, at, query, seen.columns) });

// `active`: the query whose lines stand out, and its strongest key. `last`: the query that was written last; a share
// `grown` of its lines is drawn.
export function drawPicture(head, laid, { active, last = Infinity, grown = 1 }) {
  const links = { ...laid, context: head.context };
  const tokens = laid.pair.flat().filter(({ side, index }) => side === "key" || index <= last);
  const isStrong = (_, query) => query === active.query;
  drawCurves(links, tokens, { ...head, heads: [head.at.head], isStrong, grown: (query) => (query === last ? grown : 1) });
  for (const key of laid.pair[0]) drawStrip(links, key, active.query, head);
  for (const token of tokens) drawToken(head, laid, token, token.index === active[token.side]);
  nameBoth(head, laid);
}

// The query whose lines stand out has a frame; so has no key.
function drawToken({ context, theme }, { size }, { side, label, special, left, y, width }, isActive) {
  const { ink, muted, soft } = theme.surface;
  if (isActive && side === "query") {
    context.beginPath();
    context.roundRect(left + 0.5, y + 0.5, width - 1, TOKEN_HEIGHT - 1, 9);
    context.fillStyle = soft;
    context.fill();
    context.strokeStyle = muted;
    context.lineWidth = 1;
    context.stroke();
  }
  const look = { size, align: "center", weight: isActive ? 700 : null, colour: special && !isActive ? muted : ink };
  write(context, cut(context, label, width - 10, size), left + width / 2, y + TOKEN_HEIGHT / 2, look);
}

function nameBoth({ context, words, panel, theme }, laid) {
  const names = { key: words[`keys_${panel.kind}`], query: words[`queries_${panel.kind}`] };
  const at = namesAt(laid, widthOf(context, names.key, SMALL), widthOf(context, names.query, SMALL));
  const look = { size: SMALL, colour: theme.surface.muted };
  write(context, names.key, at.key, 9, look);
  write(context, names.query, at.query, laid.upright ? 9 : laid.height - 9, look);
}
