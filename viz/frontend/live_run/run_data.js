// Everything that the server has said of a run.

const OVER = ["finished", "stopped", "failed", "lost"];

export class RunData {
  constructor(id) {
    this.id = id;
    this.next = 0;
    this.state = "";
    this.reports = [];
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
    for (const name of ["state", "position", "wait", "next", "steps"]) this[name] = news[name];
    if (news.samples) this.samples = news.samples;
    if (news.watched) this.watched = news.watched;
  }

  // A number by its name in each report that has it: what was evaluated is not in all.
  points(name) {
    return this.reports.filter((report) => name in report).map((report) => [report.step, report[name]]);
  }

  last(name) {
    return this.points(name).at(-1)?.[1] ?? null;
  }
}
