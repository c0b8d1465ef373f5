import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t, tn } from "../../shared/messages";
import { type MergedPair, otherVersions, sidesOf } from "../decision/text_decisions";
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
  onCompareMerged: (pair: Pair, version: string) => void;
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
  onCompareMerged,
}: MergeBarProps<Pair>) {
  const isOpen = store.editable.value;
  const names = namesOf(store, pair);
  const offered = pairs.includes(pair) ? pairs : [...pairs, pair];
  const versions = sidesOf(pair);
  const goesOn = useRef(false);
  useEffect(() => {
    if (goesOn.current) showNextOpen(region.current);
    goesOn.current = false;
  }, [versions.join("/")]);
  return (
    <div class="merge-bar wrapping">
      {pairs.length > 1 ? (
        <label class="line">
          <span class="caption">{t("Compare:")}</span>
          <select
            aria-label={label}
            disabled={!isOpen}
            value={offered.indexOf(pair)}
            onChange={(event) => {
              const { value } = event.currentTarget;
              event.currentTarget.blur(); // keys are off in a list of choices
              onComparePair(offered[Number(value)]);
            }}
          >
            {offered.map((other, i) => (
              <option key={sidesOf(other).join("/")} value={i}>
                {pairWords(namesOf(store, other))}
              </option>
            ))}
          </select>
        </label>
      ) : null}
      {versions.some((version) => isDraft(store, version)) ? (
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
              {side === "left" && names.isMerged
                ? t("Leave the rest as merged so far")
                : t("Take the rest from {name}", { name: names[side] })}
            </Button>
          ))}
        </>
      ) : null}
      {isOpen && decided === count && !store.busy.value
        ? otherVersions(pairs, pair).map((version) => (
            <Button
              key={version}
              testid="compare-merged"
              title={t("Take in what only this version has")}
              onClick={() => {
                goesOn.current = true;
                onCompareMerged(pair, version);
              }}
            >
              {t("Compare the result with {name}", { name: nameOf(store, version) })}
            </Button>
          ))
        : null}
    </div>
  );
}

/** Whose versions are merged, with the numbers of their columns. */
export interface PairNames {
  left: string;
  right: string;
  /** the right version is a model's draft */
  isDraft: boolean;
  /** the left version was merged of two or more */
  isMerged: boolean;
}

export function namesOf(store: ReviewStore, pair: MergedPair): PairNames {
  const isMerged = Boolean(pair.merged_from);
  return {
    left: isMerged ? t("Merged so far") : nameOf(store, pair.left),
    right: nameOf(store, pair.right),
    isDraft: isDraft(store, pair.right),
    isMerged,
  };
}

function nameOf(store: ReviewStore, version: string) {
  const { versions } = store;
  const place = versions.value.findIndex(({ attempt }) => attempt === version);
  const name = `${place + 1} ${versions.value[place]?.name ?? ""}`;
  return isDraft(store, version) ? t("{name} (machine)", { name }) : name;
}

const isDraft = (store: ReviewStore, version: string) =>
  store.participants.value.every(({ attempt }) => attempt !== version);

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
