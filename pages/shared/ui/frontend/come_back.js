// A server that answers again may not know this page any more: it was started anew, or the reader was away for long.
// Then no part of the page can be drawn again before the whole is.
export default function ({ setTriggerValue }) {
  const back = () => setTriggerValue("back", true);
  window.addEventListener("gf-back", back);
  return () => window.removeEventListener("gf-back", back);
}
