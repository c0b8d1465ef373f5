"""Calls that turn data into markup, SQL or files, or that may wait forever: none, or known.

For this project what semgrep is for others, without its 290 MB and its pinned versions of our own
dependencies. Ruff's rules (``S`` in ``pyproject.toml``) find unpickling, shells, unsafe YAML and
XML, weak hashes and certificates that are not checked; ``test_parsers.py`` knows the parsers.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.attacks import source_calls

KEYWORDS = {"unsafe_allow_html", "unsafe_allow_javascript", "allow_pickle"}
"""Arguments that have to be false where they are given."""

SQL_TEXTS = ("text", "literal_column", "exec_driver_sql", "DDL")
SQL_RUNNERS = ("execute", "executemany", "executescript")
CONNECTIONS = (
    *("socket.create_connection", "smtplib.SMTP", "smtplib.SMTP_SSL", "urllib.request.urlopen"),
    *("http.client.HTTPConnection", "http.client.HTTPSConnection"),
)
UNPACKERS = ("extractall", "extract", "unpack_archive")

KNOWN_CALLS = {
    "each value is escaped, and the rest is a page of ours": (
        "app/routes/auth.py HTMLResponse",
        "app/routes/images.py HTMLResponse",
        "app/routes/invitations.py HTMLResponse",
        "app/routes/single_sign_on.py HTMLResponse",
        "app/server/application.py HTMLResponse",
        "app/server/unavailable.py HTMLResponse",
    ),
    "statements of ours, with the names of our tables": (
        "storage/database/append_only.py exec_driver_sql",
        "storage/database/engine.py exec_driver_sql",
        "storage/database/engine.py execute",
        "storage/database/migrations/versions/0101_states_and_submissions.py execute",
        "storage/database/postgresql.py text",
        "storage/database/replaced.py execute",
    ),
    "the archive is one that Pagetrail has packed": (
        "exports/writing/stored_exports.py extractall",
    ),
}
"""Module and call by the reason why it is allowed there."""


def forbidden_calls(source: str) -> Iterator[tuple[str, int]]:
    """What a module calls that needs a reason, with the lines."""
    for name, node in source_calls.calls(ast.parse(source)):
        method = name.rpartition(".")[2]
        arguments = {keyword.arg: keyword.value for keyword in node.keywords}
        for keyword in KEYWORDS & arguments.keys():
            value = arguments[keyword]
            if not isinstance(value, ast.Constant) or value.value:
                yield keyword, node.lineno
        if (
            method in ("HTMLResponse", *UNPACKERS)
            or name.startswith("streamlit.components.v1.")
            or (name == "streamlit.html" and not all(map(_is_constant, node.args)))
            or (name in CONNECTIONS and "timeout" not in arguments)
            or (_is_sql_text(name) and not all(map(_is_constant, node.args)))
            or (method in SQL_RUNNERS and node.args and _is_built_text(node.args[0]))
        ):
            yield method, node.lineno


def _is_sql_text(name: str) -> bool:
    """SQLAlchemy's functions by their full names, and a connection's method."""
    return name.endswith(".exec_driver_sql") or (
        name.partition(".")[0] in ("sqlalchemy", "sqlmodel")
        and name.rpartition(".")[2] in SQL_TEXTS
    )


def _is_constant(node: ast.expr) -> bool:
    """A literal, a constant of a module by its name, or a text made of these."""
    if isinstance(node, ast.JoinedStr):
        return all(map(_is_constant, node.values))
    if isinstance(node, ast.FormattedValue):
        return _is_constant(node.value)
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and node.id.isupper())


def _is_built_text(node: ast.expr) -> bool:
    """A text with parts that are no constants."""
    is_format = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("format", "join")
    return is_format or (isinstance(node, ast.JoinedStr | ast.BinOp) and not _is_constant(node))


def programs_in_strings(source: str) -> Iterator[int]:
    """The lines that start Python with a program that is a string."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.List | ast.Tuple):
            items = {ast.unparse(item) for item in node.elts}
            if "sys.executable" in items and any(item.strip("'") == "-c" for item in items):
                yield node.lineno


def test_no_program_is_a_string() -> None:
    """No checker reads one: it breaks unseen when something is renamed. ``python -m`` runs modules,
    and ``tests.support.function_process`` the functions of tests.
    """
    folders = ("annotation", "app", "exports", "storage", "scripts", "benchmarks", "tests")
    lines = {
        f"{path}:{line}"
        for folder in folders
        for path in (source_calls.ROOT / folder).rglob("*.py")
        if "sys.executable" in (source := path.read_text(encoding="utf-8"))
        for line in programs_in_strings(source)
    }
    assert lines == set()


def test_every_call_is_known() -> None:
    """A new one needs a reason here; most have another form that needs none."""
    lines: dict[tuple[str, str], list[int]] = {}
    for path in source_calls.source_files():
        module = path.relative_to(source_calls.ROOT).as_posix()
        for name, line in forbidden_calls(path.read_text(encoding="utf-8")):
            lines.setdefault((module, name), []).append(line)
    known_calls = {tuple(entry.split(" ")) for entries in KNOWN_CALLS.values() for entry in entries}
    new = {f"{path}:{lines[path, name]} {name}" for path, name in lines.keys() - known_calls}
    assert not new, "write it in another form, or say here why it is safe"
    assert not known_calls - lines.keys(), "these may leave the list"


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("import streamlit as st\nst.markdown(text, unsafe_allow_html=True)", "unsafe_allow_html"),
        ("import streamlit as st\nst.html(f'<b>{name}</b>')", "html"),
        ("import streamlit as st\nst.components.v1.html('<b>x</b>')", "html"),
        ("from streamlit import html\nhtml(name)", "html"),
        ("from starlette.responses import HTMLResponse as R\nR(name)", "HTMLResponse"),
        ("import numpy as np\nnp.load(path, allow_pickle=wanted)", "allow_pickle"),
        ("from sqlalchemy import text as t\nt(f'SELECT {name}')", "text"),
        ("import sqlalchemy as sa\nsa.literal_column(name)", "literal_column"),
        ("connection.exec_driver_sql(query)", "exec_driver_sql"),
        ("connection.execute('SELECT ' + name)", "execute"),
        ("connection.execute('SELECT %s' % name)", "execute"),
        ("connection.execute('SELECT {}'.format(name))", "execute"),
        ("import socket\nsocket.create_connection((host, 80))", "create_connection"),
        ("from urllib import request\nrequest.urlopen('http://x')", "urlopen"),
        ("from zipfile import ZipFile\nZipFile(path).extractall(folder)", "extractall"),
        ("import shutil\nshutil.unpack_archive(path)", "unpack_archive"),
    ],
)
def test_a_forbidden_call_is_found(source: str, name: str) -> None:
    """By whatever name it is imported."""
    assert [call for call, _ in forbidden_calls(source)] == [name]


def test_a_program_in_a_string_is_found() -> None:
    """Among other options too."""
    source = "run([sys.executable, '-c', code])\nrun([*(sys.executable, '-W', 'x', '-c', code), y])"
    assert list(programs_in_strings(source)) == [1, 2]


@pytest.mark.parametrize(
    "source",
    [
        "import streamlit as st\nst.html(STYLE)\nst.text(name)",
        "from sqlalchemy import text\ntext(f'SELECT {LOCK}' ' FROM x')",
        "connection.execute(select(Person).where(Person.name == name))",
        "connection.execute('SELECT ?', (name,))",
        "import numpy as np\nnp.load(path, allow_pickle=False)",
        "import socket\nsocket.create_connection((host, 80), timeout=5)",
    ],
)
def test_the_safe_form_is_free(source: str) -> None:
    """Constants, values that are bound, and time limits."""
    assert list(forbidden_calls(source)) == []
