(selector, part) => {
  const app = document.querySelector("[data-testid=stApp]");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const NEAR = 200; // px
  let patience = 150; // looks, 40 ms apart
  const look = () => {
    const place = document.querySelector(selector);
    if (!(place && app.dataset.testScriptState === "notRunning") && patience-- > 0) return setTimeout(look, 40);
    if (!place) return;
    if (part) {
      place.style.scrollMarginBlock = "24px";
      return place.scrollIntoView({ block: "nearest", behavior: still ? "auto" : "smooth" });
    }
    const tour = document.querySelector(".st-key-tour"); // stays in view above
    const bars = [...document.querySelectorAll(".st-key-class_bar, .st-key-lesson_bar")].map((bar) => bar.offsetHeight);
    const top = Math.max(48, ...bars, tour ? parseFloat(getComputedStyle(tour.parentElement).top) + tour.offsetHeight : 0);
    const before = [...document.querySelectorAll(".st-key-settings, .st-key-where, .st-key-examples")]; // of the first card
    const away = before.map((controls) => place.getBoundingClientRect().top - controls.getBoundingClientRect().top);
    place.style.scrollMarginTop = `${top + 24 + Math.max(0, ...away.filter((far) => far < NEAR))}px`;
    place.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" });
  };
  look();
};
