// Which head is chosen: what the address says where the model has it, else the one that its card shows first.

// { kind, layer, head } among the panels; of the kinds `wanted`, or of those of the model where it has none of these.
export function chosenHead(app, panels, wanted = ["encoder", "decoder", "cross"]) {
  const own = panels.map(({ kind }) => kind);
  const kinds = own.filter((kind) => wanted.includes(kind));
  const first = app.brief().card.first_look ?? {};
  const kind = oneOf([app.view.attention_kind, first.attention_kind], kinds.length ? kinds : own);
  const panel = panels.find((each) => each.kind === kind);
  const number = (key, count) => oneOf([app.view[key], first[key]], [...Array(count).keys()]);
  return { kind, layer: number("layer", panel.layers), head: number("head", panel.heads) };
}

const oneOf = (asked, options) => asked.find((each) => options.includes(each)) ?? options[0];
