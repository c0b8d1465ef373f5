/** The address says which attempt and page are open, so that a reload comes back to them. */

import { samePlace } from "../../shared/places";
import type { Viewer } from "../viewer/viewer";

export function showInAddress({ attempt, page }: { attempt: string; page: Pt.Place | null }) {
  const url = new URL(window.location.href);
  url.searchParams.set("attempt", attempt);
  for (const key of ["document", "page"] as const) {
    if (page) url.searchParams.set(key, String(page[key]));
    else url.searchParams.delete(key);
  }
  if (url.href !== window.location.href) window.history.replaceState(window.history.state, "", url);
}

/**
 * A step back or forward to another page of the open task; Streamlit sees to other tasks.
 * @returns stop listening
 */
export function followHistory(store: Pt.Store, viewer: Viewer): () => void {
  const follow = () => {
    const { searchParams } = new URL(window.location.href);
    const place = {
      document: searchParams.get("document") ?? "",
      page: Number(searchParams.get("page")),
    };
    const { attempt, page, locked } = store.data;
    if (searchParams.get("attempt") !== attempt || !place.document || !(place.page >= 1)) return;
    if (locked.length || samePlace(page, place) || !viewer.mayOpen(place)) return;
    viewer.goTo(place, "link");
  };
  window.addEventListener("popstate", follow);
  return () => window.removeEventListener("popstate", follow);
}
