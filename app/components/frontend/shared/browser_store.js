/** What this browser keeps, as JSON under Pagetrail's prefix. A full or forbidden store loses it. */

export const PREFIX = "pagetrail:";

/** What is kept under a key, or null. @param {Storage} area @param {string} key */
export function read(area, key) {
  try {
    return JSON.parse(area.getItem(PREFIX + key) ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return null;
    throw error;
  }
}

/**
 * Keep a value; null forgets it.
 * @param {Storage} area
 * @param {string} key
 * @param {unknown} value
 */
export function write(area, key, value) {
  try {
    if (value === null) area.removeItem(PREFIX + key);
    else area.setItem(PREFIX + key, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // memory still holds it
  }
}
