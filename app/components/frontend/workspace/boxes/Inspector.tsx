import { useComputed } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { differences, verdict } from "../../shared/box_state";
import { Button, IconButton } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { Swatch } from "../../shared/components/Swatch";
import { keyName } from "../../shared/keys";
import { labelTitle } from "../../shared/label_styles";
import { t } from "../../shared/messages";
import type { Readiness } from "../../shared/readiness";
import { finalOrder } from "../../shared/reading_order";
import type { Texts } from "../fields/text_drafts";
import { elementUnit } from "../readiness/judged_units";
import { useReady } from "../readiness/look_reports";
import { isReadOnly } from "../state/attempt_state";
import { Attributes } from "./Attributes";
import { ContentEditor } from "./ContentEditor";
import { Coordinates } from "./Coordinates";
import { OrderChoice } from "./OrderChoice";
import { VerdictMark } from "./VerdictMark";
import "./Inspector.css";

export interface InspectorActions {
  readonly readiness: Readiness;
  /** Whether a key or click may change a box now. */
  mayJudge(box: Pt.PageBox): boolean;
  accept(box: Pt.PageBox, accepted: boolean): void;
  correctBack(box: Pt.PageBox): void;
  duplicate(): void;
  remove(): void;
  setLabel(box: Pt.PageBox, label: string): void;
  setContent(id: string, content: string): void;
  placeAfter(box: Pt.PageBox, after: string | null): void;
  setOrder(box: Pt.PageBox, order: number | null): void;
  setRect(box: Pt.PageBox, rect: Pt.Rect): void;
  setAttributes(box: Pt.PageBox, attributes: Record<string, string>): void;
}

export interface InspectorProps {
  store: Pt.Store;
  texts: Texts;
  actions: InspectorActions;
  /** the fields of a box */
  fields: ComponentChildren;
}

/** The selected box: label, text, order, position, attributes, and the model's values beside them. */
export function Inspector(props: InspectorProps) {
  const { store } = props;
  const part = store.protocol.value.boxes;
  const selected = store.selected.value;
  // An attempt's state changes with whatever is done; its boxes do less often.
  const boxes = useComputed(() => store.state.value.boxes.boxes);
  const mayChange = useComputed(() => !isReadOnly(store.state.value) && !store.timeOver.value);
  const box = boxes.value.find(({ id }) => id === selected) ?? null;
  const isReady = useReady(props.actions.readiness, box ? elementUnit(box).looks : []);
  // With nothing chosen there is nothing to show: one's own boxes are drawn, not gone through.
  if (!part.enabled || !(box || part.seed)) return null;
  return (
    <section
      class={isSimple(part) ? "inspector stack simple" : "inspector stack"}
      data-testid="inspector"
      data-box={box?.id}
      data-verdict-ready={box ? isReady : undefined}
      aria-label={t("Selected box")}
    >
      {box ? (
        <BoxValues
          key={`${store.attempt.value} ${box.id}`}
          {...props}
          {...{ box, part }}
          boxes={boxes.value}
          readOnly={!mayChange.value || box.deleted}
        />
      ) : (
        <p class="empty-line caption">
          {t("Press {key} to go through the elements, or choose one on the page or in the list.", {
            key: keyName("acceptElement"),
          })}
        </p>
      )}
    </section>
  );
}

/** Whether a box has but a label and a place: the viewer's bar has the labels already. */
const isSimple = ({ seed, content, order, attributes }: Pt.BoxesPart) =>
  !(seed || content || order || attributes);

interface BoxValuesProps extends InspectorProps {
  box: Pt.PageBox;
  part: Pt.BoxesPart;
  /** on all pages */
  boxes: Pt.PageBox[];
  readOnly: boolean;
}

function BoxValues(props: BoxValuesProps) {
  const { store, texts, actions, fields, box, part, boxes, readOnly } = props;
  const attempt = store.attempt.value;
  const here = part.order
    ? boxes.filter(({ document, page }) => document === box.document && page === box.page)
    : [];
  const size = store.documents.value[box.document]?.pages[box.page - 1];
  const common = { box, attempt, readOnly, texts };
  return (
    <>
      <Head {...{ box, part, readOnly, actions }} place={finalOrder(here).get(box.id)} />
      <div class="stack">
        {isSimple(part) ? null : (
          <Labels {...{ box, part, readOnly, actions }} keys={store.label_keys.value} />
        )}
        {part.content ? (
          <ContentEditor {...common} onCommit={(text) => actions.setContent(box.id, text)} />
        ) : null}
        {fields}
        {part.order ? (
          <OrderChoice
            {...{ box, readOnly }}
            boxes={here}
            labels={part.labels}
            onPlace={(after) => actions.placeAfter(box, after)}
            onRemove={() => actions.setOrder(box, null)}
          />
        ) : null}
        {size ? (
          <Coordinates
            {...common}
            size={size}
            least={part.min_size}
            onCommit={(rect) => actions.setRect(box, rect)}
          />
        ) : null}
        {part.attributes ? (
          <Attributes
            {...common}
            mayRemove={() => actions.mayJudge(box)}
            onCommit={(attributes) => actions.setAttributes(box, attributes)}
          />
        ) : null}
      </div>
    </>
  );
}

interface PartProps {
  box: Pt.PageBox;
  part: Pt.BoxesPart;
  readOnly: boolean;
  actions: InspectorActions;
}

function Head({ box, part, readOnly, actions, place }: PartProps & { place: number | undefined }) {
  const isChanged = differences(box).length > 0;
  const name = part.seed ? t("Element") : t("Box");
  return (
    <div class="inspector-head line">
      <Swatch labels={part.labels} label={box.label} />
      <h2>{place === undefined ? name : `${name} ${place}`}</h2>
      <span class="spacer" />
      {box.deleted || (part.seed && !box.model) ? <VerdictMark verdict={verdict(box)} /> : null}
      {box.model && part.seed ? (
        <Button
          testid="element-accept"
          title={
            box.accepted
              ? t("Undo the acceptance")
              : t("Right as it is; v accepts and goes on to the next")
          }
          aria-pressed={isChanged ? undefined : box.accepted}
          disabled={readOnly || isChanged}
          onClick={() => actions.accept(box, !box.accepted)}
        >
          <Icon name={isChanged ? "pencil" : "check"} />
          {isChanged ? t("Corrected") : box.accepted ? t("Accepted") : t("Accept")}
        </Button>
      ) : null}
      <div class="inspector-tools">
        {box.model ? (
          <IconButton
            icon="history"
            label={t("Undo the correction: back to the model's values")}
            testid="element-back"
            disabled={readOnly || !isChanged}
            onClick={() => actions.correctBack(box)}
          />
        ) : null}
        {part.add ? (
          <IconButton
            icon="duplicate"
            label={t("Duplicate")}
            testid="element-duplicate"
            disabled={readOnly}
            onClick={() => actions.duplicate()}
          />
        ) : null}
        <IconButton
          icon="bin"
          label={t("Delete (Del)")}
          testid="element-delete"
          disabled={readOnly}
          onClick={() => actions.remove()}
        />
      </div>
    </div>
  );
}

interface LabelsProps extends PartProps {
  /** by label the key that chooses it */
  keys: Record<string, string | null>;
}

function Labels({ box, part, readOnly, actions, keys }: LabelsProps) {
  const tooltip = ({ name, title, help }: Pt.BoxLabel) =>
    [keys[name] ? `${title} (${keys[name]})` : title, help].filter(Boolean).join(": ");
  return (
    <>
      <div class="wrapping" role="group" aria-label={t("Label")}>
        {part.labels.map((label) => (
          <button
            key={label.name}
            type="button"
            class="label-chip toggle"
            data-testid="element-label-choice"
            data-label={label.name}
            title={tooltip(label)}
            aria-pressed={label.name === box.label}
            disabled={readOnly}
            onClick={() => label.name !== box.label && actions.setLabel(box, label.name)}
          >
            <Swatch labels={part.labels} label={label.name} />
            {label.title}
          </button>
        ))}
      </div>
      {box.model && box.model.label !== box.label ? (
        <p class="model-line caption wrap">
          {t("Model: {model} → you: {yours}", {
            model: labelTitle(part.labels, box.model.label) ?? t("no label"),
            yours: labelTitle(part.labels, box.label),
          })}
        </p>
      ) : null}
    </>
  );
}
