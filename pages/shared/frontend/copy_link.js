export default function ({ parentElement, data }) {
  const button = parentElement.querySelector("button");
  const field = parentElement.querySelector("input");
  button.textContent = data.label;
  button.setAttribute("aria-live", "polite");
  button.onclick = async () => {
    // without https the clipboard may be closed: then show the address, selected
    try {
      await navigator.clipboard.writeText(window.location.href);
      button.textContent = data.done;
      setTimeout(() => (button.textContent = data.label), 2000);
    } catch {
      field.value = window.location.href;
      field.setAttribute("aria-label", data.label);
      field.hidden = false;
      field.select();
    }
  };
}
