import type { ComponentChildren, RefObject } from "preact";
import { Button } from "../../shared/components/Button";
import { Icon } from "../../shared/components/Icon";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { withKey } from "../../shared/keys";
import { t, tn } from "../../shared/messages";
import { isReadOnly } from "../state/attempt_state";
import { type Form, formOf, TASK } from "../state/form_state";
import { Field, type FieldActions } from "./Field";
import { currentTargets, fieldKey, judgedPage, showsPageFields } from "./field_state";
import { printedKeys } from "./key_owners";
import { pageMarks } from "./page_marks";
import type { Texts } from "./text_drafts";
import "./FieldPanel.css";

interface FieldsProps {
  store: Pt.Store;
  texts: Texts;
  actions: FieldActions;
}

export interface FieldPanelProps extends FieldsProps {
  /** the open page's boxes that do not count yet */
  pendingBoxes: ComponentChildren;
  /** the section of the open page */
  pageRef: RefObject<HTMLElement | null>;
  onNextUnfinished: (stamp: number) => void;
  /** Go on when a page is complete, or stay. */
  onAdvance: (advances: boolean) => void;
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
export function FieldPanel({ pageRef, onNextUnfinished, onAdvance, ...fields }: FieldPanelProps) {
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
      <PageFields {...fields} {...{ form, pageRef, onNextUnfinished, onAdvance }} />
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

const NO_KEYS: ReadonlySet<string> = new Set();

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
  const keyed = store.keyedField.value;
  const printed = printedKeys(store.tracked, form);
  const questions = orderedQuestions(form);
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
            position={
              questions.includes(spec)
                ? { place: questions.indexOf(spec) + 1, number: questions.length }
                : null
            }
            disabled={isReadOnly(form.state) || store.timeOver.value}
            isHelpOpen={opened[spec.name] ?? false}
            problem={problems.get(key)}
            focus={focus?.field === key ? focus : null}
            isKeyed={keyed === key}
            printedKeys={printed.get(key) ?? NO_KEYS}
          />
        );
      })}
    </div>
  );
}

const MANY = 3;

/** The questions whose order is shown, as a task asks several one after the other. */
function orderedQuestions(form: Form) {
  const required = form.protocol.fields.filter(
    ({ kind, required, scope, when }) => required && !when && kind !== "records" && scope !== "box",
  );
  return required.filter(({ scope }) => scope === "task").length < MANY ? [] : required;
}

type PageFieldsProps = FieldPanelProps & { form: Form };

/** The fields of the open page, and how many pages are done. */
function PageFields({
  store,
  form,
  pageRef,
  onNextUnfinished,
  onAdvance,
  ...fields
}: PageFieldsProps) {
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
      <PageProgress {...{ store, form, onNextUnfinished, onAdvance }} />
      <div>
        <h2 class="section-title wrap" data-testid="page-fields-title">
          {page
            ? t("Page {page} of {document}", { page: page.page, document: page.document })
            : t("This page")}
        </h2>
        <PageMissing missing={target && page ? pageMarks(form, page).missing : []} />
      </div>
      {hint ? <p class="quiet medium">{hint}</p> : null}
      {target ? (
        <FieldList
          {...fields}
          {...{ store, form, target }}
          specs={form.scoped("page")}
          keepPlaces
        />
      ) : null}
      {fields.pendingBoxes}
    </section>
  );
}

function pageHint(isOpen: boolean, isGiven: boolean) {
  if (!isOpen) return t("Open a page to judge it.");
  return isGiven
    ? t("This page is not one of the task's pages.")
    : t("Cite this page to judge it.");
}

/** What is missing on the open page, on two lines that stay where nothing is missing. */
function PageMissing({ missing }: { missing: string[] }) {
  const labels = missing.join(", ");
  return (
    <p class="page-missing caption" data-testid="page-missing" title={labels || undefined}>
      {labels ? t("Missing: {labels}", { labels }) : ""}
    </p>
  );
}

type PageProgressProps = Pick<PageFieldsProps, "store" | "form" | "onNextUnfinished" | "onAdvance">;

function PageProgress({ store, form, onNextUnfinished, onAdvance }: PageProgressProps) {
  const { given, state } = form;
  const marks = form.pages().map((place) => pageMarks(form, place));
  const open = marks.filter(({ missing }) => missing.length).length;
  const progressWords = tn(
    "{done} of {number} page complete",
    "{done} of {number} pages complete",
    marks.length,
    { done: marks.length - open },
  );
  const mayGoOn = given && open && !isReadOnly(state) && !store.timeOver.value;
  return (
    <div class="page-progress line spread">
      <span class="page-count quiet number medium" data-testid="pages-graded" role="status">
        {given ? progressWords : ""}
      </span>
      {given && form.scoped("page").some(({ advance }) => advance) ? (
        <label class="line caption nowrap" title={t("Go to the next page when one is complete")}>
          <input
            type="checkbox"
            data-testid="advance"
            checked={store.layout.value.advance !== false}
            onChange={({ currentTarget }) => onAdvance(currentTarget.checked)}
          />
          {t("Auto-advance")}
        </label>
      ) : null}
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
