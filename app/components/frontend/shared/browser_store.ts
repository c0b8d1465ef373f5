/**
 * What this browser keeps, as JSON under Pagetrail's prefix. A value that a full or blocked storage
 * refuses is kept in memory, so it lasts as long as the tab.
 */

export const PREFIX = "pagetrail:";

/** "local" is shared by tabs and outlives them, "session" belongs to one tab. */
export type StorageArea = "local" | "session";

/** Values that the storage refused, as JSON, by key without the prefix. */
const refused: Record<StorageArea, Map<string, string>> = { local: new Map(), session: new Map() };

/** Blocked storage throws when it is looked at, or is null. */
function storageOf(area: StorageArea): Storage | null {
  return (area === "local" ? globalThis.localStorage : globalThis.sessionStorage) ?? null;
}

/** Run `access`; `otherwise` where the browser refuses. */
function attempted<Result>(access: () => Result, otherwise: Result): Result {
  try {
    return access();
  } catch (error) {
    if (error instanceof DOMException) return otherwise;
    throw error;
  }
}

/** The value of a key, or null. */
export function read(area: StorageArea, key: string) {
  const stored = () => storageOf(area)?.getItem(PREFIX + key) ?? null;
  const json = refused[area].get(key) ?? attempted(stored, null);
  try {
    return JSON.parse(json ?? "null");
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Keep a value; null forgets it.
 * @returns whether it outlives the tab: the storage holds it when it is read again
 */
export function write(area: StorageArea, key: string, value: unknown): boolean {
  const json = value === null ? null : JSON.stringify(value);
  const isStored = attempted(() => {
    const storage = storageOf(area);
    if (json === null) storage?.removeItem(PREFIX + key);
    else storage?.setItem(PREFIX + key, json);
    return (storage?.getItem(PREFIX + key) ?? null) === json;
  }, false);
  if (isStored || json === null) refused[area].delete(key);
  else refused[area].set(key, json);
  return isStored;
}

/** The keys with this beginning. */
export function keysFrom(area: StorageArea, start: string): string[] {
  const stored = attempted(() => Object.keys(storageOf(area) ?? {}), []);
  const names = stored
    .filter((key) => key.startsWith(PREFIX))
    .map((key) => key.slice(PREFIX.length));
  return [...new Set([...names, ...refused[area].keys()])].filter((key) => key.startsWith(start));
}

/** The keys whose values are in memory only. */
export function refusedKeys(area: StorageArea): string[] {
  return [...refused[area].keys()];
}

/** Try to store again what was refused. */
export function retryRefused(area: StorageArea) {
  for (const [key, json] of refused[area]) write(area, key, JSON.parse(json));
}
