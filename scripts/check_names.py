"""Counts bound names that say nothing about what they hold.

    python -m scripts.check_names [--list] [PATH ...]

A reader meets a name before its definition, so a class or value should be a noun phrase and a
function a verb phrase that make sense without their import path. Participles, pronouns, adverbs and
prepositions as whole names do not. ``VAGUE_NAMES`` lists those used most often here; names that
only contain one of them (``found_pages``) pass.

The exit code is 1 if a public function or class has such a name, or if more than ``LIMIT`` of the
names bound below a top-level folder are vague. ``--list`` prints all of them.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from scripts.check_english import ROOT, tracked

LIMIT = 0.01
"""Accepted share of vague names below each top-level folder."""

VAGUE_NAMES = {
    # Of what? (``matches``, ``remarks``, ``required_fields``)
    "participles": (
        "asked awaited begun began carried chosen counted described done drawn found given gone "
        "handed held heard judged kept known listed lost lying made marked meant met named noted "
        "offered picked put said seen served settled shown spoken standing stated taken told "
        "wanted waited went worked written wrote"
    ),
    # Which one? (``attempt`` for one of ``attempts``)
    "pronouns and quantifiers": (
        "anything both each everybody everything few it many mine most nobody none nothing one "
        "others ours own several some somebody something such theirs thing things those what "
        "whatever which who whoever whole whose"
    ),
    # A relation between what and what?
    "adverbs, conjunctions and prepositions": (
        "about above again ahead alike alone along also among anew apart around away back behind "
        "below beside besides between beyond far further here how meanwhile near nearby of off "
        "once only over per same since still then there thereby together twice until when where "
        "whether why with within without yet"
    ),
    # Could be anything (``position``, ``participant``, ``timestamp``, ``attempts``)
    "empty nouns and verbs": (
        "care moment moments place places say says side sides stuff tell tells wish work works"
    ),
}
VAGUE = frozenset(name for names in VAGUE_NAMES.values() for name in names.split())


class BoundName(NamedTuple):
    """A name that a module binds.

    Attributes:
        kind: "definition" for functions and classes, else "value".
    """

    file: str
    line: int
    name: str
    kind: str

    @property
    def is_vague(self) -> bool:
        """Whether the whole name, without underscores around it, is one of ``VAGUE``."""
        return self.name.strip("_").lower() in VAGUE

    @property
    def is_public_definition(self) -> bool:
        """Whether it is a function or class that other modules may use."""
        return self.kind == "definition" and not self.name.startswith("_")


def bound_names(path: Path) -> Iterator[BoundName]:
    """Names that a module binds: definitions, arguments, variables, attributes and aliases."""
    file = path.relative_to(ROOT).as_posix()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield BoundName(file, node.lineno, node.name, "definition")
            case ast.arg():
                yield BoundName(file, node.lineno, node.arg, "value")
            case ast.Name(ctx=ast.Store()):
                yield BoundName(file, node.lineno, node.id, "value")
            case ast.Attribute(ctx=ast.Store()):
                yield BoundName(file, node.lineno, node.attr, "value")
            case ast.alias(asname=str(name)) | ast.ExceptHandler(name=str(name)):
                yield BoundName(file, node.lineno, name, "value")
            case _:
                pass


def modules(arguments: Sequence[str]) -> list[Path]:
    """Tracked Python modules at or below the paths; all tracked ones without a path."""
    roots = [Path(argument).resolve() for argument in arguments] or [ROOT]
    return [
        path
        for path in tracked()
        if path.suffix == ".py" and any(path == root or root in path.parents for root in roots)
    ]


def main(arguments: Sequence[str]) -> int:
    """Print the share of vague names per top-level folder, and the names that break the rules."""
    show_all = "--list" in arguments
    names = [
        name
        for path in modules([argument for argument in arguments if argument != "--list"])
        for name in bound_names(path)
    ]
    vague = [name for name in names if name.is_vague]
    public = [name for name in vague if name.is_public_definition]
    for name in vague if show_all else public:
        print(f"{name.file}:{name.line}: {name.name}")
    totals = Counter(name.file.partition("/")[0] for name in names)
    counts = Counter(name.file.partition("/")[0] for name in vague)
    for folder, total in sorted(totals.items()):
        share = counts[folder] / total
        print(f"{folder}: {counts[folder]} of {total} names are vague ({share:.1%})")
    if public:
        print(f"{len(public)} public functions or classes have a vague name")
    is_over = any(counts[folder] > LIMIT * total for folder, total in totals.items())
    return 1 if public or is_over else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
