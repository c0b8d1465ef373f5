import "./LineSwatch.css";

const SIZE = { x: 2, y: 2, width: 24, height: 10 };

/** A sample of somebody's line; the gold draft's is dark with a light rim, which nobody has. */
export function LineSwatch({ look }: { look: Pt.Look | null }) {
  return (
    <svg class="line-swatch" viewBox="0 0 28 14" aria-hidden="true" focusable="false">
      {look ? (
        <rect
          {...SIZE}
          rx={1}
          stroke={look.line}
          fill={look.line}
          fill-opacity={0.14}
          stroke-width={2.5}
          stroke-dasharray={look.dash}
        />
      ) : (
        <>
          <rect class="gold-rim" {...SIZE} />
          <rect class="gold-line" {...SIZE} />
        </>
      )}
    </svg>
  );
}
