import { useSignal } from "@preact/signals";
import { t, tn } from "../../shared/messages";
import { LineSwatch } from "../LineSwatch";
import type { PageLayer } from "./page_layers";
import "./BoxList.css";

export interface BoxListProps {
  /** the people's */
  layers: PageLayer[];
  canTake: boolean;
  onTake: (attempt: string, box: Pt.ReviewedBox) => void;
  onShow: (box: Pt.ReviewedBox) => void;
}

/** The boxes on the page as a list, for the keyboard and for small boxes. */
export function BoxList({ layers, canTake, onTake, onShow }: BoxListProps) {
  const open = useSignal(false);
  const count = layers.reduce((sum, { boxes }) => sum + boxes.length, 0);
  if (!count) return null;
  return (
    <details
      class="box-list"
      open={open.value}
      onToggle={(event) => {
        open.value = event.currentTarget.open;
      }}
    >
      <summary>{tn("{number} box on this page", "{number} boxes on this page", count)}</summary>
      <ul>
        {layers.flatMap(({ key, name, look, chosen, boxes }) =>
          boxes.map((box) => (
            <li key={`${key} ${box.id}`}>
              <label class="keep inline">
                <input
                  type="checkbox"
                  checked={chosen.has(box.id)}
                  disabled={!canTake}
                  data-testid="keep-box"
                  title={t("Take {name}’s {label} into the gold", {
                    name,
                    label: box.title ?? t("box"),
                  })}
                  onChange={() => onTake(key, box)}
                />
                <LineSwatch look={look} />
                <span>
                  {name}: {box.title ?? t("no label")}
                </span>
              </label>
              <button type="button" class="link" onClick={() => onShow(box)}>
                {t("show")}
              </button>
            </li>
          )),
        )}
      </ul>
    </details>
  );
}
