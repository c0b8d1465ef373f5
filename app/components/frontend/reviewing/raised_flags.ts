/** What annotators flagged, and why they skipped the task, with a way to mark it as handled. */

import { button } from "../shared/buttons";
import { fill, h } from "../shared/dom";
import { icon } from "../shared/icons";

export class RaisedFlags {
  handle: (attempt: string, handled: boolean) => any;
  element: HTMLElement;

  constructor(handle: (attempt: string, handled: boolean) => any) {
    this.handle = handle;
    this.element = h("section", {
      class: "raised-flags",
      testid: "raised-flags",
      "aria-label": "Flagged or skipped",
    });
  }

  update({ data, readOnly, acting }: Pt.ReviewView) {
    const { raised } = data;
    this.element.hidden = !raised.length;
    fill(
      this.element,
      ...raised.map((one) => {
        const { attempt, handled } = one;
        return h(
          "div",
          { class: handled ? "raised line quiet" : "raised line" },
          icon("flag"),
          h("p", {}, ...raisedWords(one)),
          button(
            handled ? "Not handled" : "Mark as handled",
            () => this.handle(attempt, !handled),
            {
              disabled: readOnly || acting,
              title: handled
                ? "It asks for a supervisor again"
                : "It no longer keeps the task from being accepted, and leaves the list of open flags",
            },
          ),
        );
      }),
    );
  }
}

function raisedWords({ name, flag, skipped, skip_reason: reason, handled }: Pt.RaisedFlag) {
  const said = [h("strong", { text: name })];
  const say: (what: string, text: string | null) => void = (what, text) => {
    said.push(h("span", { text: text ? ` ${what}: “${text}”` : ` ${what}, without a comment` }));
  };
  if (flag !== null) say("flagged it", flag);
  if (flag !== null && skipped) said.push(h("span", { text: ";" }));
  if (skipped) say("skipped it", reason);
  if (handled) said.push(h("span", { text: " · handled" }));
  return said;
}
