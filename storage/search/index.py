"""The index of the reference engine: its schema and its identity.

What the benchmark's agents search is Whoosh 2.7.4 with a default ``TEXT`` field. Ties are broken by
the order of insertion, so the order of the pages is as much a part of an index as their texts.
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
"""A page as the index takes it: file, page number (1-based), pages of the file, text."""
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
        """Take the next page in; lengths are hashed too, so that no two lists look alike."""
        file, number, total, text = page
        name, body = file.encode(), text.encode()
        self._hash.update(f"{len(name)} {number} {total} {len(body)}\n".encode())
        self._hash.update(name)
        self._hash.update(body)

    def hexdigest(self) -> str:
        """The identity so far, 64 hexadecimal digits."""
        return self._hash.hexdigest()


def storable(page: tuple[str, int, int, str]) -> PageRow:
    """The page with what cannot be encoded replaced; its tokens stay the same."""
    file, number, total, text = page
    return clean_text(file)[0], number, total, clean_text(text)[0]


def identity_of(pages: Iterable[PageRow], progress: BuildProgress | None = None) -> str:
    """The identity that an index of these pages would have."""
    identity = Identity()
    for count, page in enumerate(pages, start=1):
        identity.add(storable(page))
        if progress is not None and count % PROGRESS_EVERY == 0:
            progress(count)
    return identity.hexdigest()
