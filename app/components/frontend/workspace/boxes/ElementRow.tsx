import { useMemo } from "preact/hooks";
import { verdict } from "../../shared/box_state";
import { Button } from "../../shared/components/Button";
import { Swatch } from "../../shared/components/Swatch";
import { keyName, withKey } from "../../shared/keys";
import { labelTitle } from "../../shared/label_styles";
import { t } from "../../shared/messages";
import { VerdictMark } from "./VerdictMark";

const WORDS = 160;

export interface ElementRowProps {
  box: Pt.PageBox;
  /** its place in the reading order, or in the list */
  number: number | string;
  part: Pt.BoxesPart;
  isSelected: boolean;
  /** It is the list's stop for the Tab key. */
  isStop: boolean;
  /** Its deletion is the page's last change. */
  isRestorable: boolean;
  readOnly: boolean;
  actions: RowActions;
}

export interface RowActions {
  select(id: string): void;
  restore(box: Pt.PageBox): void;
}

/** A row is drawn again when something about it changes: a page may have a thousand boxes. */
export function ElementRow(props: ElementRowProps) {
  return useMemo(() => <Row {...props} />, Object.values(props));
}

/** A row of the list of boxes: its number, label, verdict and first words. */
function Row(props: ElementRowProps) {
  const { box, number, part, isSelected, isStop, isRestorable, readOnly, actions } = props;
  const { deleted } = box;
  const kind = verdict(box);
  const isSortable = part.order && !readOnly && !deleted;
  return (
    <li class={deleted ? "deleted" : undefined}>
      <button
        type="button"
        class="element bare list-row inset-focus medium"
        data-testid="element"
        data-id={box.id}
        data-verdict={kind}
        tabIndex={isStop ? 0 : -1}
        title={
          isSortable
            ? t("Drag to change the reading order, or press {up} and {down}", {
                up: keyName("earlier"),
                down: keyName("later"),
              })
            : undefined
        }
        aria-current={isSelected ? "true" : undefined}
        onClick={() => actions.select(box.id)}
      >
        <span class="element-number quiet number">{number}</span>
        <Swatch labels={part.labels} label={box.label} />
        <span class="element-label ellipsis strong">
          {labelTitle(part.labels, box.label) ?? t("No label")}
        </span>
        <span>{part.seed || deleted ? <VerdictMark verdict={kind} /> : null}</span>
        {part.content ? (
          <span class="element-words caption ellipsis">
            {(box.content ?? "").slice(0, WORDS).replace(/\s+/g, " ").trim()}
          </span>
        ) : null}
      </button>
      {deleted && !readOnly ? (
        <Button
          testid="element-restore"
          title={
            isRestorable
              ? t("Undo the deletion")
              : withKey(t("Undo the later changes of this page first"), "undo")
          }
          disabled={!isRestorable}
          onClick={() => actions.restore(box)}
        >
          {t("Restore")}
        </Button>
      ) : null}
    </li>
  );
}
