// Starts the figures of a file that was saved from the app. What Streamlit would do for a component, this does once.

const dark = matchMedia("(prefers-color-scheme: dark)");

function bytesOf(text) {
  return Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
}

function dataOf(part) {
  const stored = part.nextElementSibling;
  return stored.type === "application/json" ? JSON.parse(stored.textContent) : bytesOf(stored.textContent);
}

// A root of its own, as in the app, so that the styles of two components never meet.
function startComponent(part) {
  const { component } = part.dataset;
  const data = dataOf(part);
  const root = part.attachShadow({ mode: "open" });
  root.append(document.getElementById(`gf-${component}`).content.cloneNode(true));
  const draw = () => window.gfComponents[component]({ parentElement: root, data, setStateValue() {}, setTriggerValue() {} });
  draw();
  dark.addEventListener("change", draw);
}

function startChart(part) {
  const spec = dataOf(part);
  const draw = () => {
    const colour = (name) => getComputedStyle(part).getPropertyValue(name).trim();
    const ink = colour("--st-text-color");
    const words = { labelColor: ink, titleColor: ink };
    const config = {
      ...spec.config,
      background: "transparent",
      title: { color: ink },
      view: { stroke: "transparent" },
      axis: { ...spec.config?.axis, ...words, gridColor: colour("--gf-line"), domainColor: colour("--gf-line"), tickColor: colour("--gf-line") },
      legend: { ...spec.config?.legend, ...words },
      header: { ...spec.config?.header, ...words },
    };
    window.vegaEmbed(part, { width: "container", ...spec, config }, { actions: false, renderer: "svg" });
  };
  draw();
  dark.addEventListener("change", draw);
}

document.querySelectorAll("[data-component]").forEach(startComponent);
document.querySelectorAll("[data-chart]").forEach(startChart);
