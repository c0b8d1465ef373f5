/** The search bar. */

import { errorLine } from "../../shared/buttons";
import { h, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";

const HINT = "All words must match. Use \u201cquotes\u201d for a phrase, OR between alternatives.";

export function createSearch(actions: { run: (query: string) => void; toResults: () => boolean }): {
  element: HTMLElement;
  update: (model: any) => void;
  focus: () => void;
  setQuery: (query: string) => void;
} {
  const input = h("input", {
    type: "search",
    class: "search-input",
    testid: "search-input",
    placeholder: "Search all pages",
    "aria-label": "Search all pages",
    "aria-describedby": "pt-search-hint",
    title: "Search (/)",
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
  });
  const label = h("span", { text: "Search" });
  const run = h(
    "button",
    {
      type: "submit",
      class: "button primary",
      testid: "search-run",
      title: "Run the search (Enter)",
    },
    label,
  );
  const hint = h("p", {
    class: "hint caption",
    id: "pt-search-hint",
    testid: "search-hint",
    text: HINT,
  });
  const message = errorLine("search-message");
  const progress = h("div", { class: "progress-line", "aria-hidden": "true" });
  const element = h(
    "form",
    { class: "search", role: "search", "aria-label": "Search the collection" },
    h(
      "div",
      { class: "search-row" },
      h("span", { class: "search-box fill" }, icon("search"), input),
      run,
    ),
    progress,
    hint,
    message,
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    actions.run(input.value);
  });
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown" && actions.toResults()) event.preventDefault();
  });

  function update({
    searching,
    searchNote,
    error,
    readOnly,
    hintHidden,
  }: {
    searching: any;
    searchNote: any;
    error: any;
    readOnly: boolean;
    hintHidden: any;
  }) {
    element.classList.toggle("busy", Boolean(searching));
    element.setAttribute("aria-busy", String(Boolean(searching)));
    input.disabled = readOnly;
    run.disabled = readOnly;
    setText(label, searching ? "Searching…" : "Search");
    setText(message, error ?? searchNote ?? "");
    message.classList.toggle("note", !error && Boolean(searchNote));
    hint.hidden = Boolean(error || searchNote) || hintHidden;
  }
  return {
    element,
    update,
    focus() {
      input.focus();
      input.select();
    },
    setQuery(query) {
      input.value = query;
    },
  };
}
