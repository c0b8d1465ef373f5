import type { verdict } from "../../shared/box_state";
import { Icon } from "../../shared/components/Icon";
import { N_, t } from "../../shared/messages";
import "./VerdictMark.css";

type Verdict = ReturnType<typeof verdict>;

const LOOKS: Record<Verdict, { icon: string; word: string }> = {
  open: { icon: "circle", word: N_("to check") },
  accepted: { icon: "check", word: N_("accepted") },
  corrected: { icon: "pencil", word: N_("corrected") },
  added: { icon: "plus", word: N_("added") },
  deleted: { icon: "close", word: N_("deleted") },
};

/** What became of a box, as an icon and a word. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const { icon, word } = LOOKS[verdict];
  return (
    <span class={`verdict inline caption small nowrap ${verdict}`}>
      <Icon name={icon} />
      {t(word)}
    </span>
  );
}
