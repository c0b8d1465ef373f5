import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { Icon } from "./Icon";

type NativeProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon" | "label">;

export interface ButtonProps extends NativeProps {
  testid?: string;
  children?: ComponentChildren;
}

/** A button with a text; it submits nothing unless its type says so. */
export function Button({ testid, class: name = "button small", ...props }: ButtonProps) {
  return <button type="button" class={name} data-testid={testid} {...props} />;
}

export interface IconButtonProps extends NativeProps {
  icon: string;
  /** read out, and shown on hovering */
  label: string;
  testid?: string;
}

/** A button that shows an icon. */
export function IconButton({ icon, label, testid, ...props }: IconButtonProps) {
  return (
    <button
      type="button"
      class="icon-button"
      aria-label={label}
      title={label}
      data-testid={testid}
      {...props}
    >
      <Icon name={icon} />
    </button>
  );
}

export interface FoldButtonProps {
  open: boolean;
  text: string;
  /** shown beside the text */
  note?: string;
  testid?: string;
  onToggle: () => void;
}

/** A button that opens and closes what is below it. */
export function FoldButton({ open, text, note, testid, onToggle }: FoldButtonProps) {
  return (
    <button
      type="button"
      class="fold line bare"
      aria-expanded={open}
      data-testid={testid}
      onClick={onToggle}
    >
      <Icon name={open ? "up" : "down"} />
      <span>{text}</span>
      {note === undefined ? null : <span class="quiet ellipsis">{note}</span>}
    </button>
  );
}
