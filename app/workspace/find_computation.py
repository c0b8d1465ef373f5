"""Looking for a text in all pages of a document, in a worker process."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace


def hits_in_document(workspace: Workspace, document: str, wanted: str) -> list[tuple[int, int]]:
    """The pages (1-based) of a document whose text has what is wanted, and how often.

    Raises:
        NotFoundError: no such document.
    """
    return hits(Corpus(workspace).texts(document), wanted)


def normalised(text: str) -> str:
    """Compatibility forms, lower case, single spaces: as ``word_text.js`` compares words."""
    return " ".join(unicodedata.normalize("NFKC", text).lower().split())


def hits(texts: Sequence[str], wanted: str) -> list[tuple[int, int]]:
    """The pages (1-based) whose text has what is wanted, and how often."""
    needle = normalised(wanted)
    counts = ((page, normalised(text).count(needle)) for page, text in enumerate(texts, start=1))
    return [(page, n) for page, n in counts if n]
