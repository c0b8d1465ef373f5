/** Selected words go into the answer, where the campaign allows it. */

import { withKey } from "../../shared/keys";
import { MAX_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import { formOf } from "../state/form_state";
import type { Workspace } from "../workspace";

const UNDO_MS = 8000;

/**
 * The answer with words at its end.
 * @param words as selected, lines apart
 * @param isList one answer per line
 * @returns null where there is no room
 */
export function withCopied(answer: string, words: string, isList: boolean): string | null {
  const line = words.trim().replace(/\s+/g, " ");
  const before = answer.trimEnd();
  const text = before ? `${before}${isList ? "\n" : " "}${line}` : line;
  return text.length > MAX_TEXT ? null : text;
}

/** Offer it with the selection and by key. */
export function installCopying({
  attempt,
  boxes,
  commands,
  store,
  texts,
  toasts,
}: Pick<Workspace, "attempt" | "boxes" | "commands" | "store" | "texts" | "toasts">) {
  const { text: selection } = boxes;
  const mayCopy = () => {
    const { protocol } = store.data;
    if (!protocol?.text.select || protocol.answer.kind === "off") return false;
    return attempt.mayEdit && !formOf(store.data).ended;
  };
  const run = () => {
    const words = selection.string;
    const answer = texts.get("answer");
    if (!words || !answer || !mayCopy()) return false;
    answer.flush();
    const before = answer.text;
    const text = withCopied(before, words, store.data.protocol.answer.kind === "list");
    if (text === null) {
      boxes.showHint(t("The answer has no room for these words."));
      return true;
    }
    boxes.copied(words, "answer");
    answer.use(text);
    selection.clear();
    const undo = () => {
      if (answer.text !== text || !mayCopy()) return;
      answer.use(before);
      toasts.hide();
    };
    const actions = [{ label: t("Undo"), run: undo }];
    toasts.show({ text: t("Copied into the answer."), actions }, UNDO_MS);
    return true;
  };
  selection.addOffer({
    text: t("To the answer"),
    testid: "copy-to-answer",
    title: withKey(t("Copy into the answer"), "copyToAnswer"),
    isOffered: mayCopy,
    run,
  });
  commands.register("copyToAnswer", run);
}
