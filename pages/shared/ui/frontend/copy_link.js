export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const field = parentElement.querySelector("input");
  button.textContent = data.label;
  button.setAttribute("aria-live", "polite");
  // A bare address opens another model in a Chinese browser, so the link names the one in view.
  const link = () => {
    const { href, search } = window.location;
    return search || !data.checkpoint ? href : `${href}?checkpoint=${encodeURIComponent(data.checkpoint)}`;
  };
  button.onclick = async () => {
    // without https the clipboard may be closed: then show the address, selected
    try {
      await navigator.clipboard.writeText(link());
      button.textContent = data.done;
      setTimeout(() => (button.textContent = data.label), 2000);
    } catch {
      field.value = link();
      field.setAttribute("aria-label", data.label);
      field.hidden = false;
      field.select();
    }
  };
}
