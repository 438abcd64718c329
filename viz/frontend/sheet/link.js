// What the link says of the sheet, and what is shown of it: camera, cell, and the stop of the film.

const KEPT = 20; // messages that Python has not repeated yet

export class Link {
  constructor(hand) {
    this.hand = hand;
    this.now = { camera: null, cell: null, film: null };
    this.heard = null; // what Python last said
    this.unanswered = []; // what was told and has not come back
  }

  // To Python, which writes it into the address: all at once, so that one press of Back takes it back.
  tell(changed) {
    const text = JSON.stringify({ ...this.now, ...changed });
    if (text === JSON.stringify(this.now)) return;
    this.now = JSON.parse(text);
    this.unanswered = [...this.unanswered, text].slice(-KEPT);
    this.hand(this.now);
  }

  // What is news in a selection of Python, or null: it also repeats what it was told, and what it said before.
  hear({ camera, cell, film }) {
    const next = { camera, cell, film };
    const text = JSON.stringify(next);
    if (text === this.heard) return null;
    this.heard = text;
    const answered = this.unanswered.indexOf(text);
    this.unanswered.splice(0, answered + 1);
    if (answered >= 0) return null;
    const before = this.now;
    this.now = next;
    return Object.fromEntries(Object.entries(next).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name])));
  }
}
