// Films that are saved: which frame stands how long, and what of a sheet's output is written at a stop.

import assert from "node:assert/strict";
import test from "node:test";

import { drawCurves } from "../../../viz/frontend/attention/links/lines.js";
import { SvgContext } from "../../../viz/frontend/common/svg/context.js";
import { fitted, HIGH, WIDE } from "../../../viz/frontend/film/stage.js";
import { MOST_TIME, spread, STANDS_FIRST, STANDS_LAST, writingFrames } from "../../../viz/frontend/film/times.js";
import { Film } from "../../../viz/frontend/sheet/film.js";

const total = (frames) => frames.reduce((sum, { ms }) => sum + ms, STANDS_FIRST + STANDS_LAST);

test("an output of any length is written within ten seconds, in whole hundredths, to its last token", () => {
  for (const count of [1, 2, 7, 8, 30, 99, 100, 400]) {
    const frames = writingFrames(count);
    assert.ok(total(frames) <= MOST_TIME, `${count} tokens take ${total(frames)} ms`);
    assert.ok(frames.every(({ ms }) => ms >= 20 && ms % 10 === 0), `${count}: ${JSON.stringify(frames.map(({ ms }) => ms))}`);
    assert.equal(frames.at(-1).at, count - 1);
    assert.equal(frames.at(-1).grown, 1);
    assert.ok(frames.every(({ at }, i) => !i || at >= frames[i - 1].at));
  }
  assert.equal(total(writingFrames(3)), STANDS_FIRST + STANDS_LAST + 3 * 1150); // as fast as on the screen
  assert.deepEqual([...new Set(writingFrames(7).map(({ at }) => at))], [0, 1, 2, 3, 4, 5, 6]);
});

test("of more stops than a film has room for, every second or third one stays, and the last", () => {
  assert.deepEqual(spread([5, 6, 7], 700), { kept: [5, 6, 7], ms: 700 });
  const { kept, ms } = spread([...Array(250).keys()], 700);
  assert.equal(kept.at(-1), 249);
  assert.ok(kept.length * ms <= MOST_TIME - STANDS_FIRST - STANDS_LAST);
  assert.deepEqual([...new Set(kept.slice(1).map((at, i) => at - kept[i]))], [3]);
});

test("a drawing stands in the middle, enlarged or reduced to what a preview of a link shows", () => {
  for (const [width, height] of [[600, 300], [900, 310], [500, 900], [620, 3000]]) {
    const place = fitted(width, height);
    assert.ok(width * place.scale <= WIDE + 1e-6 && height * place.scale <= place.height + 1e-6);
    assert.ok(Math.abs(place.x * 2 + width * place.scale - WIDE) < 1e-6);
    assert.ok(place.height >= HIGH && place.height <= WIDE);
  }
  assert.equal(fitted(600, 300).height, HIGH);
});

test("the text of a sheet's film grows when the values of its token are there", () => {
  const part = (role, ...path) => ({ role, frame: { path } });
  const stops = [
    { pass: 0, parts: [part("q", "encoder", "0", "self_attention")] },
    { pass: 0, parts: [part("q", "decoder", "0", "self_attention")] },
    { pass: 0, parts: [part("logits", "decoder", "output")] },
    { pass: 1, parts: [part("q", "decoder", "0", "self_attention")] },
    { pass: 1, parts: [part("normed", "decoder", "output"), part("logits", "decoder", "output")] },
  ];
  const film = { stops, sheet: { given: 1, written: [["we", false, "We"], ["go", false, "We go"]] } };
  const texts = (it) => stops.map((_, at) => Film.prototype.written.call(it, at));
  assert.deepEqual(texts(film), ["", "", "We", "We", "We go"]);
  const goesOn = { stops, sheet: { given: 2, written: [["a", false, ""], ["b", false, "b"], ["c", false, "bc"]] } };
  assert.deepEqual(texts(goesOn), ["", "", "b", "b", "bc"]);
  assert.deepEqual(stops.map((_, at) => Film.prototype.writes.call(film, at)), [false, false, true, false, true]);
});

test("what is drawn after lines that grow has no dashes", () => {
  const context = new SvgContext({ measure: (text) => 7 * text.length });
  const panel = { heads: 1, rows: 1, columns: 1, values: [65535] };
  const tokens = [{ side: "key", index: 0, x: 5, label: "a" }, { side: "query", index: 0, x: 50, label: "b" }];
  const look = { panel, at: { layer: 0, head: 0 }, theme: { mode: "light", heads: ["#a00000"] }, heads: [0] };
  drawCurves({ context, ends: { key: 0, query: 90 } }, tokens, { ...look, isStrong: () => true, grown: () => 0.5 });
  assert.match(context.parts.join(), /stroke-dasharray/);
  assert.deepEqual(context.dash, []);
});
