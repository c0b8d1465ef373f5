import { useLayoutEffect, useRef } from "preact/hooks";

/** Puts an element that Preact does not render in its place: an island, or a part that is no component. */
export function Hosted({ element }: { element: Element }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(element), [element]);
  return <div class="mounted" ref={place} />;
}
