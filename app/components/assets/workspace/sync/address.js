/** The address says which attempt and page are open, so that a reload comes back to them. */

/** @param {{ attempt: string, page: Pt.Place | null }} data */
export function showInAddress({ attempt, page }) {
  const url = new URL(window.location.href);
  url.searchParams.set("attempt", attempt);
  for (const key of /** @type {const} */ (["document", "page"])) {
    if (page) url.searchParams.set(key, String(page[key]));
    else url.searchParams.delete(key);
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}
