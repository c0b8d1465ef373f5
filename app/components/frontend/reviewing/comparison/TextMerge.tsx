import { useSignal } from "@preact/signals";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { t, tn } from "../../shared/messages";
import {
  comparedPair,
  type Difference,
  decisionsOf,
  numberedPassages,
  type TextDecision,
  TRANSCRIPT,
} from "../decision/text_decisions";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import "./TextMerge.css";

export interface TextMergeProps {
  store: ReviewStore;
  actions: Pick<ComparisonActions, "onDecideText" | "onDecideRest" | "onComparePair">;
}

/** Two people's texts as one, with a choice at each difference. */
export function TextMerge({ store, actions }: TextMergeProps) {
  const text = useRef<HTMLDivElement>(null);
  const { text_pairs: pairs, participants } = store.review.value;
  const choice = store.choiceOf(TRANSCRIPT);
  const pair = comparedPair(pairs, choice);
  const passages = useMemo(() => (pair ? numberedPassages(pair) : []), [pair]);
  if (!pair) return null;
  const isOpen = store.editable.value;
  const decisions = decisionsOf(choice ? { [TRANSCRIPT]: choice } : {}, pair);
  const decisionOf = new Map(decisions.map((decision) => [decision.number, decision]));
  const count = passages.filter(({ difference }) => difference).length;
  const nameOf = (attempt: string) => {
    const place = store.participants.value.findIndex((other) => other.attempt === attempt);
    const name = participants.find((other) => other.attempt === attempt)?.name ?? "";
    return `${place + 1} ${name}`;
  };
  const names = { left: nameOf(pair.left), right: nameOf(pair.right) };
  const showNextOpen = () => {
    const groups = [...(text.current?.querySelectorAll<HTMLElement>("[data-open]") ?? [])];
    const current = text.current?.querySelector(".difference:focus-within");
    const next =
      groups.find((group) => current && isAfter(group, current)) ?? groups[0] ?? undefined;
    next?.querySelector("button")?.focus();
    next?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div class="text-merge stack" data-testid="text-merge">
      <div class="wrapping">
        {pairs.length > 1 ? (
          <label class="line">
            <span class="caption">{t("Compare:")}</span>
            <select
              aria-label={t("Texts that are compared")}
              disabled={!isOpen}
              value={pairs.indexOf(pair)}
              onChange={(event) => {
                const { value } = event.currentTarget;
                event.currentTarget.blur(); // keys are off in a list of choices
                actions.onComparePair(pairs[Number(value)]);
              }}
            >
              {pairs.map(({ left, right }, i) => (
                <option key={`${left}/${right}`} value={i}>
                  {t("{left} and {right}", { left: nameOf(left), right: nameOf(right) })}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <span class="strong" data-testid="text-progress" role="status">
          {count
            ? tn(
                "{decided} of {number} difference decided",
                "{decided} of {number} differences decided",
                count,
                { decided: decisions.length },
              )
            : t("The texts differ in nothing but spaces.")}
        </span>
        {isOpen && decisions.length < count ? (
          <>
            <Button testid="next-difference" onClick={showNextOpen}>
              {t("Next open difference")}
            </Button>
            {(["left", "right"] as const).map((side) => (
              <Button
                key={side}
                testid={`rest-${side}`}
                onClick={() => actions.onDecideRest(pair, side)}
              >
                {t("Take the rest from {name}", { name: names[side] })}
              </Button>
            ))}
          </>
        ) : null}
      </div>
      <div ref={text} class="merged-text" dir="auto" data-testid="merged-text">
        {passages.map(({ text: same, difference }, i) =>
          difference ? (
            <DifferenceChoice
              key={i}
              difference={difference}
              count={count}
              names={names}
              decision={decisionOf.get(difference.number)}
              isOpen={isOpen}
              onDecide={(decision, written) =>
                actions.onDecideText(pair, difference, decision, written)
              }
            />
          ) : (
            <span key={i}>{same}</span>
          ),
        )}
      </div>
    </div>
  );
}

const isAfter = (group: Element, current: Element) =>
  (current.compareDocumentPosition(group) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;

interface DifferenceChoiceProps {
  difference: Difference;
  count: number;
  names: { left: string; right: string };
  decision: TextDecision | undefined;
  isOpen: boolean;
  onDecide: (decision: TextDecision["decision"], text?: string) => void;
}

/** Both versions of a difference, to choose from, to keep together or to write another. */
function DifferenceChoice({
  difference,
  count,
  names,
  decision,
  isOpen,
  onDecide,
}: DifferenceChoiceProps) {
  const isWriting = useSignal(false);
  const group = useRef<HTMLSpanElement>(null);
  const { number, left, right } = difference;
  const versions = { left, right };
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
      aria-label={t("Difference {number} of {count}", { number: number + 1, count })}
      data-testid="difference"
      data-open={taken ? undefined : ""}
    >
      {(["left", "right"] as const).map((side) => (
        <button
          key={side}
          type="button"
          class="version toggle"
          dir="auto"
          aria-pressed={taken === side || taken === "both"}
          disabled={!isOpen}
          title={t("As {name} has it", { name: names[side] })}
          aria-label={`${names[side]}: ${versions[side] || t("(nothing)")}`}
          data-testid={`take-${side}`}
          onClick={() => onDecide(side)}
        >
          <VersionText text={versions[side]} />
        </button>
      ))}
      {taken === "edited" && !isWriting.value ? (
        <ins class="written" dir="auto">
          <VersionText text={decision?.text ?? ""} />
        </ins>
      ) : null}
      {isOpen && left && right ? (
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
      {isOpen ? (
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
