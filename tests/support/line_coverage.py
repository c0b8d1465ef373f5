"""Which lines of the product the tests run, at a small part of what tracing costs.

Tracing makes the tests take two thirds more processor time on Python 3.11, since it slows down
every instruction of every library. Here each statement of the product notes its line in a table
as it runs, and coverage.py reports what was noted. Lines are counted, not branches, and only in
the tests' own processes: not in servers, commands and workers that they start.

A pytest plugin: ``scripts/test`` names it in ``PYTEST_PLUGINS`` where coverage is wanted, so that
it is there before the product is imported. Each process writes a file for ``coverage combine``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

import pytest
from coverage import CoverageData

ROOT = Path(__file__).parents[2]
PACKAGES = ("annotation", "app", "exports", "storage")
TABLE = "__lines_run__"
_exec_module = SourceFileLoader.exec_module
_tables: dict[str, bytearray] = {}


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests() -> None:
    """Have every module of the product that is imported from now on note its lines."""
    SourceFileLoader.exec_module = _exec_noting  # type: ignore[method-assign]


def pytest_sessionfinish() -> None:
    """Save what was noted, and the names of modules that nobody imported."""
    data = CoverageData(basename=str(ROOT / ".coverage"), suffix=True)
    data.add_lines(
        {name: [line for line, run in enumerate(table) if run] for name, table in _tables.items()}
    )
    data.touch_files(str(path) for name in PACKAGES for path in (ROOT / name).rglob("*.py"))
    data.write()


def noting(source: bytes, path: str) -> CodeType:
    """The module's code; before each statement comes ``TABLE[line] = 1``."""
    tree = ast.parse(source)
    for owner in list(ast.walk(tree)):
        for part in ("body", "orelse", "finalbody"):
            block = getattr(owner, part, None)
            if isinstance(block, list):
                setattr(owner, part, list(_with_notes(owner, block)))
    return compile(tree, path, "exec", dont_inherit=True)


def _exec_noting(loader: SourceFileLoader, module: ModuleType) -> None:
    if not module.__name__.startswith("pagetrail."):
        _exec_module(loader, module)
        return
    source = loader.get_data(loader.path)
    table = bytearray(source.count(b"\n") + 2)
    _tables[str(Path(loader.path).resolve())] = table
    setattr(module, TABLE, table)
    exec(noting(source, loader.path), module.__dict__)


def _with_notes(owner: ast.AST, block: list[ast.stmt]) -> Iterator[ast.stmt]:
    match owner:
        case ast.ExceptHandler():
            yield _note(owner.lineno)
        case ast.match_case():
            yield _note(owner.pattern.lineno)
    for statement in block:
        match statement:
            case ast.Expr(value=ast.Constant()):  # a docstring has to come first
                yield statement
            case ast.ImportFrom(module="__future__"):  # as has this
                yield statement
                yield _note(statement.lineno)
            case ast.ClassDef() | ast.FunctionDef() | ast.AsyncFunctionDef():
                for line in (*(d.lineno for d in statement.decorator_list), statement.lineno):
                    yield _note(line)
                yield statement
            case _:
                yield _note(statement.lineno)
                yield statement


def _note(line: int) -> ast.stmt:
    position = {"lineno": line, "col_offset": 0, "end_lineno": line, "end_col_offset": 0}
    table = ast.Name(TABLE, ast.Load(), **position)
    entry = ast.Subscript(table, ast.Constant(line, **position), ast.Store(), **position)
    return ast.Assign([entry], ast.Constant(1, **position), **position)
