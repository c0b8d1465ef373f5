"""Values of an agent's results, whatever the format: ids, answers, citations, results of tools."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from pydantic import ValidationError

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.agents import MAX_ARGUMENTS, MAX_STEP_TEXT
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.runs.record import MAX_CITATIONS
from pagetrail.annotation.tasks.task import MAX_ID, PageRef, clean_control, describe, read_task
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.importers.files.json_rows import loads

MAX_QUERY = ev.MAX_TEXT
MAX_RESULTS = 1_000
_MAX_SEARCH_ID = 100
_MAX_TOOL = 200
_SEARCH_TOOL = re.compile(r"(^|[^a-z0-9])search_documents$", re.IGNORECASE)

Hits = tuple[SearchHit, ...]


class Notes:
    """What was read differently from how it stands in the file; each thing once, counted."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}

    def add(self, sentence: str) -> None:
        """Note something."""
        self._counts[sentence] = self._counts.get(sentence, 0) + 1

    def all(self) -> tuple[str, ...]:
        """The sentences in the order they came up."""
        return tuple(
            text if count == 1 else f"{text} ({count:,} times)"
            for text, count in self._counts.items()
        )


def is_search(tool: str) -> bool:
    """Whether a tool is the one that people and agents share, under a server's prefix or not."""
    return _SEARCH_TOOL.search(tool) is not None


def task_id(value: Any) -> str:
    """A task's id; a number is read as its digits.

    Raises:
        ValueError: it is none.
    """
    if value is None:
        raise ValueError("id: is missing")
    return read_task({"id": value, "question": "?"}).id


def shown_id(value: Any) -> str | None:
    """An id as a report shows it, good or bad."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    return clean_text(clean_control(str(value)[:MAX_ID])[0])[0]


def tidy(text: str, notes: Notes) -> str:
    """The text without control characters, and with U+FFFD in place of what is no character."""
    storable, replaced = clean_text(text)
    cleaned, removed = clean_control(storable)
    if removed or replaced:
        notes.add("control characters or halves of surrogate pairs are left out or replaced")
    return cleaned


def answers(value: Any, notes: Notes) -> tuple[str, ...]:
    """The answers: a text, a number, or a list of those; blank ones and null are none.

    Raises:
        ValueError: it is something else.
    """
    if value is None:
        return ()
    items = value if isinstance(value, list) else [value]
    texts = (tidy(_answer(item), notes) for item in items if item is not None)
    return tuple(text for text in texts if text.strip())


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, str | int | float):
        raise ValueError(
            f"answer: must be text or a list of texts, not {_kind(value)}. "
            'Write it as ["first", "second"]'
        )
    return str(value)


def citations(value: Any, notes: Notes) -> tuple[tuple[str, int], ...]:
    """The cited (document, page) pairs, each once, as the agent gave them.

    Page 0 and what lies before it is left out and noted: there is no event that could hold it.

    Raises:
        ValueError: one has no document, or what is no page number; names its place.
    """
    if value is None:
        return ()
    if not isinstance(value, list):
        raise ValueError(
            'citations: must be a list such as [{"file": "report.pdf", "page": 3}], '
            f"not {_kind(value)}"
        )
    if len(value) > MAX_CITATIONS:
        raise ValueError(f"citations: {len(value):,} are too many; {MAX_CITATIONS:,} are allowed")
    pages = []
    for place, item in enumerate(value):
        if _before_first(item):
            # As import-tasks does with gold, so that neither side is held against the other.
            notes.add("a citation of a page before page 1 is left out: pages are counted from 1")
        else:
            pages.append(_page(item, f"citations[{place}]", notes))
    return tuple(dict.fromkeys(pages))


def _before_first(item: Any) -> bool:
    page = item.get("page", item.get("page_number")) if isinstance(item, dict) else None
    if isinstance(page, str) and re.fullmatch(r"\s*[+-]?\d{1,9}\s*", page):
        page = int(page)
    return isinstance(page, int | float) and not isinstance(page, bool) and page < 1


def _page(item: Any, where: str, notes: Notes) -> tuple[str, int]:
    if not isinstance(item, dict):
        raise ValueError(
            f'{where}: must be an object such as {{"file": "report.pdf", "page": 3}}, '
            f"not {_kind(item)}"
        )
    named = {
        "document": item.get("document", item.get("file")),
        "page": item.get("page", item.get("page_number")),
    }
    if isinstance(named["document"], str):
        named["document"] = tidy(named["document"], notes)
    try:
        return PageRef.model_validate(named).key
    except ValidationError as error:
        raise ValueError(f"{where}.{describe(error)}") from error


def hits(value: Any) -> tuple[Hits, int | None] | None:
    """The pages that a search returned, and how many match in all where that is told.

    Args:
        value: a list of ``{file|document, page}``, such a list under ``results``, or either as
            JSON text.

    Returns:
        None where it is something else: the results are not known then.
    """
    if isinstance(value, str):
        try:
            value = loads(value)
        except ValueError:
            return None
    total = None
    if isinstance(value, dict):
        total = count(value.get("total_hits"))
        value = value.get("results")
    if not isinstance(value, list) or len(value) > MAX_RESULTS:
        return None
    try:
        pages = [_page(item, "result", Notes()) for item in value]
    except ValueError:
        return None
    found = tuple(
        SearchHit(rank=rank, file=name, page=page, score=None)
        for rank, (name, page) in enumerate(pages, start=1)
    )
    return found, total if total is not None and total >= len(found) else None


def count(value: Any) -> int | None:
    """A number of things; None where it is none."""
    if isinstance(value, str) and re.fullmatch(r"\d{1,9}", value):
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value < 10**9 else None


class SearchIds:
    """Names for the searches of a run: those of its tool calls where they can be told apart."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._made = 0

    def next(self, wanted: Any) -> str:
        """The name of the next search."""
        self._made += 1
        name = wanted if isinstance(wanted, str) else ""
        if not (name.isprintable() and 0 < len(name) <= _MAX_SEARCH_ID) or name in self._taken:
            name = f"search-{self._made}"
            while name in self._taken:
                name = f"{name}-"
        self._taken.add(name)
        return name


def search(
    id_: str,
    query: str,
    found: tuple[Hits, int | None] | None,
    notes: Notes,
    total: int | None = None,
) -> ev.Searched:
    """A search as the run tells it; without ``found``, its results are not known.

    Args:
        total: how many pages match, where ``found`` does not say.
    """
    query = tidy(query, notes)
    if len(query) > MAX_QUERY:
        notes.add(f"a query is cut at {MAX_QUERY:,} characters")
    results: Hits = ()
    if found is not None:
        results, told = found
        total = (total if told is None else told) if results else 0
    elif total == 0:
        total = None
    return ev.Searched(
        search_id=id_,
        query=query[:MAX_QUERY],
        parsed=None,
        top_k=None,
        total_hits=total,
        took_ms=None,
        index_id=None,
        results=results,
    )


def known(searches: Iterable[ev.Searched]) -> bool:
    """Whether each of the searches has its results; one that found nothing has none to have."""
    return all(search.results or search.total_hits == 0 for search in searches)


def step(text: str, tool: str | None, arguments: Any, notes: Notes) -> ev.AgentStep:
    """What an agent wrote or called, cut where it is long."""
    said = arguments if isinstance(arguments, str) else _json(arguments)
    return ev.AgentStep(
        text=tidy(text, notes)[:MAX_STEP_TEXT],
        tool=None if tool is None else tidy(tool, notes)[:_MAX_TOOL],
        arguments=tidy(said, notes)[:MAX_ARGUMENTS],
    )


def query_of(arguments: Any) -> str | None:
    """The query among a tool's arguments, which some agents write as JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments)
        except ValueError:
            return None
    query = arguments.get("query") if isinstance(arguments, dict) else None
    return query if isinstance(query, str) else None


def words(content: Any) -> str:
    """The text of a message: a string, or the text parts of a list."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (item.get("text") if isinstance(item, dict) else item for item in content)
    return "\n".join(part for part in parts if isinstance(part, str) and part)


def _json(value: Any) -> str:
    if value in (None, {}):
        return ""
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return ""


def _kind(value: Any) -> str:
    names = {str: "text", bool: "a truth value", list: "a list", dict: "an object"}
    return names.get(type(value), "null" if value is None else "a number")
