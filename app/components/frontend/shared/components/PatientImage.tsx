import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ImageTurns } from "../image_turns";
import { afterPaint } from "../page/after_paint";

const RETRY_MS = [1500, 4000, 10000, 20000];
/** Connections are the whole page's; what is on screen without the images is painted first. */
const turns = new ImageTurns(afterPaint);

export interface PatientImageProps {
  src: string;
  priority?: "low";
  loading?: "lazy";
  /** Another number has an image that was taken away asked for again. */
  retries?: number;
}

/**
 * A small image that waits its turn, and is asked for again where the server has more to do than to draw it; what is still
 * refused after some time is taken away.
 */
export function PatientImage({ src, priority, loading, retries = 0 }: PatientImageProps) {
  const image = useRef<HTMLImageElement>(null);
  const [failures, setFailures] = useState(0);
  const [isBroken, setBroken] = useState(false);
  const endTurn = useRef(() => {});
  const isGone = failures > RETRY_MS.length;
  useLayoutEffect(() => {
    if (loading === "lazy") return; // it loads when it is scrolled into view
    endTurn.current = turns.take(() => image.current?.setAttribute("src", src));
    return () => endTurn.current();
  }, [src, isGone]);
  useEffect(() => {
    if (!failures) return;
    const wait = RETRY_MS[failures - 1] * (0.75 + Math.random() * 0.5);
    const timer = window.setTimeout(() => image.current?.setAttribute("src", src), wait);
    return () => window.clearTimeout(timer);
  }, [failures, src]);
  useEffect(() => {
    if (isGone) setFailures(0);
  }, [retries]);
  if (isGone) return null;
  return (
    <img
      alt=""
      decoding="async"
      draggable={false}
      fetchpriority={priority}
      loading={loading}
      ref={image}
      style={isBroken ? "visibility: hidden" : undefined} // no sign of a broken image meanwhile
      onError={() => {
        endTurn.current();
        setBroken(true);
        setFailures(failures + 1);
      }}
      onLoad={() => {
        endTurn.current();
        setBroken(false);
      }}
      src={loading === "lazy" ? src : undefined}
    />
  );
}
