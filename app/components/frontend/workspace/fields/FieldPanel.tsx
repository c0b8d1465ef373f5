import type { RefObject } from "preact";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { withKey } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { isReadOnly } from "../state/attempt_state";
import { type Form, formOf, TASK } from "../state/form_state";
import { Field, type FieldActions } from "./Field";
import { currentTargets, fieldKey, judgedPage, showsPageFields } from "./field_state";
import { gradeField, pageMarks } from "./page_marks";
import type { Texts } from "./text_drafts";
import "./FieldPanel.css";

interface FieldsProps {
  store: Pt.Store;
  texts: Texts;
  actions: FieldActions;
}

export interface FieldPanelProps extends FieldsProps {
  /** the section of the open page */
  pageRef: RefObject<HTMLElement | null>;
  onNextUnfinished: (stamp: number) => void;
}

function currentForm(store: Pt.Store) {
  const [protocol, state, given] = [
    store.protocol.value,
    store.state.value,
    store.given_pages.value,
  ];
  return formOf({ protocol, state, given_pages: given });
}

/** The fields in the right panel: of the task, of the open page, and what ended the task. */
export function FieldPanel({ pageRef, onNextUnfinished, ...fields }: FieldPanelProps) {
  const form = currentForm(fields.store);
  const specs = form.protocol.fields.filter(({ kind }) => kind !== "records");
  if (!specs.some(({ scope }) => scope !== "box")) return null;
  const firstOfPage = specs.findIndex(({ scope }) => scope === "page");
  const isBefore = (spec: Pt.FieldSpec) => firstOfPage < 0 || specs.indexOf(spec) < firstOfPage;
  const ofTask = specs.filter(({ scope }) => scope === "task");
  return (
    <div class="form-panel stack">
      <FieldList {...fields} form={form} specs={ofTask.filter(isBefore)} target={TASK} />
      <LiveRegion class="ended notice warning medium" testid="ended">
        {form.ended ? endedBy(form) : null}
      </LiveRegion>
      <PageFields {...fields} form={form} pageRef={pageRef} onNextUnfinished={onNextUnfinished} />
      <FieldList
        {...fields}
        form={form}
        specs={ofTask.filter((spec) => !isBefore(spec))}
        target={TASK}
      />
    </div>
  );
}

/** The fields of the selected box. */
export function BoxFields({ store, ...props }: FieldsProps) {
  const form = currentForm(store);
  const selected = store.selected.value;
  const { box } = currentTargets({ page: null, selected, state: form.state, given_pages: null });
  if (!box || !form.protocol.boxes.enabled) return null;
  return <FieldList {...props} store={store} form={form} specs={form.scoped("box")} target={box} />;
}

interface FieldListProps extends FieldsProps {
  form: Form;
  specs: Pt.FieldSpec[];
  target: Pt.Target;
  keepPlaces?: boolean;
}

function FieldList({ store, form, specs, target, keepPlaces, texts, actions }: FieldListProps) {
  const attempt = store.attempt.value;
  const problems = store.fieldProblems.value;
  const opened = store.layout.value.help ?? {};
  const focus = store.focusRequest.value;
  const shown = specs.filter(
    (spec) => spec.kind !== "records" && (keepPlaces || form.asked(spec, target)),
  );
  if (!shown.length) return null;
  return (
    <div class="field-group stack">
      {shown.map((spec) => {
        const key = fieldKey(attempt, spec, target);
        return (
          <Field
            key={`${attempt} ${spec.name}`}
            {...{ spec, form, target, attempt, texts, actions }}
            keepsPlace={keepPlaces}
            disabled={isReadOnly(form.state) || store.timeOver.value}
            isHelpOpen={opened[spec.name] ?? false}
            problem={problems.get(key)}
            focus={focus?.field === key ? focus : null}
          />
        );
      })}
    </div>
  );
}

type PageFieldsProps = FieldPanelProps & { form: Form };

/** The fields of the open page, and how many pages are done. */
function PageFields({ store, form, pageRef, onNextUnfinished, ...fields }: PageFieldsProps) {
  if (!showsPageFields(form, store.locked.value)) return null;
  const page = store.page.value;
  const target = judgedPage(page, form);
  const hint = target ? "" : pageHint(page !== null, form.given !== null);
  return (
    <section
      class="page-fields stack"
      aria-label={t("This page")}
      data-testid="page-fields"
      ref={pageRef}
    >
      <PageProgress store={store} form={form} onNextUnfinished={onNextUnfinished} />
      <h2 class="section-title wrap" data-testid="page-fields-title">
        {page
          ? t("Page {page} of {document}", { page: page.page, document: page.document })
          : t("This page")}
      </h2>
      {hint ? <p class="quiet medium">{hint}</p> : null}
      {target ? (
        <FieldList
          {...fields}
          {...{ store, form, target }}
          specs={form.scoped("page")}
          keepPlaces
        />
      ) : null}
    </section>
  );
}

function pageHint(isOpen: boolean, isGiven: boolean) {
  if (!isOpen) return t("Open a page to judge it.");
  return isGiven
    ? t("This page is not one of the task's pages.")
    : t("Cite this page to judge it.");
}

type PageProgressProps = Pick<PageFieldsProps, "store" | "form" | "onNextUnfinished">;

function PageProgress({ store, form, onNextUnfinished }: PageProgressProps) {
  const { given, protocol, state } = form;
  const marks = form.pages().map((place) => pageMarks(form, place));
  const badge = gradeField(protocol);
  const done = marks.filter(({ grade, missing }) => (badge ? grade : !missing.length)).length;

  const progressWords =
    badge?.kind === "ordinal"
      ? tn("{done} of {number} page graded", "{done} of {number} pages graded", marks.length, {
          done,
        })
      : tn("{done} of {number} page done", "{done} of {number} pages done", marks.length, { done });
  const open = marks.filter(({ missing }) => missing.length).length;
  const mayGoOn = given && open && !isReadOnly(state) && !store.timeOver.value;
  return (
    <div class="page-progress line spread">
      <span class="page-count quiet number medium" data-testid="pages-graded" role="status">
        {given ? progressWords : ""}
      </span>
      {mayGoOn ? (
        <Button
          testid="next-unfinished"
          title={withKey(t("Next page with something missing"), "nextUnfinished")}
          onClick={(event) => onNextUnfinished(event.timeStamp)}
        >
          <span>{t("{number} open", { number: open })}</span>
          <Icon name="next" />
        </Button>
      ) : null}
    </div>
  );
}

/** Why nothing more is asked. */
function endedBy(form: Form) {
  const spec = form.field(form.protocol.ends?.field ?? "");
  if (!spec) return "";
  const value = form.value(spec);
  const option =
    spec.options.find((one) => one.value === value)?.label ?? (value === true ? t("Yes") : t("No"));
  return t("“{label}” is “{option}”: nothing more is asked. Submit the task.", {
    label: spec.label,
    option,
  });
}
