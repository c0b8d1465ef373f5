/** The last reasons given in this browser, to be suggested. */

import { read, write } from "../../shared/browser_store";

const KEPT = 8;
const STORE = "review-reasons";

/** The newest first. */
export function lastReasons(): string[] {
  const stored = read("local", STORE);
  return Array.isArray(stored)
    ? stored.filter((reason) => typeof reason === "string").slice(0, KEPT)
    : [];
}

export function rememberReason(reason: string) {
  if (!reason.trim()) return;
  const others = lastReasons().filter((other) => other !== reason);
  write("local", STORE, [reason, ...others].slice(0, KEPT));
}
