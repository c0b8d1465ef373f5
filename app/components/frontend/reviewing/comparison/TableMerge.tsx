import { type ReadonlySignal, useComputed, useSignal } from "@preact/signals";
import { useMemo, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { t, tn } from "../../shared/messages";
import { placeWords } from "../../shared/places";
import {
  comparedPair,
  decisionsOf,
  differencesOf,
  sidesOf,
  TABLES,
  type TextDecision,
} from "../decision/text_decisions";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import { DifferenceChoice, type ShownVersion } from "./DifferenceChoice";
import { MergeBar, namesOf, type PairNames } from "./MergeBar";
import { blocksOf } from "./table_blocks";
import "./TableMerge.css";

export interface TableMergeProps {
  store: ReviewStore;
  actions: Pick<
    ComparisonActions,
    "onDecideText" | "onDecideRest" | "onComparePair" | "onCompareMerged"
  >;
}

/** Two versions of tables as one, with a choice wherever they differ. */
export function TableMerge({ store, actions }: TableMergeProps) {
  const region = useRef<HTMLDivElement>(null);
  const { table_pairs: pairs } = store.review.value;
  const compared = useComputed(() => {
    const { tables: running } = store.runningMerges.value;
    return comparedPair(running ? [...pairs, running] : pairs, store.choiceOf(TABLES));
  });
  const decisions = useComputed(() => {
    const choice = store.choiceOf(TABLES);
    const { value } = compared;
    const made = value ? decisionsOf(choice ? { [TABLES]: choice } : {}, value) : [];
    return new Map(made.map((decision) => [decision.number, decision]));
  });
  const pair = compared.value;
  const isOpen = store.editable.value;
  const count = useMemo(() => (pair ? differencesOf(pair).length : 0), [pair]);
  // A table has thousands of cells: a decision renders none but its own difference again.
  const tables = useMemo(
    () =>
      pair?.tables.map((table) => (
        <MergedTable
          key={[...sidesOf(pair), table.id].join("/")}
          {...{ table, count, isOpen, decisions }}
          first={pair.first_number ?? 0}
          names={namesOf(store, pair)}
          onDecide={(difference, decision, text) =>
            actions.onDecideText(pair, difference, decision, text)
          }
        />
      )),
    [pair, isOpen],
  );
  if (!pair) return null;
  return (
    <div class="table-merge stack" data-testid="table-merge">
      <Progress {...{ store, pairs, pair, count, decisions, region, actions }} />
      <div ref={region} class="stack">
        {tables}
      </div>
    </div>
  );
}

type Decisions = ReadonlySignal<Map<number, TextDecision>>;

interface ProgressProps extends TableMergeProps {
  pairs: Pt.ComparedTables[];
  pair: Pt.ComparedTables;
  count: number;
  decisions: Decisions;
  region: { current: HTMLDivElement | null };
}

function Progress({ decisions, actions, ...props }: ProgressProps) {
  return (
    <MergeBar
      {...props}
      label={t("Tables that are compared")}
      nothing={t("The tables differ in nothing but spaces.")}
      decided={decisions.value.size}
      testid="table-progress"
      onComparePair={actions.onComparePair}
      onCompareMerged={actions.onCompareMerged}
      onDecideRest={actions.onDecideRest}
    />
  );
}

interface MergedTableProps {
  table: Pt.ComparedTable;
  /** differences of all tables */
  count: number;
  /** number of the first one */
  first: number;
  names: PairNames;
  isOpen: boolean;
  decisions: Decisions;
  onDecide: (
    difference: Pt.ComparedTableDifference,
    decision: TextDecision["decision"],
    text?: string,
  ) => void;
}

function MergedTable({ table, ...shared }: MergedTableProps) {
  const unfolded = useSignal<ReadonlySet<number>>(new Set());
  const differences = new Map(table.differences.map((one) => [one.number, one]));
  const choices = (numbers: number[]) =>
    numbers.map((number) => {
      const difference = differences.get(number);
      return difference ? (
        <TableDifference key={number} difference={difference} {...shared} />
      ) : null;
    });
  const whole = table.differences.filter(({ kind }) => kind === "table" || kind === "caption");
  const hasColumnChoices = table.columns.some(({ differences: numbers }) => numbers.length);
  return (
    <section class="stack" aria-label={t("Table {table}", { table: table.id })}>
      <div class="wrapping">
        <strong>{table.caption || t("Table {table}", { table: table.id })}</strong>
        <span class="quiet">{placeWords(table)}</span>
        {choices(whole.map(({ number }) => number))}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div class="merged-table-scroll" tabIndex={0} role="group" aria-label={t("Merged table")}>
        <table class="merged-table" data-testid="merged-table">
          {hasColumnChoices ? (
            <thead>
              <tr>
                <td class="line-head" />
                {table.columns.map(({ presence, differences: numbers }, column) => (
                  <td key={column} class={`line-head ${presence}`}>
                    {choices(numbers)}
                  </td>
                ))}
              </tr>
            </thead>
          ) : null}
          <tbody>
            {blocksOf(table).map(({ first, rows, isFolded }) =>
              isFolded && !unfolded.value.has(first) ? (
                <tr key={first}>
                  <td colSpan={table.columns.length + 1} class="line-head">
                    <Button
                      class="bare quiet"
                      aria-expanded="false"
                      testid="equal-rows"
                      onClick={() => {
                        unfolded.value = new Set([...unfolded.value, first]);
                      }}
                    >
                      {tn("{number} equal row …", "{number} equal rows …", rows.length)}
                    </Button>
                  </td>
                </tr>
              ) : (
                rows.map(({ presence, differences: numbers, cells }, i) => (
                  <tr key={first + i} class={presence}>
                    <th scope="row" class="line-head">
                      {numbers.length ? choices(numbers) : first + i + 1}
                    </th>
                    {cells.map((cell, k) => (
                      <td
                        key={k}
                        class={cell.header ? "is-header" : undefined}
                        rowSpan={cell.rowspan}
                        colSpan={cell.colspan}
                        dir="auto"
                      >
                        {cell.differences ? choices(cell.differences) : cell.text}
                      </td>
                    ))}
                  </tr>
                ))
              ),
            )}
          </tbody>
        </table>
      </div>
    </section>
  );
}

interface TableDifferenceProps extends Omit<MergedTableProps, "table"> {
  difference: Pt.ComparedTableDifference;
}

function TableDifference({
  difference,
  count,
  first,
  names,
  isOpen,
  decisions,
  onDecide,
}: TableDifferenceProps) {
  const decision = useComputed(() => decisions.value.get(difference.number)).value;
  return (
    <DifferenceChoice
      {...{ difference, count, names, decision, isOpen }}
      position={difference.number - first + 1}
      {...shownVersions(difference, names)}
      onDecide={(way, text) => onDecide(difference, way, text)}
    />
  );
}

/** How a difference is shown that is not about a text; a caption where it needs one. */
function shownVersions(
  difference: Pt.ComparedTableDifference,
  names: PairNames,
): { versions?: { left: ShownVersion; right: ShownVersion }; caption?: string } {
  const { kind, only_in: owner } = difference;
  if (kind === "text") return {};
  if (kind === "caption") return { caption: t("Title:") };
  if (kind === "cells")
    return {
      versions: {
        left: mergedCells(difference.left_cells, difference.left),
        right: mergedCells(difference.right_cells, difference.right),
      },
    };
  const text = (owner && difference[owner]) || t("(nothing)");
  const [has, lacks] =
    kind === "header"
      ? [
          { content: t("header"), words: t("header: {text}", { text }) },
          { content: t("no header"), words: t("no header: {text}", { text }) },
        ]
      : [
          { content: t("keep"), words: t("keep: {text}", { text }) },
          { content: t("leave out"), words: t("leave out: {text}", { text }) },
        ];
  return {
    versions: owner === "left" ? { left: has, right: lacks } : { left: lacks, right: has },
    caption: kind === "header" || !owner ? undefined : onlyIn(owner, names),
  };
}

const onlyIn = (owner: "left" | "right", names: PairNames) =>
  owner === "left" && names.isMerged
    ? t("only merged so far")
    : t("only {name}", { name: names[owner] });

/** Cells that are merged differently, as a small table. */
function mergedCells(rows: Pt.ComparedCell[][] | undefined, words: string): ShownVersion {
  const content = (
    <table class="cell-version">
      <tbody>
        {rows?.map((cells, i) => (
          <tr key={i}>
            {cells.map(({ text, header, rowspan, colspan }, k) => (
              <td
                key={k}
                class={header ? "is-header" : undefined}
                rowSpan={rowspan}
                colSpan={colspan}
                dir="auto"
              >
                {text || <span class="quiet">·</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
  return { content, words };
}
