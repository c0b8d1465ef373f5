import { t } from "../messages";
import "./PatchText.css";

export interface PatchTextProps {
  patch: Pick<Pt.TranscriptPatch, "removed" | "inserted">;
}

/** What goes and what comes; screen readers are told which is which. */
export function PatchText({ patch: { removed, inserted } }: PatchTextProps) {
  return (
    <p class="patch-text pre" dir="auto">
      {removed ? (
        <>
          <span class="unseen">{t("Remove:")} </span>
          <del class="patch">{removed}</del>
        </>
      ) : null}{" "}
      {inserted ? (
        <>
          <span class="unseen">{t("Insert:")} </span>
          <ins class="patch">{inserted}</ins>
        </>
      ) : null}
    </p>
  );
}

const STATES = {
  accepted: () => t("Accepted"),
  rejected: () => t("Rejected"),
  stale: () => t("No longer applies"),
  open: () => t("Open"),
};

/** What has become of a patch, in words. */
export const patchStateWords = (state: Pt.TranscriptPatch["state"]) => STATES[state]();
