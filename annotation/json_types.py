"""Types of JSON values that screens and routes send; the browser's types are generated from them.

What is built by hand is a ``TypedDict``; ``scripts/javascript_types.py`` lists them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from pydantic import GetCoreSchemaHandler
from pydantic_core import CoreSchema
from typing_extensions import TypedDict  # pydantic needs it on Python 3.11


class DumpOf:
    """Annotates a dict as the JSON values of a model or dataclass, which its schema then names."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def __get_pydantic_core_schema__(
        self, _source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return handler.generate_schema(self.model)


class ErrorDetails(TypedDict):
    """An error's code, and its sentence for people."""

    code: str
    message: str


class PageReference(TypedDict):
    """A page of a document."""

    document: str
    page: int


def page_references(pages: Iterable[tuple[str, int]]) -> list[PageReference]:
    """Pages as JSON values."""
    return [{"document": document, "page": page} for document, page in pages]
