// What goes on to the right of a scrolling box fades out: a phone shows no scroll bar.

export function fadeAll(boxes) {
  const more = boxes.map((box) => box.scrollWidth - box.clientWidth - box.scrollLeft > 2);
  boxes.forEach((box, i) => (box.dataset.more = more[i])); // after all have been measured: each write spoils that
}

export function fadeOnScroll(box) {
  box.addEventListener("scroll", () => fadeAll([box]), { passive: true });
}
