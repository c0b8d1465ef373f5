import { useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useId, useRef } from "preact/hooks";
import { Dialog, DialogButton, openDialog } from "../../shared/components/Dialog";
import { N_, t, tn } from "../../shared/messages";
import {
  changesByRule,
  LABELS,
  type LabelChange,
  type LabelChoice,
  labelChanges,
  labelsIn,
  mergeChoices,
  type RuleName,
  splitChoices,
} from "./chart_labels";
import "./ChartLabelsDialog.css";

export type LabelAction = "split" | "merge";

const WORDS = {
  split: {
    title: N_("Split a label"),
    legend: N_("Split where?"),
    button: N_("Split label"),
    between: "|",
    choices: splitChoices,
  },
  merge: {
    title: N_("Merge two labels"),
    legend: N_("Merge which?"),
    button: N_("Merge labels"),
    between: "+",
    choices: mergeChoices,
  },
};

const RULE_NAMES: Record<RuleName, (number: number) => string> = {
  both: (number) =>
    tn("All rows like it ({number} row)", "All rows like it ({number} rows)", number),
  start: (number) =>
    tn(
      "All rows, counted from the start of the label ({number} row)",
      "All rows, counted from the start of the label ({number} rows)",
      number,
    ),
  end: (number) =>
    tn(
      "All rows, counted from the end of the label ({number} row)",
      "All rows, counted from the end of the label ({number} rows)",
      number,
    ),
};

/** The ways to split or merge a row's labels. */
export const labelChoices = (action: LabelAction, cell: string) =>
  WORDS[action].choices(labelsIn(cell));

export interface ChartLabelsProps {
  action: LabelAction;
  /** of the chart, deleted ones too */
  rows: Pt.RecordRow[];
  /** whose labels are split or merged first */
  row: string;
  /** labels by row */
  onApply: (labels: Map<string, string>) => void;
}

/** Split or merge labels of one row, or of all rows like it. */
export function openChartLabels(host: Element, props: ChartLabelsProps) {
  return openDialog(host, (close) => <ChartLabelsDialog {...props} onClose={close} />);
}

function ChartLabelsDialog(props: ChartLabelsProps & { onClose: () => void }) {
  const { action, rows, row, onApply, onClose } = props;
  const { title, legend, button, between } = WORDS[action];
  const labels = rows.find((one) => one.row === row)?.values[LABELS] ?? "";
  const choices = labelChoices(action, labels);
  const chosen = useSignal(0);
  const scope = useSignal<"row" | RuleName>("row");
  const left = useSignal<ReadonlySet<string>>(new Set());
  const first = useRef<HTMLInputElement>(null);
  const choice: LabelChoice = choices[chosen.value];
  const rules = changesByRule(rows, choice).filter(({ changes }) => changes.length > 1);
  const rule = rules.find(({ name }) => name === scope.value);
  const here = labelChanges(rows, choice.here).filter((change) => change.row === row);
  const changes = rule ? rule.changes.filter((change) => !left.value.has(change.row)) : here;
  const choose = (value: "row" | RuleName) => {
    scope.value = value;
    left.value = new Set();
  };
  return (
    <Dialog
      title={t(title)}
      testid="labels-dialog"
      focus={first}
      onSubmit={() => {
        if (!changes.length) return;
        onApply(new Map(changes.map((change) => [change.row, change.after])));
        onClose();
      }}
      onClose={() => onClose()}
      actions={
        <>
          <DialogButton onClick={() => onClose()}>{t("Cancel")}</DialogButton>
          <DialogButton main testid="labels-apply" disabled={!changes.length}>
            {t(button)}
          </DialogButton>
        </>
      }
    >
      <RadioGroup
        legend={t(legend)}
        testid="labels-choice"
        inputRef={first}
        value={String(chosen.value)}
        options={choices.map(({ parts }, i) => ({
          value: String(i),
          text: (
            <>
              <bdi>{parts[0]}</bdi> <span class="label-between">{between}</span>{" "}
              <bdi>{parts[1]}</bdi>
            </>
          ),
        }))}
        onChoose={(value) => {
          chosen.value = Number(value);
          left.value = new Set();
        }}
      />
      <RadioGroup
        legend={t("In which rows?")}
        testid="labels-scope"
        value={rule ? rule.name : "row"}
        options={[
          { value: "row", text: t("Only this row") },
          ...rules.map(({ name, changes: all }) => ({
            value: name,
            text: RULE_NAMES[name](all.length),
          })),
        ]}
        onChoose={(value) => choose(value as "row" | RuleName)}
      />
      <Preview
        changes={rule?.changes ?? here}
        left={rule ? left.value : null}
        onToggle={(name) => {
          const others = [...left.value].filter((other) => other !== name);
          left.value = new Set(left.value.has(name) ? others : [...others, name]);
        }}
      />
    </Dialog>
  );
}

interface RadioGroupProps {
  legend: string;
  testid: string;
  value: string;
  options: { value: string; text: ComponentChildren }[];
  /** the first option */
  inputRef?: RefObject<HTMLInputElement | null>;
  onChoose: (value: string) => void;
}

function RadioGroup({ legend, testid, value, options, inputRef, onChoose }: RadioGroupProps) {
  const name = useId();
  return (
    <fieldset class="labels-group stack" data-testid={testid}>
      <legend>{legend}</legend>
      {options.map((option, i) => (
        <label key={option.value} class="line">
          <input
            type="radio"
            dir="auto"
            name={name}
            value={option.value}
            checked={option.value === value}
            ref={i === 0 ? inputRef : undefined}
            onChange={() => onChoose(option.value)}
          />
          <span class="wrap">{option.text}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface PreviewProps {
  changes: LabelChange[];
  /** rows that are left as they are; null where none can be */
  left: ReadonlySet<string> | null;
  onToggle: (row: string) => void;
}

/** What becomes of each row; with several, each can be left as it is. */
function Preview({ changes, left, onToggle }: PreviewProps) {
  return (
    <ul class="labels-preview scrolls" data-testid="labels-preview" aria-label={t("Preview")}>
      {changes.map(({ row, number, before, after }) => {
        const text = (
          <span class="wrap">
            <span class="quiet number">{number}</span> <bdi class="quiet">{before}</bdi>{" "}
            <span aria-hidden="true">→</span> <bdi>{after}</bdi>
          </span>
        );
        return (
          <li key={row}>
            {left ? (
              <label class="line">
                <input
                  type="checkbox"
                  dir="auto"
                  checked={!left.has(row)}
                  onChange={() => onToggle(row)}
                />
                {text}
              </label>
            ) : (
              text
            )}
          </li>
        );
      })}
    </ul>
  );
}
