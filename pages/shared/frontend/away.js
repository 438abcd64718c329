// While the server does not answer, the page can still be read: what Streamlit lays over it goes, ours says why.
new MutationObserver(() => {
  if (document.querySelector("[data-testid=stApp]")?.dataset.testConnectionState === "CONNECTED") return;
  document.querySelector("[data-testid=stDialog] button")?.click();
}).observe(document.body, { childList: true });
