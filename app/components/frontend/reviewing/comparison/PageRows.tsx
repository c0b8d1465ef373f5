import { useComputed, useSignal } from "@preact/signals";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t, tn } from "../../shared/messages";
import { includesPlace, samePlace, shortNames } from "../../shared/places";
import { chosenAt } from "../decision/selections";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import { columnCount, type Row } from "./comparison_rows";
import { DraftPageCell } from "./DraftColumn";
import { FoldRow } from "./FoldRow";
import { type PageImageUrl, PageShot } from "./PageShot";
import { verifiesElements } from "./page_elements";
import { goldReason, pageRule, pageWords, zoneWords } from "./page_words";
import { differsFromMost } from "./text_differences";
import "./PageRows.css";

const AGREED_SHOWN = 2;

export interface PageRowsProps {
  store: ReviewStore;
  row: Row;
  imageUrl: PageImageUrl;
  actions: ComparisonActions;
}

/** A row for each page of a part; where several agree they are folded. */
export function PageRows(props: PageRowsProps) {
  const { store, row } = props;
  const open = useSignal(false);
  const data = store.review.value;
  if (row.kind === "boxes" && row.pages.length === 1 && verifiesElements(data)) return null; // its elements say it all
  const differing = row.pages.filter(({ differs }) => differs);
  const agreed = row.pages.length - differing.length;
  const folds = agreed > AGREED_SHOWN && differing.length > 0;
  return (
    <>
      {(folds && !open.value ? differing : row.pages).map((place) => (
        <PageRow key={`${place.document}/${place.page}`} {...props} place={place} />
      ))}
      {folds ? (
        <FoldRow
          open={open.value}
          text={tn("{number} page alike", "{number} pages alike", agreed)}
          width={columnCount(data)}
          onToggle={() => {
            open.value = !open.value;
          }}
        />
      ) : null}
    </>
  );
}

type PageRowProps = PageRowsProps & { place: Row["pages"][number] };

function PageRow({ store, row, place, imageUrl, actions }: PageRowProps) {
  const isOpen = useComputed(() => samePlace(store.page.value, place)).value;
  const data = store.review.value;
  const name = shortNames(store.pages.value.map(({ document }) => document)).get(place.document);
  return (
    <tr
      class={isOpen ? "sub open" : "sub"}
      data-testid="page-row"
      data-document={place.document}
      data-page={place.page}
    >
      <th scope="row" class="part-col">
        <div class="line">
          <PageShot store={store} place={place} imageUrl={imageUrl} onOpen={actions.onOpenPage} />
          <span class="column">
            {name ? (
              <span class="ellipsis" title={place.document}>
                {name}
              </span>
            ) : null}
            <span class="caption ellipsis">
              {row.kind === "boxes" ? zoneWords(data, place) : ""}
            </span>
          </span>
        </div>
      </th>
      {data.participants.map((participant) => (
        <td key={participant.attempt}>
          {participant.status === "submitted" ? (
            <PageCell
              store={store}
              row={row}
              place={place}
              participant={participant}
              onTake={() => actions.onTakeOnPage(row.part, place, participant.attempt)}
            />
          ) : null}
        </td>
      ))}
      {data.model_drafts.map((draft) => (
        <DraftPageCell
          key={draft.attempt}
          store={store}
          row={row}
          place={place}
          draft={draft}
          onTake={() => actions.onTakeOnPage(row.part, place, draft.attempt)}
        />
      ))}
      <td class="gold-col" aria-busy={store.busy.value}>
        <GoldOfPage store={store} row={row} place={place} actions={actions} />
      </td>
    </tr>
  );
}

interface PageCellProps {
  store: ReviewStore;
  row: Row;
  place: Pt.Place;
  participant: Pt.Participant;
  onTake: () => void;
}

/** What somebody submitted for a page. */
function PageCell({ store, row, place, participant, onTake }: PageCellProps) {
  const words = pageWords(row, place, participant);
  if (row.kind === "boxes") return <span>{words}</span>;
  if (row.kind === "evidence")
    return words ? (
      <span class="cited inline">
        <Icon name="check" />
        {words}
      </span>
    ) : (
      <span class="quiet">{t("not cited")}</span>
    );
  const others = store.participants.value.filter((other) => other !== participant);
  const values = others.map((other) => pageWords(row, place, other));
  const differs = values.some((other) => other !== words);
  const isTaken = chosenAt(store.countingPicks.value, row.part, place) === participant.attempt;
  return (
    <Button
      class={differsFromMost(words, values) ? "value toggle differs" : "value toggle"}
      aria-pressed={isTaken}
      disabled={!store.editable.value || !differs}
      title={differs ? t("Take {name}’s on this page", { name: participant.name }) : undefined}
      aria-label={t("Page {page}, {name}: {words}", {
        page: place.page,
        name: participant.name,
        words,
      })}
      testid="take-page"
      onClick={onTake}
    >
      {words}
    </Button>
  );
}

type GoldOfPageProps = Omit<PageCellProps, "participant" | "onTake"> & {
  actions: Pick<ComparisonActions, "onCite" | "onDecidePage">;
};

function GoldOfPage({ store, row, place, actions }: GoldOfPageProps) {
  const draft = store.draft.value;
  const rule = pageRule(draft, row.part, place);
  const reason = goldReason(store.review.value, draft, row, place);
  const isFixed = !store.editable.value;
  const isDecided = typeof rule?.reviewer === "boolean";
  if (row.kind === "evidence" && rule?.status !== "open" && !isDecided)
    return (
      <label class="keep inline">
        <input
          type="checkbox"
          checked={includesPlace(draft.citations ?? [], place)}
          disabled={isFixed || !row.ways.length}
          data-testid="keep-page"
          onChange={(event) => {
            const verdict = event.currentTarget.checked ? "pages" : "rejected";
            if (rule) actions.onDecidePage(row.part, place, verdict);
            else actions.onCite(place);
          }}
        />
        <span>{reason}</span>
      </label>
    );
  const words = row.kind === "evidence" ? "" : pageWords(row, place, draft);
  return (
    <div class="stack">
      {words ? <span>{words}</span> : null}
      {reason ? <span class={rule?.status === "open" ? "strong" : "caption"}>{reason}</span> : null}
      {rule && (rule.status === "open" || isDecided) ? (
        <PageVerdicts
          rule={rule}
          place={place}
          isFixed={isFixed}
          onDecide={(verdict) => actions.onDecidePage(row.part, place, verdict)}
        />
      ) : null}
    </div>
  );
}

interface PageVerdictsProps {
  rule: Pt.PageRule;
  place: Pt.Place;
  isFixed: boolean;
  onDecide: (verdict: Pt.PageVerdict) => void;
}

/** Marks or rejects a page that the retention rule leaves open, or that was decided so. */
function PageVerdicts({ rule, place, isFixed, onDecide }: PageVerdictsProps) {
  const verdicts = [
    {
      verdict: "pages",
      text: t("Mark"),
      label: t("Mark page {page} of {document}", { ...place }),
      isChosen: rule.reviewer === true,
      testid: "mark-page",
    },
    {
      verdict: "rejected",
      text: t("Reject"),
      label: t("Reject page {page} of {document}", { ...place }),
      isChosen: rule.reviewer === false,
      testid: "reject-page",
    },
  ] as const;
  return (
    <div class="wrapping">
      {verdicts.slice(rule.graded ? 1 : 0).map(({ verdict, text, label, isChosen, testid }) => (
        <Button
          key={verdict}
          class="toggle"
          aria-pressed={isChosen}
          aria-label={label}
          disabled={isFixed}
          testid={testid}
          onClick={() => onDecide(verdict)}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
