// Buttons to zoom, for those without a wheel.

import { add, el } from "../../common/dom.js";

const ZOOM = 1.6;

export function zoomButtons(figure) {
  const { words } = figure;
  const button = (label, sign, act) => {
    const node = add(el("button", "gf-plain", { type: "button", title: label, "aria-label": label }), sign);
    node.addEventListener("click", act);
    return node;
  };
  return [
    button(words.farther, "−", () => figure.closer(1 / ZOOM)),
    button(words.closer, "+", () => figure.closer(ZOOM)),
    button(words.whole, words.whole, () => figure.goToWhole()),
  ];
}
