import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t } from "../../shared/messages";
import type { Difference, TextDecision } from "../decision/text_decisions";
import type { PairNames } from "./MergeBar";
import "./DifferenceChoice.css";

/** What is shown of a version, where it is no text. */
export interface ShownVersion {
  content: ComponentChildren;
  /** read out */
  words: string;
}

export interface DifferenceChoiceProps {
  difference: Difference;
  /** among those of all, from 1 */
  position: number;
  /** differences of all */
  count: number;
  names: PairNames;
  decision: TextDecision | undefined;
  isOpen: boolean;
  /** in place of both texts, of which one is taken */
  versions?: { left: ShownVersion; right: ShownVersion };
  /** before the versions */
  caption?: string;
  onDecide: (decision: TextDecision["decision"], text?: string) => void;
}

/** Both versions of a difference, to choose from, to keep together or to write another. */
export function DifferenceChoice({
  difference,
  position,
  count,
  names,
  decision,
  isOpen,
  versions,
  caption,
  onDecide,
}: DifferenceChoiceProps) {
  const isWriting = useSignal(false);
  const group = useRef<HTMLSpanElement>(null);
  const { left, right } = difference;
  const texts = { left, right };
  const takesText = versions === undefined;
  const taken = decision?.decision;
  const close = () => {
    isWriting.value = false;
    group.current?.querySelector<HTMLElement>("[data-write]")?.focus();
  };
  return (
    <span
      ref={group}
      class={taken ? "difference" : "difference open"}
      role="group"
      aria-label={t("Difference {number} of {count}", { number: position, count })}
      data-testid="difference"
      data-open={taken ? undefined : ""}
    >
      {caption ? <span class="caption">{caption}</span> : null}
      {(["left", "right"] as const).map((side) => (
        <button
          key={side}
          type="button"
          class="version toggle"
          dir="auto"
          aria-pressed={taken === side || taken === "both"}
          disabled={!isOpen}
          title={
            side === "left" && names.isMerged
              ? t("As it was merged so far")
              : t("As {name} has it", { name: names[side] })
          }
          aria-label={`${names[side]}: ${versions?.[side].words ?? (texts[side] || t("(nothing)"))}`}
          data-testid={`take-${side}`}
          onClick={() => onDecide(side)}
        >
          {side === "right" && names.isDraft ? <Icon name="machine" /> : null}
          {versions?.[side].content ?? <VersionText text={texts[side]} />}
        </button>
      ))}
      {taken === "edited" && !isWriting.value ? (
        <ins class="written" dir="auto">
          <VersionText text={decision?.text ?? ""} />
        </ins>
      ) : null}
      {isOpen && takesText && left && right ? (
        <Button
          class="version-way"
          aria-pressed={taken === "both"}
          testid="take-both"
          title={t("Keep both, one after the other")}
          onClick={() => onDecide("both")}
        >
          {t("both")}
        </Button>
      ) : null}
      {isOpen && takesText ? (
        <Button
          class="version-way"
          aria-pressed={taken === "edited"}
          aria-expanded={isWriting.value}
          data-write=""
          testid="write-text"
          title={t("Write something else here")}
          onClick={() => {
            isWriting.value = !isWriting.value;
          }}
        >
          {t("write")}
        </Button>
      ) : null}
      {isWriting.value ? (
        <PassageEditor
          text={taken === "edited" ? (decision?.text ?? "") : taken === "right" ? right : left}
          onDone={(text) => {
            onDecide("edited", text);
            close();
          }}
          onCancel={close}
        />
      ) : null}
    </span>
  );
}

/** A version; what can't be seen of it is shown by signs. */
function VersionText({ text }: { text: string }) {
  if (text === "") return <span class="quiet">{t("(nothing)")}</span>;
  if (text.trim() === "")
    return <span class="quiet">{text.replaceAll("\n", "↵").replaceAll(/[^\S↵]/gu, "·")}</span>;
  return <span>{text}</span>;
}

interface PassageEditorProps {
  text: string;
  onDone: (text: string) => void;
  onCancel: () => void;
}

function PassageEditor({ text, onDone, onCancel }: PassageEditorProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(text.length, text.length);
  }, []);
  return (
    <span class="passage-editor">
      <textarea
        ref={field}
        dir="auto"
        rows={Math.min(8, text.split("\n").length + 1)}
        defaultValue={text}
        aria-label={t("Text of the gold at this difference")}
        data-testid="written-text"
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          onCancel();
        }}
      />
      <span class="wrapping">
        <Button testid="written-done" onClick={() => onDone(field.current?.value ?? "")}>
          {t("Take this text")}
        </Button>
        <Button onClick={onCancel}>{t("Cancel")}</Button>
      </span>
    </span>
  );
}
