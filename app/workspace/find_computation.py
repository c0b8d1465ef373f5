"""Finds a text in all pages of a document, in a worker process."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace

_SOFT_HYPHEN = re.compile(r"\u00ad\s*")
"""With the line end after it, if any."""


def hits_in_document(workspace: Workspace, document: str, text: str) -> list[tuple[int, int]]:
    """Pages (1-based) of a document that contain the text, with the number of hits.

    Raises:
        NotFoundError: no such document.
    """
    return count_hits(Corpus(workspace).texts(document), text)


def normalised(text: str) -> str:
    """Compatibility forms, lower case, single spaces, no soft hyphens, as in ``word_text.ts``."""
    plain = unicodedata.normalize("NFKC", _SOFT_HYPHEN.sub("", text))
    return " ".join(plain.lower().split())


def count_hits(texts: Sequence[str], text: str) -> list[tuple[int, int]]:
    """Pages (1-based) that contain the text, with the number of hits."""
    normalised_text = normalised(text)
    counts = (
        (page, normalised(text).count(normalised_text)) for page, text in enumerate(texts, start=1)
    )
    return [(page, n) for page, n in counts if n]
