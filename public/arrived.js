// A form that was sent has arrived when a redirect answers it. The page that follows can be read, and left, before its
// other scripts have run; this one runs before anything of it is shown.
{
  const prefix = `draft ${document.currentScript.dataset.events} `;
  const [visit] = performance.getEntriesByType("navigation");
  const isSent = (name) => JSON.parse(sessionStorage.getItem(name)).isSent;
  if (visit?.redirectCount) {
    for (const name of Object.keys(sessionStorage)) {
      if (name.startsWith(prefix) && isSent(name)) sessionStorage.removeItem(name);
    }
  }
}
