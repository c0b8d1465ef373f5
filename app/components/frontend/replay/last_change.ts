/**
 * Scroll a text or table to what changed last, and the panel around it if that is cut there; the
 * screen stays where it is.
 */
export function showLastChange(scrolled: Element, changed: Element) {
  for (const outer of [scrolled, scrolled.closest(".now")]) {
    if (!outer) continue;
    const frame = outer.getBoundingClientRect();
    const inner = changed.getBoundingClientRect();
    if (inner.top < frame.top || inner.bottom > frame.bottom)
      outer.scrollTop += inner.top - frame.top - frame.height / 3;
    if (inner.left < frame.left || inner.right > frame.right)
      outer.scrollLeft += inner.left - frame.left - frame.width / 3;
  }
}
