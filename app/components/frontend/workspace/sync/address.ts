/** The address says which attempt and page are open, so that a reload comes back to them. */

import { samePlace } from "../../shared/places";
import type { Attempt } from "../state/attempt";
import type { Viewer } from "../viewer/viewer";

/** Another task is an entry of the browser's history, where people may go back to a task. */
export function showTaskInAddress(data: Pt.WorkspaceData) {
  const before = new URL(window.location.href).searchParams.get("attempt");
  const isOther = before !== null && before !== data.attempt;
  showInAddress(data, isOther && data.protocol.study.go_back);
}

export function showPageInAddress(data: Pt.WorkspaceData) {
  showInAddress(data, false);
}

function showInAddress({ attempt, page }: Pt.WorkspaceData, isEntry: boolean) {
  const url = new URL(window.location.href);
  url.searchParams.set("attempt", attempt);
  for (const key of ["document", "page"] as const) {
    if (page) url.searchParams.set(key, String(page[key]));
    else url.searchParams.delete(key);
  }
  if (url.href === window.location.href) return;
  const { history } = window;
  if (isEntry) history.pushState(history.state, "", url);
  else history.replaceState(history.state, "", url);
}

/**
 * A step back or forward to another task of the batch, or to another page of the open one;
 * Streamlit sees to other batches.
 * @returns stop listening
 */
export function followBrowserHistory(attempt: Attempt, viewer: Viewer): () => void {
  const { store } = attempt;
  const follow = () => {
    const { searchParams } = new URL(window.location.href);
    const place = {
      document: searchParams.get("document") ?? "",
      page: Number(searchParams.get("page")),
    };
    const { batch, page, locked } = store.data;
    const id = searchParams.get("attempt");
    if (id !== attempt.id) {
      const task = batch.tasks.find((task) => task.attempt === id);
      if (task) void openTask(task.attempt);
      return;
    }
    if (!place.document || !(place.page >= 1)) return;
    if (locked.length || samePlace(page, place) || !viewer.mayOpen(place)) return;
    viewer.goTo(place, "link");
  };
  const openTask = async (id: string) => {
    if (!(await attempt.goTo(id)) && store.data.loading === null) showPageInAddress(store.data);
  };
  window.addEventListener("popstate", follow);
  return () => window.removeEventListener("popstate", follow);
}
