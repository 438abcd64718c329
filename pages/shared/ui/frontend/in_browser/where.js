// The switch that shows and sets where a view is computed.

import { say } from "../../../../../viz/frontend/common/dom.js";
import { computeOn } from "./compute_on.js";

export default function ({ parentElement, data }) {
  const { base, texts, able, on } = JSON.parse(data);
  const group = parentElement.querySelector(".gf-where");
  const [name, ...buttons] = group.children;
  say(name, texts.computed);
  group.setAttribute("aria-label", texts.computed);
  group.title = able ? "" : texts.server_only;
  for (const [at, place] of ["server", "browser"].entries()) {
    const isChosen = (place === "browser") === on;
    say(buttons[at], texts[place]);
    buttons[at].setAttribute("aria-pressed", String(isChosen));
    buttons[at].setAttribute("aria-disabled", String(!able)); // it can be reached, and says why
    buttons[at].setAttribute("aria-description", able ? "" : texts.server_only);
    buttons[at].onclick = () => able && !isChosen && computeOn(base, place);
  }
}
