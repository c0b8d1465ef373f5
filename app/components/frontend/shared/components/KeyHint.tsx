/** The key that does the same as the button it is on, which names it in its title. */
export function KeyHint({ keyName, class: name }: { keyName: string; class?: string }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing focuses a <kbd>
    <kbd class={name} aria-hidden="true">
      {keyName}
    </kbd>
  );
}
