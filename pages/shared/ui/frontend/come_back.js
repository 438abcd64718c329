// A server that answers again may have forgotten the session: it was restarted, or the user was away for long. Then no
// fragment can be redrawn before the whole page is. `away.js` sends the event; see `come_back` in components.py.
export default function ({ setTriggerValue }) {
  const back = () => setTriggerValue("back", true);
  window.addEventListener("gf-back", back);
  return () => window.removeEventListener("gf-back", back);
}
