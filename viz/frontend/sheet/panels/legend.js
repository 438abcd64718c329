// Below the picture: what the colours mean, and how one moves.

import { add, el, say } from "../../common/dom.js";

export function legend({ words }) {
  const colours = add(el("p", "gf-legend"), shade("negative"), words.negative, shade("zero"), "0", shade("positive"), `${words.positive} · ${words.scale}`);
  const keys = el("details", "gf-keys");
  const [summary, about] = [el("summary"), el("p")];
  say(summary, words.keys);
  say(about, words.help);
  const moves = add(el("p"), words.moves);
  return add(el("div", "gf-foot"), moves, colours, add(keys, summary, about));
}

const shade = (name) => el("span", `gf-shade gf-${name}`, { "aria-hidden": "true" });
