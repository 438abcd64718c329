// The page: what is chosen, the model, the result in view, and the tabs that show it.

import { add, el, say } from "../../../viz/frontend/common/dom.js";
import { EngineError, missing } from "../engine.js";
import { listed } from "../files.js";
import { PAGES, readAddress, spellAddress } from "./address.js";
import { isEmbedded, snippet, tellHeight, wholeAddress } from "./embed.js";
import { exampleResult } from "./example.js";
import { isSpecial } from "./messages.js";
import { errorText, isOfSentence, resultNotices } from "./notices.js";
import { button, text } from "./parts.js";
import { isAbort, Latest, Session } from "./session.js";
import { AttentionTab } from "./tabs/attention.js";
import { DecodingTab } from "./tabs/decoding.js";
import { InterveneTab } from "./tabs/intervene.js";
import { PositionTab } from "./tabs/position.js";
import { StartTab } from "./tabs/start.js";
import { named, section, speakIn, words } from "./words.js";

const TABS = { start: StartTab, attention: AttentionTab, decoding: DecodingTab, intervene: InterveneTab, position: PositionTab };
const OF_RESULT = ["pin", "paused", "forks", "leaf", "step"]; // choices that mean nothing in another sentence
const OF_MODEL = ["attention_kind", "layer", "head", "changes", "scales"];
const MEGA = 1e6;

export class App {
  constructor(root) {
    this.root = root;
    this.files = listed();
    this.languages = JSON.parse(document.getElementById("languages").textContent);
    this.texts = JSON.parse(document.getElementById("texts").textContent);
    this.session = new Session(this.files);
    this.loading = new Latest();
    this.running = new Latest();
    this.view = this.asked();
    this.model = null; // the description, once the model answers
    this.result = null; // of the model, with all values
    this.example = null; // { name, result } that came with the page
    this.said = {}; // notices by what they are about
    addEventListener("popstate", () => this.follow());
    addEventListener("hashchange", () => this.follow());
  }

  async start() {
    if (!this.files) return this.refuse("live_damaged");
    this.embedded = isEmbedded(this.view);
    document.documentElement.toggleAttribute("data-embed", this.embedded);
    this.build();
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
    const wanted = this.view.language ?? codes.find((code) => this.languages[code]?.preferred);
    return wanted in this.languages ? wanted : "en";
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
    if (spellAddress(this.asked()) === spellAddress(this.view)) return;
    const before = this.view;
    this.view = { ...this.asked(), ...(this.embedded && { embed: "1" }) };
    this.refresh(before);
  }

  // Draw what is chosen; `was` is the view before.
  refresh(was) {
    if (this.language !== this.spoken) this.build();
    if ((was.checkpoint ?? this.files.models[0].name) !== this.file.name) return void this.load();
    if ((was.sentence ?? "") !== (this.view.sentence ?? "")) {
      this.field.value = this.sentence;
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
    this.showModel();
    this.draw();
    const lacking = missing();
    if (lacking) return this.fail(new EngineError(lacking));
    this.showExample(this.file);
    try {
      const { file } = this;
      await parsed();
      const onProgress = (progress) => !signal.aborted && this.showProgress(progress);
      const model = await this.session.open(file, { onProgress, signal });
      signal.throwIfAborted();
      this.model = { ...model, seed: file.model.seed };
      this.showProgress(null);
      await this.run();
      document.body.dataset.ready = model.name;
    } catch (error) {
      if (!isAbort(error)) this.fail(error);
    }
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
    this.output.dataset.output = output;
    say(this.output, output.trim() ? output : this.brief().config.architecture === "encoder" ? "" : words("frame.nothing"));
    this.output.hidden = !this.output.textContent;
  }

  preview(tokens) {
    say(this.output, tokens.map((token) => (isSpecial(token) ? "" : token.startsWith("·") ? token.slice(1) : ` ${token}`)).join("").trim());
    this.output.hidden = false;
  }

  fail(error) {
    this.showProgress(null);
    this.said.error = [errorText(error)];
    if (isOfSentence(error)) {
      this.result = null;
      this.tell("");
      this.output.hidden = true;
    } else {
      document.body.dataset.failed = error.code ?? "failed";
    }
    this.draw();
  }

  // Notices about one thing, which the next ones about it replace.
  sayOnce(about, sentences) {
    this.said[about] = sentences;
    this.showNotices();
  }

  showNotices() {
    const said = Object.values(this.said).flat();
    const form = JSON.stringify(said);
    if (this.notices.dataset.form === form) return;
    this.notices.dataset.form = form;
    this.notices.replaceChildren(...said.map((each) => text(each, "notice")));
  }

  showProgress(progress) {
    this.progress.hidden = !progress;
    if (!progress) return;
    const { stage, loaded, total } = progress;
    const mega = (bytes) => (bytes / MEGA).toFixed(1);
    this.bar.value = total ? loaded / total : 0;
    say(this.loadingText, words(stage === "start" ? "live.starting" : "live.loading", { loaded: mega(loaded), total: mega(total) }));
  }

  showModel() {
    const { card, name, trained } = this.brief();
    document.title = `${name} · Glassformer`;
    for (const option of this.models?.options ?? []) option.selected = option.value === this.file.name;
    say(this.about, trained === false ? "" : fillTask(section("tasks"), card));
    const licence = licenceOf(card);
    say(this.origin, licence && words("take.licence", { licence }));
    this.field.value = this.sentence;
    const examples = card.examples.slice(0, 3).map((example) => {
      const node = button(example, () => this.choose({ sentence: example }), "link");
      const gloss = section("gloss")[example];
      if (gloss) node.title = words("live.gloss", { text: gloss });
      return node;
    });
    this.examples.replaceChildren(el("span"), ...examples);
    say(this.examples.firstChild, words("start.examples"));
  }

  // ---- drawing

  draw() {
    this.showNotices();
    this.snippet.value = snippet(this.view, document.title);
    if (this.whole) this.whole.href = wholeAddress(this.view);
    const { page } = this.view;
    const tab = (this.tabs[page] ??= new TABS[page](this));
    if (this.tab !== tab) {
      this.tab = tab;
      this.panel.replaceChildren(tab.node);
    }
    for (const link of this.links) {
      const isHere = link.dataset.page === page;
      link.setAttribute("aria-selected", String(isHere));
      link.tabIndex = isHere ? 0 : -1;
    }
    this.panel.setAttribute("aria-labelledby", `tab-${page}`);
    document.documentElement.dataset.page = page;
    say(this.question, words(TABS[page].texts.question));
    say(this.lead, this.leadOf(page));
    const failed = this.said.error && !this.shownResult();
    this.panel.hidden = Boolean(failed);
    if (page !== "decoding" && page !== "intervene" && this.shownResult()) this.tell(this.shownResult().text);
    tab.draw();
  }

  leadOf(page) {
    const { card, config } = this.brief();
    if (page === "position" && config.position !== "sinusoidal") return positionLead(config.position);
    if (page !== "start") return words(TABS[page].texts.lead);
    if (config.architecture !== "encoder-decoder") return words("start.lead_alone");
    const spoken = section("languages")[card.source_language];
    return spoken ? words("start.lead_in", { source: spoken }) : words("start.lead");
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
    const output = this.output?.dataset.output ?? "";
    this.rebuildTabs();
    this.buildFrame();
    this.showModel();
    if (output) this.tell(output);
    if (this.result && this.isTyped()) this.said.sentence = resultNotices(this, this.result);
    if (this.shownResult() || this.model) this.draw();
  }

  buildFrame() {
    this.field = el("input", "", { type: "text", id: "sentence", autocomplete: "off", spellcheck: "false", placeholder: words("frame.sentence_hint"), enterkeyhint: "go" });
    this.output = el("p", "output", { id: "output", "data-output": "", "aria-live": "polite" });
    this.notices = el("div", "notices", { role: "status" });
    this.examples = el("div", "examples");
    this.about = text("", "about");
    this.question = el("h1");
    this.lead = text("", "lead");
    this.panel = el("div", "", { role: "tabpanel", id: "panel" });
    this.buildProgress();
    const main = add(el("main"), this.sentenceForm(), this.progress, this.notices, this.output, this.tabBar(), this.question, this.lead, this.panel);
    if (this.embedded) main.append(this.wholePage());
    this.root.replaceChildren(this.header(), main, this.footer());
    document.getElementById("skeleton")?.remove();
  }

  buildProgress() {
    this.bar = el("progress", "", { max: "1", "aria-label": words("live.progress") });
    this.loadingText = el("span");
    this.progress = add(el("div", "progress"), this.bar, this.loadingText);
    this.progress.hidden = Boolean(this.model) || !this.session.files;
  }

  header() {
    const brand = el("span", "brand");
    say(brand, "Glassformer");
    return add(el("header"), brand, this.modelChoice(), this.languageChoice());
  }

  modelChoice() {
    const { models } = this.files;
    if (models.length < 2) {
      this.models = null;
      const name = el("span", "model");
      say(name, modelTitle(models[0]));
      return name;
    }
    this.models = el("select", "", { id: "model-choice" });
    for (const each of models) this.models.add(new Option(modelTitle(each), each.name));
    this.models.addEventListener("change", () => this.choose({ checkpoint: this.models.value }));
    const label = el("label", "", { for: "model-choice" });
    say(label, words("frame.model"));
    return add(el("div", "model"), label, this.models);
  }

  languageChoice() {
    const row = el("div", "languages", { role: "group", "aria-label": words("frame.language") });
    for (const [language, { short, name, tag }] of Object.entries(this.languages)) {
      const node = button(short, () => this.choose({ language }), "pill-button");
      node.lang = tag;
      node.title = name;
      node.setAttribute("aria-pressed", String(language === this.spoken));
      row.append(node);
    }
    return row;
  }

  sentenceForm() {
    const label = el("span");
    say(label, words("frame.sentence"));
    const go = el("button", "go", { type: "submit", "aria-label": words("live.run") });
    say(go, "→");
    const form = add(el("form", "sentence"), add(el("label", "field"), label, this.field), go);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.submit(this.field.value);
    });
    return add(el("section", "type"), form, this.examples, this.about);
  }

  // Nothing typed is the example, said in a notice.
  submit(typed) {
    this.said = {};
    const isSame = typed === (this.view.sentence ?? this.sentence);
    const isStillEmpty = !typed.trim() && !this.view.sentence?.trim();
    if (!isSame && !isStillEmpty) return this.choose({ sentence: typed });
    this.view.sentence = typed;
    this.field.value = this.sentence;
    this.run();
  }

  tabBar() {
    this.links = PAGES.map((page) => {
      const node = button(words(TABS[page].texts.name), () => this.choose({ page }), "tab");
      node.id = `tab-${page}`;
      node.dataset.page = page;
      node.setAttribute("role", "tab");
      node.setAttribute("aria-controls", "panel");
      return node;
    });
    const bar = add(el("div", "tabs", { role: "tablist", "aria-label": words("decoding.view") }), ...this.links);
    bar.addEventListener("keydown", (event) => this.tabKey(event));
    return bar;
  }

  tabKey(event) {
    const at = this.links.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: this.links.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const link = this.links.at(to % this.links.length);
    link.focus();
    link.click();
  }

  footer() {
    const made = el("span");
    say(made, `Glassformer ${this.files.version}`);
    const about = el("span");
    say(about, words("live.about"));
    const area = el("textarea", "", { readonly: "", rows: "3", "aria-label": words("live.embed") });
    const details = add(el("details"), el("summary"), text(words("live.embed_how"), "caption"), area);
    say(details.firstChild, words("live.embed"));
    area.addEventListener("focus", () => area.select());
    this.snippet = area;
    this.origin = el("span");
    return add(el("footer"), add(el("div", "row"), about, this.origin, made, this.licence()), details);
  }

  // From a frame to the page itself.
  wholePage() {
    this.whole = el("a", "", { target: "_blank", rel: "noopener" });
    say(this.whole, `${words("live.open")} ↗`);
    return add(el("p", "whole"), this.whole);
  }

  licence() {
    const node = add(el("details"), el("summary"), el("pre"));
    say(node.firstChild, words("live.licences"));
    say(node.lastChild, document.getElementById("notice")?.content.textContent.trim() ?? "");
    return node;
  }
}

// A single file holds the model behind this script.
function parsed() {
  if (document.readyState !== "loading") return undefined;
  return new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve, { once: true }));
}

const positionLead = (position) =>
  words(["relative", "rotary", "alibi"].includes(position) ? `positions_in_attention.${position}` : "live_position.lead");

// Of an imported model its own, else those of what it learnt from.
function licenceOf({ imported, data = [] }) {
  if (imported) return imported.licence;
  const said = { ours: words("cards.ours"), yours: words("cards.yours") };
  return [...new Set(data.map(({ name, licence }) => `${named("sets", name)}: ${said[licence] ?? licence}`))].join(" · ");
}

function modelTitle({ name, model: { card } }) {
  const title = fillTask(section("task_titles"), card);
  return title ? `${name} · ${title}` : name;
}

function fillTask(texts, card) {
  const template = texts[card.task];
  if (!template) return card.task ?? "";
  const sides = ["source", "target"].map((side) => [`{${side}}`, named("languages", card[`${side}_language`] ?? "")]);
  return sides.reduce((filled, [mark, name]) => filled.replaceAll(mark, name), template);
}
