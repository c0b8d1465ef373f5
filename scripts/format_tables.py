"""Write the tables of export formats in docs/researchers.md, from their declarations.

Run as ``python -m scripts.format_tables``; a test fails if the page is out of date.
"""

from __future__ import annotations

from pathlib import Path

from pagetrail.exports.formats.export_format import Format, GoldRule
from pagetrail.exports.run import FORMATS, formats_by_gold
from scripts.generated_text import with_generated_text

PAGE = Path(__file__).parents[1] / "docs" / "researchers.md"


def with_format_tables(page: str) -> str:
    """The page with its tables of formats, and of their use of adjudicated gold."""
    page = with_generated_text(page, "formats", _formats_table())
    return with_generated_text(page, "formats by gold", _gold_table())


def _formats_table() -> str:
    lines = ["| format | campaigns | what it is for |", "|---|---|---|"]
    for format_ in FORMATS.values():
        lines.append(f"| {_link(format_)} | {format_.applies_to} | {format_.purpose} |")
    return "\n".join(lines)


def _link(format_: Format) -> str:
    return f"[`{format_.name}`](formats.md#{format_.docs_anchor or format_.name})"


def _gold_table() -> str:
    formats: dict[GoldRule, list[str]] = {}
    for name in formats_by_gold():
        rule = FORMATS[name].gold
        if rule is not None:
            formats.setdefault(rule, []).append(f"`{name}`")
    lines = ["| format | with `--gold adjudicated` |", "|---|---|"]
    lines += [f"| {', '.join(names)} | {rule.effect} |" for rule, names in formats.items()]
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(with_format_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
