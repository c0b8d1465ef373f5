import { Button } from "../../shared/components/Button";
import { N_, t } from "../../shared/messages";
import { LineSwatch } from "../LineSwatch";
import type { ReviewStore } from "../store";
import "./PersonHead.css";

const FATES: Record<string, string> = {
  skipped: N_("Skipped"),
  open: N_("Sent back, not resubmitted"),
};

export interface PersonHeadProps {
  store: ReviewStore;
  participant: Pt.Participant;
  /** from 1; the key that takes this participant */
  number: number;
  onTakeAll: () => void;
}

/** The head of a person's column. */
export function PersonHead({ store, participant, number, onTakeAll }: PersonHeadProps) {
  const { attempt, name, status, returned } = participant;
  const hasSubmitted = status === "submitted";
  return (
    <th scope="col" data-testid="person" data-attempt={attempt}>
      <div class="person-head line spread">
        <span class="person-name inline strong">
          {hasSubmitted ? (
            <>
              <span class="person-number" aria-hidden="true">
                {number}
              </span>
              <LineSwatch look={store.look.value(attempt)} />
            </>
          ) : null}
          <span class="ellipsis" title={name}>
            {name}
          </span>
        </span>
        {hasSubmitted ? (
          <Button
            disabled={!store.editable.value}
            title={t("Take {name}’s work in all parts (Shift+{number})", { name, number })}
            onClick={onTakeAll}
          >
            {t("Take all")}
          </Button>
        ) : (
          <span class="fate">{t(returned ? FATES.open : (FATES[status] ?? status))}</span>
        )}
      </div>
    </th>
  );
}

/** The head of the gold's column. */
export function GoldHead({ store }: { store: ReviewStore }) {
  return (
    <th scope="col" class="gold-col">
      <div class="person-head line spread">
        <span class="person-name inline strong">
          <LineSwatch look={null} />
          <span class="ellipsis">{store.goldName.value}</span>
        </span>
      </div>
    </th>
  );
}
