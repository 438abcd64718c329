// What the teacher of a class lets students see, as pages/shared/classroom/visible.py spells it. It tidies up what a class
// looks at, and protects nothing.

// { pages, models, hide } of `pages:attention,masks;models:de-en;hide:sentence`; where no page or model is named, all are seen.
export function readVisible(text) {
  const visible = { pages: [], models: [], hide: [] };
  for (const part of text.split(";")) {
    const [name, values] = part.split(/:(.*)/s);
    if (Object.hasOwn(visible, name)) visible[name] = (values ?? "").split(",").filter(Boolean);
  }
  return visible;
}

// Whether one of a list is seen; `inView` always is.
export const isSeen = (names, name, inView) => !names.length || name === inView || names.includes(name);
