/** The viewer's bar: document name, page navigation, zoom, fit, turn, "Add as citation". */

import { iconButton } from "../../shared/buttons";
import { h, setAttr, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";
import { grouped } from "../../shared/notation";

/**
 * @param actions turn(via, stamp), jump(page, stamp), zoomStep(±1), fit(kind), rotate(),
 * selectText(), run(command), cite(), toggleRail(), toggleReading()
 */
export function createViewBar(actions: Pt.Actions): {
  element: HTMLElement;
  update: (model: any) => void;
  focusPage: () => void;
} {
  const button: (
    testid: string,
    name: string,
    label: string,
    key: string,
    run: (event: MouseEvent) => void,
  ) => HTMLButtonElement = (testid, name, label, key, run) =>
    iconButton(name, label, run, { testid, title: key ? `${label} (${key})` : label });
  const turn = (via: string) => (event: MouseEvent) => actions.turn(via, event.timeStamp);
  const name = h("span", { class: "document-name quiet ellipsis medium", testid: "document-name" });
  const rail = button("rail-toggle", "rail", "Thumbnails", "", () => actions.toggleRail());
  const first = button("page-first", "first", "First page", "Home", turn("first"));
  const previous = button("page-previous", "previous", "Previous page", "←", turn("previous"));
  const next = button("page-next", "next", "Next page", "→", turn("next"));
  const last = button("page-last", "last", "Last page", "End", turn("last"));
  const number = h("input", {
    class: "page-number",
    testid: "page-number",
    inputmode: "numeric",
    autocomplete: "off",
    "aria-label": "Page number",
    title: "Go to page (g)",
  });
  const total = h("span", { class: "nowrap", testid: "page-total" });
  const level = h("button", {
    class: "zoom-level number bare",
    testid: "zoom-level",
    title: "Zoom to 100 %",
    on: { click: () => actions.zoomTo(100) },
  });
  const zoomOut = button("zoom-out", "minus", "Zoom out", "−", () => actions.zoomStep(-1));
  const zoomIn = button("zoom-in", "plus", "Zoom in", "+", () => actions.zoomStep(1));
  const width = button("fit-width", "fitWidth", "Fit width", "w", () => actions.fit("width"));
  const whole = button("fit-page", "fitPage", "Fit page", "", () => actions.fit("page"));
  const read = button("read", "expand", "The page alone", "z", () => actions.toggleReading());
  const rotate = button("rotate", "rotate", "Turn the view", "", () => actions.rotate());
  const selectText = button("select-text", "text", "Select text", "t", () => actions.selectText());
  const find = button("find-open", "search", "Find in this document", "Ctrl+F", () =>
    actions.run("find"),
  );
  const recent = button("recent", "history", "Recent pages", "Shift+L", () =>
    actions.run("recent"),
  );
  const beside = button("beside-toggle", "beside", "Keep this page beside others", "d", () =>
    actions.run("beside"),
  );
  const citeLabel = h("span", { class: "cite-label" });
  const citeIcon = h("span", { class: "icon-slot" });
  const cite = h(
    "button",
    { class: "button cite", testid: "cite", on: { click: () => actions.cite() } },
    citeIcon,
    citeLabel,
  );
  let shown = "";
  number.addEventListener("focus", () => number.select());
  number.addEventListener("blur", () => {
    number.value = shown;
  });
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter") {
      event.preventDefault();
      const page = Number.parseInt(number.value, 10);
      if (actions.jump(page, event.timeStamp)) number.blur();
      else number.select();
    } else if (event.key === "Escape") {
      number.value = shown;
      number.blur();
    }
  });
  const element = h(
    "div",
    { class: "viewbar line", role: "toolbar", "aria-label": "Page viewer" },
    h("div", { class: "bar-name line" }, rail, name),
    h(
      "div",
      { class: "bar-group line" },
      first,
      previous,
      h("span", { class: "page-box number inline" }, number, total),
      next,
      last,
    ),
    h(
      "div",
      { class: "bar-group line" },
      zoomOut,
      level,
      zoomIn,
      width,
      whole,
      rotate,
      read,
      selectText,
    ),
    h("div", { class: "bar-group bar-more line" }, find, recent, beside),
    cite,
  );
  const pageButtons = [
    zoomOut,
    zoomIn,
    width,
    whole,
    rotate,
    read,
    selectText,
    find,
    recent,
    beside,
    level,
    number,
  ];

  function update(model: any) {
    const { page, total: pages, canBack, canForward, view, cited, readOnly, evidence } = model;
    setText(name, page ? page.document : "No page open");
    setAttr(name, "title", page?.document);
    const text = page ? String(page.page) : "";
    if (shown !== text || !number.matches(":focus")) number.value = text;
    shown = text;
    setText(total, page ? `of ${grouped(pages)}` : "of –");
    for (const control of [first, previous]) control.disabled = !canBack;
    for (const control of [next, last]) control.disabled = !canForward;
    for (const control of pageButtons) control.disabled = !page;
    setText(level, `${Math.round(view.zoom)} %`);
    setAttr(level, "aria-label", `Zoom ${Math.round(view.zoom)} percent; set to 100 percent`);
    setAttr(width, "aria-pressed", String(view.fit === "width"));
    setAttr(whole, "aria-pressed", String(view.fit === "page"));
    setAttr(rail, "aria-pressed", String(model.rail));
    setAttr(read, "aria-pressed", String(Boolean(model.reading)));
    find.hidden = !model.finds;
    setAttr(beside, "aria-pressed", String(Boolean(model.beside)));
    selectText.hidden = !model.selects;
    setAttr(selectText, "aria-pressed", String(Boolean(model.selecting)));
    cite.hidden = !evidence;
    cite.disabled = !page || readOnly;
    setAttr(cite, "aria-pressed", String(Boolean(cited)));
    setAttr(cite, "title", `${cited ? "Remove this citation" : "Add as citation"} (c)`);
    setText(citeLabel, cited ? "Cited" : "Add as citation");
    if (citeIcon.dataset.cited !== String(cited)) {
      citeIcon.dataset.cited = String(cited);
      citeIcon.replaceChildren(icon(cited ? "cited" : "cite"));
    }
  }
  return { element, update, focusPage: () => number.focus() };
}
