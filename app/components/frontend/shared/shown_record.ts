/** What is shown beside the question: a response, accepted answers, a prediction, a summary. */

import { fill, h, setAttr } from "./dom";
import { icon } from "./icons";
import { joinedWords, t } from "./messages";

export class ShownRecords {
  host: { collapsed: (source: string, set?: boolean | undefined) => boolean };
  shown: any;
  element: HTMLDivElement;

  /** @param host remembers what is folded */
  constructor(host: { collapsed: (source: string, set?: boolean) => boolean }) {
    this.host = host;
    this.shown = null;
    this.element = h("div", { class: "materials" });
  }

  update(material: Array<{ source: string; title: string; lines: string[]; waits_for: string[] }>) {
    this.element.hidden = !material.length;
    const key = JSON.stringify(material);
    if (key === this.shown) return;
    this.shown = key;
    fill(this.element, ...material.map((part) => this.card(part)));
  }

  card({
    source,
    title,
    lines,
    waits_for: waits,
  }: {
    source: any;
    title: string;
    lines: any;
    waits_for: any;
  }) {
    const locked = waits.length > 0;
    const id = `pt-material-${source}`;
    const toggle = h("button", {
      class: "icon-button small",
      testid: "material-toggle",
      "aria-controls": id,
    });
    const body = locked
      ? h(
          "p",
          { class: "material-locked quiet line medium", id },
          icon("lock"),
          t("Shown once {labels} is judged.", { labels: names(waits) }),
        )
      : h(
          "div",
          { class: "material-body stack", id, tabindex: "0", role: "group", "aria-label": title },
          ...text(source, lines),
        );
    const show = (folded: any) => {
      body.hidden = folded;
      toggle.replaceChildren(icon(folded ? "down" : "up"));
      const label = folded ? t("Show: {title}", { title }) : t("Hide: {title}", { title });
      setAttr(toggle, "aria-label", label);
      setAttr(toggle, "title", label);
      setAttr(toggle, "aria-expanded", String(!folded));
    };
    toggle.addEventListener("click", () => show(this.host.collapsed(source, !body.hidden)));
    show(!locked && this.host.collapsed(source));
    return h(
      "section",
      { class: "material framed", testid: "material", "data-source": source, "aria-label": title },
      h(
        "div",
        { class: "material-head line spread" },
        h("h2", { text: title }),
        locked ? null : toggle,
      ),
      body,
    );
  }
}

/** “A” and “B”. */
export function names(labels: string[]) {
  return joinedWords(labels.map((label) => `“${label}”`));
}

function text(source: string, lines: any) {
  if (source === "gold_answers" && lines.length > 1) {
    return [h("ul", {}, ...lines.map((line: any) => h("li", { text: line })))];
  }
  return lines.map((line: any) => h("p", { text: line }));
}
