// The field for a sentence with its button; `act` gets what is typed.

import { add, el } from "../../../viz/frontend/common/dom.js";
import { form, labelled } from "./parts.js";
import { words } from "./words.js";

export function sentenceForm(field, act) {
  const go = add(el("button", "go", { type: "submit", "aria-label": words("live.run") }), "→");
  return form("sentence", () => act(field.value), labelled(words("frame.sentence"), field), go);
}
