"""Collects the messages of screens and server in ``app/services/messages.pot``.

    python -m scripts.extract_messages

Locations have no line numbers and there is no header with a date, so that the file only changes
with the messages.
"""

from __future__ import annotations

from io import BytesIO

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import write_po

from scripts.check_english import ROOT

POT = ROOT / "app" / "services" / "messages.pot"
_METHODS = [("**.py", "python")]


def messages_pot() -> bytes:
    """The catalogue's template as bytes."""
    catalog = Catalog(project="Pagetrail", charset="utf-8")
    for path, _line, message, comments, context in extract_from_dir(ROOT / "app", _METHODS):
        catalog.add(message, None, [(f"app/{path}", 1)], auto_comments=comments, context=context)
    out = BytesIO()
    write_po(out, catalog, omit_header=True, sort_output=True, include_lineno=False)
    return out.getvalue()


if __name__ == "__main__":
    POT.write_bytes(messages_pot())
