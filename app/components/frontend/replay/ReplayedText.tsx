import { useLayoutEffect, useRef } from "preact/hooks";
import { MarkedText } from "../shared/components/marked_text";
import { t } from "../shared/messages";
import { showLastChange } from "./last_change";
import type { Track } from "./script_state";
import "./ReplayedText.css";

export interface ReplayedTextProps {
  track: Track;
  seq: number;
  title: string;
}

/** The text of the page as it was, with a model's patches in their places. */
export function ReplayedText({ track, seq, title }: ReplayedTextProps) {
  const element = useRef<HTMLDivElement>(null);
  const text = track.text("transcript", seq);
  useLayoutEffect(() => {
    const change = element.current?.querySelector(".current");
    if (element.current && change) showLastChange(element.current, change);
  }, [text]);
  const marked = new MarkedText(text, track.pageMarks(seq));
  return (
    <section>
      <h3>{title}</h3>
      <div
        ref={element}
        class={text ? "replayed-text framed pre" : "replayed-text framed pre quiet"}
        role="region"
        aria-label={title}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by the keyboard
        tabIndex={0}
        data-testid="replay-transcript"
      >
        {text ? [...marked.piece(0, text.length), ...marked.rest()] : t("Nothing yet")}
      </div>
    </section>
  );
}
