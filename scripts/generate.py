"""Writes every generated file that is out of date: ``python -m scripts.generate`` after any change.

These are the schema of events, the browser's types and limits, tables in ``docs/``, and the message
catalogue. The browser code is bundled by ``npm run build``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from scripts import event_schema, extract_messages, javascript_types
from scripts.answer_rule_quality import with_quality_of_rule
from scripts.check_english import ROOT
from scripts.event_schema import with_event_tables
from scripts.format_tables import with_format_tables
from scripts.key_tables import TABLES, with_key_table
from scripts.metric_tables import with_metric_tables
from scripts.protocol_reference import with_reference

DOCS = ROOT / "docs"
PAGES: dict[str, Callable[[str], str]] = {
    "formats.md": with_event_tables,
    "metrics.md": lambda page: with_quality_of_rule(with_metric_tables(page)),
    "protocols.md": with_reference,
    "researchers.md": with_format_tables,
}
"""Pages with generated parts, and what brings them up to date."""


def outdated() -> dict[Path, bytes]:
    """The files that are out of date, with what they should contain."""
    texts = {
        event_schema.PATH: event_schema.event_schema_text(),
        javascript_types.PATH: javascript_types.declarations(),
        javascript_types.LIMITS_PATH: javascript_types.limits(),
        **{DOCS / name: update(_page(name)) for name, update in PAGES.items()},
        **{DOCS / name: with_key_table(name, _page(name)) for name in TABLES},
    }
    contents = {path: text.encode() for path, text in texts.items()} | extract_messages.catalogue()
    return {path: content for path, content in contents.items() if path.read_bytes() != content}


def _page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def main() -> None:
    """Write the files, and print which."""
    files = outdated()
    for path, content in files.items():
        path.write_bytes(content)
        print(path.relative_to(ROOT))
    if not files:
        print("Every generated file is up to date.")


if __name__ == "__main__":
    main()
