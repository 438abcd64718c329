// What a unit tells a learning platform, by SCORM 1.2 or SCORM 2004.

const CALLS = {
  "1.2": { start: "LMSInitialize", end: "LMSFinish", get: "LMSGetValue", set: "LMSSetValue", save: "LMSCommit" },
  2004: { start: "Initialize", end: "Terminate", get: "GetValue", set: "SetValue", save: "Commit" },
};
const FIELDS = {
  "1.2": {
    status: "cmi.core.lesson_status", place: "cmi.core.lesson_location", exit: "cmi.core.exit", time: "cmi.core.session_time",
    raw: "cmi.core.score.raw", min: "cmi.core.score.min", max: "cmi.core.score.max",
  },
  2004: {
    status: "cmi.completion_status", place: "cmi.location", exit: "cmi.exit", time: "cmi.session_time",
    raw: "cmi.score.raw", min: "cmi.score.min", max: "cmi.score.max",
  },
};
const KEPT = "cmi.suspend_data";
const LIMITS = { "1.2": 4096, 2004: 64000 }; // characters of KEPT
const OVER = ["completed", "passed", "failed"];
const ANSWER = { "1.2": 255, 2004: 250 }; // characters of an answer
const COMMENT = 4000; // characters of a comment
const DEPTH = 500; // windows around this one that are asked

// { version, api } of the platform around this window, or behind the opener of one of these windows; null without one.
export function findPlatform(from, seen = new Set()) {
  const around = windowsAround(from).filter((each) => !seen.has(each));
  around.forEach((each) => seen.add(each));
  for (const each of around) {
    const found = platformOf(each);
    if (found) return found;
  }
  for (const each of around) {
    const opener = openerOf(each);
    const found = opener && findPlatform(opener, seen);
    if (found) return found;
  }
  return null;
}

function windowsAround(from) {
  const around = [from];
  while (around.length < DEPTH && around.at(-1).parent !== around.at(-1)) around.push(around.at(-1).parent);
  return around;
}

function platformOf(at) {
  try {
    if (at.API_1484_11) return { version: "2004", api: at.API_1484_11 };
    return at.API ? { version: "1.2", api: at.API } : null;
  } catch {
    return null; // a window of another origin
  }
}

function openerOf(at) {
  try {
    return at.opener;
  } catch {
    return null;
  }
}

// One attempt of a learner. `problem` is "" or the name of a sentence: "none", "start", "save", "long".
export class Attempt {
  constructor(platform) {
    this.platform = platform;
    this.problem = platform ? "" : "none";
    this.unsent = {}; // what the platform has not taken yet
    this.began = Date.now();
    if (platform && !this.isDone("start", "")) this.problem = "start";
    this.isOpen = !this.problem;
    if (this.isOpen) this.begin();
  }

  // Until it is finished a unit is incomplete; a platform that is told nothing may take it for completed.
  begin() {
    const status = this.field("status");
    if (!OVER.includes(this.call("get", status))) this.send({ [status]: "incomplete" });
  }

  // { place, kept }: where the learner was, and what was kept of the last visit; empty texts at the first.
  resume() {
    if (!this.isOpen) return { place: "", kept: "" };
    return { place: this.call("get", this.field("place")), kept: this.call("get", KEPT) };
  }

  // Keep `place` and `kept`, texts; what is longer than the platform may hold is not sent.
  keep(place, kept) {
    if (!this.isOpen) return;
    const isLong = kept.length > LIMITS[this.platform.version];
    this.send({ [this.field("place")]: place, ...(!isLong && { [KEPT]: kept }), ...this.leaving() });
    if (isLong) this.problem = "long";
  }

  // Report that the unit is finished, with `right` of `count` points; `passed` is true, false, or null without a mark.
  // Not before: a platform may take the score of an unfinished unit for a failure.
  finish({ right, count, passed = null }) {
    if (!this.isOpen) return;
    this.offer({ [this.field("min")]: "0", [this.field("max")]: "100" });
    const raw = { [this.field("raw")]: decimal((100 * right) / count) };
    const mark = passed ? "passed" : "failed";
    if (this.platform.version === "1.2") {
      this.send({ ...raw, [this.field("status")]: passed === null ? "completed" : mark });
      return;
    }
    const success = passed === null ? {} : { "cmi.success_status": mark };
    this.send({ ...raw, "cmi.score.scaled": decimal(right / count), ...success, [this.field("status")]: "completed" });
  }

  // Note an answer for the teacher: `type` and `response` as SCORM has them, `about` what was asked.
  note({ id, type, response, isRight, about }) {
    if (!this.isOpen) return;
    const count = Number(this.call("get", "cmi.interactions._count")) || 0;
    const at = (name) => `cmi.interactions.${count}.${name}`;
    const { version } = this.platform;
    const text = response.slice(0, ANSWER[version]);
    if (version === "1.2") {
      const result = { [at("result")]: isRight ? "correct" : "wrong" };
      this.offer({ [at("id")]: id, [at("type")]: type, [at("time")]: clock(new Date()), [at("student_response")]: text, ...result });
      return;
    }
    const moment = `${new Date().toISOString().slice(0, 21)}Z`; // a zone stands behind a fraction only
    this.offer({
      [at("id")]: id, [at("type")]: type, [at("timestamp")]: moment, [at("learner_response")]: text,
      [at("result")]: isRight ? "correct" : "incorrect", [at("description")]: about.slice(0, ANSWER[version]),
    });
  }

  // Report the points of a part of the unit, beside the score of all of it.
  objective(id, { right, count }) {
    if (!this.isOpen) return;
    const at = (name) => `cmi.objectives.${known}.${name}`;
    const known = Number(this.call("get", "cmi.objectives._count")) || 0;
    const raw = { [at("score.raw")]: decimal((100 * right) / count), [at("score.min")]: "0", [at("score.max")]: "100" };
    const is2004 = this.platform.version === "2004";
    const done = is2004 ? { [at("score.scaled")]: decimal(right / count), [at("completion_status")]: "completed" } : { [at("status")]: "completed" };
    this.offer({ [at("id")]: id, ...raw, ...done });
  }

  // A text of the learner for the teacher, in place of the last one.
  comment(text) {
    if (!this.isOpen) return;
    const field = this.platform.version === "1.2" ? "cmi.comments" : "cmi.comments_from_learner.0.comment";
    this.offer({ [field]: text.slice(0, COMMENT) });
  }

  end() {
    if (!this.isOpen) return;
    this.send(this.leaving());
    this.isDone("end", "");
    this.isOpen = false;
  }

  // What is to be known when the learner leaves, at any moment: they come back to this visit, which took so long.
  leaving() {
    const seconds = Math.round((Date.now() - this.began) / 1000);
    const time = this.platform.version === "1.2" ? `00${spelled(seconds)}` : `PT${seconds}S`;
    return { [this.field("exit")]: "suspend", [this.field("time")]: time };
  }

  // Set values and save. What is refused is sent again with the next ones.
  send(values) {
    Object.assign(this.unsent, values);
    const refused = Object.entries(this.unsent).filter(([field, value]) => !this.isDone("set", field, value));
    const isSaved = this.isDone("save", "");
    if (isSaved) this.unsent = Object.fromEntries(refused);
    this.problem = isSaved && !refused.length ? "" : "save";
  }

  // Set values that a platform may do without.
  offer(values) {
    for (const [field, value] of Object.entries(values)) this.call("set", field, value);
  }

  field(name) {
    return FIELDS[this.platform.version][name];
  }

  isDone(verb, ...values) {
    return this.call(verb, ...values) === "true";
  }

  // A platform answers in texts; some answer with true, and some throw an error.
  call(verb, ...values) {
    const { version, api } = this.platform;
    try {
      return String(api[CALLS[version][verb]](...values) ?? "");
    } catch {
      return "";
    }
  }
}

const decimal = (value) => String(Math.round(value * 1e4) / 1e4);

const two = (value) => String(value).padStart(2, "0");

const clock = (time) => [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(":");

const spelled = (seconds) => [seconds / 3600, (seconds / 60) % 60, seconds % 60].map((part) => two(Math.floor(part))).join(":");
