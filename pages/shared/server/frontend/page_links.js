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

  const lead = () =>
    document.querySelectorAll(`${LINK}:is([href=""], [href^="?"])`).forEach((link) => {
      link.setAttribute("href", `./${link.getAttribute("href")}`);
    });
  const changes = { subtree: true, childList: true, attributes: true, attributeFilter: ["href"] };
  new MutationObserver(lead).observe(document.body, changes);
}
