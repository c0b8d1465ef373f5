/** The column of a model's draft: marked as a machine's, and apart from the annotators'. */

import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { t } from "../../shared/messages";
import { includesPlace } from "../../shared/places";
import { chosenAt } from "../decision/selections";
import { NOTHING } from "../formatting";
import { LineSwatch } from "../LineSwatch";
import type { ReviewStore } from "../store";
import type { Row } from "./comparison_rows";
import { PartCell } from "./PartCell";
import { pageWords } from "./page_words";
import "./DraftColumn.css";

const FIELD_KINDS = ["field", "pageField"];

interface DraftHeadProps {
  store: ReviewStore;
  draft: Pt.ModelDraft;
  /** the key that takes this draft */
  number: number;
  onTakeAll: () => void;
  onReject: () => void;
}

/** Whose draft it is, and taking or rejecting all of it. */
export function DraftHead({ store, draft, number, onTakeAll, onReject }: DraftHeadProps) {
  const { attempt, name, version, outdated, rejected } = draft;
  const isRejected = rejected !== null;
  return (
    <th scope="col" class="draft-col" data-testid="draft" data-attempt={attempt}>
      <div class="person-head line spread">
        <span class="person-name inline strong">
          <span class="person-number" aria-hidden="true">
            {number}
          </span>
          <LineSwatch look={store.look.value(attempt)} />
          <span class="ellipsis" title={name}>
            {name}
          </span>
        </span>
        <span class="draft-marks inline">
          <span class="pill" title={t("A model made it. It is no annotator and has no vote.")}>
            <Icon name="machine" /> {t("Machine draft")}
          </span>
          {version ? <span class="caption">{t("version {version}", { version })}</span> : null}
          {outdated ? (
            <span
              class="pill"
              data-tone="part"
              data-testid="draft-outdated"
              title={t("Work was submitted or changed after the model read it.")}
            >
              {t("Outdated")}
            </span>
          ) : null}
          {isRejected ? (
            <span class="pill" data-tone="bad" data-testid="draft-rejected" title={rejected}>
              {t("Rejected")}
            </span>
          ) : null}
          {rejected ? <span class="caption">{t("“{label}”", { label: rejected })}</span> : null}
        </span>
        <span class="inline">
          <Button
            disabled={!store.editable.value || isRejected}
            title={t("Take everything that the draft of {model} proposes (Shift+{number})", {
              model: name,
              number,
            })}
            testid="take-draft"
            onClick={onTakeAll}
          >
            {t("Take all")}
          </Button>
          <Button
            disabled={!store.editable.value}
            aria-label={
              isRejected
                ? t("Withdraw the rejection of the draft of {model}", { model: name })
                : t("Reject the draft of {model}", { model: name })
            }
            testid="reject-draft"
            onClick={onReject}
          >
            {isRejected ? t("Withdraw the rejection") : t("Reject…")}
          </Button>
        </span>
      </div>
    </th>
  );
}

/** What the models say of everybody's answers, and their reasons and scores. */
export function DraftReasons({ data }: { data: Pt.ReviewData }) {
  const { model_drafts: drafts, participants } = data;
  const isEmpty = drafts.every(
    ({ reasons, scores, correct, incorrect }) =>
      !reasons && !Object.keys(scores).length && !correct.length && !incorrect.length,
  );
  if (isEmpty) return null;
  return (
    <tbody>
      <tr data-testid="draft-reasons">
        <th scope="row" class="part-col quiet">
          {t("The model says")}
        </th>
        {participants.map(({ attempt, name }) => (
          <td key={attempt}>
            <Opinions name={name} drafts={drafts} />
          </td>
        ))}
        {drafts.map((draft) => (
          <td key={draft.attempt} class="draft-col">
            <Scores scores={draft.scores} />
            {draft.reasons ? <p class="draft-reasons pre">{draft.reasons}</p> : null}
          </td>
        ))}
        <td class="gold-col" />
      </tr>
    </tbody>
  );
}

function Opinions({ name, drafts }: { name: string; drafts: Pt.ModelDraft[] }) {
  const opinions = drafts.filter(
    ({ correct, incorrect }) => correct.includes(name) || incorrect.includes(name),
  );
  return (
    <ul class="strings">
      {opinions.map(({ attempt, name: model, correct }) => (
        <li key={attempt} class="quiet">
          {correct.includes(name)
            ? t("{model}: correct", { model })
            : t("{model}: incorrect", { model })}
        </li>
      ))}
    </ul>
  );
}

function Scores({ scores }: { scores: Pt.ModelDraft["scores"] }) {
  const named = Object.entries(scores);
  if (!named.length) return null;
  return (
    <p class="caption">
      {named.map(([name, score]) => `${name} ${Number(score.toPrecision(4))}`).join(" · ")}
    </p>
  );
}

interface DraftCellProps {
  store: ReviewStore;
  row: Row;
  draft: Pt.ModelDraft;
  number: number;
  taken: boolean;
  onTake: () => void;
}

/** What a draft proposes for a part, to take. */
export function DraftCell({ store, row, draft, number, taken, onTake }: DraftCellProps) {
  const { part, label, ways } = row;
  const isStated = draft.parts.includes(part);
  const { name: model, variants } = draft;
  return (
    <td class={taken ? "submission draft-col taken" : "submission draft-col"}>
      <div class="submission-cell">
        <div class="fill">
          {isStated ? <PartCell row={row} content={draft} /> : <p class="quiet">{NOTHING}</p>}
          {part === "answer" && variants.length ? (
            <p class="caption">{t("or: {answers}", { answers: variants.join("; ") })}</p>
          ) : null}
        </div>
        {isStated && ways.includes("side") ? (
          <Button
            class="take number toggle filled"
            aria-pressed={taken}
            disabled={!store.editable.value || draft.rejected !== null}
            title={t("Take what {model} proposes ({number})", { model, number })}
            aria-label={t("{number}. {label}: take what {model} proposes", {
              number,
              label,
              model,
            })}
            testid="take"
            onClick={onTake}
          >
            {number}
          </Button>
        ) : null}
      </div>
    </td>
  );
}

interface DraftPageCellProps {
  store: ReviewStore;
  row: Row;
  place: Row["pages"][number];
  draft: Pt.ModelDraft;
  onTake: () => void;
}

/** What a draft proposes for a page. */
export function DraftPageCell({ store, row, place, draft, onTake }: DraftPageCellProps) {
  const words = pageWords(row, place, draft);
  const { name: model, rejected } = draft;
  const isStated =
    row.kind === "evidence"
      ? includesPlace(draft.citations, place)
      : !FIELD_KINDS.includes(row.kind) || words !== NOTHING;
  if (!draft.parts.includes(row.part) || !isStated)
    return (
      <td class="draft-col">
        <span class="quiet">{row.kind === "evidence" ? t("not proposed") : NOTHING}</span>
      </td>
    );
  if (row.kind !== "pageField")
    return (
      <td class="draft-col">
        {row.kind === "evidence" ? (
          <span class="cited inline">
            <Icon name="machine" />
            {t("proposed")}
          </span>
        ) : (
          <span>{words}</span>
        )}
      </td>
    );
  return (
    <td class="draft-col">
      <Button
        class="value toggle"
        aria-pressed={chosenAt(store.countingPicks.value, row.part, place) === draft.attempt}
        disabled={!store.editable.value || rejected !== null}
        title={t("Take what {model} proposes on this page", { model })}
        aria-label={t("Page {page}, draft of {model}: {words}", { page: place.page, model, words })}
        testid="take-page"
        onClick={onTake}
      >
        {words}
      </Button>
    </td>
  );
}

/** Cells below the drafts' heads in rows that drafts have no part in. */
export function DraftBlanks({ data }: { data: Pt.ReviewData }) {
  return (
    <>
      {data.model_drafts.map(({ attempt }) => (
        <td key={attempt} class="draft-col" />
      ))}
    </>
  );
}

/** Says that drafts are hidden until the decision, or were. */
export function HiddenDrafts({ store }: { store: ReviewStore }) {
  const { hidden_drafts: count } = store.review.value;
  if (!count) return null;
  return (
    <p class="caption inline" data-testid="hidden-drafts">
      <Icon name="machine" />
      {t("Decide without the model’s draft. You see it afterwards, and can decide again.")}
    </p>
  );
}
