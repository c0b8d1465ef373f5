"""Boxes, fields, rows and checks of a trajectory in words."""

from __future__ import annotations

from collections.abc import Sized

from pagetrail.annotation import events as ev
from pagetrail.annotation.protocols.fields import Value

_EXCERPT = 80


def describe_work(payload: ev.AnyPayload) -> str:
    """What an event on boxes, fields, rows, the question or the pilot says."""
    match payload:
        case ev.BoxDrawn():
            verb = "Duplicated" if payload.how == "duplicated" else "Drew"
            around = " around selected words" if payload.how == "selection" else ""
            where = page_words(payload.document, payload.page)
            return f"{verb} a box “{payload.label}”{around} on {where}"
        case ev.BoxMoved():
            by_keys = " by keys" if payload.how == "nudge" else ""
            return f"Moved box {payload.box}{by_keys}"
        case ev.BoxResized():
            return f"Resized box {payload.box}"
        case ev.BoxLabelled():
            return f"Labelled box {payload.box} “{payload.label}”"
        case ev.BoxContentEdited():
            return text_words(f"text of box {payload.box}", payload.content)
        case ev.BoxOrdered(order=None):
            return f"Took box {payload.box} out of the reading order"
        case ev.BoxOrdered():
            return f"Put box {payload.box} at place {payload.order} of the reading order"
        case ev.BoxAttributesEdited():
            return f"Changed the attributes of box {payload.box}"
        case ev.BoxAccepted():
            return f"{'Accepted' if payload.accepted else 'No longer accepts'} box {payload.box}"
        case ev.BoxDeleted():
            return f"Deleted box {payload.box}"
        case ev.Undone():
            return f"Undid a change of boxes on {page_words(payload.document, payload.page)}"
        case ev.Redone():
            return f"Did a change of boxes on {page_words(payload.document, payload.page)} again"
        case ev.ElementsSeeded():
            where = page_words(payload.document, payload.page)
            return f"Was given {_count(payload.elements, 'element')} of a model on {where}"
        case _:
            return _describe_form(payload)


def _describe_form(payload: ev.AnyPayload) -> str:
    match payload:
        case ev.FieldSet():
            if payload.value is None:
                return f"Cleared {payload.field}{_target(payload)}"
            return f"Set {payload.field}{_target(payload)} to {_value(payload.value)}"
        case ev.RowSet() if not payload.values:
            return f"Began row {payload.row} of {payload.field}{_target(payload)}"
        case ev.RowSet():
            cells = ", ".join(f"{name} = {quoted(cell)}" for name, cell in payload.values.items())
            return f"Set row {payload.row} of {payload.field}{_target(payload)}: {cells}"
        case ev.RowDeleted():
            return f"Deleted row {payload.row} of {payload.field}{_target(payload)}"
        case ev.RowsSeeded():
            return f"Was given {_count(payload.rows, 'row')} of a model in {payload.field}"
        case ev.QuestionEdited():
            return text_words("question", payload.text)
        case ev.Checked():
            warned = [finding.check for finding in payload.findings if finding.status == "warning"]
            return f"Ran the checks: {', '.join(warned) if warned else 'nothing to warn of'}"
        case ev.FeedbackGiven():
            return f"Was shown the gold: {payload.score * 100:.0f} % right"
        case _:
            return payload.type


def _count(things: Sized, noun: str) -> str:
    return f"1 {noun}" if len(things) == 1 else f"{len(things)} {noun}s"


def _target(payload: ev.Targeted) -> str:
    if payload.box is not None:
        return f" of box {payload.box}"
    if payload.document is not None and payload.page is not None:
        return f" of {page_words(payload.document, payload.page)}"
    return ""


def _value(value: Value) -> str:
    if isinstance(value, tuple):
        return ", ".join(map(quoted, value)) or "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "nothing"
    return quoted(value) if isinstance(value, str) else f"{value:g}"


def page_words(document: str, page: int) -> str:
    """``report.pdf page 3``."""
    return f"{document} page {page}"


def text_words(what: str, text: str) -> str:
    """What was written, or that it was emptied."""
    if not text.strip():
        return f"Emptied the {what}"
    return f"Wrote the {what} {quoted(text)}"


def quoted(text: str) -> str:
    """In quotation marks, on one line, cut when long, without characters that cannot be seen."""
    line = " / ".join(part.strip() for part in text.splitlines() if part.strip())
    line = line[: _EXCERPT + 1]
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    return f"“{line[:_EXCERPT]}…”" if len(line) > _EXCERPT else f"“{line}”"
