import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { TextDiff } from "../../shared/components/TextDiff";
import { TextArea } from "../../shared/components/TextInput";
import { MAX_CONTENT } from "../../shared/limits";
import { t } from "../../shared/messages";
import { useSavedText } from "../fields/saved_text";
import type { Texts } from "../fields/text_drafts";
import { saveDraft } from "../sync/browser_storage";
import "./ContentEditor.css";

export interface ContentEditorProps {
  box: Pt.PageBox;
  attempt: string;
  readOnly: boolean;
  texts: Texts;
  onCommit: (text: string) => void;
}

/** The text of the selected box: a text box that saves itself, and the model's text beside it. */
export function ContentEditor({ box, attempt, readOnly, texts, onCommit }: ContentEditorProps) {
  const name = `content:${box.id}`; // as text_drafts.ts names it
  const stored = box.content ?? "";
  const element = useRef<HTMLTextAreaElement>(null);
  const text = useSignal(stored);
  const useLost = useSignal<(() => void) | null>(null);
  useSavedText(element, {
    ...{ texts, name, attempt, stored, onCommit },
    restore: !readOnly,
    onText: (typed) => {
      text.value = typed;
    },
    onLost: (_, use) => {
      useLost.value = use;
    },
  });
  const theirs = box.model?.content ?? "";
  return (
    <div class="field stack">
      <label for="pt-element-content">{t("Content")}</label>
      <TextArea
        id="pt-element-content"
        ref={element}
        rows={4}
        maxLength={MAX_CONTENT}
        spellcheck={false}
        testid="element-content"
        readOnly={readOnly}
      />
      {useLost.value ? (
        <LostText
          onUse={readOnly ? null : useLost.value}
          onDiscard={() => saveDraft(attempt, name, null)}
          onChosen={() => {
            useLost.value = null;
          }}
        />
      ) : null}
      {box.model && theirs !== text.value ? (
        <div>
          <p class="model-line caption wrap">{t("Model → you")}</p>
          <div class="text-diff framed pre" data-testid="element-diff">
            <TextDiff before={theirs} after={text.value} />
          </div>
        </div>
      ) : null}
    </div>
  );
}

interface LostTextProps {
  /** null where nothing may be changed */
  onUse: (() => void) | null;
  onDiscard: () => void;
  onChosen: () => void;
}

/** Offers text typed earlier that newer work has overtaken. */
function LostText({ onUse, onDiscard, onChosen }: LostTextProps) {
  const choose = (run: () => void) => () => {
    onChosen();
    run();
  };
  return (
    <p class="draft-offer notice warning">
      {t("Text typed here was not saved, and this box was changed since.")}{" "}
      {onUse ? (
        <Button class="link" onClick={choose(onUse)}>
          {t("Use my text")}
        </Button>
      ) : null}{" "}
      <Button class="link" onClick={choose(onDiscard)}>
        {t("Discard it")}
      </Button>
    </p>
  );
}
