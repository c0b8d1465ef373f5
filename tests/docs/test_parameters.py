"""Functions take few parameters: what belongs together is a model (docs/extending.md)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PRODUCT = ("annotation", "storage", "exports", "app")
MOST = 10


def long_signatures() -> Iterator[str]:
    """Functions with more parameters, without ``self``, ``cls`` and ``**fields``."""
    for folder in PRODUCT:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                    names = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
                    n = sum(name.arg not in ("self", "cls") for name in names)
                    if n > MOST:
                        yield f"{path.relative_to(ROOT)}: {node.name} has {n}"


def test_no_function_has_more_than_ten_parameters() -> None:
    """Commands, importers, exports and readers alike; there is no exception."""
    assert list(long_signatures()) == []
