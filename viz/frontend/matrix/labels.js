// One matrix: how large its cells are, and which labels there is room for.

const GAP = 32; // between matrices
const LANE = 320; // the room a small matrix likes
const WIDE_FROM = 72; // columns: such a matrix gets the whole room
const HIGHEST = 640;
const CELL_MOST = 48;
const CELL_MOST_ALONE = 56;
const CELL_HIGH = 36;
const LABEL_MOST = 120;
const TICKS = 8;
const NARROWEST = 230;
const HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

function layoutBlock(figure, block, room) {
  const { matrix, stage } = block;
  const lane = laneOf(figure, matrix, room);
  const rowLabels = widths(matrix.rows, `600 14px ${figure.font}`);
  const rowWidth = Math.min(room < 400 ? 84 : LABEL_MOST, Math.max(...rowLabels)) + 10;
  const edge = rowWidth + 6;
  let wide = cellWidth(figure, matrix, lane - edge);
  let across = columnLabels(figure, matrix, wide);
  if (across.spill) {
    // the last words lean out over the edge of the matrix
    wide = Math.min(wide, cellWidth(figure, matrix, lane - edge - across.spill));
    across = columnLabels(figure, matrix, wide);
  }
  const high = cellHeight(figure, matrix, wide);
  const rows = shownLabels(matrix.rows, high, matrix.rows.map(() => (high < 18 ? 12 : 15)));
  const width = wide * matrix.columns.length;
  const whole = edge + width + across.spill;
  Object.assign(block, { wide, high, rowWidth, width, height: high * matrix.rows.length });
  const styles = {
    "--cell-w": wide, "--cell-h": high, "--row-width": rowWidth, "--row-size": high < 15 ? 11 : high < 18 ? 12 : 14,
    "--label-size": across.size, "--columns-height": across.top, "--spill": across.spill,
  };
  for (const name in styles) stage.style.setProperty(name, `${styles[name]}px`);
  block.columns.dataset.turn = across.turn;
  block.node.style.width = `${Math.min(room, Math.max(whole, lane < room ? lane : NARROWEST))}px`;
  block.body.style.width = `${width}px`;
  block.body.style.height = `${block.height}px`;
  block.rowLabels = placeLabels(block.rows, rows, matrix.rows);
  block.columnLabels = placeLabels(block.columns, across.shown, matrix.columns);
  block.context = sizeCanvas(block.canvas, width, block.height);
}

// Which labels of the columns are shown, how they are turned, and what room they take.
function columnLabels(figure, matrix, wide) {
  const measure = (size) => widths(matrix.columns, `600 ${size}px ${figure.font}`);
  const turn = turnOf(matrix, wide, measure(14));
  const size = wide < 16 && turn === "90" ? 12 : 14;
  const labels = measure(size).map((width) => Math.min(LABEL_MOST, width));
  const shown = shownLabels(matrix.columns, wide, labels.map((width) => (turn === "0" ? width + 8 : 13)));
  return { turn, size, shown, ...columnRoom(shown, labels, turn, wide, matrix.columns.length) };
}

// Small matrices stand in lanes; a wide one has the whole room, and scrolls only when its cells would vanish.
const isWide = (figure, matrix) => figure.blocks.length === 1 || matrix.columns.length > WIDE_FROM;

function laneOf(figure, matrix, room) {
  if (isWide(figure, matrix)) return room;
  const small = figure.blocks.filter((block) => !isWide(figure, block.matrix)).length;
  const lanes = clamp(Math.floor((room + GAP) / (LANE + GAP)), 1, small);
  return Math.floor((room - (lanes - 1) * GAP) / lanes);
}

function cellWidth(figure, matrix, lane) {
  if (figure.cell) return figure.cell;
  const columns = matrix.columns.length;
  const alone = isWide(figure, matrix);
  const least = columns > 128 ? 1 : columns > 48 ? 4 : 6;
  const wide = clamp(lane / columns, least, alone ? CELL_MOST_ALONE : CELL_MOST);
  if (wide >= 16) return Math.floor(wide);
  // many rows as well: square cells, not higher than a screen
  const square = Math.min(wide, Math.max(least, HIGHEST / matrix.rows.length));
  // whole pixels of the screen, or the cells of a fine pattern would be of unequal size
  return Math.floor(square * figure.ratio) / figure.ratio;
}

function cellHeight(figure, matrix, wide) {
  const rows = matrix.rows.length;
  if (figure.cell) return Math.min(figure.cell, CELL_HIGH);
  // few rows of narrow cells are drawn higher, so that their labels find room
  const high = Math.min(Math.max(wide, Math.min(20, 320 / rows)), CELL_HIGH, Math.max(4, HIGHEST / rows));
  return high < 16 ? Math.max(1, Math.floor(high * figure.ratio) / figure.ratio) : Math.floor(high);
}

const isIndex = (label) => /^[−-]?\d+$/.test(label);

function turnOf(matrix, wide, labels) {
  if (matrix.columns.every(isIndex) || Math.max(...labels) + 8 <= wide) return "0";
  const han = matrix.columns.filter((label) => HAN.test(label)).length * 2 > matrix.columns.length;
  if (han && wide >= 14) return "han";
  return wide >= 22 ? "45" : "90";
}

// All labels where there is room for them, else every n-th; of indices about TICKS, at round numbers.
function shownLabels(labels, cell, needs) {
  const all = labels.map((_, i) => i);
  if (Math.max(...needs) <= cell) return all;
  const crowded = Math.ceil(Math.max(...needs) / cell);
  if (!labels.every(isIndex)) return all.filter((i) => i % crowded === 0);
  const step = roundStep(Math.max(crowded, labels.length / TICKS), labels.length);
  return all.filter((i) => Number(labels[i].replace("−", "-")) % step === 0);
}

// 8, 16, 32, … for what has a power of two in it, else 5, 10, 20, 50, …
function roundStep(least, count) {
  const steps = count % 16 === 0 ? [1, 2, 4] : [1, 2, 5];
  const grow = count % 16 === 0 ? 8 : 10;
  for (let scale = 1; ; scale *= grow) {
    for (const step of steps) if (step * scale >= least) return step * scale;
  }
}

function columnRoom(shown, labels, turn, wide, count) {
  const span = Math.max(...shown.map((i) => labels[i]));
  let spill = 0;
  for (const i of shown) {
    const beyond = (count - i - 0.5) * wide;
    if (turn === "45") spill = Math.max(spill, Math.ceil(labels[i] * 0.71 + 12 - beyond));
    if (turn === "0") spill = Math.max(spill, Math.ceil(labels[i] / 2 - beyond));
  }
  return { top: { 0: 24, 45: Math.ceil(span * 0.71) + 20, 90: span + 12, han: span + 12 }[turn], spill };
}

function placeLabels(parent, shown, labels) {
  const nodes = new Map();
  for (const index of shown) {
    const node = el("span", "gf-token", { title: labels[index] });
    node.style.setProperty("--at", index);
    say(node, labels[index]);
    nodes.set(index, node);
  }
  parent.replaceChildren(...nodes.values());
  return nodes;
}
