"""The answer that an agent gave at the end: as JSON, through a tool that submits, or as text."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs import values
from pagetrail.storage.importers.runs.madqa import outcome_of
from pagetrail.storage.importers.runs.values import Notes

_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)\n?\s*```", re.DOTALL | re.IGNORECASE)
_SUBMIT = re.compile(r"(^|[^a-z0-9])(submit|submit_answer|final_answer)$", re.IGNORECASE)
_SKIP = re.compile(r"(^|[^a-z0-9])skip_task$", re.IGNORECASE)
_SKIPPED = "skip_task()"


@dataclass(frozen=True)
class Final:
    """What was submitted."""

    answer: tuple[str, ...] = ()
    citations: tuple[tuple[str, int], ...] = ()
    outcome: ev.Outcome = "not_found"


def submitted(tool: str, arguments: Any) -> dict[str, Any] | None:
    """What a call of a tool submits; None for any other call.

    Agents write lists as JSON text now and then, and all arguments as well.
    """
    given = _parsed_if_json(arguments)
    if not isinstance(given, dict):
        return None
    if _SKIP.search(tool):
        return {"answer": None, _SKIPPED: True}
    if not _SUBMIT.search(tool) or not ("answer" in given or "outcome" in given):
        return None
    return {"answer": None} | {name: _parsed_if_json(value, "[") for name, value in given.items()}


def _parsed_if_json(value: Any, opening: str = "{") -> Any:
    if not isinstance(value, str) or not value.lstrip().startswith(opening):
        return value
    try:
        return loads(value)
    except ValueError:
        return value


def structured(value: Any) -> dict[str, Any] | None:
    """An object with an ``answer``: as it is, as JSON text, in a fenced block, or from some line
    to the end of a text.

    Of several fenced blocks the last one counts.
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


def final(value: Any, notes: Notes, citations: Any = None) -> Final:
    """The answer in an object with ``answer``, ``citations`` and ``outcome``, or in plain text.

    Args:
        citations: those given elsewhere, where the object has none.

    Raises:
        ValueError: an answer or a citation is not of its form.
    """
    found = structured(value)
    while found is not None:
        # A tool's argument ``answer`` may itself be such an object.
        inner = structured(found["answer"])
        if inner is None:
            break
        found = {**found, **inner}
    given = {"answer": value} if found is None else found
    if given.get(_SKIPPED) is True:
        notes.add("the agent skipped the task, which is imported as no answer found")
    answer = values.answers(given["answer"], notes)
    cited = given.get("citations")
    return Final(
        answer,
        values.citations(citations if cited is None else cited, notes),
        outcome_of(given.get("outcome"), answer, notes),
    )
