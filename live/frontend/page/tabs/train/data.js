// The data as a table that can be changed: spoil answers, remove words, write another answer.

import { add, el, say } from "../../../../../viz/frontend/common/dom.js";
import { percent } from "../../../../../viz/frontend/common/numbers.js";
import { button, card, heading, labelled, Notice, Pills, text } from "../../parts.js";
import { words } from "../../words.js";

const SHARES = [0, 0.05, 0.1, 0.25, 0.5];
const ROWS = 24;

// What may be typed, see `isWord`.
export function lettersText({ alphabet, letters }, most = letters) {
  const isPlain = Object.keys(alphabet).every((letter) => /[a-z]/.test(letter));
  return words(isPlain ? "live_train.letters" : "live_train.signs", { letters: most });
}

export class DataCard {
  // trainings: see run.js
  constructor(trainings) {
    this.trainings = trainings;
    this.shares = new Pills(words("live_train.spoil"), (share) => this.change((pairs) => pairs.spoil(share)));
    this.letter = el("select", "letter", { id: "train-letter" });
    const label = add(el("label", "caption", { for: "train-letter" }), words("live_train.remove"));
    const remove = button(words("live_train.remove_go"), () => this.remove());
    this.restore = button(words("live_train.restore"), () => this.change((pairs) => pairs.restore()));
    this.find = el("input", "", { type: "search", id: "train-find", autocomplete: "off", spellcheck: "false" });
    this.find.addEventListener("input", () => this.draw());
    this.count = text("", "caption");
    this.problem = new Notice("alert");
    this.rows = el("tbody");
    const heads = ["source", "output"].map((key) => add(el("th", "", { scope: "col" }), words(`live_train.head_${key}`)));
    const table = add(el("table", "gf-plain train-pairs"), add(el("thead"), add(el("tr"), ...heads)), this.rows);
    this.box = add(el("div", "gf-wide train-data", { tabindex: "0", role: "group", "aria-label": words("live_train.data_title") }), table);
    this.shown = text("", "caption");
    const removal = add(el("div", "row"), label, this.letter, remove, this.restore);
    this.node = card(
      heading(words("live_train.data_title")), text(words("live_train.data_hint"), "caption"), this.shares.node, removal, this.count, this.problem.node,
      labelled(words("live_train.find"), this.find), this.box, this.shown,
    );
  }

  change(act) {
    this.problem.say("");
    act(this.trainings.pairs);
    this.trainings.tell();
    this.draw();
  }

  remove() {
    const { pairs, description } = this.trainings;
    if (pairs.remove(this.letter.value)) return this.change(() => {});
    this.problem.say(words("live_train.few", { count: description.batch }));
  }

  // Drawn when the pairs are others, not with every report.
  draw() {
    const { pairs } = this.trainings;
    const { changed, removed } = pairs;
    this.showLetters(pairs.alphabet);
    this.shares.show(SHARES.map((each) => [each, percent(each)]), pairs.share);
    say(this.count, words("live_train.changed", { changed, removed, count: pairs.all.length }));
    this.restore.disabled = !changed && !removed;
    const wanted = this.find.value.trim().toLowerCase();
    const found = pairs.all.filter(([word, answer, right]) => (wanted ? `${word} ${answer}`.toLowerCase().includes(wanted) : answer !== right));
    const first = (found.length || wanted ? found : pairs.all).slice(0, ROWS);
    this.rows.replaceChildren(...first.map((pair) => this.row(pair)));
    say(this.shown, words("live_train.shown", { shown: first.length, count: pairs.all.length }));
  }

  showLetters(alphabet) {
    if (this.alphabet === alphabet) return;
    this.alphabet = alphabet;
    this.letter.replaceChildren(...Object.keys(alphabet).map((letter) => new Option(letter, letter)));
  }

  row(pair) {
    const [word, answer, right] = pair;
    const field = el("input", "", { type: "text", autocomplete: "off", spellcheck: "false", "aria-label": words("live_train.answer", { word }) });
    field.value = answer;
    field.addEventListener("change", () => {
      const { pairs } = this.trainings;
      const typed = field.value.trim();
      if (!pairs.isWord(typed, pairs.answer)) {
        field.value = pair[1];
        return this.problem.say(lettersText(pairs, pairs.answer));
      }
      this.change(() => (pair[1] = typed));
    });
    const name = add(el("th", "", { scope: "row" }), word);
    const cell = add(el("td"), field);
    if (answer !== right) {
      cell.dataset.changed = "";
      const was = add(el("s", "caption", { title: words("live_train.was") }), right);
      cell.append(" ", was);
    }
    return add(el("tr"), name, cell);
  }
}
