"""Guidelines that take a Markdown parser seconds hold up nobody who opens a task."""

from __future__ import annotations

import time

import pytest

from pagetrail.app.ui.markdown_nodes import MAX_CELLS, markdown_nodes
from pagetrail.storage.campaigns.guidelines import MAX_CHARACTERS

WIDE = "|a" * 100 + "|\n" + "|-" * 100 + "|\n" + "|\n" * 1_000
"""The parser completes the rows to 100,000 cells."""


@pytest.mark.parametrize(
    "unit", ["[", "![", "[a](", "*a _", "**a *", "~~a", "&", "<a ", "> ", "- ", "`a``b```", "]["]
)
def test_marks_without_end(unit: str) -> None:
    """As long as guidelines may be; a generous limit stands for up to 8 seconds a screen."""
    text = (unit * MAX_CHARACTERS)[:MAX_CHARACTERS]
    started = time.process_time()
    assert markdown_nodes(text)
    assert time.process_time() - started < 4


@pytest.mark.parametrize("text", [WIDE, "> " + WIDE.replace("\n", "\n> "), "* a\n\n  " + WIDE])
def test_a_table_completed_by_the_parser_stays_text(text: str) -> None:
    """Nothing of it is lost: it is shown as it was written."""
    nodes = str(markdown_nodes(text))
    assert "table" not in nodes
    assert nodes.count("|a") == 100


def test_tables_of_genuine_size_are_tables() -> None:
    """A hundred rows of ten cells, and several of these."""
    table = "|a" * 10 + "|\n" + "|-" * 10 + "|\n" + ("|b" * 10 + "|\n") * 100
    nodes = markdown_nodes("\n\n".join([table] * 5))
    assert [node["tag"] for node in nodes if isinstance(node, dict)] == ["table"] * 5
    assert MAX_CELLS > 5 * 102 * 12
