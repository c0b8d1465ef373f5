/** Choices and reason of a task that is not decided yet; they outlive a reload of this tab. */

const PREFIX = "pagetrail:review:";

/**
 * @param {number} task
 * @returns {{picks: any, reason: string}|null}
 */
export function kept(task) {
  try {
    const found = JSON.parse(window.sessionStorage.getItem(PREFIX + task) ?? "null");
    return found && typeof found.picks === "object"
      ? { picks: found.picks ?? {}, reason: String(found.reason ?? "") }
      : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return null;
    throw error;
  }
}

/**
 * Keep them; nothing to keep forgets them.
 * @param {number} task
 * @param {{ picks: Pt.Selections, reason: string }} given
 */
export function keep(task, { picks, reason }) {
  if (!Object.keys(picks).length && !reason) {
    forget(task);
    return;
  }
  try {
    window.sessionStorage.setItem(PREFIX + task, JSON.stringify({ picks, reason }));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // full or forbidden: the screen still has them
  }
}

/** @param {number} task */
export function forget(task) {
  try {
    window.sessionStorage.removeItem(PREFIX + task);
  } catch (error) {
    if (!(error instanceof DOMException)) throw error;
  }
}
