// Inside the frame, before its figures start: they are as dark as the notebook, and the frame as high as they are.

import { isDark, watchGround } from "./ground.js";

const frame = window.frameElement; // null where a notebook keeps frames apart: then the system's setting counts
if (frame) {
  const picture = frame.previousElementSibling; // the same figure, for places that take frames out
  if (picture?.matches('img[src^="data:image/svg+xml"]')) picture.style.display = "none";
  const answers = Object.assign(new EventTarget(), { matches: isDark(frame) });
  const ask = window.matchMedia.bind(window);
  window.matchMedia = (query) => (query.includes("prefers-color-scheme: dark") ? answers : ask(query));
  const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
  const ofDark = rules.filter((rule) => rule.media?.mediaText.includes("prefers-color-scheme: dark"));

  const follow = () => {
    for (const rule of ofDark) rule.media.mediaText = answers.matches ? "all" : "not all";
    document.documentElement.style.colorScheme = answers.matches ? "dark" : "light";
  };
  follow();
  const stop = watchGround(frame, () => {
    const dark = isDark(frame);
    if (dark === answers.matches) return;
    answers.matches = dark;
    follow();
    answers.dispatchEvent(new Event("change"));
  });
  addEventListener("pagehide", stop);

  document.documentElement.style.overflowY = "hidden";
  addEventListener("DOMContentLoaded", () => {
    const fit = () => {
      const high = Math.ceil(document.body.getBoundingClientRect().height);
      if (high > 120) frame.style.height = `${high}px`;
    };
    new ResizeObserver(fit).observe(document.body);
  });
}
