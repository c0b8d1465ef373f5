/**
 * Copies of unsent work in IndexedDB. A browser writes local storage to the disk seconds to a minute
 * later, so that it is lost when the browser's process is killed; IndexedDB is written at once.
 */

const DATABASE = "pagetrail";
const STORE = "unsent";
/** A database that does not answer is done without. */
const PATIENCE_MS = 2000;

export class CrashCopies {
  /** what is not written yet, by key; null deletes */
  private readonly pending = new Map<string, unknown>();
  /** keys that the database may have */
  private readonly kept = new Set<string>();
  private database: Promise<IDBDatabase | null> | null = null;
  private isWriting = false;

  /** Keep a value; null forgets it. */
  put(key: string, value: unknown) {
    if (value === null && !this.kept.has(key)) return;
    this.kept.add(key);
    this.pending.set(key, value);
    if (!this.isWriting) void this.write();
  }

  /** All values by key; none where this browser has no database. */
  async values(): Promise<[key: string, value: unknown][]> {
    const database = await this.open();
    if (!database) return [];
    const store = database.transaction(STORE).objectStore(STORE);
    const answers = Promise.all([answerTo(store.getAllKeys()), answerTo(store.getAll())]);
    const [keys, values] = (await patiently(answers)) ?? [[], []];
    for (const key of keys ?? []) this.kept.add(String(key));
    return (keys ?? []).map((key, i) => [String(key), values?.[i]]);
  }

  private async write() {
    this.isWriting = true;
    try {
      const database = await this.open();
      while (database && this.pending.size) await writeAll(database, this.pending);
    } catch (error) {
      if (!(error instanceof DOMException)) throw error;
      this.database = null; // its data were cleared; the next value opens a new one
    } finally {
      this.isWriting = false;
    }
  }

  private open() {
    this.database ??= patiently(opened());
    return this.database;
  }
}

/** The database; null where the browser refuses it. */
function opened(): Promise<IDBDatabase | null> {
  let request: IDBOpenDBRequest;
  try {
    request = indexedDB.open(DATABASE, 1);
  } catch {
    return Promise.resolve(null);
  }
  request.onupgradeneeded = () => request.result.createObjectStore(STORE);
  return answerTo(request);
}

/** Write the changes in one transaction, and empty the list. */
function writeAll(database: IDBDatabase, changes: Map<string, unknown>): Promise<unknown> {
  const transaction = database.transaction(STORE, "readwrite");
  const store = transaction.objectStore(STORE);
  for (const [key, value] of changes)
    if (value === null) store.delete(key);
    else store.put(value, key);
  changes.clear();
  return new Promise((resolve) => {
    transaction.oncomplete = resolve;
    transaction.onabort = resolve;
  });
}

/** What a request answers; null where it fails. */
function answerTo<Answer>(request: IDBRequest<Answer>): Promise<Answer | null> {
  return new Promise((resolve) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => resolve(null);
  });
}

/** An answer; null where it takes too long. */
function patiently<Answer>(answer: Promise<Answer | null>): Promise<Answer | null> {
  let timer: ReturnType<typeof setTimeout>;
  const end = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, PATIENCE_MS, null);
  });
  return Promise.race([answer, end]).finally(() => clearTimeout(timer));
}
