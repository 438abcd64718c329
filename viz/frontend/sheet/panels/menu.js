// What there is to save: the view as a picture, and the numbers of the part that is chosen.

import { actionButton, add, el, fill, say } from "../../common/dom.js";
import { save } from "../../common/save_file.js";
import { paint } from "../drawing/paint.js";
import { pngOf, svgOf } from "../drawing/save_view.js";

const SAID = 5000; // ms

export function saveMenu(figure) {
  const menu = el("details", "gf-save");
  const summary = add(el("summary", "gf-plain", { title: figure.words.take, "aria-label": figure.words.take }), "⋯");
  const item = (label, act) => {
    const chosen = () => {
      menu.open = false;
      act();
    };
    return actionButton(label, chosen, "gf-plain");
  };
  const name = () => `${figure.file}-${figure.focus === null ? "sheet" : figure.sheet.parts[figure.focus].name.replace(/\W+/g, "-")}`;
  const table = item(figure.words.csv, () => {
    const link = el("a", "", { href: `${figure.address}/csv/${figure.focus}`, download: `${name()}.csv` });
    link.click();
  });
  const box = add(
    el("div"),
    item(figure.words.png, async () => save(await pngOf(figure), `${name()}.png`)),
    item(figure.words.svg, () => save(svgOf(figure), `${name()}.svg`)),
    filmButton(figure, name),
    table,
  );
  menu.addEventListener("toggle", () => {
    const part = figure.focus === null ? null : figure.sheet.parts[figure.focus];
    const large = part && part.rows * part.columns > figure.largest;
    table.disabled = !part || large;
    table.title = large ? fill(figure.words.large, { limit: figure.largest }) : "";
  });
  return add(menu, summary, box);
}

// Says how far the film is; a second click ends it.
function filmButton(figure, name) {
  const { words } = figure;
  const button = add(el("button", "gf-plain gf-film-file", { type: "button" }), words.film_file);
  button.addEventListener("click", async () => {
    if (figure.filming) {
      figure.filming.abort();
      return;
    }
    const stop = (figure.filming = new AbortController());
    const percent = (share) => say(button, fill(words.film_stop, { percent: Math.round(100 * share) }));
    percent(0);
    try {
      const { default: film } = await import(new URL(figure.filmModule, document.baseURI)); // this module stands in a blob, which has no address
      const { blob, seconds, megabytes } = await film(figure, { paint, progress: percent, signal: stop.signal });
      save(blob, `${name()}.gif`);
      say(button, fill(words.film_saved, { seconds: seconds.toFixed(1), megabytes: megabytes.toFixed(1) }));
    } catch {
      say(button, stop.signal.aborted ? words.film_file : words.failed);
    }
    figure.filming = null;
    setTimeout(() => figure.filming || say(button, words.film_file), SAID);
  });
  return button;
}
