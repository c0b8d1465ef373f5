"""The index of the reference engine: its schema and its identity.

The benchmark's agents search Whoosh 2.7.4 with a default ``TEXT`` field. Ties are broken by the
order of insertion, so an index depends on the order of the pages as much as on their texts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable

import whoosh
from whoosh.fields import ID, NUMERIC, TEXT, Schema

from pagetrail.storage.database.storable_text import clean_text

ENGINE = "whoosh " + ".".join(str(part) for part in whoosh.__version__)
SCHEMA_VERSION = 1
PageRow = tuple[str, int, int, str]
"""A page to index: file, page number (1-based), pages of the file, text."""
BuildProgress = Callable[[int], None]
"""Called with the number of pages added so far."""
PROGRESS_EVERY = 50


def schema() -> Schema:
    """The benchmark's schema. The text is not stored: that changes size and not ranking."""
    return Schema(
        file=ID(stored=True),
        page_number=NUMERIC(stored=True),
        total_pages=NUMERIC(stored=True),
        text=TEXT(),
    )


class Identity:
    """Running hash over engine, schema and every page in order."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256(f"{ENGINE}\nschema {SCHEMA_VERSION}\n".encode())

    def add(self, page: PageRow) -> None:
        """Add the next page; lengths are hashed too, so that page borders count."""
        file, number, total, text = page
        name, body = file.encode(), text.encode()
        self._hash.update(f"{len(name)} {number} {total} {len(body)}\n".encode())
        self._hash.update(name)
        self._hash.update(body)

    def hexdigest(self) -> str:
        """The identity so far, 64 hexadecimal digits."""
        return self._hash.hexdigest()


def storable(page: tuple[str, int, int, str]) -> PageRow:
    """The page with unencodable characters replaced; its tokens stay the same."""
    file, number, total, text = page
    return clean_text(file)[0], number, total, clean_text(text)[0]


def identity_of(pages: Iterable[PageRow], progress: BuildProgress | None = None) -> str:
    """The identity of an index of these pages."""
    identity = Identity()
    for count, page in enumerate(pages, start=1):
        identity.add(storable(page))
        if progress is not None and count % PROGRESS_EVERY == 0:
            progress(count)
    return identity.hexdigest()
