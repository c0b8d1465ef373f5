/** The end of a batch. */

import { errorLine } from "../../shared/buttons";
import { dialogButton, openDialog } from "../../shared/dialogs";
import { fill, h, plural, setText } from "../../shared/dom";
import { icon } from "../../shared/icons";

/**
 * Say that all is done, and offer to close the batch.
 * @param data the store's values
 * @param close resolves to null, or why the batch was not closed
 */
export function openComplete(
  host: Element,
  data: Pt.WorkspaceData,
  close: () => Promise<string | null>,
) {
  const { batch } = data;
  const { study } = data.protocol;
  const count = (status: string) => batch.tasks.filter((task) => task.status === status).length;
  const skipped = count("skipped");
  const summary = study.progress
    ? `${plural(count("submitted"), "task")} submitted${skipped ? `, ${skipped} skipped` : ""}.`
    : "all tasks are done.";
  const error = errorLine("close-error");
  const home = h("a", {
    class: "button",
    href: data.home || "/",
    testid: "complete-home",
    text: "My batches",
  });
  const review = dialogButton("Look at them again", { on: { click: () => dialog.close() } });
  const shut = dialogButton("Close the batch", { main: true, testid: "close-batch" });
  const explain = h("p", {
    text: study.go_back
      ? "Close the batch when you are done with it. Its tasks can then be read but not reopened or changed."
      : "Close the batch. This campaign does not go back to finished tasks.",
  });
  const foot = study.go_back ? [review, home, shut] : [home, shut];
  const dialog = openDialog(host, {
    title: "Batch complete",
    testid: "complete-dialog",
    actions: foot,
    final: true,
    body: [
      h("p", { class: "lead" }, icon("check"), `${batch.code_name}: ${summary}`),
      explain,
      error,
    ],
    async onSubmit() {
      shut.disabled = true;
      const failure = await close();
      if (failure !== null) {
        shut.disabled = false;
        setText(error, failure);
        return;
      }
      fill(explain, "The batch is closed. Thank you.");
      shut.remove();
      home.focus();
    },
  });
  return dialog;
}
