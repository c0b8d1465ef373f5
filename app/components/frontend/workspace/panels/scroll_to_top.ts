import { useLayoutEffect, useRef } from "preact/hooks";

/** Scrolls an element back to its top when the attempt changes. */
export function useScrollToTop<Scrolled extends HTMLElement>(attempt: string) {
  const element = useRef<Scrolled>(null);
  useLayoutEffect(() => {
    if (element.current) element.current.scrollTop = 0;
  }, [attempt]);
  return element;
}
