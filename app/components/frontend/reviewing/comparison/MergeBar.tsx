import type { RefObject } from "preact";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t, tn } from "../../shared/messages";
import type { MergedPair } from "../decision/text_decisions";
import type { ReviewStore } from "../store";
import "./MergeBar.css";

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
    <div class="merge-bar wrapping">
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
                {pairWords(namesOf(store, other))}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {names.isDraft ? (
        <span
          class="pill"
          data-testid="merged-draft"
          title={t("A model made it. It is no annotator and has no vote.")}
        >
          <Icon name="machine" /> {t("With a machine draft")}
        </span>
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

/** Whose versions are merged, with the numbers of their columns. */
export interface PairNames {
  left: string;
  right: string;
  /** the right version is a model's draft; the left one is always a person's */
  isDraft: boolean;
}

export function namesOf(store: ReviewStore, { left, right }: MergedPair): PairNames {
  const { participants, versions } = store;
  const nameOf = (attempt: string) => {
    const place = versions.value.findIndex((other) => other.attempt === attempt);
    return `${place + 1} ${versions.value[place]?.name ?? ""}`;
  };
  const isDraft = participants.value.every(({ attempt }) => attempt !== right);
  const name = nameOf(right);
  return { left: nameOf(left), right: isDraft ? t("{name} (machine)", { name }) : name, isDraft };
}

const pairWords = ({ left, right }: PairNames) => t("{left} and {right}", { left, right });

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
