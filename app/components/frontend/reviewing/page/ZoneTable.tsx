import { joinedWords, t } from "../../shared/messages";
import { samePlace } from "../../shared/places";
import { share } from "../formatting";
import type { ReviewStore } from "../store";
import "./ZoneTable.css";

/** How far the boxes of each two people overlap on the open page, and the means. */
export function ZoneTable({ store }: { store: ReviewStore }) {
  const place = store.page.value;
  const zone = store.review.value.zones.find((other) => samePlace(other, place));
  if (!place || !zone?.pairs.length) return null;
  const names = new Map(store.participants.value.map(({ attempt, name }) => [attempt, name]));
  return (
    <table class="zones medium" data-testid="zones">
      <thead>
        <tr>
          <th scope="col">{t("Overlap on this page")}</th>
          <th scope="col" class="number">
            {t("IoU")}
          </th>
          <th scope="col" class="number">
            {t("Dice")}
          </th>
        </tr>
      </thead>
      <tbody>
        {zone.pairs.map((pair) => (
          <OverlapRow
            key={`${pair.a} ${pair.b}`}
            label={joinedWords([names.get(pair.a) ?? "?", names.get(pair.b) ?? "?"])}
            iou={pair.iou}
            dice={pair.dice}
          />
        ))}
        {zone.pairs.length > 1 ? (
          <OverlapRow label={t("Mean")} iou={zone.iou} dice={zone.dice} />
        ) : null}
      </tbody>
    </table>
  );
}

type OverlapRowProps = { label: string } & Pick<Pt.ZoneOverlap, "iou" | "dice">;

function OverlapRow({ label, iou, dice }: OverlapRowProps) {
  return (
    <tr>
      <th scope="row">{label}</th>
      <td class="number">{share(iou)}</td>
      <td class="number">{share(dice)}</td>
    </tr>
  );
}
