import { useLayoutEffect, useRef } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { TextInput } from "../../shared/components/TextInput";
import { t, tn } from "../../shared/messages";
import { cellsWith } from "./table_selection";
import type { TableWork } from "./table_work";

/** Finds cells by their text, drawn or not: the browser finds only what is drawn. */
export function TableFind({ table, work }: { table: Pt.Table; work: TableWork }) {
  const field = useRef<HTMLInputElement>(null);
  const { text, requests } = work.find.value ?? { text: "", requests: 0 };
  useLayoutEffect(() => field.current?.select(), [requests]);
  if (!requests) return null;
  const hits = cellsWith(table, text).length;
  return (
    <div
      class="table-find line wrapping"
      role="search"
      data-keys="Escape"
      onKeyDown={(event) => {
        if (event.key === "Escape") work.closeFind();
        else if (event.key === "Enter" && event.target === field.current)
          work.goToHit(event.shiftKey ? -1 : 1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <TextInput
        ref={field}
        class="input"
        testid="table-find"
        aria-label={t("Find")}
        placeholder={t("Find")}
        value={text}
        onInput={(event) => work.findText(event.currentTarget.value)}
      />
      <Button onClick={() => work.goToHit(-1)}>{t("Previous hit")}</Button>
      <Button onClick={() => work.goToHit(1)}>{t("Next hit")}</Button>
      <LiveRegion class="quiet number" testid="table-hits">
        {text && (hits ? tn("{number} hit", "{number} hits", hits) : t("Not in the table"))}
      </LiveRegion>
      <Button onClick={() => work.closeFind()}>{t("Close")}</Button>
    </div>
  );
}
