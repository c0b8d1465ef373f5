import { useMemo } from "preact/hooks";
import { t, tn } from "../shared/messages";
import { rowBlocks, tablesIn } from "./replayed_rows";
import type { Track } from "./script_state";
import "./ReplayedTables.css";

export interface ReplayedTablesProps {
  track: Track;
  seq: number;
  title: string;
}

/** The tables as they were; cells that were corrected, added or flagged are marked. */
export function ReplayedTables({ track, seq, title }: ReplayedTablesProps) {
  const text = track.text("tables", seq);
  const tables = useMemo(() => tablesIn(text), [text]);
  return (
    <section data-testid="replay-tables">
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
                        {tn("{number} row as given", "{number} rows as given", shown.length)}
                      </td>
                    </tr>
                  ) : (
                    shown.map((cells, i) => (
                      <tr key={first + i}>
                        {cells.map((cell, k) => (
                          <td
                            key={k}
                            class={cell.header ? "is-header" : undefined}
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
