// What anywidget runs: the figures of the data, each in a root of its own, and the way back of what is locked in them.

import { isDark, watchGround } from "./ground.js";

function chosen(component, name, value, before) {
  const given = value && Object.keys(value).length ? value : null;
  if (component === "matrix") return given && { matrix: given.key, row: given.row, column: given.column };
  if (name === "selection") return { kind: given.kind, layer: given.layer, head: given.head, query: null, key: null };
  return { ...before, ...(given ?? { query: null, key: null }) };
}

function render({ model, el }) {
  const stops = [];
  const draws = model.get("names").map((name, i) => {
    const host = document.createElement("div");
    const root = host.attachShadow({ mode: "open" });
    const { html, css, mount } = COMPONENTS[name];
    root.innerHTML = `<style>${THEME}${css}</style>${html}`;
    el.append(host);
    const packed = model.get("data")[i];
    const data = new Uint8Array(packed.buffer, packed.byteOffset, packed.byteLength);
    const hand = (trigger, value) => {
      model.set("selection", chosen(name, trigger, value, model.get("selection")));
      model.save_changes();
    };
    let stop;
    const draw = () => {
      host.toggleAttribute("data-dark", isDark(el));
      stop = mount({ parentElement: root, data, setStateValue: hand, setTriggerValue: hand });
    };
    stops.push(() => stop?.());
    return draw;
  });
  const drawAll = () => draws.forEach((draw) => draw());
  drawAll();
  // a notebook puts the element into its page only after this function
  requestAnimationFrame(drawAll);
  stops.push(watchGround(el, drawAll));
  return () => stops.forEach((stop) => stop());
}

export default { render };
