import type { RefObject } from "preact";
import { Button } from "../../shared/components/Button";
import { t, tn } from "../../shared/messages";
import type { MergedPair } from "../decision/text_decisions";
import type { ReviewStore } from "../store";

export interface MergeBarProps<Pair extends MergedPair> {
  store: ReviewStore;
  pairs: Pair[];
  pair: Pair;
  /** what the list of pairs is called */
  label: string;
  /** said where there is no difference */
  nothing: string;
  /** differences of all, and those that are decided */
  count: number;
  decided: number;
  /** has the differences */
  region: RefObject<HTMLElement | null>;
  testid: string;
  onComparePair: (pair: Pair) => void;
  onDecideRest: (pair: Pair, side: "left" | "right") => void;
}

/** Whose versions are compared, how far the merge is, and the way to the next open difference. */
export function MergeBar<Pair extends MergedPair>({
  store,
  pairs,
  pair,
  label,
  nothing,
  count,
  decided,
  region,
  testid,
  onComparePair,
  onDecideRest,
}: MergeBarProps<Pair>) {
  const isOpen = store.editable.value;
  const names = namesOf(store, pair);
  return (
    <div class="wrapping">
      {pairs.length > 1 ? (
        <label class="line">
          <span class="caption">{t("Compare:")}</span>
          <select
            aria-label={label}
            disabled={!isOpen}
            value={pairs.indexOf(pair)}
            onChange={(event) => {
              const { value } = event.currentTarget;
              event.currentTarget.blur(); // keys are off in a list of choices
              onComparePair(pairs[Number(value)]);
            }}
          >
            {pairs.map((other, i) => (
              <option key={`${other.left}/${other.right}`} value={i}>
                {t("{left} and {right}", namesOf(store, other))}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      <span class="strong" data-testid={testid} role="status">
        {count
          ? tn(
              "{decided} of {number} difference decided",
              "{decided} of {number} differences decided",
              count,
              { decided },
            )
          : nothing}
      </span>
      {isOpen && decided < count ? (
        <>
          <Button testid="next-difference" onClick={() => showNextOpen(region.current)}>
            {t("Next open difference")}
          </Button>
          {(["left", "right"] as const).map((side) => (
            <Button key={side} testid={`rest-${side}`} onClick={() => onDecideRest(pair, side)}>
              {t("Take the rest from {name}", { name: names[side] })}
            </Button>
          ))}
        </>
      ) : null}
    </div>
  );
}

/** The names of a pair, with the numbers of their columns. */
export function namesOf(store: ReviewStore, { left, right }: MergedPair) {
  const nameOf = (attempt: string) => {
    const place = store.participants.value.findIndex((other) => other.attempt === attempt);
    return `${place + 1} ${store.participants.value[place]?.name ?? ""}`;
  };
  return { left: nameOf(left), right: nameOf(right) };
}

/** Move to the first open difference after the one with the focus, or to the first of all. */
function showNextOpen(region: HTMLElement | null) {
  const groups = [...(region?.querySelectorAll<HTMLElement>("[data-open]") ?? [])];
  const current = region?.querySelector(".difference:focus-within");
  const next = groups.find((group) => current && isAfter(group, current)) ?? groups[0];
  next?.querySelector("button")?.focus();
  next?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

const isAfter = (group: Element, current: Element) =>
  (current.compareDocumentPosition(group) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
