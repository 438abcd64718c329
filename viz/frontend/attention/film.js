// The output as a film: written token by token, each with the lines that it used, as the figure plays it.

import { inflate, readHeader, readPanels, readWeights } from "../common/data.js";
import { fill } from "../common/dom.js";
import { wrapped, write } from "../common/svg/text.js";
import { browserHost } from "../common/svg/context.js";
import { themeIn } from "../common/theme.js";
import { gifOf } from "../film/gif.js";
import { fitted, WIDE } from "../film/stage.js";
import { STANDS_FIRST, STANDS_LAST, writingFrames } from "../film/times.js";
import { activeAt, drawPicture, layPicture, restingAt, SMALL } from "./links/picture.js";
import { largest, visiblePart } from "./measures.js";

// px
const EDGE = 30;
const SENTENCE = { size: 22, line: 30 };
const WRITTEN = { size: 26, line: 36, weight: 600 };
const GAP = 14;
const FOOT = 30;
const ROOMS = [560, 660, 780, WIDE - 2 * EDGE]; // of the links: the one in which their words are largest

// `bytes`: the message to a figure of links that plays an output. `mode`: light or dark.
export default async function film(bytes, { mode, ...hooks }) {
  const { header, body } = readHeader(bytes);
  const at = header.selection;
  const panel = readPanels(header, readWeights(header.deflated ? await inflate(body) : body)).get(at.kind);
  const context = document.createElement("canvas").getContext("2d"); // to measure with
  context.host = browserHost(context);
  const head = { context, theme: themeIn(mode), words: header.words, panel, at, seen: visiblePart(panel, false) };
  const plans = ROOMS.map((room) => planOf({ ...head, room }, header));
  const inRows = plans.filter(({ laid }) => !laid.upright);
  const plan = largest(inRows.length ? inRows : plans, ({ laid, place }) => laid.size * place.scale);
  const still = { at: null };
  return gifOf(
    {
      width: WIDE,
      height: plan.place.height,
      frames: [{ ...still, ms: STANDS_FIRST }, ...writingFrames(panel.rows), { ...still, ms: STANDS_LAST }],
      exact: Object.values(head.theme.surface),
      draw: (pen, frame) => drawFrame({ ...head, context: Object.assign(pen, { host: context.host }) }, header, plan, frame),
    },
    hooks,
  );
}

// What stands where in each frame: the room that the whole output takes is kept from the beginning.
function planOf(head, { sentence, written }) {
  const laid = layPicture(head);
  const lines = (text, { size, weight }) => wrapped(head.context, text, laid.width, size, weight);
  const read = lines(sentence, SENTENCE);
  const output = EDGE + read.length * SENTENCE.line;
  const picture = output + lines(written.at(-1), WRITTEN).length * WRITTEN.line + GAP;
  const height = picture + laid.height + FOOT + EDGE;
  return { laid, lines, read, output, picture, width: laid.width + 2 * EDGE, height, place: fitted(laid.width + 2 * EDGE, height) };
}

function drawFrame(head, { written }, plan, { at, grown }) {
  const { context, theme, words } = head;
  const { laid, place } = plan;
  const { ink, muted, card } = theme.surface;
  context.fillStyle = card;
  context.fillRect(0, 0, WIDE, place.height);
  context.save();
  context.translate(place.x, place.y);
  context.scale(place.scale, place.scale);
  context.translate(EDGE, 0);
  writeLines(context, plan.read, EDGE, SENTENCE, muted);
  writeLines(context, plan.lines(written[at ?? written.length - 1], WRITTEN), plan.output, WRITTEN, ink);
  context.save();
  context.translate(0, plan.picture);
  if (at === null) drawPicture(head, laid, { active: restingAt(head) });
  else drawPicture(head, laid, { active: activeAt(head, at), last: at, grown });
  context.restore();
  const name = fill(words.head_name, { kind: words[head.panel.kind], layer: head.at.layer, head: head.at.head });
  const foot = plan.height - EDGE;
  write(context, name, 0, foot, { size: SMALL, colour: theme.kinds[head.panel.kind].ink });
  write(context, "Glassformer", laid.width, foot, { size: SMALL, align: "right", colour: muted });
  context.restore();
}

function writeLines(context, lines, top, { size, weight, line }, colour) {
  lines.forEach((text, i) => write(context, text, 0, top + (i + 0.5) * line, { size, weight, colour }));
}
