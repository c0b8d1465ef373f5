/** Where on the workspace screen problems are shown. */

import { formOf, TASK } from "./state/form_state";

/** A part of the screen that shows what is wrong with it, or takes the focus. */
export interface ProblemPlace {
  error?: (message: string) => void;
  go?: () => void;
}

/** Where refusals are shown, and where links to something missing lead. */
export function placeErrors(screen: Pt.Workspace) {
  const { places, store } = screen;
  places.set("answer", {
    error: (message) => store.set({ answerError: message }),
    go: () => screen.commands.run("focusAnswer"),
  });
  places.set("question", {
    error: (message) => store.set({ questionError: message }),
    go: () => {
      screen.layout.showRight();
      screen.questionInput.current?.focus();
    },
  });
  places.set("scratchpad", { go: () => screen.commands.run("focusScratchpad") });
  places.set("transcript", {
    error: (message) => screen.toast(message),
    go: () => {
      screen.layout.showRight();
      if (!screen.work.transcript.step(1)) screen.work.transcript.focus();
    },
  });
  places.set("skip", { error: (message) => store.set({ submitError: message }) });
  places.set("search", { error: (message) => store.set({ searchError: message }) });
}

/** A refused change: the sentence goes beside its field; the state was rolled back. */
export function showRefusal(screen: Pt.Workspace, refusal: Pt.EventRefusal, event: Pt.Event) {
  if (event.type === "submitted" || event.type === "skipped") return; // their dialogs show it
  const { field, message, code } = refusal;
  if (event.type === "text_edited" && code === "text_differs") {
    screen.work.transcript.refuse(event);
    return;
  }
  if (event.type === "box_drawn" && !screen.attempt.readOnly)
    screen.boxes.keepRefused(event.payload);
  const spec = formOf(screen.store.data).field(field ?? "");
  if (spec) {
    const { document = null, page = null, box = null } = event.payload as Partial<Pt.Target>;
    const target = spec.scope === "task" ? TASK : { document, page, box };
    if (screen.forms.showProblem(spec, target, { message, refused: true })) return;
  }
  const place = field === null ? null : screen.places.get(field);
  if (place?.error) place.error(message);
  else if (!["page_viewed", "view_changed", "reconnected"].includes(event.type))
    screen.toast(message);
}
