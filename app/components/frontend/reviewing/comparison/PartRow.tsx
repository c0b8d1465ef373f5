import { useComputed } from "@preact/signals";
import { Fragment } from "preact";
import { useMemo } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { withKey } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { DATASET, sidesOf } from "../decision/selections";
import { isMerged } from "../decision/text_decisions";
import { wayWords } from "../formatting";
import type { ReviewStore } from "../store";
import { AnswerEditor } from "./AnswerEditor";
import type { ComparisonActions } from "./actions";
import type { AnswerEditing } from "./answer_editing";
import type { Row } from "./comparison_rows";
import { DraftCell } from "./DraftColumn";
import { StringList } from "./Marked";
import { PartCell } from "./PartCell";
import "./PartRow.css";

export interface PartRowProps {
  store: ReviewStore;
  row: Row;
  editing: AnswerEditing;
  actions: ComparisonActions;
}

/** The row of a part: its name and score, how its gold is made, what each person submitted, the gold. */
export function PartRow({ store, row, editing, actions }: PartRowProps) {
  const { part } = row;
  const isCurrent = useComputed(() => store.part.value === part).value;
  const taken = store.storedGold.value ? [] : sidesOf(store.choiceOf(row.follows ?? part));
  return (
    <tr
      class={isCurrent ? "part current" : "part"}
      data-testid="part"
      data-part={part}
      aria-current={isCurrent ? "true" : undefined}
      // Before what is pressed in the row, which may make the part current too.
      onClickCapture={() => {
        if (!isCurrent) actions.onSelect(part);
      }}
    >
      <PartHead store={store} row={row} actions={actions} />
      {store.review.value.participants.map((participant, i) => (
        <SubmittedCell
          key={participant.attempt}
          store={store}
          row={row}
          participant={participant}
          number={i + 1}
          taken={taken.includes(participant.attempt)}
          onTake={() => actions.onTakeFrom(part, participant.attempt)}
        />
      ))}
      {store.review.value.model_drafts.map((draft, i) => (
        <DraftCell
          key={draft.attempt}
          store={store}
          row={row}
          draft={draft}
          number={store.participants.value.length + i + 1}
          taken={taken.includes(draft.attempt)}
          onTake={() => actions.onTakeFrom(part, draft.attempt)}
        />
      ))}
      <td class="gold-col" aria-busy={store.busy.value}>
        {row.kind === "answer" ? (
          <GoldAnswer store={store} row={row} editing={editing} onEdit={actions.onEditAnswer} />
        ) : (
          <PartCell row={row} content={store.draft.value} />
        )}
        {row.kind === "boxes" ? <LeftOutBoxes store={store} /> : null}
      </td>
    </tr>
  );
}

function PartHead({ store, row, actions }: Omit<PartRowProps, "editing">) {
  const { part, label, follows } = row;
  return (
    <th scope="row" class="part-col">
      <Button class="part-name bare strong" onClick={() => actions.onSelect(part)}>
        {label}
      </Button>
      <ScoreBar row={row} />
      {follows ? (
        <span class="caption">{t("Goes with the elements")}</span>
      ) : (
        <MergeChoice store={store} row={row} actions={actions} />
      )}
      <OpenIssue store={store} part={part} />
    </th>
  );
}

function ScoreBar({ row: { score, agreed, variants } }: { row: Row }) {
  if (score === null) return <span class="caption">{t("Not compared")}</span>;
  const words = agreed
    ? t("Within the rule")
    : variants
      ? t("Variants of one answer")
      : t("Conflict");
  return (
    <span
      class={agreed ? "score" : "score conflict"}
      title={t("{words}, difference {score} of 1", { words, score: score.toFixed(2) })}
    >
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${Math.round(100 * score)}%` }} />
      </span>
      <span class="number">{score.toFixed(2)}</span>
      <span class="score-word">
        {agreed ? t("agreed") : variants ? t("variants") : t("conflict")}
      </span>
    </span>
  );
}

/** What the part is still missing to be gold. */
function OpenIssue({ store, part }: { store: ReviewStore; part: string }) {
  if (store.tied.value.includes(part) && !isMerged(part))
    return (
      <span class="caption strong" data-testid="tie">
        {store.draft.value.open_pages?.[part] ?? t("Tie: yours to decide")}
      </span>
    );
  const gap = store.missing.value?.[part];
  return gap ? (
    <span class="caption strong" data-testid="gap">
      {gap}
    </span>
  ) : null;
}

/** How the part's gold is made, to choose from. */
function MergeChoice({ store, row, actions }: Omit<PartRowProps, "editing">) {
  const { part, label, ways } = row;
  if (!ways.length || store.storedGold.value) return null;
  const choice = store.choiceOf(part);
  const current = choice?.how === "side" ? `side:${choice.side}` : (choice?.how ?? "");
  // Nothing is chosen yet: leaving it empty is one of the ways.
  const isUndecided = choice?.how === "none" && store.tied.value.includes(part);
  const options = mergeOptions(store, row, choice);
  const isChosen = !isUndecided && options.some(([value]) => value === current);
  return (
    <label class="way-label">
      <span class="caption">{t("Gold:")} </span>
      <select
        class="ways"
        aria-label={t("{label} in the gold", { label })}
        disabled={!store.editable.value}
        data-testid="ways"
        value={isChosen ? current : ""}
        onChange={(event) => {
          const { value } = event.currentTarget;
          event.currentTarget.blur(); // keys are off in a list of choices
          if (value.startsWith("side:")) actions.onTakeFrom(part, value.slice(5));
          else actions.onTakeWay(part, value as Pt.MergeMethod);
        }}
      >
        {isChosen ? null : (
          <option value="" hidden>
            {t("Choose…")}
          </option>
        )}
        {options.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** @returns value and text of each option */
function mergeOptions(
  store: ReviewStore,
  { part, ways }: Row,
  choice: Pt.PickRequest | null,
): [string, string][] {
  const people = store.participants.value.map(({ attempt, name }, i): [string, string] => [
    `side:${attempt}`,
    `${i + 1} ${name}`,
  ]);
  store.review.value.model_drafts.forEach(({ attempt, name, parts, rejected }, i) => {
    if (parts.includes(part) && rejected === null)
      people.push([
        `side:${attempt}`,
        t("{number} {model} (draft)", {
          number: store.participants.value.length + i + 1,
          model: name,
        }),
      ]);
  });
  if (store.review.value.dataset_gold?.parts?.includes(part))
    people.push([`side:${DATASET}`, t("The dataset’s")]);
  const others = ways.filter(
    (how) => how !== "side" && (!["pick", "edited"].includes(how) || choice?.how === how),
  );
  return [
    ...(ways.includes("side") ? people : []),
    ...others.map((how): [string, string] => [how, wayWords(how)]),
  ];
}

interface SubmittedCellProps {
  store: ReviewStore;
  row: Row;
  participant: Pt.Participant;
  /** the key that takes this participant's work */
  number: number;
  taken: boolean;
  onTake: () => void;
}

function SubmittedCell({ store, row, participant, number, taken, onTake }: SubmittedCellProps) {
  const participants = store.participants.value;
  const { part, score, spec } = row;
  // Texts are compared word by word, which a changed draft does not change.
  const content = useMemo(() => {
    const others = participants.filter((other) => other !== participant);
    return <PartCell row={row} content={participant} others={others} />;
  }, [participants, participant, part, score, spec]);
  if (participant.status !== "submitted") return <td class="quiet ellipsis" />;
  return (
    <td class={taken ? "submission taken" : "submission"}>
      <div class="submission-cell">
        <div class="fill">{content}</div>
        {row.ways.includes("side") ? (
          <Button
            class="take number toggle filled"
            aria-pressed={taken}
            disabled={!store.editable.value}
            title={t("Take {name}’s ({number})", { name: participant.name, number })}
            aria-label={t("{number}. {label}: take {name}’s", {
              number,
              label: row.label,
              name: participant.name,
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

interface GoldAnswerProps {
  store: ReviewStore;
  row: Row;
  editing: AnswerEditing;
  onEdit: () => void;
}

/** The accepted answers of the gold, to be written there too. */
function GoldAnswer({ store, row, editing, onEdit }: GoldAnswerProps) {
  const isWriting = useComputed(() => store.answers.value !== null).value;
  if (isWriting) return <AnswerEditor store={store} editing={editing} />;
  const isText = store.review.value.protocol.answer.kind === "text";
  const lines = (text: string) =>
    isText ? [text] : text.split("\n").filter((line) => line.trim());
  const { answer, variants } = store.draft.value;
  return (
    <div class="stack">
      <StringList texts={answer} />
      {(variants ?? []).map((text, i) => (
        <Fragment key={i}>
          <span class="caption">{t("or")}</span>
          <StringList texts={lines(text)} />
        </Fragment>
      ))}
      <div class="wrapping">
        {row.ways.includes("edited") ? (
          <Button
            disabled={!store.editable.value}
            title={withKey(t("Write what the gold accepts"), "editAnswer")}
            testid="edit-answer"
            onClick={onEdit}
          >
            {t("Edit")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** Chosen boxes that are not in the draft: their pages may have none, as they are graded in it. */
function LeftOutBoxes({ store }: { store: ReviewStore }) {
  const { boxes } = store.countingPicks.value;
  if (store.busy.value || boxes?.how !== "pick") return null;
  const count = (boxes.boxes?.length ?? 0) - store.draft.value.boxes.length;
  return count > 0 ? (
    <p class="caption left-out">
      {tn(
        "{number} chosen box left out: as the page is graded in this draft, it has none.",
        "{number} chosen boxes left out: as the page is graded in this draft, it has none.",
        count,
      )}
    </p>
  ) : null;
}
