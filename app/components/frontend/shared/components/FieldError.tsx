import type { ComponentChildren } from "preact";

export interface FieldErrorProps {
  id?: string;
  testid?: string;
  children?: ComponentChildren;
}

/** The line under a field that says what is wrong; it stays in place, so that it is read out. */
export function FieldError({ id, testid, children }: FieldErrorProps) {
  return (
    <p class="field-error" role="alert" id={id} data-testid={testid} hidden={!children}>
      {children}
    </p>
  );
}
