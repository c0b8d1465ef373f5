import type { verdict } from "../../shared/box_state";
import { Icon } from "../../shared/components/Icon";
import "./VerdictMark.css";

type Verdict = ReturnType<typeof verdict>;

const LOOKS: Record<Verdict, { icon: string; word: string }> = {
  open: { icon: "circle", word: "to check" },
  accepted: { icon: "check", word: "accepted" },
  corrected: { icon: "pencil", word: "corrected" },
  added: { icon: "plus", word: "added" },
  deleted: { icon: "close", word: "deleted" },
};

/** What became of a box, as an icon and a word. */
export function VerdictMark({ verdict }: { verdict: Verdict }) {
  const { icon, word } = LOOKS[verdict];
  return (
    <span class={`verdict inline caption small nowrap ${verdict}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
