/** Forms of components whose input is handed over when it is left, and with the texts. */

import { useLayoutEffect, useRef } from "preact/hooks";
import type { Texts } from "../fields/text_drafts";

/** Have `flush` called when typed texts are handed over, and when the component goes away. */
export function useFlushed(texts: Texts, attempt: string, flush: () => void) {
  const latest = useRef(flush);
  latest.current = flush;
  useLayoutEffect(() => {
    const entry = { attempt, dirty: false, flush: () => latest.current() };
    texts.include(entry);
    return () => texts.remove(entry);
  }, []);
}
