// The row of attention that a prediction of the quiz asks about, beside its buttons: a click on a word chooses it.

import { mount } from "../common/mount.js";
import { emptyRow, measuredRow } from "./prediction_answers.js";

class PredictionRow {
  constructor(root) {
    this.root = root;
  }

  receive(text) {
    const { chosen, ...row } = JSON.parse(text);
    const form = JSON.stringify(row);
    if (form !== this.form) {
      const isMeasured = Boolean(row.shares);
      this.root.replaceChildren(isMeasured ? measuredRow(row, chosen) : emptyRow(row, row.label, chosen, (answer) => this.trigger("chosen", answer)));
    }
    this.form = form;
    for (const input of this.root.querySelectorAll("input")) input.checked = input.value === chosen; // also by the buttons
  }

  destroy() {}
}

export default mount(".gf-prediction-row", PredictionRow);
