/** Disputing the gold of a pilot task from its feedback. */

import { h, setText } from "../../shared/dom";
import { sentence } from "../../shared/sentences";

/**
 * To say that the gold itself is wrong.
 * @param said what was said already
 */
export function disputeForm(said: string | null, dispute: (reason: string) => void) {
  const note = h("p", { class: "quiet", role: "status", testid: "dispute-sent" });
  const input = h("textarea", {
    id: "pt-dispute",
    rows: "2",
    maxlength: "2000",
    testid: "dispute-reason",
    value: said ?? "",
    on: {
      keydown: (event) => {
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        event.stopPropagation(); // it sends this, and does not go on
        send.click();
      },
    },
  });
  const send = h("button", {
    class: "button small",
    testid: "dispute-send",
    text: "Tell the supervisor",
    on: {
      click: () => {
        const reason = input.value.trim();
        if (!reason) {
          setText(note, sentence("blank"));
          input.focus();
          return;
        }
        dispute(reason);
        setText(note, sentence("gold_disputed"));
      },
    },
  });
  if (said) setText(note, sentence("gold_disputed"));
  return h(
    "details",
    { class: "stack", testid: "dispute", open: Boolean(said) },
    h("summary", { text: "The gold is wrong" }),
    h("label", { for: "pt-dispute", text: "What is wrong with it?" }),
    input,
    h("div", { class: "wrapping" }, send, note),
  );
}
