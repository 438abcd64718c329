// A class, as the browser of a teacher or a student watches it: one question to the server at a time, which it answers
// when something has changed.

const REST = 300; // ms between an answer and the next question
const AGAIN = 1500; // ms until the next try where the server did not answer
const PATIENCE = 20_000; // ms for an answer
const TRIES = 4; // of what somebody does: a process that has just ended is replaced within seconds
const LATER = 40; // tries where the class answers that it can take nothing now: its database is locked, or full
const BUSY = 503;

export const SHOWN_BY_BOARD = "gf-class-shown-by-board"; // by which a teacher's board tells their other tabs what it shows

export class ClassClient {
  constructor({ base, key, language }, board, heard) {
    Object.assign(this, { base, key, language, board, heard });
    this.since = "";
    this.ended = false;
    this.turn = 0;
    this.ask();
  }

  stop() {
    this.ended = true;
    clearTimeout(this.timer);
    this.asking?.abort();
  }

  again() {
    this.since = "";
    clearTimeout(this.timer);
    this.asking?.abort();
    this.turn++;
    this.ask();
  }

  address(settings = {}) {
    return `${this.base}/room?${new URLSearchParams({ language: this.language, ...settings })}`;
  }

  async ask() {
    const { turn } = this;
    this.asking = new AbortController();
    const signal = AbortSignal.any([this.asking.signal, AbortSignal.timeout(PATIENCE)]);
    const headers = { Authorization: `Bearer ${this.key}` };
    const settings = { since: this.since, ...(this.board ? { board: 1 } : {}) };
    const answer = await fetch(this.address(settings), { headers, signal, cache: "no-store" }).catch(() => null);
    const content = await answer?.json().catch(() => null);
    if (this.ended || turn !== this.turn) return;
    if (answer?.ok && content) this.since = String(content.since);
    const gone = answer?.status === 404 || answer?.status === 403;
    if (gone || (answer?.ok && content)) this.heard(gone ? null : content);
    if (!gone) this.timer = setTimeout(() => this.ask(), answer?.ok ? REST : AGAIN);
  }

  // Do something in the class; gives the sentence that says why it could not be done, "" where it was, and null where
  // no server answers. Every act may arrive twice: the second time changes nothing. `waiting` is called while the class
  // can take nothing and it is tried again.
  async act(content, waiting = () => {}) {
    for (let tries = 1; !this.ended; tries++) {
      const answer = await this.post(content);
      if (answer?.ok) {
        this.again(); // to see what it has done
        return "";
      }
      const busy = answer?.status === BUSY;
      const refused = await answer?.json().catch(() => null);
      if (refused?.says && !(busy && tries < LATER)) return refused.says;
      if (tries >= (busy ? LATER : TRIES)) return null;
      if (busy) waiting();
      await new Promise((resume) => setTimeout(resume, AGAIN));
    }
    return null;
  }

  post(content) {
    const headers = { Authorization: `Bearer ${this.key}`, "Content-Type": "application/json" };
    const signal = AbortSignal.timeout(PATIENCE);
    return fetch(this.address(), { method: "POST", headers, body: JSON.stringify(content), signal }).catch(() => null);
  }
}
