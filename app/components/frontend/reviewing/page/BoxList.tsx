import { useSignal } from "@preact/signals";
import { plural } from "../../shared/dom";
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
      <summary>{plural(count, "box", "boxes")} on this page</summary>
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
                  aria-label={`Take ${name}’s ${box.label ?? "box"} into the gold`}
                  onChange={() => onTake(key, box)}
                />
                <LineSwatch look={look} />
                <span>
                  {name}: {box.label ?? "no label"}
                </span>
              </label>
              <button type="button" class="link" onClick={() => onShow(box)}>
                show
              </button>
            </li>
          )),
        )}
      </ul>
    </details>
  );
}
