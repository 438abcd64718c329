// What surrounds the tabs of a live page: model and language, the sentence and its output, notices, footer.

import { add, el, say } from "../../../viz/frontend/common/dom.js";
import { snippet, wholeAddress } from "./embed.js";
import { button, languageButtons, licences, text } from "./parts.js";
import { sentenceForm } from "./sentence_form.js";
import { isSeen } from "./visible.js";
import { named, section, words } from "./words.js";

const MEGA = 1e6;

export class Frame {
  // names: [page, the key of its name], …
  constructor(app, names) {
    this.app = app;
    this.field = el("input", "", { type: "text", id: "sentence", autocomplete: "off", spellcheck: "false", placeholder: words("frame.sentence_hint"), enterkeyhint: "go" });
    this.output = el("p", "output", { id: "output", "data-output": "", "aria-live": "polite" });
    this.notices = el("div", "notices", { role: "status" });
    this.examples = el("div", "examples");
    this.about = text("", "about");
    this.question = el("h1");
    this.lead = text("", "lead");
    this.panel = el("div", "", { role: "tabpanel", id: "panel" });
    this.buildProgress();
    const main = add(el("main"), this.sentenceForm(), this.progress, this.notices, this.output, this.tabBar(names), this.question, this.lead, this.panel);
    if (this.app.embedded === "1") main.append(this.wholePage());
    this.nodes = [this.header(), ...(this.app.classroom ? [this.app.classroom.node, this.app.classroom.test.node] : []), main, this.footer()];
  }

  // What changes with each choice: the tab `page`, notices by what they are about, and links to the `view`.
  show(page, about, view) {
    this.showNotices(about);
    this.snippet.value = snippet(view, document.title);
    if (this.whole) this.whole.href = wholeAddress(view);
    if (this.back) this.back.hidden = page === "train" || !this.app.file.isTrained;
    for (const link of this.links) {
      const isHere = link.dataset.page === page;
      link.setAttribute("aria-selected", String(isHere));
      link.tabIndex = isHere ? 0 : -1;
      if (isHere) this.bar.scrollLeft = link.offsetLeft - this.bar.offsetLeft - (this.bar.clientWidth - link.offsetWidth) / 2; // on a phone
    }
    this.panel.setAttribute("aria-labelledby", `tab-${page}`);
    this.seeOnly(this.app.visible, page);
  }

  // Tabs, models and controls (`data-hideable`) that a teacher does not let students see are hidden; what is in view stays.
  seeOnly({ pages, models, hide }, page) {
    for (const link of this.links) link.hidden = !isSeen(pages, link.dataset.page, page);
    for (const option of this.models?.options ?? []) option.hidden = option.disabled = !isSeen(models, option.value, this.app.file.name);
    document.documentElement.dataset.hides = hide.join(" ");
  }

  showNotices(about) {
    const said = Object.values(about).flat();
    const form = JSON.stringify(said);
    if (this.notices.dataset.form === form) return;
    this.notices.dataset.form = form;
    this.notices.replaceChildren(...said.map((each) => noticeNode(...[each].flat())));
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
    const { card, name, trained } = this.app.brief();
    document.title = `${name} · Glassformer`;
    for (const option of this.models?.options ?? []) option.selected = option.value === this.app.file.name;
    say(this.about, trained === false ? "" : fillTask(section("tasks"), card));
    const licence = licenceOf(card);
    say(this.origin, licence && words("take.licence", { licence }));
    this.field.value = this.app.sentence;
    const examples = card.examples.slice(0, 3).map((example) => {
      const node = button(example, () => this.app.choose({ sentence: example }), "link");
      const gloss = section("gloss")[example];
      if (gloss) node.title = words("live.gloss", { text: gloss });
      return node;
    });
    this.examples.replaceChildren(add(el("span"), words("start.examples")), ...examples);
  }

  buildProgress() {
    this.bar = el("progress", "", { max: "1", "aria-label": words("live.progress") });
    this.loadingText = el("span");
    this.progress = add(el("div", "progress"), this.bar, this.loadingText);
    this.progress.hidden = Boolean(this.app.model) || !this.app.session.files;
  }

  header() {
    const brand = add(el("span", "brand"), "Glassformer");
    const languages = languageButtons(this.app.languages, this.app.spoken, (language) => this.app.choose({ language }));
    return add(el("header"), brand, this.modelChoice(), languages);
  }

  modelChoice() {
    const { models } = this.app.files;
    if (models.length < 2) {
      this.models = null;
      return add(el("span", "model", { "data-hideable": "model" }), modelTitle(models[0]));
    }
    this.models = el("select", "", { id: "model-choice" });
    for (const each of models) this.models.add(new Option(modelTitle(each), each.name));
    this.models.addEventListener("change", () => this.app.choose({ checkpoint: this.models.value }));
    const label = add(el("label", "", { for: "model-choice" }), words("frame.model"));
    return add(el("div", "model", { "data-hideable": "model" }), label, this.models);
  }

  sentenceForm() {
    const typed = sentenceForm(this.field, (sentence) => this.app.submit(sentence));
    return add(el("section", "type", { "data-hideable": "sentence" }), typed, this.examples, this.about);
  }

  tabBar(names) {
    this.links = names.map(([page, name]) => {
      const node = button(words(name), () => this.app.choose({ page }), "tab");
      node.id = `tab-${page}`;
      node.dataset.page = page;
      node.setAttribute("role", "tab");
      node.setAttribute("aria-controls", "panel");
      return node;
    });
    this.bar = add(el("div", "tabs", { role: "tablist", "aria-label": words("decoding.view") }), ...this.links);
    this.bar.addEventListener("keydown", (event) => this.tabKey(event));
    return this.bar;
  }

  tabKey(event) {
    const links = this.links.filter(({ hidden }) => !hidden);
    const at = links.indexOf(document.activeElement);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: links.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const link = links.at(to % links.length);
    link.focus();
    link.click();
  }

  footer() {
    const made = add(el("span"), `Glassformer ${this.app.files.version}`);
    const about = add(el("span"), words(this.app.file.engine ? "live.about_server" : "live.about"));
    const area = el("textarea", "", { readonly: "", rows: "3", "aria-label": words("live.embed") });
    const summary = add(el("summary"), words("live.embed"));
    const details = add(el("details", "", { "data-hideable": "files" }), summary, text(words("live.embed_how"), "caption"), area);
    area.addEventListener("focus", () => area.select());
    this.snippet = area;
    this.origin = el("span");
    return add(el("footer"), add(el("div", "row"), about, this.origin, made, licences()), details);
  }

  // From a frame to the page itself, and from views of a model that was trained in the frame to its training.
  wholePage() {
    this.back = button(`← ${words("pages.train")}`, () => this.app.choose({ page: "train" }));
    this.whole = add(el("a", "", { target: "_blank", rel: "noopener" }), `${words("live.open")} ↗`);
    return add(el("div", "row whole"), this.back, this.whole);
  }
}

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

// A notice: a sentence, or one with what it rests on.
function noticeNode(sentence, note = "") {
  const node = text(sentence, "notice");
  if (note) node.append(add(el("small"), note));
  return node;
}
