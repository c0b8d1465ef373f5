/** What this browser keeps, as JSON under Pagetrail's prefix. A full or forbidden store loses it. */

export const PREFIX = "pagetrail:";

/** What is kept under a key, or null. */
export function read(area: Storage, key: string) {
  try {
    return JSON.parse(area.getItem(PREFIX + key) ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof DOMException) return null;
    throw error;
  }
}

/** Keep a value; null forgets it. */
export function write(area: Storage, key: string, value: unknown) {
  try {
    if (value === null) area.removeItem(PREFIX + key);
    else area.setItem(PREFIX + key, JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof DOMException)) throw error; // memory still holds it
  }
}
