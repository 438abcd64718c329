// A class, as the browser of a teacher or a student watches it: one question to the server at a time, which it answers
// when something has changed.

const BETWEEN = 300; // ms between an answer and the next question
const AGAIN = 1500; // ms until the next try where the server did not answer
const PATIENCE = 20_000; // ms for an answer
const TRIES = 4; // of what somebody does: a process that has just ended is replaced within seconds
const LATER = 40; // tries where the class answers that it can take nothing now: its database is locked, or full
const WORK = ["answer", "type", "choose"]; // what a student did, which is sent in its order until it has arrived, also after a reload
export const UNSENT = "gf-class-unsent"; // what this tab has not sent yet
const BUSY = 503;

export const SHOWN_BY_BOARD = "gf-class-shown-by-board"; // by which a teacher's board tells their other tabs what it shows

export class ClassClient {
  constructor({ base, key, language }, board, heard) {
    Object.assign(this, { base, key, language, board, heard });
    this.since = "";
    this.ended = false;
    this.turn = 0;
    this.working = Promise.resolve();
    this.ask();
    for (const content of unsent()) this.act(content);
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
    if (!gone) this.timer = setTimeout(() => this.ask(), answer?.ok ? BETWEEN : AGAIN);
  }

  // Do something in the class; gives the sentence that says why it could not be done, "" where it was, and null where
  // no server answers. Every act may arrive twice: the second time changes nothing. `waiting` is called while the class
  // can take nothing, or what a student did does not arrive, and it is tried again.
  act(content, waiting = () => {}) {
    if (!WORK.includes(content.do)) return this.send(content, waiting);
    keepUnsent([...unsent().filter((each) => !isSameAct(each, content)), content]);
    this.working = this.working.then(() => this.send(content, waiting));
    return this.working;
  }

  async send(content, waiting) {
    const isWork = WORK.includes(content.do);
    for (let tries = 1; !this.ended; tries++) {
      const answer = await this.post(content);
      const busy = answer?.status === BUSY;
      const said = await answer?.json().catch(() => null); // a network that asks for a log-in answers, too
      const isOver = said && (answer.ok || (said.says && !(busy && tries < LATER)));
      if (isOver && isWork) keepUnsent(unsent().filter((each) => !isSameAct(each, content)));
      if (isOver && answer.ok) this.again(); // to see what it has done
      if (isOver) return answer.ok ? "" : said.says;
      if (!isWork && tries >= (busy ? LATER : TRIES)) return null;
      if (busy || tries >= TRIES) waiting();
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

const isSameAct = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function unsent() {
  return JSON.parse(sessionStorage.getItem(UNSENT) ?? "[]");
}

function keepUnsent(acts) {
  sessionStorage.setItem(UNSENT, JSON.stringify(acts));
}
