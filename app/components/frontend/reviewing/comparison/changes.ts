/** What has changed in a task under review, and why it needs a person, in sentences; no DOM. */

import { t } from "../../shared/messages";
import { sentence } from "../../shared/sentences";
import { newlyPending } from "../decision/pending_work";

/** Why a person has to look although no part differs, in a sentence; empty where it needs none. */
export function whyLooked(data: Pt.ReviewData): string {
  if (!["conflict", "single"].includes(data.status)) return "";
  if (data.parts.some(({ agreed }) => !agreed)) return "";
  if (data.not_compared) return t("{reason}. Compare it yourself.", { reason: data.not_compared });
  if (data.flagged) return t("Somebody flagged it.");
  if (data.raised_flags.some(({ skipped, handled }) => skipped && !handled))
    return t("Somebody skipped it.");
  if (data.gold?.reopened) return t("Its gold was reopened.");
  if (data.contradicts_dataset) return t("Annotators agree on something else than the dataset.");
  if (data.status === "single") return t("Too few people have submitted it to compare.");
  return data.rule.accept === "off" ? t("In this campaign every task is looked at.") : "";
}

/** What has changed between two looks at a task, in sentences. */
export function changes(before: Pt.ReviewData, after: Pt.ReviewData) {
  const names = new Map(
    [...before.participants, ...after.participants].map(({ attempt, name }) => [attempt, name]),
  );
  const said = workChanges(
    before.reviewed_version.sources,
    after.reviewed_version.sources,
    names,
    returned(after.participants),
  );
  said.push(...newlyPending(before, after));
  const { gold } = after;
  if (gold && gold.version > (before.gold?.version ?? 0) && gold.decided_by !== after.reviewer)
    said.push(
      gold.automatic && !gold.checked
        ? t("The campaign’s rule has accepted it: gold version {version}.", {
            version: gold.version,
          })
        : t("{name} has decided it: gold version {version}.", {
            name: gold.decided_by,
            version: gold.version,
          }),
    );
  if (after.holder && after.holder !== after.reviewer && after.holder !== before.holder)
    said.push(t("{name} has taken it.", { name: after.holder }));
  return said;
}

/**
 * What annotators have submitted, resubmitted or reopened since the gold was decided, in sentences.
 */
export function sinceGold({ gold, reviewed_version: seen, participants: sides }: Pt.ReviewData) {
  if (!gold?.version) return [];
  const was = Object.fromEntries(gold.sources.map(({ attempt, seq }) => [attempt, seq]));
  const names = new Map(gold.sources.map(({ attempt, annotator }) => [attempt, annotator]));
  for (const { attempt, name } of sides) names.set(attempt, name);
  return workChanges(was, seen.sources, names, returned(sides));
}

const returned = (participants: Pt.Participant[]) =>
  new Set(participants.filter((participant) => participant.returned).map(({ attempt }) => attempt));

/** @param back attempts that were sent back */
function workChanges(
  was: Record<string, number>,
  is: Record<string, number>,
  names: Map<string, string>,
  back: Set<string>,
) {
  const said = [];
  for (const attempt of new Set([...Object.keys(was), ...Object.keys(is)])) {
    const name = names.get(attempt) ?? t("Somebody");
    if (!(attempt in was)) said.push(`${sentence("has_submitted", { name })}.`);
    else if (!(attempt in is) && back.has(attempt))
      said.push(t("It was sent back to {name}.", { name }));
    else if (!(attempt in is)) said.push(`${sentence("has_reopened", { name })}.`);
    else if (was[attempt] !== is[attempt]) said.push(`${sentence("has_resubmitted", { name })}.`);
  }
  return said;
}
