// Links to pages. Streamlit opens each in this tab, also when Ctrl or the like asks for another one, and gives those to
// the first page an address without a path, which a browser reads as the page in view.
{
  const LINK = "a[data-testid=stPageLink-NavLink]";

  document.addEventListener(
    "click",
    (event) => {
      const newTab = event.ctrlKey || event.metaKey || event.shiftKey;
      if (newTab && event.target.closest?.(LINK)) event.stopPropagation(); // the browser follows the link
    },
    { capture: true },
  );

  const SHORT = `${LINK}:is([href=""], [href^="?"])`;
  const lead = (link) => link.setAttribute("href", `./${link.getAttribute("href")}`);
  const look = (top) => {
    if (top.matches?.(SHORT)) lead(top);
    top.querySelectorAll?.(SHORT).forEach(lead);
  };
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] };
  new MutationObserver((records) => {
    for (const { type, target, addedNodes } of records) (type === "attributes" ? [target] : addedNodes).forEach(look);
  }).observe(document.body, changes);
}
