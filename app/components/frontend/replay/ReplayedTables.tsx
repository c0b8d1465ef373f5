import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { t, tn } from "../shared/messages";
import { showLastChange } from "./last_change";
import { type ReplayedCell, rowBlocks, tablesIn, withCurrentCells } from "./replayed_rows";
import type { Track } from "./script_state";
import "./ReplayedTables.css";

export interface ReplayedTablesProps {
  track: Track;
  seq: number;
  title: string;
}

/** The tables as they were, at the last change; cells that were corrected, added or flagged are marked. */
export function ReplayedTables({ track, seq, title }: ReplayedTablesProps) {
  const text = track.text("tables", seq);
  const before = track.textBefore("tables", seq);
  const tables = useMemo(() => withCurrentCells(tablesIn(text), tablesIn(before)), [text, before]);
  const section = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const cell = section.current?.querySelector("td.current");
    const scrolled = cell?.closest(".replayed-table-scroll");
    if (cell && scrolled) showLastChange(scrolled, cell);
  }, [tables]);
  return (
    <section ref={section} data-testid="replay-tables">
      <h3>{title}</h3>
      {tables.length ? null : <p class="quiet">{t("Nothing yet")}</p>}
      {tables.map(({ id, caption, flag, rows }) => (
        <div key={id}>
          <p class="medium" dir="auto">
            {caption || t("Table {table}", { table: id })}
            {flag ? <span class="table-flag"> ⚑ {flag}</span> : null}
          </p>
          <div
            class="replayed-table-scroll"
            role="region"
            aria-label={t("Table {table}", { table: id })}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
            tabIndex={0}
          >
            <table class="replayed-table">
              <tbody>
                {rowBlocks(rows).map(({ first, rows: shown, isFolded }) =>
                  isFolded ? (
                    <tr key={first}>
                      <td class="quiet" colSpan={1000}>
                        <span class="fold-words">
                          {tn("{number} row as given", "{number} rows as given", shown.length)}
                        </span>
                      </td>
                    </tr>
                  ) : (
                    shown.map((cells, i) => (
                      <tr key={first + i}>
                        {cells.map((cell, k) => (
                          <td
                            key={k}
                            class={cellClass(cell)}
                            rowSpan={cell.rowspan}
                            colSpan={cell.colspan}
                            dir="auto"
                          >
                            {cell.changed ? <ins>{cell.text || t("(nothing)")}</ins> : cell.text}
                            {cell.flag ? <span class="table-flag"> ⚑ {cell.flag}</span> : null}
                          </td>
                        ))}
                      </tr>
                    ))
                  ),
                )}
              </tbody>
            </table>
          </div>
        </div>
      ))}
    </section>
  );
}

/** Names of the cell's classes; none for a plain one. */
function cellClass({ header, isCurrent }: ReplayedCell) {
  const classes = [header && "is-header", isCurrent && "current"].filter(Boolean);
  return classes.length ? classes.join(" ") : undefined;
}
