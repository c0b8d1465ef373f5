"""Which tools of an agent are searches, and which look like one although nobody has said so.

``search_documents`` is the tool that people and agents share. Others are searches if whoever
imports the run names them; a tool that only looks like one is asked about, because its calls would
otherwise count as other steps, and results about searching would be wrong without a word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from pagetrail.annotation.errors import PagetrailError
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.importers.files.json_rows import loads
from pagetrail.storage.importers.runs.values import Hits, read_hits

SearchResults = tuple[Hits, int | None]
"""The pages that a search returned, and how many match in all where that is told."""

_SHARED_TOOL = re.compile(r"(^|[^a-z0-9])search_documents$", re.IGNORECASE)
_PREFIX = re.compile(r"^.*(?:__|[./:])")
"""What a server or library puts before a tool's own name."""
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
    """A call that is a search; ``found`` is None where its result cannot be read."""

    query: str
    found: SearchResults | None


class SearchTools:
    """The tools that search, as far as is known; counts the others that look like it.

    Args:
        searches: names of tools that search, beside ``search_documents``.
        others: names of tools that do not, whatever they look like.

    Attributes:
        suspected: name → calls, of tools that look like a search and are in neither list.
    """

    def __init__(self, search_tools: Iterable[str] = (), other_tools: Iterable[str] = ()) -> None:
        self._searches = frozenset(map(str.casefold, search_tools))
        self._others = frozenset(map(str.casefold, other_tools))
        self.suspected: Counter[str] = Counter()

    def search_of(self, tool: str, arguments: Any, reply: str | None) -> Search | None:
        """The search that a call is; None for a call of another tool, or one without a query."""
        if is_shared_tool(tool) or _is_listed(tool, self._searches):
            query = _find_query(arguments, _TEXTS)
            return None if query is None else Search(query, find_result_pages(reply))
        if not _is_listed(tool, self._others) and looks_like_search(tool, arguments, reply):
            self.suspected[printable(tool)[:200]] += 1
        return None

    def require_known(self, file: str) -> None:
        """Ask about the tools that look like a search.

        Raises:
            PagetrailError: there are any (code ``unknown_search_tool``).
        """
        if not self.suspected:
            return
        most_common = self.suspected.most_common(_MAX_TOOLS)
        names = ", ".join(f"{name} ({n:,} call{'' if n == 1 else 's'})" for name, n in most_common)
        more = len(self.suspected) - len(most_common)
        raise PagetrailError(
            f"{file} has calls of tools that look like searches: {names}"
            f"{f' and {more:,} more' if more else ''}. Nothing was imported, because it makes a "
            "difference to every result about searching. Name each: as one that searches the "
            f"collection (--search-tool {most_common[0][0]}), or as another (--other-tool "
            f"{most_common[0][0]}).",
            code="unknown_search_tool",
        )


def is_shared_tool(tool: str) -> bool:
    """Whether a tool is the one that people and agents share, under a server's prefix or not."""
    return _SHARED_TOOL.search(tool) is not None


def looks_like_search(tool: str, arguments: Any, reply: str | None) -> bool:
    """Whether a tool seems to search: by its name or arguments, or because it returned pages."""
    if _find_query(arguments, _QUERIES) is not None:
        return True
    if _NAMED_LIKE_SEARCH.search(tool) and _find_query(arguments, _TEXTS) is not None:
        return True
    result_pages = find_result_pages(reply)
    return result_pages is not None and bool(result_pages[0])


def find_result_pages(reply: Any) -> SearchResults | None:
    """The pages in what a search returned, in whatever usual form; None where there is none."""
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
    """A result as ``{document, page}``, its names wherever they are usual."""
    inner: dict[str, Any] = next(
        (item[name] for name in _INNER if isinstance(item.get(name), dict)), {}
    )
    fields = {**inner, **item}
    document = next((fields[name] for name in _DOCUMENTS if fields.get(name) is not None), None)
    page = next((fields[name] for name in _PAGES if fields.get(name) is not None), None)
    if isinstance(document, str):
        document = PurePosixPath(document.replace("\\", "/")).name
    if "page_label" in fields and isinstance(page, int):
        page += 1  # LangChain's PDF loaders count from 0, and only they add the label.
    return {"document": document, "page": page}


def _is_listed(tool: str, names: frozenset[str]) -> bool:
    folded = tool.casefold()
    return folded in names or _PREFIX.sub("", folded) in names


def _find_query(arguments: Any, names: Iterable[str]) -> str | None:
    """The text under the first of these names; arguments may be JSON text, or the query itself."""
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
