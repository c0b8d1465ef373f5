import { Button } from "../shared/components/Button";
import { MaterialList } from "../shared/components/MaterialList";
import { withKey } from "../shared/keys";
import { t } from "../shared/messages";
import { placeWords } from "../shared/places";
import { sentence } from "../shared/sentences";
import { DATASET, sidesOf } from "./decision/selections";
import { valueWords } from "./formatting";
import type { ReviewStore } from "./store";

export interface QuestionBoxProps {
  store: ReviewStore;
  /** take a participant's version of a part, here the dataset's */
  onTakeFrom: (part: string, source: string) => void;
  /** show what the dataset says, or fold it */
  onOpenDataset: (open: boolean) => void;
}

/** The question, what annotators see beside it, and what the dataset says, once it is asked for. */
export function QuestionBox({ store, onTakeFrom, onOpenDataset }: QuestionBoxProps) {
  const review = store.review.value;
  const { task, dataset_gold: gold, protocol, material } = review;
  const subjects = [task.domain, task.category].filter(Boolean).join(" · ");
  const statements = gold ? datasetStatements(gold, protocol) : [];
  return (
    <section class="question" aria-label={t("Question")}>
      {subjects ? <p class="caption">{subjects}</p> : null}
      <p class="question-text" data-testid="question">
        {task.question || t("This task has no question.")}
      </p>
      <MaterialList
        material={material}
        folded={store.folded.value}
        onFold={(source, isFolded) =>
          store.set({ folded: { ...store.data.folded, [source]: isFolded } })
        }
      />
      {review.has_dataset_gold ? (
        <details
          data-testid="dataset-gold"
          open={store.datasetOpen.value}
          onToggle={(event) => onOpenDataset(event.currentTarget.open)}
        >
          <summary>{t("What the dataset says")}</summary>
          <div class="wrap">
            <dl class="pairs">
              {statements.map(({ label, text, part }) => (
                <div key={`${part} ${text}`}>
                  <dt>{label}</dt>
                  <dd class="submission-cell">
                    <span>{text}</span>
                    {gold?.parts.includes(part) ? (
                      <TakeDataset
                        store={store}
                        part={part}
                        onTake={() => onTakeFrom(part, DATASET)}
                      />
                    ) : null}
                  </dd>
                </div>
              ))}
            </dl>
          </div>
        </details>
      ) : null}
    </section>
  );
}

interface TakeDatasetProps {
  store: ReviewStore;
  part: string;
  onTake: () => void;
}

function TakeDataset({ store, part, onTake }: TakeDatasetProps) {
  const isTaken = !store.storedGold.value && sidesOf(store.choiceOf(part)).includes(DATASET);
  return (
    <Button
      class="take number toggle filled"
      aria-pressed={isTaken}
      disabled={!store.editable.value}
      title={withKey(t("Take the dataset’s"), "dataset")}
      aria-label={t("{label}: take the dataset’s", { label: sentence(`part.${part}`) })}
      testid="take-dataset"
      onClick={onTake}
    >
      D
    </Button>
  );
}

interface DatasetStatement {
  label: string;
  text: string;
  part: string;
}

function datasetStatements(
  { answers, unanswerable, evidence, fields }: Pt.ReviewedDatasetGold,
  protocol: Pt.Protocol,
): DatasetStatement[] {
  const statements: DatasetStatement[] = [];
  const add = (label: string, text: string, part: string) => statements.push({ label, text, part });
  const texts = answers.map((answer) => (Array.isArray(answer) ? answer.join("; ") : answer));
  if (texts.length) add(t("Answer"), texts.join(t(" — or: ")), "answer");
  if (unanswerable) add(t("Answer"), t("It cannot be answered from the collection."), "answer");
  if (evidence.length) add(t("Evidence"), evidence.map(placeWords).join("; "), "evidence");
  for (const [name, value] of Object.entries(fields ?? {})) {
    const spec = protocol.fields.find((field) => field.name === name);
    if (typeof value !== "object" || Array.isArray(value))
      add(spec?.label ?? name, valueWords(spec, value as Pt.Value), name);
  }
  return statements;
}
