// The list of pages: one element for all its links. What is there stays, so that the keyboard's focus keeps its link.

import { open } from "../../../../viz/frontend/classroom/open_view.js";
import { add, el, say } from "../../../../viz/frontend/common/dom.js";

// data: `here`, the path of the page in view; `common`, the parameters that all links have; `sections` as in components.py
export default function ({ parentElement, data }) {
  const { base, here, label, common, sections } = JSON.parse(data);
  const [menu, nav] = parentElement.querySelectorAll(".gf-menu, .gf-contents");
  const isOther = menu.dataset.page !== here;
  if (isOther) menu.open = false; // on a phone another page begins with its menu closed
  menu.dataset.page = here;
  say(menu.querySelector("summary"), label);
  nav.setAttribute("aria-label", label);
  build(nav, sections);
  const links = nav.querySelectorAll("a");
  nav.style.setProperty("--gf-links", links.length);
  sections.forEach(({ title }, at) => say(nav.children[at].querySelector("p"), title));
  sections.flatMap(({ pages }) => pages).forEach(({ path, title, own }, at) => {
    const link = links[at];
    const view = `${path}?${new URLSearchParams({ ...common, ...own })}`.replace(/\?$/, "");
    say(link, title);
    link.setAttribute("href", `${base}/${view}`);
    if (path === here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    link.onclick = (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return; // the browser follows the link
      event.preventDefault();
      if (path !== here) open(base, view);
    };
  });
}

// Elements without words, anew where the list has other pages.
function build(nav, sections) {
  const form = JSON.stringify(sections.map(({ name, pages }) => [name, pages.map(({ path }) => path)]));
  if (nav.dataset.form === form) return;
  nav.dataset.form = form;
  nav.replaceChildren(...sections.map(({ name, pages }) => add(el("div", "", { "data-section": name }), el("p"), ...pages.map(() => el("a")))));
}
