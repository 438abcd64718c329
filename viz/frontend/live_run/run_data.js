// Everything that the server has said of a run.

const OVER = ["finished", "stopped", "failed", "lost"];

// What stands where in the lists that the server sends.
const REPORT = { step: 0, loss: 1, rate: 2, norm: 3, speed: 4, seconds: 5, left: 6, share: 7 };
const EVALUATION = { step: 0, validation: 1, accuracy: 2, heldOut: 3, training: 4, embedding: 5, position: 6, held: 7, learned: 8, first: 9, again: 10 };
export const SCORES = 11; // where the scores of the heads begin

export class RunData {
  constructor(id) {
    this.id = id;
    this.next = 0;
    this.state = "";
    this.reports = [];
    this.evaluations = [];
    this.samples = [];
  }

  get over() {
    return OVER.includes(this.state);
  }

  async read() {
    const answer = await fetch(new URL(`runs/${this.id}?since=${this.next}`, window.location.href));
    if (answer.status === 404) {
      this.state = "lost";
      return;
    }
    if (!answer.ok) throw new Error(answer.status);
    const news = await answer.json();
    this.reports.push(...news.reports);
    this.evaluations.push(...news.evaluations);
    for (const name of ["state", "position", "wait", "next", "steps"]) this[name] = news[name];
    if (news.samples) this.samples = news.samples;
    if (news.watched) this.watched = news.watched;
  }

  points(table, name) {
    const [rows, columns] = table === "reports" ? [this.reports, REPORT] : [this.evaluations, EVALUATION];
    const column = typeof name === "number" ? name : columns[name];
    return rows.map((row) => [row[0], row[column] ?? null]).filter(([, value]) => value !== null);
  }

  last(table, name) {
    const points = this.points(table, name);
    return points.length ? points[points.length - 1][1] : null;
  }
}

// What is in view, and what stands under the details: numbers by name, and charts.
