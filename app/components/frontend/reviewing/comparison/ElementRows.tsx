import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { Button } from "../../shared/components/Button";
import { t, tn } from "../../shared/messages";
import { mergedId } from "../decision/selections";
import type { ReviewStore } from "../store";
import type { ComparisonActions } from "./actions";
import { columnCount } from "./comparison_rows";
import { DraftBlanks } from "./DraftColumn";
import { FoldRow } from "./FoldRow";
import { MarkedRuns } from "./Marked";
import { elementsOf, type PageElement, versionDifferences } from "./page_elements";

type ElementActions = Pick<ComparisonActions, "onTakeBox" | "onShowBox">;

export interface ElementRowsProps {
  store: ReviewStore;
  place: Pt.Place;
  actions: ElementActions;
}

/** A model's elements on a page that are verified; those that all have alike are folded. */
export function ElementRows({ store, place, actions }: ElementRowsProps) {
  const open = useSignal(false);
  const data = store.review.value;
  const elements = useMemo(() => elementsOf(data, place), [data, place.document, place.page]);
  const agreed = elements.filter(({ differs }) => !differs);
  const shown = open.value ? agreed : [];
  const elementRow = (element: PageElement) => (
    <ElementRow
      key={`${element.versions.indexOf(element.first)}/${element.id}`}
      store={store}
      element={element}
      actions={actions}
    />
  );
  return (
    <>
      {elements.filter(({ differs }) => differs).map(elementRow)}
      {agreed.length ? (
        <FoldRow
          open={open.value}
          text={tn(
            "{number} element alike on page {page}",
            "{number} elements alike on page {page}",
            agreed.length,
            { page: place.page },
          )}
          width={columnCount(data)}
          onToggle={() => {
            open.value = !open.value;
          }}
        />
      ) : null}
      {shown.map(elementRow)}
    </>
  );
}

interface ElementRowProps {
  store: ReviewStore;
  element: PageElement;
  actions: ElementActions;
}

function ElementRow({ store, element, actions }: ElementRowProps) {
  const { versions, first } = element;
  const participants = store.participants.value;
  const kept = store.draft.value.boxes.find(
    ({ id }) => id === element.id || versions.some((box, i) => box && id === mergedId(i, box.id)),
  );
  return (
    <tr class="sub" data-testid="element-row">
      <th scope="row" class="part-col">
        <Button
          class="element-name bare"
          title={t("Show it on page {page}", { page: first.page })}
          onClick={() => actions.onShowBox(first)}
        >
          {[first.title ?? t("Element"), first.order].filter((word) => word !== null).join(" ")}
        </Button>
      </th>
      {store.review.value.participants.map((participant) => (
        <td key={participant.attempt}>
          {participant.status === "submitted" ? (
            <ElementVersion
              store={store}
              element={element}
              participant={participant}
              box={versions[participants.indexOf(participant)]}
              onTake={actions.onTakeBox}
            />
          ) : null}
        </td>
      ))}
      <DraftBlanks data={store.review.value} />
      <td class="gold-col">
        {kept ? <span>{kept.title ?? t("kept")}</span> : <span class="quiet">{t("left out")}</span>}
      </td>
    </tr>
  );
}

interface ElementVersionProps {
  store: ReviewStore;
  element: PageElement;
  participant: Pt.Participant;
  box: Pt.ReviewedBox | null;
  onTake: ElementActions["onTakeBox"];
}

/** What a person made of an element, to take or leave. */
function ElementVersion({ store, element, participant, box, onTake }: ElementVersionProps) {
  if (!box) return <span class="quiet">{element.model ? t("deleted") : "—"}</span>;
  const { attempt, name } = participant;
  const isChosen = store.chosenBoxes.value.some(([of, id]) => of === attempt && id === box.id);
  return (
    <Button
      class={element.differs ? "value version differs toggle" : "value version toggle"}
      aria-pressed={isChosen}
      disabled={!store.editable.value}
      title={t("Take {name}’s version, or leave it out", { name })}
      testid="take-box"
      onClick={() => onTake(attempt, box)}
    >
      <VersionText box={box} element={element} />
    </Button>
  );
}

/** Its label, what is otherwise, and its text with the differences. */
function VersionText({ box, element }: { box: Pt.ReviewedBox; element: PageElement }) {
  const differences = versionDifferences(box, element);
  const label = box.title ?? t("no label");
  return (
    <>
      {differences.label ? <mark class="differs">{label}</mark> : <span>{label}</span>}
      {differences.words.map((words) => (
        <mark key={words} class="differs">
          {words}
        </mark>
      ))}
      {differences.content ? (
        <span class="content">
          <MarkedRuns runs={differences.content} />
        </span>
      ) : null}
    </>
  );
}
