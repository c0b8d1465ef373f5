"""What an agent is told of a campaign's tasks, and which campaigns an agent cannot finish.

The guidelines of a campaign are written for people at a screen: they name keys and buttons that an
agent does not have.
"""

from __future__ import annotations

from collections.abc import Iterator

from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names


def check_can_finish(campaign: str, protocol: Protocol) -> None:
    """Refuse a campaign of which no agent could submit a task.

    Raises:
        ConflictError: it asks for something that agents have no tool for, or cannot be shown.
    """
    unsupported = list(_beyond_agents(protocol))
    if unsupported:
        presets = [name for name in preset_names() if not any(_beyond_agents(preset(name)))]
        raise ConflictError(
            f"An agent cannot finish a task of {campaign} (protocol {protocol.name}), which asks "
            f"for {' and '.join(unsupported)}. "
            "Agents can search, read pages, answer, cite, draw boxes and set fields of tasks and "
            f"pages, as in the presets {', '.join(presets)}.",
            code="not_for_agents",
        )


def takes_boxes(protocol: Protocol) -> bool:
    """Whether agents may draw boxes."""
    return protocol.boxes.enabled and protocol.boxes.add


def _beyond_agents(protocol: Protocol) -> Iterator[str]:
    boxes = protocol.boxes
    if boxes.enabled and boxes.check_all:
        yield "a judgement of each given element"
    if protocol.question.kind == "editable":
        yield "a question written by the annotator"
    if protocol.transcript.enabled:
        yield "the corrected text of pages"
    if protocol.tables.enabled:
        yield "the checked tables of pages"
    for spec in protocol.fields:
        shows_rows = any(column.required or not column.editable for column in spec.columns)
        if spec.kind == "records" and (spec.required or shows_rows):
            yield f"rows of the table “{spec.label}”"


def instructions(protocol: Protocol) -> str:
    """The task in a few sentences, in the terms of the tools."""
    return " ".join(_sentences(protocol))


def _sentences(protocol: Protocol) -> Iterator[str]:
    answer = protocol.answer
    if protocol.pages == "search":
        yield "Find the pages with search_documents and read them with read_page."
    else:
        yield "Read the pages that open_task gives with read_page."
    if answer.kind == "off":
        yield "No answer is asked for: set the fields, then call submit_answer with answer=[]."
    elif answer.kind == "text":
        yield "Answer in one text, from these pages alone."
    else:
        yield "Answer from these pages alone, as briefly as they allow, one item per thing asked."
    if protocol.evidence.enabled:
        yield "Cite every page that the answer rests on and no other."
    if answer.kind != "off" and answer.unanswerable:
        yield 'If the documents do not contain the answer, the outcome is "unanswerable".'
    if answer.kind != "off" and answer.not_found:
        yield 'If you looked and did not find it, the outcome is "not_found".'
    if takes_boxes(protocol):
        yield (
            "Draw boxes around the regions that the answer rests on with draw_box, on each page "
            "that requires them."
            if protocol.boxes.required
            else "You may draw boxes around the regions that the answer rests on with draw_box."
        )
    required = [spec.name for spec in protocol.fields if spec.required]
    if required:
        yield f"Before you submit, set {', '.join(required)} with set_field."
    if protocol.clock.limit_s is not None:
        yield f"Each task has {protocol.clock.limit_s:,} seconds."
