// The marks of a Chinese font hold while the page is Chinese: a rule for fonts cannot ask for the language itself.
(() => {
  const style = document.getElementById("chinese-marks");
  const choose = () => (style.media = document.documentElement.lang.startsWith("zh") ? "all" : "not all");
  new MutationObserver(choose).observe(document.documentElement, { attributeFilter: ["lang"] });
  choose();
})();
