"""Parts of the sentences in which events tell what happened."""

from __future__ import annotations

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.fields import Value
from pagetrail.annotation.sentences import shortened

_MAX_QUOTED = 80


def page_name(document: str, page: int) -> str:
    """``report.pdf page 3``."""
    return gettext("{document} page {page}", document=document, page=page)


def written_text(written: str, emptied: str, text: str, **values: object) -> str:
    """What was written, or that it was emptied.

    Args:
        written: sentence for a text, with ``{text}``.
        emptied: sentence for an empty text.
        values: further placeholders of both.
    """
    if not text.strip():
        return gettext(emptied, **values)
    return gettext(written, text=quoted(text), **values)


def field_value(value: Value) -> str:
    """A field's value, texts in quotation marks."""
    if isinstance(value, tuple):
        return ", ".join(map(quoted, value)) or gettext("nothing")
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if value is None:
        return gettext("nothing")
    return quoted(value) if isinstance(value, str) else f"{value:g}"


def quoted(text: str) -> str:
    """In quotation marks, on one line, cut when long, without invisible characters."""
    line = " / ".join(part.strip() for part in text.splitlines() if part.strip())
    line = shortened(line, _MAX_QUOTED)
    return "“{}”".format(
        "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)
    )
