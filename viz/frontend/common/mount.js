// What Streamlit calls with new data: it hands them to the one figure of the root element.

export function mount(selector, Kind) {
  const figures = new WeakMap();
  return ({ parentElement, data, setStateValue, setTriggerValue }) => {
    const root = parentElement.querySelector(selector);
    if (!root || !data) return undefined;
    if (!figures.has(root)) figures.set(root, new Kind(root));
    const figure = figures.get(root);
    figure.send = setStateValue;
    figure.trigger = setTriggerValue;
    figure.receive(data);
    // A call that was overtaken while the module loaded is cleaned up at once: not on the newer one's account.
    const turn = (figure.turn = (figure.turn || 0) + 1);
    return () => {
      if (figure.turn !== turn) return;
      figure.destroy();
      figures.delete(root);
    };
  };
}
