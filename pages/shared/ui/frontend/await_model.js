// Asks the server until the model is there, then has the page drawn again: a run of the page for each look would hold
// up what loads the model. Times in milliseconds.

const LOOK = 700; // from one answer to the next look
const PATIENCE = 5_000; // for an answer
const AGAIN = 30_000; // after which a page that still stands is asked for once more

export default function ({ setTriggerValue }) {
  let timer = 0;
  let ended = false;
  const look = async () => {
    const asked = fetch(new URL("warm", window.location.href), { signal: AbortSignal.timeout(PATIENCE) });
    const answer = await asked.catch(() => null); // the server may be gone
    if (ended) return;
    const warm = answer?.status === 204;
    if (warm) setTriggerValue("warm", true);
    timer = setTimeout(look, warm ? AGAIN : LOOK);
  };
  timer = setTimeout(look, LOOK);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
