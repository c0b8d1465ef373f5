"""The form in which a supervisor corrects a task's gold."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import FieldSpec, Value
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.review.gold_correction import FieldKey, GoldCorrection
from pagetrail.app.reviewing.gold_evidence import (
    Page,
    current_record,
    field_value,
    gold_pages,
    option_label,
    option_text,
    part_heading,
)
from pagetrail.app.ui.answer_fields import gold_answer, read_answer_fields, show_answer_fields
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.exports.reports.per_task.gold_labels import GoldPart
from pagetrail.exports.reports.suspects.reading import TaskEvidence


def show_correction_fields(protocol: Protocol, evidence: TaskEvidence, key: str) -> None:
    """Show the gold's answers, evidence and fields as inputs; ``read_correction`` reads them."""
    record = current_record(evidence)
    if protocol.answer.kind != "off":
        show_answer_fields(gold_answer(record), f"{key}-answer")
    if protocol.evidence.enabled:
        st.text_area(
            gettext("Evidence, one page per line"),
            "\n".join(f"{document} {number}" for document, number in gold_pages(record)),
            key=f"{key}-evidence",
            help=gettext("The document’s name, a space, and the number of the page."),
        )
    for part in evidence.parts:
        spec = protocol.field(part.field) if part.field is not None else None
        if spec is not None:
            _show_field(protocol, spec, part, record, key)


def _show_field(
    protocol: Protocol, spec: FieldSpec, part: GoldPart, record: dict[str, Any], key: str
) -> None:
    value = field_value(record, part)
    label = literal(part_heading(protocol, part))
    widget_key = f"{key}-field-{part.part}"
    options = [option.value for option in spec.options]
    if spec.kind == "multi":
        st.multiselect(
            label,
            options,
            [str(item) for item in value or ()],
            key=widget_key,
            format_func=lambda option: option_label(spec, option),
        )
    elif options:
        text = option_text(value)
        st.selectbox(
            label,
            options,
            index=options.index(text) if text in options else None,
            key=widget_key,
            format_func=lambda option: option_label(spec, option),
        )
    elif spec.kind == "boolean":
        st.checkbox(label, bool(value), key=widget_key)
    elif spec.kind == "number":
        st.number_input(label, value=value, key=widget_key)
    else:
        st.text_input(label, str(value or ""), key=widget_key)


def read_correction(protocol: Protocol, gold_evidence: TaskEvidence, key: str) -> GoldCorrection:
    """What the form says, as far as it differs from the gold.

    Raises:
        Refusal: a line of the evidence is no document and page, or it is unclear whether the
            lines of an answer are one answer or several.
    """
    state = st.session_state
    record = current_record(gold_evidence)
    answers, evidence, unanswerable = None, None, False
    if protocol.answer.kind != "off":
        current = gold_answer(record)
        typed = read_answer_fields(current, protocol.answer.kind, f"{key}-answer")
        unanswerable = typed.unanswerable
        if typed != current:
            answers = typed.variants
    if protocol.evidence.enabled:
        pages = parse_pages(str(state.get(f"{key}-evidence") or ""))
        if pages != gold_pages(record):
            evidence = pages
    values: dict[FieldKey, Value] = {}
    for part in gold_evidence.parts:
        widget_key = f"{key}-field-{part.part}"
        spec = protocol.field(part.field) if part.field is not None else None
        if spec is None or widget_key not in state:
            continue
        value = state[widget_key]
        value = tuple(value) if isinstance(value, list) else value
        if _comparable(value) != _comparable(field_value(record, part)):
            values[_field_key(part)] = value
    return GoldCorrection(answers, unanswerable, evidence, values)


def parse_pages(text: str) -> list[Page]:
    """The pages of the form's field for evidence.

    Raises:
        Refusal: a line that is no document and page.
    """
    pages: list[Page] = []
    for line in text.splitlines():
        if not line.strip():
            continue
        document, _, number = line.strip().rpartition(" ")
        if not document or not number.isdecimal() or int(number) < 1:
            raise Refusal(
                gettext(
                    "“{line}” is no page: write the document’s name, a space and the number.",
                    line=line.strip(),
                ),
                code="bad_page",
            )
        pages.append((document.strip(), int(number)))
    return list(dict.fromkeys(pages))


def _comparable(value: object) -> object:
    if isinstance(value, list | tuple):
        return sorted(map(option_text, value))
    return value if isinstance(value, bool) else option_text(value)


def _field_key(part: GoldPart) -> FieldKey:
    return part.field or "", part.document, part.page
