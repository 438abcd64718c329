// The sheet: the stops of its film, what a click means, what a search finds, and what a number is made from.

import assert from "node:assert/strict";
import test from "node:test";

import { held, toNearest } from "../../../viz/frontend/sheet/camera.js";
import { SvgContext } from "../../../viz/frontend/common/svg/context.js";
import { paintBlocks, paintTitles, placeLabels } from "../../../viz/frontend/sheet/drawing/groups.js";
import { hitAt } from "../../../viz/frontend/sheet/drawing/hit.js";
import { paintLabels } from "../../../viz/frontend/sheet/drawing/labels.js";
import { Film, paceOf, sentenceOf, stopsOf } from "../../../viz/frontend/sheet/film.js";
import { Link } from "../../../viz/frontend/sheet/link.js";
import { hitsOf } from "../../../viz/frontend/sheet/panels/search.js";
import { landing, largestOf } from "../../../viz/frontend/sheet/panels/sums.js";
import { cellAt, placesOf } from "../../../viz/frontend/sheet/parts.js";

const part = (index, role, path, rowAxis, columnAxis = "d_k", kind = 1) => ({
  index, role, kind, rowAxis, columnAxis, rows: 3, columns: 4, frame: { path }, pieces: [],
});
const own = ["decoder", "0", "self_attention"];
const parts = [
  part(0, "q", ["encoder", "0", "self_attention", "0"], "source"),
  part(1, "weight", ["decoder", "0", "self_attention", "0"], "d_model", "d_k", 0),
  part(2, "q", [...own, "0"], "target"),
  part(3, "k", [...own, "0"], "target"),
  { ...part(4, "k_transposed", [...own, "0"], "d_k", "target", 3), columns: 3 },
  part(5, "q", [...own, "1"], "target"),
  part(6, "memory", ["decoder", "0", "cross_attention"], "source", "d_model", 3),
];
const sheet = { parts, given: 1, tokens: { target: ["<bos>", "we", "go"] } };

test("a stop has all heads of one kind, later passes a sublayer", () => {
  const stops = stopsOf(sheet).map((stop) => [stop.pass, stop.parts.map((each) => each.index)]);
  const pass = (number) => [[number, [2, 3, 4, 5]], [number, [6]]];
  assert.deepEqual(stops, [[0, [0]], [0, [2, 5]], [0, [3, 4]], [0, [6]], ...pass(1), ...pass(2)]);
});

test("each token is drawn in its language, all else in that of the page", () => {
  const context = new SvgContext({ measure: (text) => 7 * text.length });
  const camera = { at: { x: 0, y: 0, k: 40 } };
  const theme = { surface: { ink: "#000", muted: "#666", card: "#fff" } };
  const tokens = { source: ["Buch", "骨", "."], target: ["book", "of", "."] };
  const figure = { context, camera, theme, font: "serif", languages: { source: "de", target: "en" }, sheet: { tokens } };
  for (const axis of ["source", "target"]) {
    const named = { ...part(0, "q", [], axis), recorded: [3, 4], name: "q" };
    const piece = { part: named, x: 0, y: 0, row: 0, rows: 3, column: 0, columns: 4 };
    paintLabels(figure, piece, { x: 200, y: 0, width: 160, height: 120 }, { x: 0, y: 0, right: 900, bottom: 900 });
  }
  const drawn = context.parts.filter((each) => each.startsWith("<text")).map((each) => [/>(.*)</.exec(each)[1], /lang="(.*?)"/.exec(each)?.[1]]);
  assert.deepEqual(drawn.filter(([text]) => Object.values(tokens).flat().includes(text)), [
    ["Buch", "de"], ["骨", "zh-CN"], [".", "de"], ["book", "en"], ["of", "en"], [".", "en"],
  ]);
  assert.deepEqual(drawn.filter(([text]) => text.includes("(3, 4)")).map(([, language]) => language), [undefined, undefined]);
});

// A layer of byt5-small on a phone: its title stands over a flat block.
for (const [wide, drawn] of [[160, ["Layer 0", "Self-attention"]], [110, ["Layer 0"]]]) {
  test(`a title of a block of ${wide} pixels stands beside the label over it, or not at all`, () => {
    const context = new SvgContext({ measure: (text) => 7 * text.length });
    const ink = { ink: "#000", muted: "#666", card: "#fff", soft: "#eee", line: "#ccc" };
    const theme = { surface: ink, kinds: { encoder: ink, decoder: ink, cross: ink } };
    const titles = { 0: "Layer 0", self_attention: "Self-attention" };
    const camera = { at: { x: 0, y: 0, k: 1 }, width: 390, height: 300, inset: 0, place: () => [0, 0] };
    const layers = [
      { path: ["encoder", "0"], depth: 1, x: 20, y: 50, width: 200, height: 30 },
      { path: ["encoder", "0", "self_attention"], depth: 2, x: 24, y: 54, width: wide, height: 22 },
    ];
    const figure = { context, camera, theme, titles, font: "serif", sheet: { frames: layers } };
    figure.labels = placeLabels(figure, layers);
    paintBlocks(figure, layers);
    paintTitles(figure);
    const texts = context.parts.filter((each) => each.startsWith("<text")).map((each) => /([\d.]+)" y.*>(.*)</.exec(each));
    assert.deepEqual(texts.map(([, , text]) => text).sort(), drawn);
    const edge = figure.labels[0].x + figure.labels[0].width;
    for (const [, x, text] of texts) if (text !== "Layer 0") assert.ok(x - (7 * text.length) / 2 >= edge);
  });
}

test("rows are new, cached, of an earlier pass, or still to come", () => {
  const film = Object.create(Film.prototype);
  const states = (index, at) => {
    film.at = at;
    return film.covers(parts[index]).map((cover) => cover.state).join(" ");
  };
  Object.assign(film, { sheet, stops: stopsOf(sheet), firsts: new Map() });
  film.index();
  assert.equal(states(2, 1), "new later later");
  assert.equal(states(3, 1), "later later later");
  assert.equal(states(2, 4), "before new later"); // only the new token's query is computed
  assert.equal(states(3, 6), "cached cached new");
  assert.equal(states(4, 6), "cached cached new"); // a column for each token
  assert.deepEqual(film.covers(parts[4]).map((cover) => cover.axis), ["columns", "columns", "columns"]);
  assert.equal(states(6, 3), "new");
  assert.equal(states(6, 4), "cached"); // the encoder ran once
  assert.equal(states(0, 6), "done");
  assert.deepEqual(film.covers(parts[1]), []); // weights are always there
});

test("a cell of a folded part is found at its place and back", () => {
  const folded = { index: 0, rows: 5, columns: 2, pieces: [] };
  folded.pieces.push(
    { part: folded, x: 10, y: 20, row: 0, rows: 3, column: 0, columns: 2 },
    { part: folded, x: 30, y: 20, row: 3, rows: 2, column: 0, columns: 2 },
  );
  assert.deepEqual(cellAt(folded.pieces, 31.5, 21.2), { part: 0, row: 4, column: 1 });
  assert.equal(cellAt(folded.pieces, 31.5, 22.2), null);
  assert.deepEqual(placesOf(folded, 4, 1), [{ x: 31, y: 21, width: 1, height: 1 }]);
  assert.equal(placesOf(folded, null, 1).length, 2); // a column goes through both pieces
});

test("a stop says what is new there, what is kept, and what was written", () => {
  const words = {
    pass_self_attention: "{token} reads the cache", pass_cross_attention: "{token} asks, labelled {label}", pass_feed_forward: "{token} alone",
    pass_embedding: "{token} is read", pass_output: "scores after {token}.", writes: "Writes {token}.", writes_end: "Writes {token}, the end.",
  };
  const read = { tokens: { target: ["<bos>", "we", "go"], output: ["we", "go", "<eos>"] }, given: 1, written: [["we", false], ["go", false], ["<eos>", true]] };
  const says = (path, pass, role = "q") => sentenceOf(read, { parts: [{ frame: { path }, role }], pass }, words, { q: "Queries.", logits: "Scores." });
  assert.equal(says(["decoder", "0", "self_attention", "0"], 0), "Queries.");
  assert.equal(says(["decoder", "output"], 0, "logits"), "Scores. Writes we.");
  assert.equal(says(["decoder", "embedding"], 1), "we is read");
  assert.equal(says(["decoder", "0", "self_attention"], 1), "we reads the cache");
  assert.equal(says(["decoder", "0", "cross_attention"], 1), "we asks, labelled go");
  assert.equal(says(["decoder", "0", "feed_forward"], 1), "we alone");
  assert.equal(says(["decoder", "output"], 1), "scores after we. Writes go.");
  assert.equal(says(["decoder", "output"], 2), "scores after go. Writes <eos>, the end.");
});

test("a long sentence stays longer, and one that is repeated no longer than it must", () => {
  const long = "word ".repeat(25);
  assert.ok(paceOf(long, "") > 3 * paceOf("Queries.", ""));
  assert.ok(paceOf("一".repeat(30), "") > paceOf("a".repeat(30), "")); // a sign is a word
  assert.equal(paceOf(long, long), paceOf("", ""));
});

const frames = [["decoder"], ["decoder", "0"], ["decoder", "0", "cross_attention"], ["decoder", "0", "cross_attention", "2"]].map((path, depth) => (
  { path, depth, x: 10 * depth, y: 10 * depth, width: 400 - 20 * depth, height: 200 - 20 * depth }
));
const hidden = part(0, "weights", frames[3].path, "output", "source");
const pieces = [{ part: hidden, x: 60, y: 60, row: 0, rows: 20, column: 0, columns: 20 }];

test("a click means the label or the block that is drawn there, and a cell only where it is seen", () => {
  const at = (k, labels = []) => hitAt({ labels, sheet: { frames, pieces }, camera: { at: { k }, place: (x, y) => [x / k, y / k] } }, 65 * k, 65 * k);
  assert.deepEqual(at(0.3), { frame: frames[2], isLabel: true }); // a block of 108 pixels
  assert.deepEqual(at(4), { cell: { part: 0, row: 5, column: 5 } });
  assert.deepEqual(at(4, [{ x: 250, y: 250, width: 60, height: 18, frame: frames[1] }]), { frame: frames[1], isLabel: true });
});

test("all of a small sheet stays in view, and half a window of a large one", () => {
  assert.equal(held(-50, 400, 500), 0);
  assert.equal(held(300, 400, 500), 100);
  assert.equal(held(9000, 2000, 500), 250);
  assert.equal(held(-9000, 2000, 500), -1750);
});

test("a window over a gap goes to the nearest piece, and stays where it shows one", () => {
  const pieces = [{ x: 0, y: 0, columns: 10, rows: 10 }, { x: 100, y: 0, columns: 10, rows: 10 }];
  const window = { width: 400, height: 400 };
  assert.deepEqual(toNearest(pieces, { x: 100, y: 100, k: 10 }, window), [0, 0]);
  assert.deepEqual(toNearest(pieces, { x: -200, y: 100, k: 10 }, window), [200, 0]); // the first one ends at −100
  assert.deepEqual(toNearest(pieces, { x: -600, y: 350, k: 10 }, window), [-100, -50]); // the second one begins at 400
});

test("a search finds what is written on the picture, in any order, and recorded names", () => {
  const group = (title, name) => ({ title, name, frame: {} });
  const entries = [
    group("Decoder", "decoder"),
    ...[0, 1, 2].flatMap((layer) => [
      group(`Decoder › Layer ${layer} › Cross-attention`, `decoder.${layer}.cross_attention`),
      ...[1, 2].map((head) => group(`Decoder › Layer ${layer} › Cross-attention › Head ${head}`, `decoder.${layer}.cross_attention.${head}`)),
      group(`Decoder › Layer ${layer} › Feed-forward`, `decoder.${layer}.feed_forward`),
    ]),
    ...[1, 2].map((layer) => ({ title: `decoder.${layer}.cross_attention.weights[2]`, name: `decoder.${layer}.cross_attention.weights[2]`, way: `Decoder › Layer ${layer} › Cross-attention › Head 2`, part: {} })),
  ];
  const found = (text) => hitsOf(entries, text).map((entry) => entry.title);
  assert.deepEqual(found("FEED-forward"), [0, 1, 2].map((layer) => `Decoder › Layer ${layer} › Feed-forward`));
  assert.deepEqual(found("cross-attention head 2").slice(0, 3), [0, 1, 2].map((layer) => `Decoder › Layer ${layer} › Cross-attention › Head 2`));
  assert.deepEqual(found("Head 2")[0], "Decoder › Layer 0 › Cross-attention › Head 2");
  assert.deepEqual(found("decoder 1 cross weights"), ["decoder.1.cross_attention.weights[2]"]);
  assert.deepEqual(found("head 1 layer 2 cross"), ["Decoder › Layer 2 › Cross-attention › Head 1"]);
  assert.deepEqual(found("cross_attention.weights[2]").length, 2);
  assert.deepEqual(found("nothing like this"), []);
  const chinese = [1, 2].map((layer) => group(`解码器 › 第 ${layer} 层 › 交叉注意力`, `decoder.${layer}.cross_attention`));
  assert.deepEqual(hitsOf(chinese, "交叉注意力").length, 2);
  assert.deepEqual(hitsOf(chinese, "第2层交叉注意力"), [chinese[1]]);
  const others = ["Autoatención", "קידוד"].map((title) => group(title, "encoder"));
  assert.deepEqual(hitsOf(others, "autoatencion"), [others[0]]);
  assert.deepEqual(hitsOf(others, "קיד"), [others[1]]);
});

test("the link is told once of what changes together, and its echo is no news", () => {
  const told = [];
  const link = new Link((view) => told.push(view));
  const at = { camera: [0.5, 0.5, 3], cell: ["q[0]", 1, 2], film: null };
  assert.deepEqual(link.hear({ camera: null, cell: null, film: null }), {});
  link.tell({ cell: at.cell, camera: at.camera });
  link.tell(at);
  assert.deepEqual(told, [at]);
  link.tell({ film: 3 });
  assert.equal(link.hear(at), null); // late
  assert.equal(link.hear({ ...at, film: 3 }), null);
  assert.deepEqual(link.hear({ camera: null, cell: null, film: 3 }), { camera: null, cell: null }); // Back
});

test("the largest products are shown, and one lands on the largest, or in the same column of a row", () => {
  const terms = [[1, 0.1], [2, -3], [0, 9], [1, 1], [-4, 1]];
  assert.deepEqual(largestOf(terms), [1, 3, 4]);
  const figure = (rule) => ({ worked: { rule, terms }, cell: { row: 0, column: 3 }, sheet: { parts: [{ rows: 5, columns: 5 }] } });
  assert.deepEqual(landing(figure("product"), [0, 2, null]), { part: 0, row: 2, column: 1 });
  assert.deepEqual(landing(figure("product"), [0, null, 3]), { part: 0, row: 1, column: 3 });
  assert.deepEqual(landing(figure("softmax"), [0, 2, null]), { part: 0, row: 2, column: 3 });
});
