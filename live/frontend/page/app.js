// The page: what is chosen, the model, the result in view, and the tabs that show it.

import { add, el, say } from "../../../viz/frontend/common/dom.js";
import { missing } from "../../../viz/frontend/common/missing.js";
import { EngineError } from "../engine.js";
import { listed, sourceOf } from "../files.js";
import { readAll } from "../sources.js";
import { readAddress, spellAddress } from "./address.js";
import { classCode, ClassPanel } from "./class_panel.js";
import { embedOf, IN_APP_PAGE, tellHeight, tellView } from "./embed.js";
import { exampleResult } from "./example.js";
import { isSpecial } from "./figure_data.js";
import { Frame } from "./frame.js";
import { errorText, isOfSentence, resultNotices } from "./notices.js";
import { text } from "./parts.js";
import { isAbort, Latest, Session } from "./session.js";
import { AttentionTab } from "./tabs/attention.js";
import { DecodingTab } from "./tabs/decoding.js";
import { EmbeddingTab } from "./tabs/embedding.js";
import { GlossaryTab } from "./tabs/glossary.js";
import { InterveneTab } from "./tabs/intervene/intervene.js";
import { LayersTab } from "./tabs/layers.js";
import { CourseTab, QuizTab } from "./tabs/lesson.js";
import { MasksTab } from "./tabs/masks.js";
import { PositionTab } from "./tabs/position.js";
import { StartTab } from "./tabs/start.js";
import { Trainings } from "./tabs/train/run.js";
import { TrainTab } from "./tabs/train/train.js";
import { WhyTab } from "./tabs/why.js";
import { tellTraining } from "./training_news.js";
import { readVisible } from "./visible.js";
import { section, speakIn, words } from "./words.js";

const TABS = {
  start: StartTab, course: CourseTab, embedding: EmbeddingTab, position: PositionTab, masks: MasksTab, attention: AttentionTab, layers: LayersTab,
  decoding: DecodingTab, why: WhyTab, intervene: InterveneTab, train: TrainTab, quiz: QuizTab, glossary: GlossaryTab,
};
const OF_RESULT = ["pin", "query", "key", "paused", "forks", "leaf", "step"]; // choices that mean nothing in another sentence
const OF_MODEL = ["attention_kind", "layer", "head", "open_queries", "open_keys", "term", "changes", "scales"];

export class App {
  constructor(root) {
    this.root = root;
    this.files = listed();
    this.languages = JSON.parse(document.getElementById("languages").textContent);
    this.texts = JSON.parse(document.getElementById("texts").textContent);
    this.given = this.files?.texts && Object.keys(this.texts)[0]; // by the server
    this.session = new Session(this.files);
    this.loading = new Latest();
    this.running = new Latest();
    this.view = this.asked();
    this.model = null; // the description, once the model answers
    this.result = null; // of the model, with all values
    this.example = null; // { name, result } that came with the page
    this.said = {}; // notices by what they are about
    this.visible = readVisible(""); // what a teacher lets students see
    addEventListener("popstate", () => this.follow());
    addEventListener("hashchange", () => this.follow());
  }

  async start() {
    if (!this.files) return this.refuse("live_damaged");
    this.embedded = embedOf(this.view);
    this.visible = readVisible(this.view.visible ?? "");
    await this.readTexts().catch(() => delete this.view.language); // then in the language that came with the page
    if (this.embedded) document.documentElement.dataset.embed = this.embedded;
    if (this.files.app && classCode() && !this.embedded) this.classroom = new ClassPanel(this);
    this.build();
    this.classroom?.begin();
    tellHeight(this.root);
    await this.load();
  }

  // A page without anything to show says why.
  refuse(code) {
    speakIn(this.texts[this.language], this.languages[this.language]);
    document.body.dataset.failed = code;
    add(this.root, add(el("main"), add(el("div", "notices", { role: "status" }), text(errorText(new EngineError(code)), "notice"))));
  }

  // ---- what is chosen

  // What the address says; without one a file that was saved from the app opens with the view of then.
  asked() {
    return readAddress(location.hash || this.files?.view || "");
  }

  get language() {
    const codes = (navigator.languages ?? []).map((tag) => tag.split("-")[0]);
    const wanted = this.view.language ?? this.given ?? codes.find((code) => this.languages[code]?.preferred);
    return wanted in this.languages ? wanted : "en";
  }

  // The texts of the chosen language, which a page of the app's server reads only then.
  async readTexts() {
    const { language } = this;
    if (language in this.texts) return;
    const [bytes] = await readAll([sourceOf(this.files.texts[language])]);
    this.texts[language] = JSON.parse(new TextDecoder().decode(bytes));
  }

  get file() {
    return this.files.models.find(({ name }) => name === this.view.checkpoint) ?? this.files.models[0];
  }

  get sentence() {
    const typed = this.view.sentence;
    return typed?.trim() ? typed : this.brief().card.examples[0];
  }

  // What is known of the model before it is there.
  brief() {
    return this.model ?? this.file.model;
  }

  // The result to show: the model's, or the example that came with the page until the model has read that sentence.
  shownResult() {
    const example = this.example?.name === this.file.name ? this.example.result : null;
    const isAnswered = this.result?.sentence === this.sentence;
    return example?.sentence === this.sentence && !isAnswered ? example : this.result;
  }

  // Show only what a teacher lets students see.
  seeOnly(visible) {
    this.visible = visible;
    this.frame.seeOnly(visible, this.view.page);
  }

  isOn(tab) {
    return this.tab === tab;
  }

  // Choose something: it stands in the address, and Back undoes it. `quiet` replaces the last choice.
  choose(choices, { quiet = false } = {}) {
    const before = { ...this.view };
    Object.assign(this.view, choices);
    if (choices.checkpoint !== undefined && choices.checkpoint !== before.checkpoint) this.forget([...OF_MODEL, ...OF_RESULT, "sentence"], choices);
    if (choices.sentence !== undefined && choices.sentence !== before.sentence) this.forget(OF_RESULT, choices);
    const address = spellAddress(this.view);
    const hasAddress = location.protocol !== "about:"; // not in a notebook's cell
    if (hasAddress && address !== location.hash) history[quiet || this.embedded ? "replaceState" : "pushState"](null, "", address);
    this.refresh(before);
  }

  forget(keys, kept) {
    for (const key of keys) if (!(key in kept)) delete this.view[key];
  }

  // Back, Forward, or a link within the page.
  follow() {
    if (this.embedded && this.frame) this.seeOnly(readVisible(this.asked().visible ?? ""));
    if (spellAddress(this.asked()) === spellAddress(this.view)) return;
    const before = this.view;
    this.view = { ...this.asked(), ...(this.embedded && { embed: this.embedded }) };
    this.refresh(before);
  }

  // Another view, as a link within the page opens it.
  open(address) {
    history.pushState(null, "", address);
    this.follow();
  }

  // Draw what is chosen; `was` is the view before.
  async refresh(was) {
    if (!(this.language in this.texts)) await this.readTexts().catch((error) => this.fail(error));
    if (this.language in this.texts && this.language !== this.spoken) this.build();
    if ((was.checkpoint ?? this.files.models[0].name) !== this.file.name) return void this.load();
    if ((was.sentence ?? "") !== (this.view.sentence ?? "")) {
      this.frame.field.value = this.sentence;
      return void this.run();
    }
    this.draw();
  }

  // ---- the model

  async load() {
    const signal = this.loading.begin();
    this.running.end();
    this.model = this.result = null;
    delete document.body.dataset.ready;
    this.said = {};
    this.rebuildTabs();
    this.frame.showModel();
    this.draw();
    const lacking = missing();
    if (lacking) return this.fail(new EngineError(lacking));
    this.showExample(this.file);
    try {
      const { file } = this;
      await parsed();
      const onProgress = (progress) => !signal.aborted && this.frame.showProgress(progress);
      const model = await this.session.open(file, { onProgress, signal });
      signal.throwIfAborted();
      this.model = { ...model, seed: file.model.seed };
      this.frame.showProgress(null);
      await this.run();
      document.body.dataset.ready = model.name;
    } catch (error) {
      if (!isAbort(error)) this.fail(error);
    }
  }

  // The file of the model that lessons are about: one that was trained in the page has none of its own.
  get taught() {
    return this.file.lessons ? this.file : this.files.models[0];
  }

  // What the lessons about the model need, by name: read when one of them is opened.
  lessons() {
    const file = this.taught;
    file.read ??= (async () => {
      await parsed();
      const [bytes] = await readAll([sourceOf(file.lessons)]);
      return JSON.parse(new TextDecoder().decode(bytes));
    })();
    file.read.catch(() => (file.read = null)); // so that opening the tab again asks once more
    return file.read;
  }

  // Choose a model that was trained in this page, { description, bytes } of `viewed` in training.js, in place of the last one.
  take({ description, bytes }, sentence) {
    const { name, trained, config, layers, card } = description;
    const isNamedAlike = this.file.name === name;
    const others = this.files.models.filter(({ isTrained }) => !isTrained);
    this.files.models = [...others, { name, model: { name, trained, config, layers, card }, source: { data: bytes }, isTrained: true }];
    this.build();
    this.choose({ checkpoint: name, sentence, page: "attention" });
    if (isNamedAlike) this.load();
  }

  // Trainings in this page: they go on while other tabs are in view, and in another language.
  trainings() {
    this.training ??= (async () => {
      await parsed();
      const trainings = new Trainings(this.files);
      await trainings.open();
      trainings.listeners.add(() => tellTraining(trainings));
      if (this.classroom) trainings.listeners.add(() => this.classroom.curve.hear(trainings));
      return trainings;
    })();
    this.training.catch(() => (this.training = undefined)); // so that one may try again
    return this.training;
  }

  async showExample(file) {
    if (!file.example || this.example?.name === file.name) return;
    const result = await exampleResult(file.example);
    this.example = { name: file.name, result };
    if (this.file !== file) return;
    if (!this.result) this.tell(this.shownResult()?.text ?? "");
    this.draw();
  }

  async run() {
    if (!this.model) return this.draw();
    const signal = this.running.begin();
    const { sentence } = this;
    this.said = {};
    const steps = [];
    const known = this.shownResult()?.isExample;
    try {
      const onStep = (step) => {
        steps.push(step.token);
        if (!signal.aborted && !known) this.preview(steps);
      };
      const result = await this.session.write(sentence, { signal, onStep });
      signal.throwIfAborted();
      await this.countTokens(result, signal);
      this.result = Object.assign(result, { sentence });
      this.said.sentence = this.isTyped() ? resultNotices(this, result) : [];
      if (this.view.sentence !== undefined && !this.view.sentence.trim()) this.said.sentence = [words("notice.empty")];
      this.tell(result.text);
      this.draw();
      if (this.typed === sentence) this.classroom?.tell(sentence, result);
      this.typed = null;
    } catch (error) {
      if (!isAbort(error)) this.fail(error);
    }
  }

  isTyped() {
    return !this.model.card.examples.includes(this.sentence) || !this.model.trained;
  }

  // The pieces of words that training never showed, for the notice about them.
  async countTokens(result, signal) {
    if (result.pieces) return;
    result.pieces = {};
    for (const word of result.unseenWords.slice(0, 6)) {
      const { tokens } = await this.session.engine.encode(word, { signal });
      result.pieces[word] = tokens.filter((token) => !/^<(?:bos|eos)>$/.test(token));
    }
  }

  // ---- what is said

  // The output in view, as text.
  tell(output) {
    this.frame.output.dataset.output = output;
    say(this.frame.output, output.trim() ? output : this.brief().config.architecture === "encoder" ? "" : words("frame.nothing"));
    this.frame.output.hidden = !this.frame.output.textContent;
  }

  preview(tokens) {
    say(this.frame.output, tokens.map((token) => (isSpecial(token) ? "" : token.startsWith("·") ? token.slice(1) : ` ${token}`)).join("").trim());
    this.frame.output.hidden = false;
  }

  fail(error) {
    this.frame.showProgress(null);
    this.said.error = [errorText(error)];
    if (isOfSentence(error)) {
      this.result = null;
      this.tell("");
      this.frame.output.hidden = true;
    } else {
      document.body.dataset.failed = error.code ?? "failed";
    }
    this.draw();
  }

  // Notices about one thing, which the next ones about it replace.
  sayOnce(about, sentences) {
    this.said[about] = sentences;
    this.frame.showNotices(this.said);
  }

  // ---- drawing

  draw() {
    const { page } = this.view;
    this.frame.show(page, this.said, this.view);
    const tab = (this.tabs[page] ??= new TABS[page](this));
    if (this.tab !== tab) {
      this.tab = tab;
      this.frame.panel.replaceChildren(tab.node);
    }
    document.documentElement.dataset.page = page;
    say(this.frame.question, words(TABS[page].texts.question));
    say(this.frame.lead, this.leadOf(page));
    const failed = this.said.error && !this.shownResult();
    this.frame.panel.hidden = Boolean(failed);
    if (page !== "decoding" && page !== "intervene" && this.shownResult()) this.tell(this.shownResult().text);
    tab.draw();
    if (this.embedded === IN_APP_PAGE) tellView(this.view);
  }

  leadOf(page) {
    const { card, config } = this.brief();
    if (page === "position" && config.position !== "sinusoidal") return positionLead(config.position);
    if (page === "train" && this.classroom) return words("live_class.train_lead");
    if (page !== "start") return words(TABS[page].texts.lead);
    if (config.architecture !== "encoder-decoder") return words("start.lead_alone");
    const spoken = section("languages")[card.source_language];
    return spoken ? words("start.lead_in", { source: spoken }) : words("start.lead");
  }

  // Nothing typed is the example, said in a notice.
  submit(typed) {
    this.said = {};
    this.typed = typed.trim() ? typed : null; // for the class to be told
    const isSame = typed === (this.view.sentence ?? this.sentence);
    const isStillEmpty = !typed.trim() && !this.view.sentence?.trim();
    if (!isSame && !isStillEmpty) return this.choose({ sentence: typed });
    this.view.sentence = typed;
    this.frame.field.value = this.sentence;
    this.run();
  }

  rebuildTabs() {
    for (const tab of Object.values(this.tabs ?? {})) tab.remove();
    this.tabs = {};
    this.tab = null;
  }

  // Everything that has words in it: anew for each language.
  build() {
    this.spoken = this.language;
    speakIn(this.texts[this.spoken], this.languages[this.spoken]);
    const output = this.frame?.output.dataset.output ?? "";
    this.rebuildTabs();
    this.frame = new Frame(this, Object.entries(TABS).map(([page, { texts }]) => [page, texts.name]));
    this.root.replaceChildren(...this.frame.nodes);
    this.classroom?.build();
    this.frame.showModel();
    if (output) this.tell(output);
    if (this.result && this.isTyped()) this.said.sentence = resultNotices(this, this.result);
    if (this.shownResult() || this.model) this.draw();
  }
}

// A single file holds the model behind this script.
function parsed() {
  if (document.readyState !== "loading") return undefined;
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

const positionLead = (position) =>
  words(["relative", "rotary", "alibi"].includes(position) ? `positions_in_attention.${position}` : "live_position.lead");
