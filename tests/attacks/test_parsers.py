"""Every place that parses text or files is known, with the reason why it holds up nobody."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("annotation", "storage", "exports", "app")

PARSERS = {
    *("json.loads", "json.load", "json.JSONDecoder", "tomllib.loads", "tomllib.load"),
    *("csv.reader", "csv.DictReader", "gzip.open", "gzip.decompress", "zlib.decompress"),
    *("zlib.decompressobj", "zipfile.ZipFile", "tarfile.open", "ast.literal_eval", "ast.parse"),
    *("pickle.loads", "pickle.load", "marshal.loads", "xml.etree.ElementTree.fromstring"),
    *("xml.etree.ElementTree.parse", "html.parser.HTMLParser", "markdown_it.MarkdownIt"),
    *("PIL.Image.open", "pymupdf.open", "eval", "exec", "compile", "email.message_from_bytes"),
    *("datetime.datetime.fromisoformat", "datetime.date.fromisoformat"),
    *("datetime.datetime.strptime", "numpy.load", "numpy.loadtxt", "numpy.genfromtxt"),
}
"""By their full names."""

METHODS = {"validate_json", "model_validate_json", "read_schema"}
"""Names that parse on whatever they are called."""

MODULES = ("pandas.read_", "pyarrow.parquet.", "pyarrow.csv.", "pyarrow.json.", "pyarrow.ipc.",
           "pyarrow.feather.", "pyarrow.orc.", "python_calamine.", "yaml.", "lxml.", "bs4.",
           "dateutil.", "whoosh.qparser.", "defusedxml.", "html5lib.", "openpyxl.",
           "xml.sax.", "xml.dom.", "fitz.", "pypdf.")  # fmt: skip
"""Libraries whose functions parse, and beginnings of the names of functions that do."""

PATTERNS = {f"re.{name}" for name in ("compile", "match", "search", "fullmatch", "sub", "subn",
                                      "split", "findall", "finditer")}  # fmt: skip
"""Parsers where the pattern is no constant."""

NO_PARSER = {"python_calamine.CalamineError"}

OWN = "reads what the program ships or has written itself"
STORED = "reads what was checked when it was stored"
WORKER = "runs in a worker process with a limit of time and memory"
COMMAND = "reads what whoever starts the program gives it"
LINEAR = "takes time in proportion to a text of bounded length"
ESCAPED = "the pattern is made of escaped or constant parts"

KNOWN: dict[tuple[str, str], str] = {}


def calls(path: Path) -> Iterator[tuple[str, int]]:
    """The parsers that a module calls, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {a.asname or a.name.partition(".")[0]: a.asname and a.name
                      or a.name.partition(".")[0] for a in node.names}  # fmt: skip
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names |= {a.asname or a.name: f"{node.module}.{a.name}" for a in node.names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = full_name(node.func, names)
        if name in PATTERNS and not (node.args and isinstance(node.args[0], ast.Constant)):
            yield name, node.lineno
        elif name in PARSERS or (name.startswith(MODULES) and name not in NO_PARSER):
            yield name, node.lineno
        elif name.rpartition(".")[2] in METHODS:
            yield name.rpartition(".")[2], node.lineno


def full_name(node: ast.expr, names: dict[str, str]) -> str:
    """A called name as its module has it; an expression stands for itself by its last part."""
    if isinstance(node, ast.Name):
        return names.get(node.id, node.id)
    if isinstance(node, ast.Attribute):
        return f"{full_name(node.value, names)}.{node.attr}"
    return "?"


def all_calls() -> dict[tuple[str, str], list[int]]:
    """(Module, parser) with its lines."""
    found: dict[tuple[str, str], list[int]] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for name, line in calls(path):
                found.setdefault((path.relative_to(ROOT).as_posix(), name), []).append(line)
    return found
