import type { ComponentChildren } from "preact";

export interface LiveRegionProps {
  /** An alert is read out at once, a status when the screen reader is idle. */
  role?: "status" | "alert";
  class: string;
  testid?: string;
  children: ComponentChildren;
}

/**
 * Read out when something is said in it. It is rendered whether there is something to say or not:
 * what comes into the document together with its region may not be read out. Empty it takes no room.
 */
export function LiveRegion({ role = "status", class: name, testid, children }: LiveRegionProps) {
  return (
    <div class={`live ${name}`} role={role} aria-atomic="false" data-testid={testid}>
      {children}
    </div>
  );
}
