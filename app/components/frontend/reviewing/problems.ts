/** What a failed request means on the review screen, and the way out of it. */

import type { ApiError } from "../shared/api";
import { t } from "../shared/messages";

const STALE = new Set(["taken", "outdated", "gold_decided"]);

export function problemOf(
  { code, kind, message: text, status, transient }: ApiError,
  ways: { again: () => unknown; reload: () => unknown; login: () => string },
): Pt.Problem {
  if (STALE.has(code)) return { text, action: t("Show the current state"), run: ways.reload };
  if (kind === "signed_out") return { text, action: t("Sign in"), link: ways.login() };
  if (transient && status !== 409) return { text, action: t("Try again"), run: ways.again };
  return { text, action: null };
}
