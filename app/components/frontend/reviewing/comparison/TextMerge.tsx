import { useMemo, useRef } from "preact/hooks";
import { t } from "../../shared/messages";
import {
  comparedPair,
  decisionsOf,
  numberedPassages,
  TRANSCRIPT,
} from "../decision/text_decisions";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import { DifferenceChoice } from "./DifferenceChoice";
import { MergeBar, namesOf } from "./MergeBar";
import "./TextMerge.css";

export interface TextMergeProps {
  store: ReviewStore;
  actions: Pick<
    ComparisonActions,
    "onDecideText" | "onDecideRest" | "onComparePair" | "onCompareMerged"
  >;
}

/** Two texts as one, with a choice at each difference. */
export function TextMerge({ store, actions }: TextMergeProps) {
  const text = useRef<HTMLDivElement>(null);
  const { text_pairs: pairs } = store.review.value;
  const { text: running } = store.runningMerges.value;
  const choice = store.choiceOf(TRANSCRIPT);
  const pair = comparedPair(running ? [...pairs, running] : pairs, choice);
  const passages = useMemo(() => (pair ? numberedPassages(pair) : []), [pair]);
  if (!pair) return null;
  const decisions = decisionsOf(choice ? { [TRANSCRIPT]: choice } : {}, pair);
  const decisionOf = new Map(decisions.map((decision) => [decision.number, decision]));
  const count = passages.filter(({ difference }) => difference).length;
  return (
    <div class="text-merge stack" data-testid="text-merge">
      <MergeBar
        {...{ store, pairs, pair, count, region: text }}
        label={t("Texts that are compared")}
        nothing={t("The texts differ in nothing but spaces.")}
        decided={decisions.length}
        testid="text-progress"
        onComparePair={actions.onComparePair}
        onCompareMerged={actions.onCompareMerged}
        onDecideRest={actions.onDecideRest}
      />
      <div ref={text} class="merged-text" dir="auto" data-testid="merged-text">
        {passages.map(({ text: same, difference }, i) =>
          difference ? (
            <DifferenceChoice
              key={i}
              difference={difference}
              position={difference.number - (pair.first_number ?? 0) + 1}
              count={count}
              names={namesOf(store, pair)}
              decision={decisionOf.get(difference.number)}
              isOpen={store.editable.value}
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
