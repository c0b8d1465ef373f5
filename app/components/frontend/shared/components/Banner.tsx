import type { ComponentChildren } from "preact";
import { Icon } from "./Icon";

export interface BannerProps {
  kind: "info" | "warning" | "error";
  /** the warning sign where none is named, except for information */
  icon?: string;
  /** An alert is read out at once, a status when the screen reader is idle. */
  role?: "status" | "alert";
  testid: string;
  children: ComponentChildren;
}

/** A line across the screen about the task or the connection. */
export function Banner({ kind, icon, role = "status", testid, children }: BannerProps) {
  const sign = icon ?? (kind === "info" ? null : "warning");
  return (
    <div class={`banner line notice warning ${kind}`} role={role} data-testid={testid}>
      {sign ? <Icon name={sign} /> : null}
      {children}
    </div>
  );
}
