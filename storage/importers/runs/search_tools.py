"""Decides which tools of an agent are searches.

``search_documents`` is the tool that people and agents share. Other tools are searches if they are
named in the import. An unnamed tool that looks like a search stops the import: counted as other
steps, its calls would silently distort all results about searching.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.sentences import count_noun, join_first
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.field_types import first_value
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs.values import SearchResults, read_hits

_SHARED_TOOL = re.compile(r"(^|[^a-z0-9])search_documents$", re.IGNORECASE)
_PREFIX = re.compile(r"^.*(?:__|[./:])")
"""Prefix that a server or library adds to a tool's own name."""
_NAMED_LIKE_SEARCH = re.compile(r"search|retriev|look_?up|find|query|grep|bm25", re.IGNORECASE)
_QUERIES = ("query", "q", "search_query", "queries", "search_term", "search_terms", "keywords")
_TEXTS = (*_QUERIES, "question", "text", "input", "pattern", "term", "terms")
_LISTS = ("results", "hits", "documents", "pages", "matches", "items", "data")
_INNER = ("metadata", "payload", "_source")
_DOCUMENTS = (
    *("document", "file", "file_name", "filename", "document_name", "doc", "doc_id"),
    *("document_id", "source"),
)
_PAGES = ("page", "page_number", "page_no", "page_num")
_MAX_TOOLS = 10


class Search(NamedTuple):
    """A call of a search tool; ``results`` is None if its reply cannot be read."""

    query: str
    results: SearchResults | None


class SearchTools:
    """The known search tools; counts calls of other tools that look like searches.

    Args:
        search_tools: names of search tools in addition to ``search_documents``.
        other_tools: names of tools that are not searches, even if they look like it.

    Attributes:
        suspected: tool → number of calls, for unnamed tools that look like searches.
    """

    def __init__(self, search_tools: Iterable[str] = (), other_tools: Iterable[str] = ()) -> None:
        self._searches = frozenset(map(str.casefold, search_tools))
        self._others = frozenset(map(str.casefold, other_tools))
        self.suspected: Counter[str] = Counter()

    def search_of(self, tool: str, arguments: Any, reply: str | None) -> Search | None:
        """The search in a call; None if the tool is not a search or the call has no query."""
        if is_shared_tool(tool) or _is_listed(tool, self._searches):
            query = _find_query(arguments, _TEXTS)
            return None if query is None else Search(query, find_result_pages(reply))
        if not _is_listed(tool, self._others) and looks_like_search(tool, arguments, reply):
            self.suspected[printable(tool)[:200]] += 1
        return None

    def require_known(self, file: str) -> None:
        """Refuse the import if unnamed tools look like searches.

        Raises:
            PagetrailError: names the tools (code ``unknown_search_tool``).
        """
        if not self.suspected:
            return
        counts = self.suspected.most_common()
        names = [f"{name} ({count_noun(count, 'call')})" for name, count in counts]
        example = counts[0][0]
        raise PagetrailError(
            gettext(
                "{file} has calls of tools that look like searches: {names}. Nothing "
                "was imported, because this affects every result about searching. For "
                "each tool, say that it searches the collection (--search-tool "
                "{example}) or that it does not (--other-tool {example}).",
                file=file,
                names=join_first(names, _MAX_TOOLS),
                example=example,
            ),
            code="unknown_search_tool",
        )


def is_shared_tool(tool: str) -> bool:
    """Whether a tool is ``search_documents``, with or without a server's prefix."""
    return _SHARED_TOOL.search(tool) is not None


def looks_like_search(tool: str, arguments: Any, reply: str | None) -> bool:
    """Whether a tool seems to be a search, by its name, its arguments or the pages it returned."""
    if _find_query(arguments, _QUERIES) is not None:
        return True
    if _NAMED_LIKE_SEARCH.search(tool) and _find_query(arguments, _TEXTS) is not None:
        return True
    result_pages = find_result_pages(reply)
    return result_pages is not None and bool(result_pages.hits)


def find_result_pages(reply: Any) -> SearchResults | None:
    """The pages in a search reply in any of the usual forms; None if none is recognised."""
    pages = read_hits(reply)
    if pages is not None:
        return pages
    value = reply
    if isinstance(value, str):
        try:
            value = loads(value)
        except ValueError:
            return None
    if isinstance(value, dict):
        value = next((value[name] for name in _LISTS if isinstance(value.get(name), list)), None)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        return None
    return read_hits([_page_fields(item) for item in value])


def _page_fields(item: Mapping[str, Any]) -> dict[str, Any]:
    """A result as ``{document, page}``, from fields with any of the usual names."""
    inner: dict[str, Any] = next(
        (item[name] for name in _INNER if isinstance(item.get(name), dict)), {}
    )
    fields = {**inner, **item}
    document = first_value(fields, _DOCUMENTS)
    page = first_value(fields, _PAGES)
    if isinstance(document, str):
        document = PurePosixPath(document.replace("\\", "/")).name
    if "page_label" in fields and isinstance(page, int):
        page += 1  # LangChain's PDF loaders count from 0, and only they add the label.
    return {"document": document, "page": page}


def _is_listed(tool: str, names: frozenset[str]) -> bool:
    folded = tool.casefold()
    return folded in names or _PREFIX.sub("", folded) in names


def _find_query(arguments: Any, names: Iterable[str]) -> str | None:
    """The text of the first of these arguments; arguments may be JSON text."""
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments)
        except ValueError:
            return None
    if not isinstance(arguments, dict):
        return None
    value = next((arguments[name] for name in names if arguments.get(name)), None)
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, list) and all(isinstance(word, str) for word in value):
        value = " ".join(value)
    return value if isinstance(value, str) else None
