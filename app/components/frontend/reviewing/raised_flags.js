/** What annotators flagged, and why they skipped the task, with a way to mark it as handled. */

import { button } from "../shared/buttons.js";
import { fill, h } from "../shared/dom.js";
import { icon } from "../shared/icons.js";

export class RaisedFlags {
  /** @param {(attempt: string, handled: boolean) => any} handle */
  constructor(handle) {
    this.handle = handle;
    this.element = h("section", {
      class: "raised-flags",
      testid: "raised-flags",
      "aria-label": "Flagged or skipped",
    });
  }

  /** @param {Pt.ReviewView} view */
  update({ data, readOnly, acting }) {
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

/** @param {Pt.RaisedFlag} one */
function raisedWords({ name, flag, skipped, skip_reason: reason, handled }) {
  const said = [h("strong", { text: name })];
  /** @type {(what: string, text: string | null) => void} */
  const say = (what, text) => {
    said.push(h("span", { text: text ? ` ${what}: “${text}”` : ` ${what}, without a comment` }));
  };
  if (flag !== null) say("flagged it", flag);
  if (flag !== null && skipped) said.push(h("span", { text: ";" }));
  if (skipped) say("skipped it", reason);
  if (handled) said.push(h("span", { text: " · handled" }));
  return said;
}
