// Whether a pointer points: what is scrolled below one that rests, or below a finger, is not pointed at.

let watched = false;
let last = "";
let moved = false;

export function watchPointer() {
  if (watched) return;
  watched = true;
  document.addEventListener(
    "pointermove",
    (event) => {
      const here = `${event.screenX} ${event.screenY}`;
      moved = here !== last;
      last = here;
    },
    { capture: true, passive: true },
  );
}

export const pointerMoved = (event) => event.pointerType !== "touch" && moved;
