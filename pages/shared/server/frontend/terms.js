// A term of the glossary shows its definition when it is pointed at, focused by keyboard, clicked or tapped.
{
  const WAIT = 150; // ms: a pointer may only pass, or be on its way to the definition
  const GAP = 6; // px between the term, its definition and the window's edge
  const OPEN = ".gf-definition:popover-open";
  let timer = 0;

  const termAt = (node) => {
    const found = node.closest?.(".gf-term, .gf-definition");
    return found?.matches(".gf-definition") ? found.previousElementSibling : found;
  };

  const place = (definition) => {
    const term = definition.previousElementSibling.getClientRects()[0]; // the first line of a term on two lines
    const { width, height } = definition.getBoundingClientRect();
    const right = document.documentElement.clientWidth - width - GAP;
    const below = term.bottom + GAP;
    const fits = below + height + GAP <= innerHeight || term.top < height + 2 * GAP;
    definition.style.left = `${Math.max(GAP, Math.min(term.left, right))}px`;
    definition.style.top = `${fits ? below : term.top - GAP - height}px`;
  };

  const hide = () => document.querySelectorAll(OPEN).forEach((definition) => definition.hidePopover());

  const show = (term) => {
    const definition = term.nextElementSibling;
    if (definition.matches(":popover-open")) return;
    hide();
    definition.showPopover();
    place(definition);
  };

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    clearTimeout(timer);
    const term = termAt(event.target);
    const focused = termAt(document.activeElement); // stays open until the focus leaves it
    timer = setTimeout(() => (term ? show(term) : focused || hide()), WAIT);
  });
  document.addEventListener("focusin", (event) => {
    const term = termAt(event.target);
    if (!term) hide();
    else if (event.target.matches(":focus-visible")) show(term);
  });
  document.addEventListener("click", (event) => {
    const term = termAt(event.target);
    if (term) show(term);
    else hide();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    if (!["Enter", " "].includes(event.key) || !event.target.matches?.(".gf-term")) return;
    event.preventDefault();
    show(event.target);
  });
  const follow = () => document.querySelectorAll(OPEN).forEach(place);
  addEventListener("scroll", follow, { capture: true, passive: true });
  addEventListener("resize", follow);
}
