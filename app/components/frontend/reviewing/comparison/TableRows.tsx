import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { t, tn } from "../../shared/messages";
import { type RowEntry, rowEntry } from "../decision/row_selections";
import { has } from "../decision/selections";
import { rowWords } from "../formatting";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import { columnCount, type Row } from "./comparison_rows";
import { DraftBlanks } from "./DraftColumn";
import { FoldRow } from "./FoldRow";
import { MarkedRuns } from "./Marked";
import { alike, firstOf, type Line, tableLines } from "./table_lines";
import { markedList } from "./text_differences";

export interface TableRowsProps {
  store: ReviewStore;
  row: Row;
  onTakeRow: ComparisonActions["onTakeRow"];
}

/** The rows of a table that differ, to choose from; the others are folded. */
export function TableRows({ store, row, onTakeRow }: TableRowsProps) {
  const { part, spec } = row;
  const open = useSignal(false);
  const data = store.review.value;
  const participants = store.participants.value;
  const lines = useMemo(() => tableLines(data, row), [data, part, spec]);
  const entries = lines.map(({ versions }) =>
    versions.flatMap((version, i) => (version ? [rowEntry(participants[i].attempt, version)] : [])),
  );
  const agreed = lines.filter(({ differs }) => !differs);
  const folds = agreed.length > 0 && agreed.length < lines.length;
  const chosen = store.chosenRows(part);
  // Of a table that ties nothing is taken yet: what all have goes without saying.
  const before = store.tied.value.includes(part)
    ? entries.flatMap(([first], n) => (lines[n].differs ? [] : [first]))
    : chosen;
  return (
    <>
      {lines.map((line, n) =>
        folds && !open.value && !line.differs ? null : (
          <LineRow
            key={n}
            store={store}
            row={row}
            line={line}
            number={n + 1}
            chosen={chosen}
            onTake={(entry, taken) => onTakeRow(part, before, entries, entry, taken)}
          />
        ),
      )}
      {folds ? (
        <FoldRow
          open={open.value}
          text={tn("{number} row alike", "{number} rows alike", agreed.length)}
          width={columnCount(data)}
          onToggle={() => {
            open.value = !open.value;
          }}
        />
      ) : null}
    </>
  );
}

interface LineRowProps {
  store: ReviewStore;
  row: Row;
  line: Line;
  number: number;
  chosen: RowEntry[];
  onTake: (entry: RowEntry, taken: boolean) => void;
}

function LineRow({ store, row, line, number, chosen, onTake }: LineRowProps) {
  const { spec } = row;
  const { versions, differs } = line;
  const participants = store.participants.value;
  const kept = versions.find(
    (version, i) => version && has(chosen, rowEntry(participants[i].attempt, version)),
  );
  const texts = versions.map((version) => (version ? rowWords(spec, version) : null));
  const { page } = firstOf(versions);
  const isFixed = !store.editable.value || !row.ways.includes("pick");
  return (
    <tr class="sub" data-testid="table-row">
      <th scope="row" class="part-col">
        <span class="caption">
          {page === null
            ? t("Row {row}", { row: number })
            : t("Row {row}, page {page}", { row: number, page })}
        </span>
      </th>
      {store.review.value.participants.map((participant) => {
        const i = participants.indexOf(participant);
        const version = versions[i];
        if (i < 0) return <td key={participant.attempt} />;
        if (!version)
          return (
            <td key={participant.attempt}>
              <span class="quiet">—</span>
            </td>
          );
        const isTaken = Boolean(kept && alike(spec, kept, version));
        const others = texts.filter((_, j) => j !== i).map((text) => (text === null ? [] : [text]));
        return (
          <td key={participant.attempt}>
            <Button
              class={differs ? "value version differs toggle" : "value version toggle"}
              aria-pressed={isTaken}
              disabled={isFixed}
              title={t("Take {name}’s row, or leave it out", { name: participant.name })}
              testid="take-row"
              onClick={() => onTake(rowEntry(participant.attempt, version), isTaken)}
            >
              <span>
                <MarkedRuns runs={markedList([texts[i] ?? ""], others)[0]} />
              </span>
            </Button>
          </td>
        );
      })}
      <DraftBlanks data={store.review.value} />
      <td class="gold-col" aria-busy={store.busy.value}>
        {kept ? <span>{rowWords(spec, kept)}</span> : <span class="quiet">{t("left out")}</span>}
      </td>
    </tr>
  );
}
