"""Write the tables of keys in docs/annotators.md and docs/supervisors.md, from their declarations.

Run as ``python -m scripts.key_tables``; a test fails if a page is out of date.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pagetrail.annotation.protocols.key_bindings import REVIEW_KEYS, WORKSPACE_KEYS, KeyBinding
from scripts.generated_text import with_generated_text

DOCS = Path(__file__).parents[1] / "docs"
TABLES = {"annotators.md": WORKSPACE_KEYS, "supervisors.md": REVIEW_KEYS}


def with_key_table(name: str, page: str) -> str:
    """The page of that name with its table of keys up to date."""
    return with_generated_text(page, "keys", _table(TABLES[name]))


def _table(bindings: Sequence[KeyBinding]) -> str:
    lines = ["| for | keys | what they do |", "|---|---|---|"]
    for group in dict.fromkeys(binding.group for binding in bindings):
        rows = [binding for binding in bindings if binding.group == group and binding.label]
        for n, binding in enumerate(rows):
            keys = " ".join(
                f"`{'+'.join((*binding.modifiers, key))}`" for key in binding.printed_keys
            )
            lines.append(f"| {'' if n else group} | {keys} | {binding.label} |")
    return "\n".join(lines)


if __name__ == "__main__":
    for name in TABLES:
        path = DOCS / name
        path.write_text(with_key_table(name, path.read_text(encoding="utf-8")), encoding="utf-8")
