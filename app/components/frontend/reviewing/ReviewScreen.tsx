import type { ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Button } from "../shared/components/Button";
import { language, t } from "../shared/messages";
import { applyTheme } from "../shared/theme";
import { Comparison, type ComparisonProps } from "./comparison/Comparison";
import { HiddenDrafts } from "./comparison/DraftColumn";
import { DecisionBar, type DecisionBarProps } from "./decision/DecisionBar";
import { GoldPanel } from "./decision/GoldPanel";
import { Messages, type MessagesProps } from "./Messages";
import { PagePane, type PagePaneProps } from "./page/PagePane";
import { QuestionBox, type QuestionBoxProps } from "./QuestionBox";
import { RaisedFlags, type RaisedFlagsProps } from "./RaisedFlags";
import type { DraftSource, ReviewStore } from "./store";
import { TopBar, type TopBarProps } from "./TopBar";

export interface ReviewScreenProps {
  store: ReviewStore;
  topBar: Omit<TopBarProps, "store">;
  messages: Omit<MessagesProps, "store">;
  flags: Omit<RaisedFlagsProps, "store">;
  question: Omit<QuestionBoxProps, "store">;
  comparison: Omit<ComparisonProps, "store">;
  page: Omit<PagePaneProps, "store">;
  decision: Omit<DecisionBarProps, "store">;
  onChooseDraft: (source: DraftSource) => void;
  /** whether a key would decide now */
  isReady: ReadonlySignal<"true" | "false">;
  element: RefObject<HTMLDivElement | null>;
  /** where dialogs are put */
  dialogs: RefObject<HTMLDivElement | null>;
}

/** The screen of one task under review. */
export function ReviewScreen({ store, isReady, element, dialogs, ...props }: ReviewScreenProps) {
  const isLoading = store.loaded.value === null;
  useLayoutEffect(() => {
    if (element.current) applyTheme(element.current);
  }, [element]);
  const names = ["pt review", isLoading ? "loading" : "", store.wide.value ? "wide-page" : ""];
  return (
    <div
      ref={element}
      class={names.filter(Boolean).join(" ")}
      data-testid="review"
      data-verdict-ready={isReady.value}
      lang={language()}
    >
      <TopBar store={store} {...props.topBar} />
      <div class="review-main column">
        <Messages store={store} {...props.messages} />
        {isLoading ? null : <RaisedFlags store={store} {...props.flags} />}
        {isLoading ? null : <QuestionBox store={store} {...props.question} />}
        {isLoading ? null : <GoldPanel store={store} />}
        {isLoading ? null : <HiddenDrafts store={store} />}
        {isLoading ? null : <DraftToggle store={store} onChooseDraft={props.onChooseDraft} />}
        {isLoading ? null : <Comparison store={store} {...props.comparison} />}
      </div>
      {isLoading ? null : (
        <>
          <PagePane store={store} {...props.page} />
          <DecisionBar store={store} {...props.decision} />
        </>
      )}
      <div class="toasts stack" role="status" data-testid="said">
        {store.toast.value ? <div class="toast">{store.toast.value}</div> : null}
      </div>
      <div ref={dialogs} class="dialogs" />
    </div>
  );
}

/** Switches between the stored draft and the one that is chosen here. */
function DraftToggle({ store, onChooseDraft }: Pick<ReviewScreenProps, "store" | "onChooseDraft">) {
  const { gold } = store.review.value;
  if (!gold || store.decided.value || !store.hasStored.value) return null;
  const isStored = store.draftSource.value === "stored";
  const storedLabel = gold.reopened ? t("As it was decided") : t("As it was saved");
  const isReadOnly = !store.editable.value;
  return (
    <div class="line" data-testid="basis">
      <span class="quiet">{t("Gold draft:")}</span>
      <Button aria-pressed={isStored} disabled={isReadOnly} onClick={() => onChooseDraft("stored")}>
        {gold.edited ? t("As edited in the workspace") : storedLabel}
      </Button>
      <Button aria-pressed={!isStored} disabled={isReadOnly} onClick={() => onChooseDraft("picks")}>
        {t("As chosen here")}
      </Button>
    </div>
  );
}
