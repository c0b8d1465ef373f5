import { t, tn } from "../../shared/messages";
import "./Comparison.css"; // first: the parts refine it
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { FoldButton } from "../../shared/components/Button";
import { samePlace } from "../../shared/places";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import type { AnswerEditing } from "./answer_editing";
import { whyLooked } from "./changes";
import { columnCount, type Row } from "./comparison_rows";
import { DraftHead, DraftReasons } from "./DraftColumn";
import { ElementRows } from "./ElementRows";
import { EvidenceDiagram } from "./EvidenceDiagram";
import { PageRows } from "./PageRows";
import type { PageImageUrl } from "./PageShot";
import { PartRow } from "./PartRow";
import { GoldHead, PersonHead } from "./PersonHead";
import { verifiesElements } from "./page_elements";
import { TableMerge } from "./TableMerge";
import { TableRows } from "./TableRows";
import { TextMerge } from "./TextMerge";
import { WorkRows } from "./WorkRows";

const MARGIN_PX = 8;

export interface ComparisonProps {
  store: ReviewStore;
  /** takes the focus when a field is left */
  region: RefObject<HTMLElement | null>;
  editing: AnswerEditing;
  imageUrl: PageImageUrl;
  replayAddress: (participant: Pt.Participant) => string;
  actions: ComparisonActions;
}

/**
 * A column per person, per model's draft and one for the gold draft, a row per part; below a part the pages and
 * elements that it is about.
 */
export function Comparison({ region, ...props }: ComparisonProps) {
  const { store } = props;
  const { task, participants: sides } = store.review.value;
  return (
    <section
      ref={region}
      class="matrix-scroll"
      tabIndex={-1}
      aria-label={t("Answers side by side")}
    >
      {sides.length ? (
        <ComparisonTable key={task.id} region={region} {...props} />
      ) : (
        <p class="matrix-empty quiet">
          {t(
            "Nobody has submitted this task yet. It comes into the queue when its annotators are done.",
          )}
        </p>
      )}
    </section>
  );
}

function ComparisonTable({ region, ...props }: ComparisonProps) {
  const { store, actions } = props;
  const table = useRef<HTMLTableElement>(null);
  useLayoutEffect(() => {
    if (region.current) region.current.scrollTop = 0;
  }, []);
  const data = store.review.value;
  return (
    <>
      <table
        ref={table}
        class={columnCount(data) > 5 ? "matrix many" : "matrix"}
        data-testid="matrix"
      >
        <thead>
          <tr>
            <th scope="col" class="part-col">
              {t("Part")}
            </th>
            {data.participants.map((participant, i) => (
              <PersonHead
                key={participant.attempt}
                store={store}
                participant={participant}
                number={i + 1}
                onTakeAll={() => actions.onTakeAll(participant.attempt)}
              />
            ))}
            {data.model_drafts.map((draft, i) => (
              <DraftHead
                key={draft.attempt}
                store={store}
                draft={draft}
                number={store.participants.value.length + i + 1}
                onTakeAll={() => actions.onTakeDraft(draft)}
                onReject={() => actions.onRejectDraft(draft)}
              />
            ))}
            <GoldHead store={store} />
          </tr>
        </thead>
        {data.model_drafts.length ? <DraftReasons data={data} /> : null}
        <PartRows {...props} />
        <WorkRows data={data} replayAddress={props.replayAddress} onComment={actions.onComment} />
      </table>
      <ScrollToRow store={store} region={region} table={table} />
    </>
  );
}

type PartProps = Omit<ComparisonProps, "region" | "replayAddress">;

function PartRows(props: PartProps) {
  const { store } = props;
  const rows = store.rows.value;
  const agreed = rows.filter((row) => row.agreed);
  const shown = store.agreedOpen.value ? agreed : [];
  const partRows = (row: Row) => <PartBody key={row.part} {...props} row={row} />;
  return (
    <>
      {[
        ...rows.filter((row) => !row.agreed).map(partRows),
        agreed.length ? <AgreedFold key="agreed parts" store={store} agreed={agreed} /> : null,
        ...shown.map(partRows),
      ]}
    </>
  );
}

function AgreedFold({ store, agreed }: { store: ReviewStore; agreed: Row[] }) {
  const data = store.review.value;
  const areOthers = agreed.length < store.rows.value.length;
  const alone = data.parts.length
    ? t("No part differs by the campaign’s rule")
    : t("Only one submission, and nothing to compare it with");
  return (
    <tbody>
      <tr>
        <td colSpan={columnCount(data)}>
          <FoldButton
            open={store.agreedOpen.value}
            text={
              areOthers
                ? tn(
                    "{number} part without a conflict",
                    "{number} parts without a conflict",
                    agreed.length,
                  )
                : alone
            }
            note={areOthers ? agreed.map(({ label }) => label).join(", ") : whyLooked(data)}
            testid="agreed"
            onToggle={() => store.set({ agreedOpen: !store.data.agreedOpen })}
          />
        </td>
      </tr>
    </tbody>
  );
}

/** A part with the diagram, pages, elements, texts or rows of a table below it. */
function PartBody({ row, ...props }: PartProps & { row: Row }) {
  const { store, actions, imageUrl } = props;
  const { kind, pages } = row;
  const data = store.review.value;
  return (
    <tbody>
      <PartRow store={store} row={row} editing={props.editing} actions={actions} />
      {kind === "evidence" && pages.length ? (
        <tr>
          <td colSpan={columnCount(data)}>
            <EvidenceDiagram store={store} imageUrl={imageUrl} onOpenPage={actions.onOpenPage} />
          </td>
        </tr>
      ) : null}
      {["evidence", "pageField", "boxes"].includes(kind) ? (
        <PageRows store={store} row={row} imageUrl={imageUrl} actions={actions} />
      ) : null}
      {kind === "boxes" && verifiesElements(data)
        ? pages.map((place) => (
            <ElementRows
              key={`${place.document}/${place.page}`}
              store={store}
              place={place}
              actions={actions}
            />
          ))
        : null}
      {row.isMerged ? (
        <tr>
          <td colSpan={columnCount(data)}>
            {kind === "tables" ? (
              <TableMerge store={store} actions={actions} />
            ) : (
              <TextMerge store={store} actions={actions} />
            )}
          </td>
        </tr>
      ) : null}
      {kind === "records" && row.spec?.scope !== "box" ? (
        <TableRows store={store} row={row} onTakeRow={actions.onTakeRow} />
      ) : null}
    </tbody>
  );
}

interface ScrollToRowProps {
  store: ReviewStore;
  region: RefObject<HTMLElement | null>;
  table: RefObject<HTMLTableElement | null>;
}

/** Scrolls to what `store.revealed` names: a part, or the row of a page below it. */
function ScrollToRow({ store, region, table }: ScrollToRowProps) {
  const revealed = store.revealed.value;
  useLayoutEffect(() => {
    if (!revealed || !table.current || !region.current) return;
    const { part, page } = revealed;
    const rows = [...table.current.rows];
    const partRow = rows.find(({ dataset }) => dataset.part === part);
    const row = page
      ? [...(partRow?.parentElement?.children ?? [])].find(
          (other) => other instanceof HTMLElement && isRowOf(other, page),
        )
      : partRow;
    if (!(row instanceof HTMLElement)) return;
    const top = row.offsetTop - (table.current.tHead?.offsetHeight ?? 0);
    const { scrollTop, scrollHeight, clientHeight } = region.current;
    // In a low window the whole screen scrolls instead.
    if (scrollHeight <= clientHeight) row.scrollIntoView({ block: "nearest" });
    if (top < scrollTop || row.offsetTop + row.offsetHeight > scrollTop + clientHeight)
      region.current.scrollTop = top - MARGIN_PX;
  }, [revealed]);
  return null;
}

function isRowOf({ dataset }: HTMLElement, page: Pt.Place) {
  return samePlace({ document: dataset.document, page: Number(dataset.page) }, page);
}
