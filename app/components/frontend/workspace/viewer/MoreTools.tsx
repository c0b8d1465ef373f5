import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";
import { IconButton } from "../../shared/components/Button";
import { t } from "../../shared/messages";
import "./MoreTools.css";

const MENU = "pt-more-tools";
const GAP_PX = 4;

/** Tools that are in the bar where there is room, and else in a menu behind a button. */
export function MoreTools({ children }: { children: ComponentChildren }) {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const isOpen = useSignal(false);
  // Esc closes the menu, which the browser sees to, and leaves nothing else.
  const keys = isOpen.value ? "Escape" : undefined;
  const place = () => {
    if (!button.current || !menu.current) return;
    const { bottom, right } = button.current.getBoundingClientRect();
    menu.current.style.top = `${bottom + GAP_PX}px`;
    menu.current.style.right = `${window.innerWidth - right}px`;
  };
  return (
    <>
      <IconButton
        ref={button}
        class="icon-button more-button"
        icon="more"
        label={t("More tools")}
        testid="more-tools"
        aria-expanded={isOpen.value}
        data-keys={keys}
        popovertarget={MENU}
      />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the buttons in it turn keys into clicks */}
      <div
        ref={menu}
        id={MENU}
        class="bar-group bar-more line"
        role="group"
        aria-label={t("More tools")}
        popover="auto"
        data-keys={keys}
        onBeforeToggle={place}
        onToggle={(event) => {
          isOpen.value = event.newState === "open";
        }}
        onClick={({ currentTarget }) => {
          if (isOpen.value) currentTarget.hidePopover();
        }}
      >
        {children}
      </div>
    </>
  );
}
