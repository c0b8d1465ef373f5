/**
 * The review screen's signals: what every part of the screen reads, and nothing else.
 *
 * Values, which `store.set({…})` changes; only session.ts and the commands do that:
 *   loaded        the task as the server sent it last; null until the first one is there
 *   picks         what the reviewer chose, part by part; counts while `draftSource` is "picks"
 *   draftSource   whether the draft shown is made of the picks or is the stored one
 *   previewed     the draft that the server made of the picks; null before, and without picks
 *   busy          that draft is being made; `acting` counts requests under way that change something
 *   problem       what failed last; `notices` what others did meanwhile; `toast` a short message
 *   disconnected  what is said while the server is out of reach; empty otherwise
 *   finished      the last task of the queue was decided here
 *   part, page    the current part and the open page; null where the task has none
 *   revealed      the row that the comparison scrolls to: a part, or a page below it
 *   standsOut     id of the box that stands out on the page
 *   wide          the page takes half of the screen
 *   hiddenLayers  whose boxes are hidden on the page; `boxesHidden` all are
 *   reason        what is typed as the reason; `reasonMissing` reopening without one was tried
 *   errors        the kinds of error that the reviewer names; `confidence` how sure they are;
 *                 `datasetWrong` the reviewer calls the dataset's answers wrong
 *   warnedOf      whom the key to accept has warned of (decision/pending_work.ts)
 *   answers       the accepted answers that are being written; null while the editor is closed
 *   folded        the sources of the records with the question that are folded
 *   datasetOpen   what the dataset says is unfolded; `agreedOpen` the parts without a conflict are
 *
 * Computed of them: `review` is the task, for components that are rendered once there is one; then
 * `decided` … `warned`, documented where they are defined.
 */

import { computed } from "@preact/signals";
import { looks } from "../shared/label_palette";
import { t } from "../shared/messages";
import { createStore } from "../shared/store";
import { pagesOfTask, rowsOf, submitted, versionsOf } from "./comparison/comparison_rows";
import { isUnfinished, pendingOf } from "./decision/pending_work";
import { type RowEntry, rowSources } from "./decision/row_selections";
import { boxSources, choiceOf } from "./decision/selections";
import { hasStored } from "./decision/stored_draft";

export type ReviewState = typeof INITIAL;
export type DraftSource = "picks" | "stored";

const INITIAL = {
  loaded: null as Pt.ReviewData | null,
  picks: {} as Pt.Selections,
  draftSource: "picks" as DraftSource,
  previewed: null as Pt.DraftPreview | null,
  busy: false,
  acting: 0,
  problem: null as Pt.Problem | null,
  notices: [] as string[],
  toast: "",
  disconnected: "",
  finished: false,
  part: null as string | null,
  page: null as Pt.Place | null,
  revealed: null as { part: string; page?: Pt.Place } | null,
  standsOut: null as string | null,
  wide: false,
  hiddenLayers: new Set() as ReadonlySet<string>,
  boxesHidden: false,
  reason: "",
  reasonMissing: false,
  errors: [] as string[],
  confidence: null as Pt.ReviewedGold["confidence"],
  datasetWrong: false,
  warnedOf: null as string | null,
  answers: null as string[] | null,
  folded: {} as Readonly<Record<string, boolean>>,
  datasetOpen: false,
  agreedOpen: false,
};

export type ReviewStore = ReturnType<typeof createReviewStore>;

export function createReviewStore() {
  const store = createStore(INITIAL);

  const review = computed(() => {
    const data = store.loaded.value;
    if (!data) throw new Error("No task has been loaded yet.");
    return data;
  });
  /** There is gold that nobody has reopened. */
  const decided = computed(() => {
    const { gold } = review.value;
    return gold !== null && gold.version > 0 && !gold.reopened;
  });
  /** Somebody else has the task. */
  const readOnly = computed(() => {
    const { holder, reviewer: me } = review.value;
    return holder !== null && holder !== me;
  });
  /** The participants who submitted, in the order of their columns. */
  const participants = computed(() => submitted(review.value));
  /** The participants who submitted, then the models' drafts that are shown. */
  const versions = computed(() => versionsOf(review.value));
  const editable = computed(
    () => !decided.value && !readOnly.value && participants.value.length > 0,
  );
  /** The gold whose draft is shown; null while the picks make it. */
  const storedGold = computed(() =>
    decided.value || store.draftSource.value === "stored" ? review.value.gold : null,
  );
  const draft = computed<Pt.ReviewedDraft>(
    () => storedGold.value?.draft ?? store.previewed.value?.draft ?? review.value.draft,
  );
  const choices = computed(
    () => storedGold.value?.choices ?? store.previewed.value?.choices ?? review.value.choices,
  );
  /** The reviewer can still change the draft by choosing. */
  const isOpen = computed(() => !decided.value && !storedGold.value?.edited);
  /** What was merged of two or more versions so far, compared with the next one. */
  const runningMerges = computed(() => {
    const isPreviewed = !storedGold.value && store.previewed.value;
    return (isPreviewed || review.value).running_merges;
  });
  /** The parts that a tie leaves open in the draft that is shown. */
  const tied = computed<string[]>(() => {
    if (!isOpen.value) return [];
    const { choices: proposed } = storedGold.value ?? store.previewed.value ?? review.value;
    return proposed.filter((choice) => choice.tied).map(({ part }) => part);
  });
  /** The pages that the retention rule leaves to the reviewer: part → a sentence. */
  const openPages = computed(() => (isOpen.value ? draft.value.open_pages : {}));
  /** What the draft is missing to be gold: part or field → a sentence. */
  const missing = computed(() => (decided.value ? {} : draft.value.missing));
  /** The picks, where the draft shown is made of them. */
  const countingPicks = computed<Pt.Selections>(() =>
    store.draftSource.value === "picks" && !decided.value ? store.picks.value : {},
  );
  /** Attempt and id of each box in the draft. */
  const chosenBoxes = computed<[string, string][]>(() => {
    const { boxes } = countingPicks.value;
    if (boxes?.how === "pick") return boxes.boxes ?? [];
    return boxSources(draft.value.boxes, versions.value);
  });
  const choiceOfPart = (part: string) => choiceOf(countingPicks.value, choices.value, part);

  return Object.assign(store, {
    review,
    decided,
    readOnly,
    participants,
    versions,
    editable,
    storedGold,
    draft,
    choices,
    runningMerges,
    tied,
    openPages,
    missing,
    countingPicks,
    chosenBoxes,
    /** There is a stored draft, which can be accepted as it is. */
    hasStored: computed(() => hasStored(review.value)),
    /** What the comparison shows, row by row. */
    rows: computed(() => rowsOf(review.value, draft.value.citations)),
    /** The pages that anything on the screen is about, those that differ first. */
    pages: computed(() => pagesOfTask(review.value)),
    /** attempt → the colour and line of that person or draft. */
    look: computed(() => looks(versions.value.map(({ attempt }) => ({ name: attempt })))),
    goldName: computed(() => (decided.value ? t("Gold") : t("Gold draft"))),
    /** The key to accept was pressed once while these people still had to submit. */
    warned: computed(
      () => isUnfinished(review.value) && store.warnedOf.value === pendingOf(review.value),
    ),
    /** What applies to a part now: what was picked, or what is proposed. */
    choiceOf: choiceOfPart,
    /** Whose rows of a table are in the draft. */
    chosenRows(part: string): RowEntry[] {
      const choice = choiceOfPart(part);
      if (choice?.how === "pick" && choice.rows) return choice.rows;
      const rows = draft.value.rows.filter(({ field }) => field === part);
      return rowSources(rows, participants.value, choice?.side);
    },
  });
}
