import { ICON_PATHS } from "../icons";

/** A decorative icon: the button around it carries the label. */
export function Icon({ name }: { name: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      <path d={ICON_PATHS[name]} />
    </svg>
  );
}
