import type { InputHTMLAttributes, TextareaHTMLAttributes } from "preact";

type Typed<Attributes> = Attributes & { testid?: string };

/** A text box of one line. What is typed runs in its own direction: Arabic and Hebrew from the right. */
export function TextInput({ testid, ...props }: Typed<InputHTMLAttributes<HTMLInputElement>>) {
  return <input type="text" dir="auto" data-testid={testid} {...props} />;
}

/** A text box of several lines. */
export function TextArea({ testid, ...props }: Typed<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return <textarea dir="auto" data-testid={testid} {...props} />;
}
