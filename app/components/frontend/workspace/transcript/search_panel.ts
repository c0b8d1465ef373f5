/** Find and replace in the text, as a row above it. */

import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  replaceAll,
  replaceNext,
  SearchQuery,
  setSearchQuery,
} from "@codemirror/search";
import type { EditorView, Panel, ViewUpdate } from "@codemirror/view";
import { h, setText } from "../../shared/dom";
import { t, tn } from "../../shared/messages";

const MAX_COUNTED = 1000;

export function searchPanel(view: EditorView): Panel {
  const find = h("input", {
    class: "input",
    testid: "transcript-find",
    "main-field": "true",
    "aria-label": t("Find"),
    placeholder: t("Find"),
    on: { input: () => search() },
  });
  const replace = h("input", {
    class: "input",
    testid: "transcript-replace",
    "aria-label": t("Replace with"),
    placeholder: t("Replace with"),
    on: { input: () => search() },
  });
  const isCaseSensitive = h("input", { type: "checkbox", on: { change: () => search() } });
  const count = h("span", { class: "quiet medium", role: "status" });
  const button = (text: string, run: (view: EditorView) => boolean, testid?: string) =>
    h("button", { class: "button small", text, testid, on: { click: () => run(view) } });
  const replacing = h(
    "div",
    { class: "search-line" },
    replace,
    button(t("Replace"), replaceNext, "transcript-replace-one"),
    button(t("Replace all"), replaceAll, "transcript-replace-all"),
  );
  const dom = h(
    "div",
    { class: "transcript-search", role: "search", "data-keys": "Escape" },
    h(
      "div",
      { class: "search-line" },
      find,
      button(t("Previous hit"), findPrevious),
      button(t("Next hit"), findNext),
      h("label", { class: "inline medium" }, isCaseSensitive, t("Match case")),
      count,
      button(t("Close"), close),
    ),
    replacing,
  );
  dom.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close(view);
    else if (event.key === "Enter" && event.target === find)
      (event.shiftKey ? findPrevious : findNext)(view);
    else if (event.key === "Enter" && event.target === replace) replaceNext(view);
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  function search() {
    const query = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: isCaseSensitive.checked,
      literal: true,
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
    tell();
  }

  function tell() {
    const query = getSearchQuery(view.state);
    setText(count, query.valid ? hits(query, view) : "");
    replacing.hidden = view.state.readOnly;
  }

  const known = getSearchQuery(view.state);
  find.value = known.search;
  replace.value = known.replace;
  isCaseSensitive.checked = known.caseSensitive;
  tell();
  return {
    dom,
    top: true,
    mount: () => find.select(),
    update: (update: ViewUpdate) => {
      if (update.docChanged) tell();
    },
  };
}

function close(view: EditorView) {
  closeSearchPanel(view);
  view.focus();
  return true;
}

function hits(query: SearchQuery, view: EditorView) {
  const cursor = query.getCursor(view.state);
  let number = 0;
  while (number < MAX_COUNTED && !cursor.next().done) number += 1;
  if (number === MAX_COUNTED) return t("{number} hits or more", { number });
  return number ? tn("{number} hit", "{number} hits", number) : t("Not in the text");
}
