// Buttons to zoom, for those without a wheel.

import { actionButton } from "../../common/dom.js";

const ZOOM = 1.6;

export function zoomButtons(figure) {
  const { words } = figure;
  const button = (label, sign, act) => actionButton(sign, act, "gf-plain", { title: label, "aria-label": label });
  return [
    button(words.farther, "−", () => figure.closer(1 / ZOOM)),
    button(words.closer, "+", () => figure.closer(ZOOM)),
    button(words.whole, words.whole, () => figure.goToWhole()),
  ];
}
