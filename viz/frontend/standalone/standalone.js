// Starts the figures of a file that was saved from the app. What Streamlit would do for a component, this does once.

import { bytesOf } from "./base85.js";

const SHEET = 680; // CSS pixels, as in the style
const dark = matchMedia("(prefers-color-scheme: dark)");

async function run(stored) {
  const plain = new Blob([bytesOf(stored)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const address = URL.createObjectURL(new Blob([await new Response(plain).text()], { type: "text/javascript" }));
  await import(address);
  URL.revokeObjectURL(address);
}

function dataOf(part) {
  const stored = part.nextElementSibling;
  return stored.type === "application/json" ? JSON.parse(stored.textContent) : bytesOf(stored);
}

// A root of its own, as in the app, so that the styles of two components never meet.
function startComponent(part) {
  const { component } = part.dataset;
  const data = dataOf(part);
  const root = part.attachShadow({ mode: "open" });
  root.append(document.getElementById(`gf-${component}`).content.cloneNode(true));
  // What a figure would tell the app is heard by nobody, but a part of the map of the model is a link.
  const setTriggerValue = (name, value) => {
    const door = name === "open" && [...root.querySelectorAll("[data-door]")].find(({ dataset }) => dataset.block === value);
    if (door) window.open(door.getAttribute("href"), "_blank", "noopener");
  };
  const draw = () => window.gfComponents[component]({ parentElement: root, data, setStateValue() {}, setTriggerValue });
  draw();
  dark.addEventListener("change", draw);
}

function startChart(part) {
  const spec = dataOf(part);
  const draw = () => {
    const colour = (name) => getComputedStyle(part).getPropertyValue(name).trim();
    const ink = colour("--st-text-color");
    const words = { labelColor: ink, titleColor: ink };
    const config = {
      ...spec.config,
      background: "transparent",
      title: { color: ink },
      view: { stroke: "transparent" },
      axis: { ...spec.config?.axis, ...words, gridColor: colour("--gf-line"), domainColor: colour("--gf-line"), tickColor: colour("--gf-line") },
      legend: { ...spec.config?.legend, ...words },
      header: { ...spec.config?.header, ...words },
    };
    window.vegaEmbed(part, { width: "container", ...spec, config }, { actions: false, renderer: "svg" });
  };
  draw();
  dark.addEventListener("change", draw);
}

// Plotly leaves the ground clear, as the figure asks; letters and lines are those of the page.
function startPlot(part) {
  const { data, layout, config } = dataOf(part);
  const draw = () => {
    const colour = (name) => getComputedStyle(part).getPropertyValue(name).trim();
    const font = { color: colour("--st-text-color") };
    const axes = (of) => Object.fromEntries(["xaxis", "yaxis", "zaxis"].map((axis) => [axis, { ...of?.[axis], gridcolor: colour("--gf-line") }]));
    const shown = layout.scene ? { ...layout, font, uirevision: "turned", scene: axes(layout.scene) } : { ...layout, font, ...axes(layout) };
    window.Plotly.react(part, data, shown, { ...config, responsive: true });
  };
  draw();
  dark.addEventListener("change", draw);
}

// The slides of a deck: arrow keys turn them where no figure uses the key; a slide that is too long is printed smaller.
function startDeck(deck) {
  const slides = [...deck.querySelectorAll(".slide")];
  const buttons = [...deck.querySelectorAll("nav button")];
  const at = () => Math.min(Math.max(Number(location.hash.slice(1)) || 1, 1), slides.length);
  const show = () => {
    slides.forEach((slide, number) => slide.toggleAttribute("data-shown", number + 1 === at()));
    deck.querySelector("nav output").textContent = `${at()} / ${slides.length}`;
    buttons[0].disabled = at() === 1;
    buttons[1].disabled = at() === slides.length;
  };
  const turn = (by) => {
    const to = at() + by;
    if (to >= 1 && to <= slides.length) history.replaceState(null, "", `#${to}`);
    show();
  };
  const keys = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 };
  document.addEventListener("keydown", (event) => {
    const figure = document.activeElement?.shadowRoot && document.activeElement;
    if (figure && event.key === "Escape") figure.blur();
    // a figure keeps its arrow keys; a remote control sends the others
    const busy = event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || (figure && event.key.startsWith("Arrow"));
    if (busy || !(event.key in keys)) return;
    event.preventDefault();
    turn(keys[event.key]);
  });
  for (const button of buttons) button.onclick = () => turn(Number(button.dataset.by));
  window.addEventListener("hashchange", show);
  // A sheet of A4 or Letter on its side, without its margins.
  const fit = new ResizeObserver((sheets) => {
    for (const { target } of sheets) target.style.setProperty("--fit", Math.min(1, SHEET / target.scrollHeight).toFixed(3));
  });
  for (const slide of slides) fit.observe(slide.firstElementChild);
  show();
}

document.querySelectorAll(".deck").forEach(startDeck);
for (const stored of document.querySelectorAll("[data-script]")) await run(stored);
document.querySelectorAll("[data-component]").forEach(startComponent);
document.querySelectorAll("[data-chart]").forEach(startChart);
document.querySelectorAll("[data-plot]").forEach(startPlot);
