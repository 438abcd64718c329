// What a unit tells a learning platform, by SCORM 1.2 or SCORM 2004.

const NAMES = {
  "1.2": { start: "LMSInitialize", end: "LMSFinish", get: "LMSGetValue", set: "LMSSetValue", save: "LMSCommit" },
  2004: { start: "Initialize", end: "Terminate", get: "GetValue", set: "SetValue", save: "Commit" },
};
const FIELDS = {
  "1.2": { place: "cmi.core.lesson_location", raw: "cmi.core.score.raw", min: "cmi.core.score.min", max: "cmi.core.score.max", exit: "cmi.core.exit" },
  2004: { place: "cmi.location", raw: "cmi.score.raw", min: "cmi.score.min", max: "cmi.score.max", exit: "cmi.exit" },
};
const KEPT = "cmi.suspend_data";
const LIMITS = { "1.2": 4096, 2004: 64000 }; // characters of KEPT
const DEPTH = 500; // windows around this one that are asked

// { version, api } of the platform around this window or behind its opener; null without one.
export function findPlatform(from) {
  return upwards(from) ?? (from.opener ? upwards(from.opener) : null);
}

function upwards(from) {
  let at = from;
  for (let depth = 0; depth < DEPTH; depth++) {
    const found = platformOf(at);
    if (found || at.parent === at) return found;
    at = at.parent;
  }
  return null;
}

function platformOf(at) {
  try {
    if (at.API_1484_11) return { version: "2004", api: at.API_1484_11 };
    return at.API ? { version: "1.2", api: at.API } : null;
  } catch {
    return null; // a window of another origin
  }
}

// One attempt of a learner. `problem` is "" or the name of a sentence: "none", "start", "save", "long".
export class Attempt {
  constructor(platform) {
    this.platform = platform;
    this.problem = platform ? "" : "none";
    if (platform && !this.isDone("start", "")) this.problem = "start";
    this.isOpen = !this.problem;
  }

  // { place, kept }: where the learner was, and what was kept of the last visit; empty texts at the first.
  resume() {
    if (!this.isOpen) return { place: "", kept: "" };
    return { place: this.call("get", this.field("place")), kept: this.call("get", KEPT) };
  }

  // Keep `place` and `kept`, texts; what is longer than the platform may hold is not sent.
  keep(place, kept) {
    if (!this.isOpen) return;
    if (kept.length > LIMITS[this.platform.version]) {
      this.problem = "long";
      return;
    }
    this.problem = "";
    this.set(this.field("place"), place);
    this.set(KEPT, kept);
    this.set(this.field("exit"), "suspend");
    this.save();
  }

  // Report `right` of `count` points, and whether the unit is complete; `passed` is true, false, or null without a mark.
  report({ right, count, isComplete, passed = null }) {
    if (!this.isOpen) return;
    this.set(this.field("min"), "0");
    this.set(this.field("max"), "100");
    this.set(this.field("raw"), decimal((100 * right) / count));
    if (this.platform.version === "2004") this.set("cmi.score.scaled", decimal(right / count));
    this.status(isComplete, passed);
    this.save();
  }

  // SCORM 1.2 has one status, in which a mark takes the place of completion.
  status(isComplete, passed) {
    const mark = passed ? "passed" : "failed";
    const progress = isComplete ? "completed" : "incomplete";
    const isMarked = isComplete && passed !== null;
    if (this.platform.version === "1.2") {
      this.set("cmi.core.lesson_status", isMarked ? mark : progress);
      return;
    }
    this.set("cmi.completion_status", progress);
    if (isMarked) this.set("cmi.success_status", mark);
  }

  end() {
    if (this.isOpen) this.isDone("end", "");
    this.isOpen = false;
  }

  save() {
    if (!this.isDone("save", "")) this.problem = "save";
    else if (this.problem === "save") this.problem = "";
  }

  set(field, value) {
    this.isDone("set", field, value);
  }

  field(name) {
    return FIELDS[this.platform.version][name];
  }

  isDone(verb, ...values) {
    return this.call(verb, ...values) === "true";
  }

  // A platform answers in texts; some answer with true.
  call(verb, ...values) {
    const { version, api } = this.platform;
    return String(api[NAMES[version][verb]](...values) ?? "");
  }
}

const decimal = (value) => String(Math.round(value * 1e4) / 1e4);
