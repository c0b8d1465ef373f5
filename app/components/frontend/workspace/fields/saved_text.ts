/** Text boxes of components that save themselves. */

import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Texts } from "./text_drafts";
import type { TextField } from "./text_field";

export interface SavedText {
  texts: Texts;
  /** under which its draft is kept */
  name: string;
  attempt: string;
  stored: string;
  /** whether a draft of this browser may be put in; not where nothing may be changed */
  restore: boolean;
  /** records the text */
  onCommit: (text: string) => void;
  /** The box holds another text: typed, restored or stored elsewhere. */
  onText?: (text: string) => void;
  /** A draft lost against newer work; `use` puts it in all the same. */
  onLost?: (text: string, use: () => void) => void;
  /** Why a text cannot be stored, or ""; until it is right, it is a draft only. */
  check?: (text: string) => string;
}

/**
 * Makes a text box save itself. What it holds is its own: the element has no `value`. The component
 * has a key of attempt and name, so that another attempt's text is another box.
 * @returns the text box once it is on screen
 */
export function useSavedText(
  element: RefObject<HTMLInputElement | HTMLTextAreaElement | null>,
  saved: SavedText,
): RefObject<TextField | null> {
  const latest = useRef(saved);
  latest.current = saved;
  const field = useRef<TextField | null>(null);

  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const { texts, name, attempt, stored, restore } = saved;
    const added = texts.add(
      box,
      name,
      (text) => latest.current.onCommit(text),
      (text) => latest.current.onText?.(text),
      (text) => latest.current.check?.(text) ?? "",
    );
    field.current = added;
    const lost = added.attach(attempt, stored, restore, texts.host.seq());
    if (lost !== null) latest.current.onLost?.(lost, () => added.use(lost));
    return () => texts.remove(added);
  }, []);
  const known = useRef(saved.stored);
  useLayoutEffect(() => {
    if (known.current === saved.stored) return; // a restored draft is newer than what is stored
    known.current = saved.stored;
    field.current?.sync(saved.stored);
  }, [saved.stored]);
  return field;
}
