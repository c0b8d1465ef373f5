import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";

export interface BannerProps {
  kind: "info" | "warning" | "error";
  /** the warning sign where none is named, except for information */
  icon?: string;
  testid: string;
  children: ComponentChildren;
}

/** A line across the screen about the task or the connection; it is in a live region. */
export function Banner({ kind, icon, testid, children }: BannerProps) {
  const sign = icon ?? (kind === "info" ? null : "warning");
  return (
    <div class={`banner line notice warning ${kind}`} data-testid={testid}>
      {sign ? <Icon name={sign} /> : null}
      {children}
    </div>
  );
}
