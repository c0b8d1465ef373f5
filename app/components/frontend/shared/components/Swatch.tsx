import { lookOf } from "../label_styles";

export interface SwatchProps {
  /** the protocol's labels */
  labels: Pt.BoxLabel[];
  label: string | null;
}

/** A label's look beside its name: the sample of a box as it is drawn on the page. */
export function Swatch({ labels, label }: SwatchProps) {
  const { line, dash } = lookOf(labels, label);
  return (
    <svg class="swatch" viewBox="0 0 18 14" aria-hidden="true" focusable="false">
      <rect
        x="1.5"
        y="1.5"
        width="15"
        height="11"
        rx="1"
        stroke-width="2.5"
        fill-opacity="0.18"
        stroke={line}
        fill={line}
        stroke-dasharray={dash || undefined}
      />
    </svg>
  );
}
