"""Reads values that all formats of runs share: answers, citations, search results, texts, times."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from pydantic import ValidationError

from pagetrail.annotation.events.agents import MAX_DETAILS, MAX_PROMPT, MAX_STEP_TEXT
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.readable_errors import describe, short_value
from pagetrail.annotation.runs.record import MAX_CITATIONS
from pagetrail.annotation.runs.timestamps import read_stamp
from pagetrail.annotation.tasks.task import MAX_ID, PageRef, clean_control, read_task
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.importers.files.field_types import answer_text, first_value
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.files.kept_fields import FieldCounts

MAX_RESULTS = 1_000

Hits = tuple[SearchHit, ...]


class SearchResults(NamedTuple):
    """The pages that a search returned, and the total number of matches if stated."""

    hits: Hits
    total: int | None


class Notes:
    """Collects how reading a run deviated from its file.

    Attributes:
        not_kept: counts of fields that are not kept.
    """

    def __init__(self) -> None:
        self.not_kept = FieldCounts()
        self._counts: dict[str, int] = {}

    def add(self, sentence: str) -> None:
        """Add a sentence, or count it if it was added before."""
        self._counts[sentence] = self._counts.get(sentence, 0) + 1

    def all(self) -> tuple[str, ...]:
        """The sentences in order of first occurrence."""
        return tuple(
            text if count == 1 else f"{text} ({count:,} times)"
            for text, count in self._counts.items()
        )


def printable_id(value: Any) -> str | None:
    """An id as shown in reports, valid or not; None if it is neither text nor a number."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return clean_text(clean_control(str(value)[:MAX_ID])[0])[0]


def storable_text(text: str, notes: Notes) -> str:
    """The text without control characters, and with U+FFFD for invalid characters."""
    storable, replaced = clean_text(text)
    cleaned, removed = clean_control(storable)
    if removed or replaced:
        notes.add("control characters or lone surrogates are removed or replaced")
    return cleaned


def read_model_name(value: Any, notes: Notes) -> str | None:
    """A model's name; None if it is not text or blank."""
    if not isinstance(value, str) or not value.strip():
        return None
    return storable_text(value, notes)[:1_000]


def read_short_text(value: Any, notes: Notes, longest: int = 1_000) -> str | None:
    """A name, version or id given as text or number; None for other types and blank text."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str) or not value.strip():
        return None
    return storable_text(value, notes)[:longest]


def read_prompt(value: Any, notes: Notes, description: str) -> str:
    """Text of a prompt given as text or parts; cut, with a note, if it is very long."""
    text = storable_text(join_text_parts(value), notes)
    if len(text) > MAX_PROMPT:
        notes.add(f"{description} is cut at {MAX_PROMPT:,} characters")
    return text[:MAX_PROMPT]


def read_step_text(value: Any, notes: Notes) -> str:
    """The reasoning of a step; cut, with a note, if it is too long."""
    text = storable_text(join_text_parts(value), notes)
    if len(text) > MAX_STEP_TEXT:
        notes.add(f"the reasoning of a step is cut at {MAX_STEP_TEXT:,} characters")
    return text[:MAX_STEP_TEXT]


def read_reply(content: Any) -> str | None:
    """Text that a tool returned: parts are joined, other values become JSON; None without text."""
    if content is None or isinstance(content, str):
        return content
    if isinstance(content, list) and any(
        isinstance(part, dict) and part.get("type") == "text" for part in content
    ):
        return join_text_parts(content)
    if isinstance(content, list) and content and all(map(_is_media, content)):
        return None
    try:
        return json.dumps(content, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None


def _is_media(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") in ("image", "audio", "video")


def read_tool_definitions(definitions: Any, notes: Notes, field: str) -> tuple[dict[str, Any], ...]:
    """Tool definitions; empty, and counted as not kept, if invalid or too large."""
    tools = definitions if isinstance(definitions, list) else []
    if definitions and not (tools and all(isinstance(tool, dict) for tool in tools)):
        notes.not_kept.add(field)
        return ()
    stored = storable_object({"tools": tools}, notes, field) if tools else {}
    return tuple(stored.get("tools", ()))


def storable_object(value: Any, notes: Notes, field: str) -> dict[str, Any]:
    """An object that an event can store: JSON of bounded size, with storable text.

    Other values, and objects that are too large or not valid JSON, are counted as not kept.
    """
    if not isinstance(value, dict) or not value:
        if value:
            notes.not_kept.add(field)
        return {}
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        notes.not_kept.add(field)
        return {}
    if len(text) > MAX_DETAILS:
        notes.not_kept.add(field)
        return {}
    stored = _storable(value)
    return stored if isinstance(stored, dict) else {}


def _storable(value: Any) -> Any:
    if isinstance(value, str):
        return clean_text(value)[0]
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {clean_text(str(name))[0]: _storable(item) for name, item in value.items()}
    return value


def read_answers(value: Any, notes: Notes) -> tuple[str, ...]:
    """Answers given as text, number, or a list of these; blank text and null are ignored.

    Raises:
        ValueError: any other type.
    """
    items = value if isinstance(value, list) else [value]
    try:
        texts = [storable_text(answer_text(item), notes) for item in items if item is not None]
    except ValueError as error:
        raise ValueError(f"answer: {error}") from error
    return tuple(text for text in texts if text.strip())


def read_citations(value: Any, notes: Notes) -> tuple[tuple[str, int], ...]:
    """Distinct (document, page) pairs in the agent's order.

    Page 0 and negative pages are left out with a note, since events cannot store them.

    Raises:
        ValueError: a citation without document or valid page number; names its position.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError(
            'citations: must be a list such as [{"file": "report.pdf", "page": 3}], '
            f"not {short_value(value)}"
        )
    if len(value) > MAX_CITATIONS:
        raise ValueError(f"citations: {len(value):,} are too many; {MAX_CITATIONS:,} are allowed")
    pages = []
    for index, item in enumerate(value):
        if _is_before_page_1(item):
            # import-tasks does the same with gold, so that people and systems are treated alike.
            notes.add("a citation of a page before page 1 is left out: pages are counted from 1")
        else:
            pages.append(_page(item, f"citations[{index}]", notes))
    return tuple(dict.fromkeys(pages))


def _is_before_page_1(item: Any) -> bool:
    page = item.get("page", item.get("page_number")) if isinstance(item, dict) else None
    if isinstance(page, str) and re.fullmatch(r"\s*[+-]?\d{1,9}\s*", page):
        page = int(page)
    return isinstance(page, int | float) and not isinstance(page, bool) and page < 1


def _page(item: Any, location: str, notes: Notes) -> tuple[str, int]:
    if not isinstance(item, dict):
        raise ValueError(
            f'{location}: must be an object such as {{"file": "report.pdf", "page": 3}}, '
            f"not {short_value(item)}"
        )
    fields = {
        "document": item.get("document", item.get("file")),
        "page": item.get("page", item.get("page_number")),
    }
    if isinstance(fields["document"], str):
        fields["document"] = storable_text(fields["document"], notes)
    try:
        return PageRef.model_validate(fields).key
    except ValidationError as error:
        raise ValueError(f"{location}.{describe(error)}") from error


def read_hits(value: Any) -> SearchResults | None:
    """The pages that a search returned, and the total number of matches if stated.

    Args:
        value: a list of ``{file|document, page}``, such a list under ``results``, or either as
            JSON text.

    Returns:
        None for any other value: the results are unknown.
    """
    if isinstance(value, str):
        try:
            value = loads(value)
        except ValueError:
            return None
    total = None
    if isinstance(value, dict):
        total = read_count(value.get("total_hits"))
        value = value.get("results")
    if not isinstance(value, list) or len(value) > MAX_RESULTS:
        return None
    try:
        pages = [_page(item, "result", Notes()) for item in value]
    except ValueError:
        return None
    hits = tuple(
        SearchHit(rank=rank, file=name, page=page, score=None)
        for rank, (name, page) in enumerate(pages, start=1)
    )
    return SearchResults(hits, total if total is not None and total >= len(hits) else None)


def read_count(value: Any) -> int | None:
    """A non-negative whole number below 10⁹, or None."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < 10**9 else None


def read_confidence(value: Any, notes: Notes) -> float | None:
    """A number from 0 to 1, or None; adds a note on anything else."""
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            value = math.nan
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 <= value <= 1:
        return float(value)
    if value is not None:
        notes.add("its confidence is not a number from 0 to 1 and is ignored")
    return None


def read_timestamp(value: str | datetime | Any, notes: Notes) -> datetime | None:
    """A timestamp, or None if missing or invalid; adds notes on problems."""
    if value is None:
        return None
    read = read_stamp(value)
    if read.at is None:
        notes.add("a timestamp is not an ISO 8601 time and is ignored")
    elif not read.zone:
        notes.add("a timestamp has no time zone and is read as UTC")
    return read.at


def first_timestamp(
    fields: Mapping[str, Any], names: Iterable[str], notes: Notes
) -> datetime | None:
    """The timestamp in the first of these fields that is present."""
    return read_timestamp(first_value(fields, names), notes)


def read_ids(fields: Mapping[str, Any], notes: Notes) -> dict[str, str]:
    """Name → text of the ids that are present."""
    texts = {name: read_short_text(value, notes) for name, value in fields.items()}
    return {name: text for name, text in texts.items() if text is not None}


def read_error_message(error: Any) -> str | None:
    """The beginning of an error message, given as text or as an object with ``message``."""
    if isinstance(error, dict):
        error = error.get("message") or "no message"
    return error[:300] if isinstance(error, str) and error.strip() else None


def check_task_id(value: Any) -> str:
    """The task id as text.

    Raises:
        ValueError: it cannot be an id.
    """
    return read_task({"id": value, "question": "?"}).id


def join_text_parts(content: Any) -> str:
    """The text of a message given as a string or as a list of parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (item.get("text") if isinstance(item, dict) else item for item in content)
    return "\n".join(part for part in parts if isinstance(part, str) and part)
