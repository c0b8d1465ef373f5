import { Button } from "../../shared/components/Button";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { tn } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import { currentForm } from "../state/form_state";
import { drawRefusal, pendingReason } from "./drawing_rules";
import type { PendingBox } from "./pending_boxes";

export interface PendingNoticeProps {
  store: Pt.Store;
  onAdd: (boxes: PendingBox[]) => void;
  onDiscard: (boxes: PendingBox[]) => void;
}

/** Boxes of the open page that were drawn too early: when they count, and a way to drop them. */
export function PendingNotice({ store, onAdd, onDiscard }: PendingNoticeProps) {
  const page = store.page.value;
  const boxes = store.pendingBoxes.value.filter((box) => samePlace(page, box));
  const form = currentForm(store);
  const isAddable = page !== null && drawRefusal(form, page) === null;
  return (
    <LiveRegion class="notice warning medium" testid="pending-boxes">
      {page && boxes.length ? (
        <>
          <span>
            {pendingReason(form, page, boxes.length) ??
              tn(
                "{number} box is kept and does not count.",
                "{number} boxes are kept and do not count.",
                boxes.length,
              )}
          </span>{" "}
          {isAddable ? (
            <Button testid="pending-add" onClick={() => onAdd(boxes)}>
              {tn("Add the box", "Add the boxes", boxes.length)}
            </Button>
          ) : null}
          <Button testid="pending-discard" onClick={() => onDiscard(boxes)}>
            {tn("Discard the box", "Discard the boxes", boxes.length)}
          </Button>
        </>
      ) : null}
    </LiveRegion>
  );
}
