// While an input method composes a word, keys are for it alone: Enter takes the word, and neither submits nor searches.
// Safari ends the composition before it sends that Enter, and marks it by its old code alone.
{
  const COMPOSES = 229;
  const isComposing = (event) => event.isComposing || event.keyCode === COMPOSES;
  addEventListener("keydown", (event) => isComposing(event) && event.stopImmediatePropagation(), { capture: true });
}
