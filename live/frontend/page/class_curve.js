// The curve of a training, for the board of a class: sent while it grows, no more often than every few seconds.

const CURVE_EVERY = 8000; // ms between two messages
const CURVE_TRIES = 5; // of a message that does not arrive
const MOST_POINTS = 100; // classroom/limits.py
const LOSS_DIGITS = 4;

export class ClassCurve {
  // send: gets a message and promises whether it arrived; null where nothing is to be sent
  constructor(send) {
    Object.assign(this, { send, next: 0, timer: null, sent: "", failed: 0 });
  }

  // Something of the trainings of this page is new.
  hear(trainings) {
    this.trainings = trainings;
    this.timer ??= setTimeout(() => this.tell(), Math.max(0, this.next - Date.now()));
  }

  async tell() {
    const message = curveOf(this.trainings.run);
    const form = JSON.stringify(message);
    const arrived = message && form !== this.sent ? await this.send(message) : null;
    this.next = Date.now() + CURVE_EVERY;
    this.timer = null;
    if (arrived) this.sent = form;
    this.failed = arrived === false ? this.failed + 1 : 0;
    if (arrived === false && this.failed < CURVE_TRIES) this.hear(this.trainings);
  }
}

// What classroom/training/curves.py reads; null before there are two points to draw a line between.
export function curveOf(run) {
  if (!run) return null;
  const right = Object.fromEntries(run.points("exact_held_out"));
  const all = run.points("validation_loss").filter(([, loss]) => Number.isFinite(loss));
  const each = Math.ceil(all.length / MOST_POINTS);
  const chosen = all.filter((_, at) => (all.length - 1 - at) % each === 0); // with the last one
  const points = chosen.map(([step, loss]) => [step, Number(loss.toPrecision(LOSS_DIGITS)), right[step] ?? null]);
  const changed = run.isChanged || Object.keys(run.off).length > 0;
  return points.length > 1 ? { task: run.task, step: run.step, steps: run.steps, changed, points } : null;
}
