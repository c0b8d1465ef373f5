import type { HTMLAttributes } from "preact";

export interface FieldErrorProps extends HTMLAttributes<HTMLParagraphElement> {
  testid?: string;
  "data-field"?: string;
}

/** The line under a field that says what is wrong; it stays in place, so that it is read out. */
export function FieldError({ testid, children, ...props }: FieldErrorProps) {
  return (
    <p class="field-error live" role="alert" data-testid={testid} {...props}>
      {children}
    </p>
  );
}
