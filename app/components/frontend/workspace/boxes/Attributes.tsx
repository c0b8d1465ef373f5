import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Button, IconButton } from "../../shared/components/Button";
import { FieldError } from "../../shared/components/FieldError";
import { Icon } from "../../shared/components/Icon";
import { TextInput } from "../../shared/components/TextInput";
import { MAX_ATTRIBUTES } from "../../shared/limits";
import { t } from "../../shared/messages";
import type { Texts } from "../fields/text_drafts";
import { useFlushed } from "./flushed";
import "./Attributes.css";

type Values = Record<string, string>;

interface Row {
  key: number;
  name: string;
  value: string;
  /** It was just added, and takes the focus. */
  isNew?: boolean;
}

export interface AttributesProps {
  box: Pt.PageBox;
  attempt: string;
  readOnly: boolean;
  texts: Texts;
  /** Whether a click may remove one now. */
  mayRemove: () => boolean;
  onCommit: (attributes: Values) => void;
}

/** Attributes of the selected box: rows of name and value, handed over when left and valid. */
export function Attributes(props: AttributesProps) {
  const { box, attempt, readOnly, texts, mayRemove, onCommit } = props;
  const nextKey = useRef(0);
  const makeRow = (name: string, value: string): Row => {
    nextKey.current += 1;
    return { key: nextKey.current, name, value };
  };
  const storedRows = () =>
    Object.entries(box.attributes).map(([name, value]) => makeRow(name, value));
  const rows = useSignal<Row[]>([]);
  const error = useSignal("");

  const stored = JSON.stringify(box.attributes);
  useLayoutEffect(() => {
    if (JSON.stringify(valuesOf(rows.peek()).attributes) === stored) return;
    rows.value = storedRows();
    error.value = "";
  }, [stored]);
  const flush = () => {
    const { attributes, error: wrong } = valuesOf(rows.peek());
    error.value = wrong ?? "";
    if (attributes && JSON.stringify(attributes) !== stored) onCommit(attributes);
  };
  useFlushed(texts, attempt, flush);

  const append = () => {
    if (rows.value.length < MAX_ATTRIBUTES)
      rows.value = [...rows.value, { ...makeRow("", ""), isNew: true }];
    else error.value = t("A box has at most {most} attributes.", { most: MAX_ATTRIBUTES });
  };
  const change = (changed: Row) => {
    rows.value = rows.value.map((row) => (row.key === changed.key ? changed : row));
  };
  const remove = ({ key }: Row) => {
    if (!mayRemove()) return;
    rows.value = rows.value.filter((row) => row.key !== key);
    flush();
  };
  const model = box.model?.attributes ?? null;
  const gone = Object.entries(model ?? {}).filter(([name]) => !(name in box.attributes));
  return (
    <div class="attributes" role="group" aria-label={t("Attributes")}>
      <div class="elements-head line">
        <h3>{t("Attributes")}</h3>
        {readOnly ? null : (
          <Button class="button small quiet-button" testid="attribute-add" onClick={append}>
            <Icon name="plus" />
            {t("Attribute")}
          </Button>
        )}
      </div>
      <ul class="attribute-list stack">
        {rows.value.map((row) => (
          <AttributeRow
            key={row.key}
            {...{ row, model, readOnly }}
            onType={change}
            onFlush={flush}
            onRemove={remove}
          />
        ))}
      </ul>
      <FieldError>{error}</FieldError>
      {gone.length ? (
        <p class="model-line caption wrap">
          {t("Model: {values}", {
            values: gone.map(([name, value]) => `${name} = ${value}`).join(", "),
          })}
        </p>
      ) : null}
    </div>
  );
}

interface AttributeRowProps {
  row: Row;
  /** the model's attributes, where the box is a model's */
  model: Values | null;
  readOnly: boolean;
  onType: (row: Row) => void;
  onFlush: () => void;
  onRemove: (row: Row) => void;
}

function AttributeRow({ row, model, readOnly, onType, onFlush, onRemove }: AttributeRowProps) {
  const nameInput = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (row.isNew) nameInput.current?.focus();
  }, []);
  const handOver = {
    onChange: onFlush,
    onKeyDown: (event: KeyboardEvent) => event.key === "Enter" && onFlush(),
  };
  const theirs = model?.[row.name];
  return (
    <li data-testid="attribute">
      <TextInput
        ref={nameInput}
        testid="attribute-name"
        aria-label={t("Name")}
        placeholder={t("Name")}
        maxLength={100}
        readOnly={readOnly}
        value={row.name}
        onInput={(event) => onType({ ...row, name: event.currentTarget.value })}
        {...handOver}
      />
      <TextInput
        testid="attribute-value"
        aria-label={t("Value")}
        placeholder={t("Value")}
        maxLength={1000}
        readOnly={readOnly}
        value={row.value}
        onInput={(event) => onType({ ...row, value: event.currentTarget.value })}
        {...handOver}
      />
      <IconButton
        class="icon-button small"
        icon="close"
        label={t("Remove the attribute {name}", { name: row.name })}
        title={t("Remove this attribute")}
        testid="attribute-remove"
        disabled={readOnly}
        onClick={() => onRemove(row)}
      />
      {model !== null && theirs !== row.value ? (
        <span class="model-line caption wrap">
          {t("Model: {value}", { value: theirs ?? t("none") })}
        </span>
      ) : null}
    </li>
  );
}

/** The rows as attributes, or what is wrong with them. */
function valuesOf(rows: Row[]): { attributes?: Values; error?: string } {
  const attributes: Values = {};
  for (const { name, value } of rows) {
    const key = name.trim();
    if (!key && !value) continue;
    if (!key) return { error: t("An attribute needs a name.") };
    if (key in attributes)
      return { error: t("The attribute “{name}” is there twice.", { name: key }) };
    attributes[key] = value;
  }
  return { attributes };
}
