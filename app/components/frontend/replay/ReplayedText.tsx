import { useLayoutEffect, useRef } from "preact/hooks";
import { MarkedText } from "../shared/components/marked_text";
import { t } from "../shared/messages";
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
    if (element.current) showLastChange(element.current);
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

/** Scroll the text, and nothing around it, to what changed last. */
function showLastChange(element: HTMLElement) {
  const change = element.querySelector(".current")?.getBoundingClientRect();
  if (!change) return;
  const { top, height } = element.getBoundingClientRect();
  const isVisible = change.top >= top && change.bottom <= top + height;
  if (!isVisible) element.scrollTop += change.top - top - height / 3;
}
