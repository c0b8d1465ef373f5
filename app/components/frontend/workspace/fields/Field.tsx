import { useCallback, useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { LiveRegion } from "../../shared/components/LiveRegion";
import { withKey } from "../../shared/keys";
import { t } from "../../shared/messages";
import type { JudgedUnit, Readiness, Seen } from "../../shared/readiness";
import { sentence } from "../../shared/sentences";
import { useReady } from "../readiness/look_reports";
import { boxProposal, unconfirmed } from "../state/contradictions";
import type { Form } from "../state/form_state";
import { CONTROLS, type Value } from "./controls";
import { type FieldProblem, type FocusRequest, fieldKey, frozenReason } from "./field_state";
import type { Texts } from "./text_drafts";
import "./Field.css";

export interface SetOptions {
  /** The next field without a value gets the focus. */
  next?: boolean;
  byKey?: boolean;
  /** It is what the boxes say, and right. */
  confirmed?: boolean;
  /** It is a text that saves itself. */
  text?: boolean;
  /** It was asked before whether it may be judged. */
  seen?: Seen;
  stamp?: number;
}

/** What the fields do. */
export interface FieldActions {
  readonly readiness: Readiness;
  /** What a verdict on a field is about. */
  unit(spec: Pt.FieldSpec, target: Pt.Target): JudgedUnit;
  set(spec: Pt.FieldSpec, target: Pt.Target, value: Value, options?: SetOptions): void;
  /** Both a page's field and its boxes are right. */
  confirm(spec: Pt.FieldSpec, target: Pt.Target): void;
  /** What the boxes have filled a field with is right. */
  confirmProposal(spec: Pt.FieldSpec, target: Pt.Target, stamp?: number): void;
  showHelp(name: string, open: boolean): void;
  showProblem(spec: Pt.FieldSpec, target: Pt.Target, problem: Omit<FieldProblem, "value">): void;
  clearProblem(key: string): void;
  /** The field that was to have the focus has it. */
  focused(): void;
  /** A field takes the keys as it has the focus, or no longer. */
  keyed(key: string, isKeyed: boolean): void;
}

export interface FieldProps {
  spec: Pt.FieldSpec;
  form: Form;
  target: Pt.Target;
  attempt: string;
  /** Nothing may be changed. */
  disabled: boolean;
  /** It keeps its place where it is not asked, so that turning pages moves nothing. */
  keepsPlace?: boolean;
  /** its place among the questions, where their order is shown */
  position: { place: number; number: number } | null;
  isHelpOpen: boolean;
  problem: FieldProblem | undefined;
  /** set while it is to come into view */
  focus: FocusRequest | null;
  /** It has the focus, and keys choose in it. */
  isKeyed: boolean;
  /** the keys that choose in it now, in lower case */
  printedKeys: ReadonlySet<string>;
  texts: Texts;
  actions: FieldActions;
}

/** A field of the task, a page or a box: label, help, control, what is wrong. */
export function Field(props: FieldProps) {
  const { spec, form, target, attempt, disabled, keepsPlace = false, position, actions } = props;
  const id = useId();
  const ids = { label: `${id}-label`, input: `${id}-input`, error: `${id}-error` };
  const focusable = useRef<HTMLElement | null>(null);
  const focusRef = useCallback((element: HTMLElement | null) => {
    focusable.current = element;
  }, []);
  const key = fieldKey(attempt, spec, target);
  useEffect(() => () => actions.clearProblem(key), [key]);
  useLayoutEffect(() => {
    if (!props.focus) return;
    if (props.focus.onlyShown) focusable.current?.scrollIntoView({ block: "nearest" });
    else {
      focusable.current?.focus();
      actions.keyed(key, true);
    }
    actions.focused();
  }, [props.focus]);

  const isReady = useReady(actions.readiness, actions.unit(spec, target).looks);
  if (spec.kind === "records") return null;
  const isAsked = form.asked(spec, target);
  const proposal = boxProposal(form, spec, target);
  const value = proposal ?? form.value(spec, target);
  const frozen = frozenReason(form, spec);
  const { view: Control, isInput } = CONTROLS[spec.kind];
  return (
    <div
      class={isAsked ? "field form-field stack" : "field form-field stack not-asked"}
      aria-current={props.isKeyed && position ? "step" : undefined}
      data-testid="field"
      data-field={spec.name}
      data-verdict-ready={isReady}
      inert={!isAsked}
    >
      <div class="field-head line">
        {isInput ? (
          <label id={ids.label} class="field-label heading wrap" for={ids.input}>
            {spec.label}
          </label>
        ) : (
          <span id={ids.label} class="field-label heading wrap">
            {spec.label}
          </span>
        )}
        {position ? (
          <span class="field-position caption nowrap" data-testid="field-position">
            {t("{place} of {number}", position)}
          </span>
        ) : null}
        <FieldStatus spec={spec} isUnset={form.isUnset(spec, target)} />
        {hasHelp(spec) ? (
          <IconButton
            class="icon-button small"
            icon="help"
            label={t("What “{label}” means", { label: spec.label })}
            title={t("What it means")}
            testid="field-help"
            aria-controls={`${id}-help`}
            aria-expanded={props.isHelpOpen}
            onClick={() => actions.showHelp(spec.name, !props.isHelpOpen)}
          />
        ) : null}
      </div>
      {hasHelp(spec) ? <Help id={`${id}-help`} spec={spec} open={props.isHelpOpen} /> : null}
      <Control
        {...{ spec, target, attempt, value, keepsPlace, ids, focusRef, texts: props.texts }}
        offered={form.options(spec, target)}
        disabled={disabled || form.implied(spec, target) || frozen !== null}
        isProposed={proposal !== null}
        isKeyed={props.isKeyed}
        printedKeys={props.printedKeys}
        onKeyed={(isKeyed) => actions.keyed(key, isKeyed)}
        onChoose={(chosen, event, byDigit) =>
          actions.set(spec, target, chosen, {
            stamp: event?.timeStamp,
            byKey: byDigit,
            next: byDigit,
          })
        }
        onText={(text) => actions.set(spec, target, text, { text: true })}
        onLostText={(use) =>
          actions.showProblem(spec, target, {
            message: t("Text typed here earlier was not saved."),
            way: { label: t("Use it"), run: use },
          })
        }
        onProblem={(message) => actions.showProblem(spec, target, { message })}
      />
      {(frozen ?? lockedLater(form, spec)) ? (
        <p class="caption">{frozen ?? lockedLater(form, spec)}</p>
      ) : null}
      {spec.matches_boxes ? (
        <Proposal
          isProposed={proposal !== null}
          disabled={disabled}
          onConfirm={(stamp) => actions.confirmProposal(spec, target, stamp)}
        />
      ) : null}
      {spec.matches_boxes ? (
        <Contradiction
          {...{ spec, form, target, disabled }}
          onConfirm={() => actions.confirm(spec, target)}
        />
      ) : null}
      <Problem
        id={ids.error}
        name={spec.name}
        problem={isCurrent(props.problem, value) ? props.problem : undefined}
        onAct={() => actions.clearProblem(key)}
      />
    </div>
  );
}

/** What will lock a field that can still be changed. */
function lockedLater(form: Form, spec: Pt.FieldSpec) {
  const isSet = form.protocol.pages_after.includes(spec.name) && !form.isUnset(spec);
  return isSet ? t("Opening a page locks this; until then it can be corrected.") : null;
}

/** Another value answers a problem, but not the server's refusal: it brings the former value back. */
function isCurrent(problem: FieldProblem | undefined, value: Value) {
  return problem?.refused || problem?.value === JSON.stringify(value);
}

function FieldStatus({ spec, isUnset }: { spec: Pt.FieldSpec; isUnset: boolean }) {
  if (!spec.required) return <span class="optional caption nowrap">{t("optional")}</span>;
  return <span class={isUnset ? "todo pill" : "todo pill done"}>{t("required")}</span>;
}

const hasHelp = ({ help, options }: Pt.FieldSpec) => help || options.some((option) => option.help);

function Help({ id, spec, open }: { id: string; spec: Pt.FieldSpec; open: boolean }) {
  const meanings = spec.options.filter((option) => option.help);
  return (
    <div class="field-help stack notice medium" id={id} hidden={!open}>
      {spec.help ? <p>{spec.help}</p> : null}
      {meanings.length ? (
        <dl class="stack tight">
          {meanings.map(({ value, label, help }) => (
            <div key={value}>
              <dt>{label}</dt>
              <dd>{help}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  );
}

interface ProposalProps {
  isProposed: boolean;
  disabled: boolean;
  onConfirm: (stamp: number) => void;
}

/** The boxes have filled the field: it counts once somebody says that it is right. */
function Proposal({ isProposed, disabled, onConfirm }: ProposalProps) {
  return (
    <LiveRegion class="proposal line medium" testid="proposal">
      {isProposed ? (
        <>
          <span>{t("From the boxes.")}</span>
          <Button
            testid="confirm-proposal"
            title={withKey(t("Confirm"), "confirmPage")}
            disabled={disabled}
            onClick={(event) => onConfirm(event.timeStamp)}
          >
            {withKey(t("Confirm"), "confirmPage")}
          </Button>
        </>
      ) : null}
    </LiveRegion>
  );
}

interface ContradictionProps extends Pick<FieldProps, "spec" | "form" | "target" | "disabled"> {
  onConfirm: () => void;
}

/** What the field says that the page's boxes do not. */
function Contradiction({ spec, form, target, disabled, onConfirm }: ContradictionProps) {
  const found = unconfirmed(form, spec, target);
  const labels = (values: string[]) =>
    spec.options
      .filter(({ value }) => values.includes(value))
      .map(({ label }) => label)
      .join(", ") || t("none of these");
  return (
    <LiveRegion class="notice warning medium" testid="contradiction">
      {found ? (
        <>
          <span>
            {sentence("differs_here", { chosen: labels(found.chosen), drawn: labels(found.drawn) })}
          </span>{" "}
          <Button testid="confirm-contradiction" disabled={disabled} onClick={onConfirm}>
            {t("Both are right")}
          </Button>
        </>
      ) : null}
    </LiveRegion>
  );
}

interface ProblemProps {
  id: string;
  name: string;
  problem: FieldProblem | undefined;
  /** The way out was taken. */
  onAct: () => void;
}

function Problem({ id, name, problem, onAct }: ProblemProps) {
  const way = problem?.way;
  return (
    <FieldError id={id} testid="field-error" data-field={name}>
      {problem ? <span>{problem.message}</span> : null}
      {way ? (
        <Button
          testid="field-way"
          onClick={() => {
            onAct();
            way.run();
          }}
        >
          {way.label}
        </Button>
      ) : null}
    </FieldError>
  );
}
