"""Reads an agent's final answer: JSON, the arguments of a submit tool, or text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.madqa import read_outcome
from pagetrail.storage.importers.runs.values import Notes

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)
_SUBMIT = re.compile(r"(^|[^a-z0-9])(submit|submit_answer|final_answer)$", re.IGNORECASE)
_SKIP = re.compile(r"(^|[^a-z0-9])skip_task$", re.IGNORECASE)
_SKIPPED = "skip_task()"


@dataclass(frozen=True)
class FinalAnswer:
    """An agent's final answer, with its citations, its outcome and the agent's confidence in it."""

    answer: tuple[str, ...] = ()
    citations: tuple[tuple[str, int], ...] = ()
    outcome: ev.Outcome = "not_found"
    confidence: float | None = None


def submission_of(tool: str, arguments: Any) -> dict[str, Any] | None:
    """What a tool call submits; None if it is not a call of a submit tool.

    Agents sometimes write lists, or all arguments, as JSON text.
    """
    parsed = _parsed_if_json(arguments)
    if not isinstance(parsed, dict):
        return None
    if _SKIP.search(tool):
        return {"answer": None, _SKIPPED: True}
    if not _SUBMIT.search(tool) or not ("answer" in parsed or "outcome" in parsed):
        return None
    return {"answer": None} | {name: _parsed_if_json(value, "[") for name, value in parsed.items()}


def _parsed_if_json(value: Any, opening: str = "{") -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return value
    try:
        return loads(value)
    except ValueError:
        return value


def find_answer_object(value: Any) -> dict[str, Any] | None:
    """The object with an ``answer`` in a value: the value itself, JSON text, a fenced block, or the
    end of a text from some line on.

    The last of several fenced blocks is used.
    """
    if isinstance(value, str):
        tails = (value[at:] for at in (value.find("\n{"), value.rfind("\n{")) if at >= 0)
        texts = [value, *reversed(_FENCED.findall(value)), *tails]
        return next(filter(None, map(_object_with_answer, texts)), None)
    return value if isinstance(value, dict) and "answer" in value else None


def _object_with_answer(text: str) -> dict[str, Any] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) and "answer" in value else None


def read_final_answer(
    value: Any, notes: Notes, fields_outside: Mapping[str, Any] = MappingProxyType({})
) -> FinalAnswer:
    """The answer in an object with ``answer``, ``citations``, ``outcome`` and ``confidence``, or in
    plain text.

    Args:
        fields_outside: has ``citations`` and ``confidence`` if the object does not.

    Raises:
        ValueError: an answer or a citation is malformed.
    """
    answer_object = find_answer_object(value)
    while answer_object is not None:
        # The ``answer`` argument of a tool may itself be such an object.
        nested = find_answer_object(answer_object["answer"])
        if nested is None:
            break
        answer_object = {**answer_object, **nested}
    fields = {"answer": value} if answer_object is None else answer_object
    if fields.get(_SKIPPED) is True:
        notes.add("the agent skipped the task; it is imported as “no answer found”")
    answer = values.read_answers(fields["answer"], notes)
    citations, confidence = (
        fields_outside.get(name) if fields.get(name) is None else fields[name]
        for name in ("citations", "confidence")
    )
    return FinalAnswer(
        answer,
        values.read_citations(citations, notes),
        read_outcome(fields.get("outcome"), answer, notes),
        values.read_confidence(confidence, notes),
    )
