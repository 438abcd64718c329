// A live page inside another: the snippet for it, and its height, which the page around it may follow.

import { spellAddress } from "./address.js";

export const IN_APP_PAGE = "app";
const FORMS = ["1", IN_APP_PAGE];

// What of the page is asked for, by `?embed=…` or `#…embed=…`: "1" the figure alone, `IN_APP_PAGE` the view without what
// the app has around it, "" all.
export const embedOf = (view) => FORMS.find((form) => [view.embed, new URLSearchParams(location.search).get("embed")].includes(form)) ?? "";

// Tell the app around this page what is chosen: { glassformer: "view", address }.
export const tellView = (view) => window.parent.postMessage({ glassformer: "view", address: spellAddress(view) }, location.origin);

// Tell the page around this one how high this one is: { glassformer: "height", height } in CSS pixels.
export function tellHeight(node) {
  if (window.parent === window) return;
  let last = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(node.getBoundingClientRect().height);
    if (height === last) return;
    last = height;
    window.parent.postMessage({ glassformer: "height", height }, "*"); // a number, which anybody may know
  }).observe(node);
}

// The same view without a frame.
export function wholeAddress(view) {
  const address = new URL(location.href);
  address.searchParams.delete("embed");
  address.hash = spellAddress({ ...view, embed: null });
  return address.href;
}

// HTML for another page: the frame, and a script that gives it its height.
export function snippet(view, title) {
  const address = `${location.href.split("#")[0]}${spellAddress({ ...view, embed: "1" })}`;
  const frame = `<iframe src="${escaped(address)}" title="${escaped(title)}" style="width:100%;height:720px;border:0" loading="lazy"></iframe>`;
  return `${frame}\n<script>${LISTENER}</${"script"}>`; // this stands in a script itself
}

const LISTENER =
  "addEventListener('message',e=>{if(e.data?.glassformer==='height')for(const f of document.querySelectorAll('iframe'))" +
  "if(f.contentWindow===e.source)f.style.height=e.data.height+'px'});";

const escaped = (content) => content.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);
