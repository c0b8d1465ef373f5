import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { IconButton } from "../../shared/components/Button";
import { TextInput } from "../../shared/components/TextInput";
import { MAX_FIND_TEXT } from "../../shared/limits";
import { t } from "../../shared/messages";
import "./FindBar.css";

export interface FindBarProps {
  isOpen: ReadonlySignal<boolean>;
  /** "2 of 7", or why there is nothing */
  count: ReadonlySignal<string>;
  input: RefObject<HTMLInputElement | null>;
  /** Go to the next hit or the one before of what is typed. */
  onStep: (by: 1 | -1, stamp: number) => void;
  onClose: () => void;
}

/** The bar under the viewer's in which a text of the open document is looked for. */
export function FindBar({ isOpen, count, input, onStep, onClose }: FindBarProps) {
  useLayoutEffect(() => {
    if (!isOpen.value) return;
    input.current?.focus();
    input.current?.select();
  }, [isOpen.value, input]);
  // What was looked for last is still there when it opens again.
  return (
    <search class="viewbar find-bar line" aria-label={t("Find")} hidden={!isOpen.value}>
      <TextInput
        ref={input}
        class="find-input"
        testid="find"
        autocomplete="off"
        maxLength={MAX_FIND_TEXT}
        aria-label={t("Find in this document")}
        placeholder={t("Find in this document")}
        data-keys="Enter Escape"
        onKeyDown={(event) => {
          if (event.key === "Escape") onClose();
          else if (event.key !== "Enter" || event.isComposing) return;
          event.preventDefault();
          if (event.key === "Enter") onStep(event.shiftKey ? -1 : 1, event.timeStamp);
        }}
      />
      <span class="quiet nowrap number" role="status" data-testid="find-count">
        {count}
      </span>
      <IconButton
        icon="previous"
        label={t("Previous hit (Shift+Enter)")}
        testid="find-previous"
        onClick={(event) => onStep(-1, event.timeStamp)}
      />
      <IconButton
        icon="next"
        label={t("Next hit (Enter)")}
        testid="find-next"
        onClick={(event) => onStep(1, event.timeStamp)}
      />
      <IconButton icon="close" label={t("Close (Esc)")} testid="find-close" onClick={onClose} />
    </search>
  );
}
