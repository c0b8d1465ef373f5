"""The evidence on a task's gold: gold and participants in a table, and their pages side by side."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.metrics.correctness import JUDGED_CORRECT_FROM
from pagetrail.annotation.protocols.fields import FieldSpec
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.ui.answer_fields import gold_answer
from pagetrail.app.ui.current_user import signed_in
from pagetrail.exports.reports.per_task.gold_labels import ANSWER, GoldPart
from pagetrail.exports.reports.suspects.reading import ParticipantEvidence, TaskEvidence

SEPARATOR = "; "
"""Between the items of an answer."""

_WITHOUT_ANSWER = {"not_found": N_("not found"), "unanswerable": N_("unanswerable")}
"""Outcomes that say why there is no answer."""

_PAGE_DPI = 150
Page = tuple[str, int]


def evidence_frame(protocol: Protocol, evidence: TaskEvidence) -> pd.DataFrame:
    """Gold and participants, a row each; a column per part."""
    record = current_record(evidence)
    rows = [_gold_row(protocol, evidence, record, gettext("Gold"))]
    if record is not evidence.record:
        rows.append(_gold_row(protocol, evidence, evidence.record, gettext("Gold before checks")))
    rows += [_participant_row(protocol, evidence, p) for p in evidence.participants]
    columns = [name for name in rows[0] if any(row.get(name) for row in rows)]
    return pd.DataFrame(rows, columns=columns)


def _gold_row(
    protocol: Protocol, evidence: TaskEvidence, record: dict[str, Any], name: str
) -> dict[str, str]:
    row = {gettext("Who"): name}
    for part in evidence.parts:
        row[part_heading(protocol, part)] = (
            _gold_answer(record) if part.part == ANSWER else _shown_value(protocol, part, record)
        )
    row[gettext("Counts as correct")] = ""
    row[gettext("Pages")] = _page_words(gold_pages(record))
    row[gettext("Judge")] = row[gettext("People’s verdict")] = ""
    return row


def _participant_row(
    protocol: Protocol, evidence: TaskEvidence, participant: ParticipantEvidence
) -> dict[str, str]:
    work = participant.work
    row = {gettext("Who"): participant.name}
    for part in evidence.parts:
        label = participant.labels.get(part.part)
        if part.part == ANSWER:
            without_answer = gettext(_WITHOUT_ANSWER.get(work.outcome or "", N_("no answer")))
            row[part_heading(protocol, part)] = SEPARATOR.join(work.answer) or without_answer
        else:
            spec = protocol.field(part.field or "")
            row[part_heading(protocol, part)] = (
                option_label(spec, label) if spec is not None and label is not None else ""
            )
    labelled_parts = [part for part in evidence.parts if part.part in participant.labels]
    same = [participant.labels[part.part] == part.label for part in labelled_parts]
    is_undecided = bool(work.answer) and ANSWER not in participant.labels
    row[gettext("Counts as correct")] = (
        gettext("no")
        if not all(same)
        else gettext("undecided")
        if is_undecided
        else gettext("yes")
        if same
        else ""
    )
    row[gettext("Pages")] = _page_words(work.pages)
    row[gettext("Judge")] = _verdict_words(participant.judge)
    row[gettext("People’s verdict")] = _verdict_words(participant.people)
    return row


def show_evidence_pages(app: Services, evidence: TaskEvidence) -> None:
    """Show a page of the gold next to a page that participants cite instead."""
    pages_of_gold = gold_pages(current_record(evidence))
    cited: dict[Page, int] = {}
    for participant in evidence.participants:
        for page in participant.work.pages:
            cited[page] = cited.get(page, 0) + 1
    others = sorted(
        (page for page in cited if page not in pages_of_gold), key=lambda page: (-cited[page], page)
    )
    if not pages_of_gold and not others:
        return
    token = oversight_token(app, signed_in())
    left, right = st.columns(2)
    for column, pages, title in (
        (left, pages_of_gold, gettext("Evidence of the gold")),
        (right, others, gettext("Other pages that participants cite")),
    ):
        if not pages:
            column.caption(gettext("{title}: none", title=title))
            continue
        page = column.selectbox(
            title,
            pages,
            format_func=_page_name,
            key=f"gold-page-{title}-{evidence.task}",
        )
        info = app.corpus.document(page[0])
        if info is None or not 1 <= page[1] <= info.n_pages:
            column.caption(gettext("This page is not in the collection."))
            continue
        address = f"{PREFIX}/page/{info.sha256}/{page[1]}?v={token}&dpi={_PAGE_DPI}"
        # Streamlit reads an image of an address without a server from its own disk.
        column.html(
            f'<img src="{escape(address)}" alt="{escape(_page_name(page))}" loading="lazy" '
            'style="width: 100%; border: 1px solid #8886">'
        )


def current_record(evidence: TaskEvidence) -> dict[str, Any]:
    """The task's record with the gold as it is now."""
    checked = evidence.checked
    return checked.after if checked is not None and checked.after is not None else evidence.record


def _gold_answer(record: dict[str, Any]) -> str:
    if record.get("unanswerable"):
        return gettext("unanswerable")
    alternative = gettext("or")
    return f"\n{alternative}\n".join(map(SEPARATOR.join, gold_answer(record).variants))


def gold_pages(record: dict[str, Any]) -> list[Page]:
    """The pages that the gold cites."""
    return [(str(page["document"]), int(page["page"])) for page in record.get("evidence") or []]


def _page_words(pages: Sequence[Page]) -> str:
    return ", ".join(map(_page_name, pages))


def _page_name(page: Page) -> str:
    return gettext("{document}, page {page}", document=page[0], page=page[1])


def _verdict_words(verdict: float | None) -> str:
    if verdict is None:
        return ""
    return gettext("right") if verdict >= JUDGED_CORRECT_FROM else gettext("wrong")


def part_heading(protocol: Protocol, part: GoldPart) -> str:
    """A part of the gold as people know it."""
    if part.part == ANSWER:
        return gettext("Answer")
    spec = protocol.field(part.field or "")
    return part.part if spec is None else part.part.replace(spec.name, spec.label, 1)


def _shown_value(protocol: Protocol, part: GoldPart, record: dict[str, Any]) -> str:
    spec = protocol.field(part.field or "")
    value = field_value(record, part)
    values = value if isinstance(value, list) else [value]
    return ", ".join(
        option_label(spec, option_text(item)) if spec is not None else str(item)
        for item in values
        if item is not None
    )


def option_label(spec: FieldSpec, value: str) -> str:
    """The label of an option, or the value of a field without options."""
    option = spec.option(value)
    return option.label if option is not None else value


def option_text(value: object) -> str:
    """A value as options state it: whole numbers without a decimal point; empty for None."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return "" if value is None else str(value)


def field_value(record: dict[str, Any], part: GoldPart) -> Any:
    """The gold's value of a field of the task or of a page; None without one."""
    gold = record.get("gold") or {}
    if part.page is None:
        return (gold.get("fields") or {}).get(part.field)
    for page in gold.get("pages") or []:
        if (page["document"], page["page"]) == (part.document, part.page):
            return page["fields"].get(part.field)
    return None
