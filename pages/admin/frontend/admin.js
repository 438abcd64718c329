// Asks for the numbers of all processes every few seconds and draws them. The token stays in this tab.
const { address, texts } = JSON.parse(document.body.dataset.told);
const EVERY = 3000; // milliseconds
const POINTS = 200; // of a small curve: ten minutes
const KEPT = "glassformer_admin";
const history = new Map();
const byId = (id) => document.getElementById(id);

const number = (value, digits = 0) =>
  value.toLocaleString(document.documentElement.lang, { maximumFractionDigits: digits, minimumFractionDigits: digits });
const size = (bytes) => (bytes < 1e9 ? `${number(bytes / 1e6)} MB` : `${number(bytes / 1e9, 2)} GB`);
const seconds = (value) => `${number(value, 2)} s`;
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
const sum = (list) => list.reduce((total, value) => total + value, 0);

function lasted(value) {
  const minutes = Math.floor(value / 60);
  if (minutes < 60) return fill(texts.minutes, { n: minutes });
  return fill(texts.hours, { n: Math.floor(minutes / 60), minutes: minutes % 60 });
}

function element(name, text = "", kind = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = kind;
  return made;
}

function curve(key, value) {
  const points = [...(history.get(key) ?? []), value].slice(-POINTS);
  history.set(key, points);
  const top = Math.max(...points, 1e-9);
  const line = points.map((each, at) => `${(at / Math.max(1, points.length - 1)) * 100},${27 - (each / top) * 26}`);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 100 28");
  svg.setAttribute("preserveAspectRatio", "none");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", `M${line.join("L")}`);
  svg.append(path);
  return svg;
}

function tile(key, value, shown, about, bad = false) {
  const made = element("div", "", bad ? "tile bad" : "tile");
  made.append(element("span", texts[key]), element("b", shown), element("small", about), curve(key, value));
  return made;
}

function table(id, columns, rows, none) {
  const head = element("tr");
  head.append(...columns.map((column) => element("th", column)));
  const lines = rows.map((row) => {
    const line = element("tr");
    line.append(...row.map((cell) => element("td", cell)));
    return line;
  });
  const empty = element("tr");
  empty.append(element("td", none, "none"));
  byId(id).replaceChildren(...(rows.length ? [head, ...lines] : [empty]));
}

// Runs of all processes, and the time of the slowest one; the page that takes longest comes first.
function byPage(reports) {
  const all = {};
  for (const report of reports)
    for (const [name, { runs, whole }] of Object.entries(report.pages ?? {})) {
      const before = all[name] ?? { runs: 0, whole: 0 };
      all[name] = { runs: before.runs + runs, whole: Math.max(before.whole, whole) };
    }
  return Object.entries(all).sort(([, one], [, other]) => other.whole - one.whole);
}

function draw({ processes, rooms, database }) {
  const all = Object.entries(processes);
  const reports = all.map(([, report]) => report);
  // what several processes share is counted once: their machine, and the queue of a cluster
  const machines = [...new Map(reports.map(({ machine }) => [machine.id, machine])).values()];
  const queues = [...new Map(reports.map(({ queue, runs }) => [queue, runs])).values()];
  const sessions = sum(reports.map((report) => report.sessions));
  const busy = sum(reports.map((report) => report.busy));
  const cores = sum(machines.map((machine) => machine.cores));
  const memory = sum(reports.map((report) => report.memory + report.memory_workers));
  const available = sum(machines.map((machine) => machine.available));
  const pages = sum(reports.map((report) => report.lately.runs));
  const slow = Math.max(0, ...reports.map((report) => report.lately.whole));
  const running = sum(queues.map((runs) => runs.running ?? 0));
  const queued = sum(queues.map((runs) => runs.queued ?? 0));
  const failed = sum(reports.map((report) => report.failed));
  const refused = sum(reports.map((report) => sum(Object.values(report.refused))));
  byId("tiles").replaceChildren(
    tile("sessions", sessions, number(sessions), fill(texts.sessions_about, { n: all.length })),
    tile("busy", busy, number(busy, 2), fill(texts.busy_about, { n: cores, load: number(sum(machines.map((m) => m.load)), 2) })),
    tile("memory", memory, size(memory), fill(texts.memory_about, { n: size(available) })),
    tile("pages", pages, number(pages), fill(texts.pages_about, { n: seconds(slow) }), slow > 2),
    tile("queue", running, number(running), fill(texts.queue_about, { n: queued })),
    tile("rooms", rooms.length, number(rooms.length), fill(texts.rooms_about, { n: sum(rooms.map((room) => room.present)) })),
    tile("failed", failed, number(failed), fill(texts.failed_about, { n: refused }), failed > 0),
  );
  table(
    "processes",
    [texts.process, texts.up, texts.sessions, texts.busy, texts.memory, texts.pages, texts.waited, texts.took, texts.failed],
    all.map(([name, report]) => [
      name,
      lasted(report.noted - report.began),
      number(report.sessions),
      number(report.busy, 2),
      size(report.memory),
      number(report.lately.runs),
      seconds(report.lately.waited),
      seconds(report.lately.took),
      number(report.failed),
    ]),
    "",
  );
  table(
    "pages",
    [texts.page, texts.pages, texts.within],
    byPage(reports).map(([name, { runs, whole }]) => [name, number(runs), seconds(whole)]),
    texts.no_pages,
  );
  table(
    "classes",
    [texts.age, texts.members, texts.present, texts.sentences],
    rooms.map((room) => [lasted(room.age), number(room.members), number(room.present), number(room.sentences)]),
    database ? texts.no_classes : texts.no_database,
  );
  const failures = all.flatMap(([name, report]) => report.failures.map((failure) => ({ name, ...failure })));
  table(
    "errors",
    [texts.when, texts.process, texts.error, texts.place],
    failures
      .sort((one, other) => other.when - one.when)
      .slice(0, 20)
      .map(({ when, name, type, place }) => [
        new Date(when * 1000).toLocaleTimeString(document.documentElement.lang), name, type, place,
      ]),
    texts.no_errors,
  );
}

function say(text, bad = false) {
  const says = byId("says");
  if (says.textContent !== text) says.textContent = text;
  says.classList.toggle("bad", bad);
}

function enter(shown) {
  byId("enter").hidden = !shown;
  byId("forget").hidden = shown;
  if (shown) {
    byId("numbers").hidden = true;
    byId("token").focus();
  }
}

let asking; // stops the question under way, so that there is one at a time

async function ask() {
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  const token = sessionStorage.getItem(KEPT);
  if (!token) return enter(true);
  try {
    const answer = await fetch(address, { headers: { Authorization: `Bearer ${token}` }, signal });
    if (answer.status === 401 || answer.status === 404) {
      sessionStorage.removeItem(KEPT);
      say(texts.wrong, true);
      return enter(true);
    }
    if (!answer.ok) throw new Error(answer.statusText);
    const numbers = await answer.json();
    enter(false);
    byId("numbers").hidden = false;
    draw(numbers);
    say(texts.fresh);
  } catch {
    if (signal.aborted) return undefined;
    say(texts.away, true);
  }
  setTimeout(() => signal.aborted || ask(), EVERY);
  return undefined;
}

byId("enter").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = byId("token").value.trim();
  byId("token").value = "";
  if (!/^[ -~]+$/.test(typed)) return say(texts.wrong, true); // no header can hold it
  sessionStorage.setItem(KEPT, typed);
  say("");
  return ask();
});
byId("forget").addEventListener("click", () => {
  asking?.abort();
  sessionStorage.removeItem(KEPT);
  say("");
  enter(true);
});
ask();
