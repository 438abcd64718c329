// Let the view in view be computed on the server, or in the browser.

import { open } from "../../../../../viz/frontend/classroom/open_view.js";

// A click is to Streamlit as Back is: what was chosen in the frame stands in the address, and so comes along.
export function computeOn(base, place) {
  const settings = new URLSearchParams(window.location.search);
  settings.set("computed", place);
  open(base, `${window.location.pathname.slice(base.length)}?${settings}`);
}
