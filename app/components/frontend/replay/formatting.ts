/** Times and pages in words. */

import { t } from "../shared/messages";

const two = (n: number) => String(n).padStart(2, "0");

/** "4:07", "1:04:07" or "3 d 1:04:07". */
export function clockTime(ms: number): string {
  const seconds = Math.floor(ms / 1000 + 1e-6);
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor((seconds % 86_400) / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  const rest = `${minutes}:${two(seconds % 60)}`;
  if (!days && !hours) return rest;
  const long = `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return days ? t("{days} d {time}", { days, time: long }) : long;
}

/** A page's place: "report.pdf, page 3". */
export function pageWords({ document, number }: { document: string; number: number }) {
  return t("{document}, page {page}", { document, page: number });
}
