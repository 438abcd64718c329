// Asks the server until the model is there, then has the page drawn again: a run of the page for each look would hold
// up what loads the model.

const LOOK = 700; // milliseconds from one answer to the next look
const AGAIN = 30_000; // milliseconds after which a page that still stands is asked for once more

export default function ({ parentElement, setTriggerValue }) {
  const look = async () => {
    const answer = await fetch(new URL("warm", window.location.href)).catch(() => null); // the server may be gone
    const warm = answer?.status === 204;
    if (parentElement.isConnected && warm) setTriggerValue("warm", true);
    if (parentElement.isConnected) parentElement.looking = setTimeout(look, warm ? AGAIN : LOOK);
  };
  clearTimeout(parentElement.looking);
  parentElement.looking = setTimeout(look, LOOK);
  return () => clearTimeout(parentElement.looking);
}
