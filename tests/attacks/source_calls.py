"""Calls in Pagetrail's source, with the full names of what they call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("annotation", "storage", "exports", "app")


def source_files() -> list[Path]:
    """All modules of the product."""
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def calls(tree: ast.Module) -> Iterator[tuple[str, ast.Call]]:
    """Calls with the names by which their modules know what is called.

    The name of a call on any other expression is ``?`` and the last part: ``?.execute``.
    """
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                names[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            yield _full_name(node.func, names), node


def _full_name(node: ast.expr, names: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{_full_name(node.value, names)}.{node.attr}"
    return "?"
