// The colours of the page, light or dark, for weights too.

import { ruler } from "./dom.js";
import { PALETTE } from "./palette.js";

export function channels(colour) {
  const value = parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function luminance(colour) {
  const [r, g, b] = channels(colour).map((c) => {
    const part = c / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

export function inkOn(colour) {
  const light = luminance(colour);
  return 1.05 / (light + 0.05) > (light + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

// 256 colours between the steps of a ramp, as pixels for ImageData and as text for canvas.
function lookup(ramp) {
  const steps = ramp.map(channels);
  const pixels = new Uint32Array(256);
  const colours = [];
  const inks = [];
  for (let i = 0; i < 256; i++) {
    const place = (i / 255) * (steps.length - 1);
    const low = Math.min(Math.floor(place), steps.length - 2);
    const [r, g, b] = steps[low].map((c, j) => Math.round(c + (place - low) * (steps[low + 1][j] - c)));
    pixels[i] = (255 << 24) | (b << 16) | (g << 8) | r;
    const text = `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`;
    colours.push(text);
    inks.push(inkOn(text));
  }
  return { pixels, colours, inks };
}

function pageIsDark(root) {
  const pen = ruler();
  pen.fillStyle = "#ffffff";
  pen.fillStyle = getComputedStyle(root).getPropertyValue("--st-background-color").trim() || "#ffffff";
  return pen.fillStyle.startsWith("#") && luminance(pen.fillStyle) < 0.2;
}

const themes = {};

export const themeOf = (root) => themeIn(pageIsDark(root) ? "dark" : "light");

// `mode`: light or dark.
export function themeIn(mode) {
  if (!themes[mode]) {
    const { surface, heads, kinds, tones, page, ramps } = PALETTE[mode];
    const [r, g, b] = channels(surface.card);
    themes[mode] = { mode, surface, heads, kinds, tones, page, ground: (255 << 24) | (b << 16) | (g << 8) | r, lookups: {} };
    for (const kind in kinds) themes[mode].lookups[kind] = lookup(kinds[kind].ramp);
    for (const name in ramps) themes[mode].lookups[name] = lookup(ramps[name]);
  }
  return themes[mode];
}

export function applyTheme(root, theme) {
  root.dataset.theme = theme.mode;
  for (const name in theme.surface) root.style.setProperty(`--gf-${name}`, theme.surface[name]);
  for (const kind in theme.kinds) root.style.setProperty(`--gf-${kind}`, theme.kinds[kind].ink);
}
