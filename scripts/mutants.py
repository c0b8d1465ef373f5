"""Changes single operators of the product, and records whether the tests notice.

A suite may be cut only if what remains finds the same mutants. ``tests/mutants.json`` says which of
150 are found, by which test; hashes with a seed choose them, so that each run has the same ones.

    python -m scripts.mutants                 the mutants that have no result yet
    python -m scripts.mutants --again FOUND   those that were found (or MISSED), once more
    python -m scripts.mutants --list          sites and mutants, without running anything

Each runs in a worktree of its own, first against the tests that mirror its package and those that
import its module, in the order of ``scripts/test``, without a browser. An interrupted run goes on
where it stopped.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Literal

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "tests" / "mutants.json"
PACKAGES = ("annotation", "exports", "storage", "app")
SEED, NUMBER = 41, 150
_TIMEOUT_S = 600

Outcome = Literal["found", "missed"]

_COMPARISONS: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "-", ast.Sub: "+", ast.Mult: "/"}


@dataclass(frozen=True)
class Mutant:
    """A change of one expression.

    Attributes:
        path: of the module, from the repository's root.
        before, after: the expression's source.
        start, end: its offsets in the module's UTF-8 source.
    """

    path: str
    line: int
    before: str
    after: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """The mutant in the file of results; without its line, which moves with the module."""
        return f"{self.path}: {self.before} -> {self.after}"


def mutants_of(path: Path) -> Iterator[Mutant]:
    """All mutants of a module: comparisons, and/or, not, + and -, numbers, True and False."""
    source = path.read_text()
    encoded = source.encode()
    starts = [0]
    for text in encoded.splitlines(keepends=True):
        starts.append(starts[-1] + len(text))
    tree = ast.parse(source)
    skipped = _not_executed(tree)
    for node in ast.walk(tree):
        changed = None if id(node) in skipped else _changed(node)
        if changed is None or not isinstance(node, ast.expr):
            continue
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        before = " ".join(encoded[start:end].decode().split())
        relative = path.relative_to(ROOT).as_posix()
        yield Mutant(relative, node.lineno, before, changed, start, end)


def _not_executed(tree: ast.Module) -> set[int]:
    """Annotations, whose change no test can notice."""
    annotations: list[ast.expr | None] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            annotations.append(node.annotation)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            annotations.append(node.returns)
    return {id(part) for root in annotations if root is not None for part in ast.walk(root)}


def _changed(node: ast.AST) -> str | None:
    """The source of the changed expression; None of one that is left alone."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        operator = _COMPARISONS[type(node.ops[0])]
        return f"(({ast.unparse(node.left)}) {operator} ({ast.unparse(node.comparators[0])}))"
    if isinstance(node, ast.BoolOp):
        word = " or " if isinstance(node.op, ast.And) else " and "
        return "(" + word.join(f"({ast.unparse(value)})" for value in node.values) + ")"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return f"bool({ast.unparse(node.operand)})"
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATORS:
        operator = _OPERATORS[type(node.op)]
        return f"(({ast.unparse(node.left)}) {operator} ({ast.unparse(node.right)}))"
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        return str(not node.value)
    if isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value < 100:
        return str(node.value + 1)
    return None


def draw_mutants() -> list[Mutant]:
    """The mutants of the seed, by path; of equal ones in a module the first."""
    by_key: dict[str, Mutant] = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for mutant in mutants_of(path):
                by_key.setdefault(mutant.key, mutant)
    # In the order of hashes, so that a new module replaces few of the drawn ones.
    order = sorted(by_key, key=lambda key: sha256(f"{SEED} {key}".encode()).digest())
    return [by_key[key] for key in sorted(order[:NUMBER])]


def tests_of(path: str) -> list[str]:
    """The tests that mirror a module's package, then others that import the module."""
    mirrored = Path("tests") / Path(path).parent
    while not (ROOT / mirrored).is_dir():
        mirrored = mirrored.parent
    module = "pagetrail." + path.removesuffix(".py").replace("/", ".")
    importing = [
        test.relative_to(ROOT)
        for test in sorted((ROOT / "tests").rglob("test_*.py"))
        if module in test.read_text() and "e2e" not in test.parts
    ]
    others = [test.as_posix() for test in importing if mirrored not in test.parents]
    return [mirrored.as_posix(), *others]


def run(mutant: Mutant, tree: Path) -> tuple[Outcome, str]:
    """Whether a test fails on the mutant, and which; a hanging one counts as found."""
    file = tree / mutant.path
    source = file.read_bytes()
    changed = source[: mutant.start] + mutant.after.encode() + source[mutant.end :]
    file.write_bytes(changed)
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["-m", "not browser and not long", *tests_of(mutant.path)]
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    try:
        done = subprocess.run(
            command,
            cwd=tree,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "found", f"no end within {_TIMEOUT_S} s"
    finally:
        file.write_bytes(source)
    failures = [text for text in done.stdout.splitlines() if text.startswith(("FAILED", "ERROR"))]
    if done.returncode in (0, 5):
        return "missed", ""
    return "found", failures[0].split(" - ")[0] if failures else "the tests do not start"


def main() -> None:
    """Run what is asked for, and write each result as soon as it is known."""
    parser = argparse.ArgumentParser(description=__doc__, usage="%(prog)s [--again FOUND|MISSED]")
    parser.add_argument("--again", choices=("FOUND", "MISSED"))
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    drawn = draw_mutants()
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if arguments.again:
        outcome_name = arguments.again.lower()
        chosen = [m for m in drawn if results.get(m.key, {}).get("outcome") == outcome_name]
    else:
        chosen = [m for m in drawn if m.key not in results]
    if arguments.list:
        for mutant in chosen:
            print(f"{mutant.path}:{mutant.line}: {mutant.before} -> {mutant.after}")
        return
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "pagetrail"
        subprocess.run(["git", "worktree", "add", "--detach", tree], cwd=ROOT, check=True)
        try:
            for number, mutant in enumerate(chosen, start=1):
                outcome, by = run(mutant, tree)
                results[mutant.key] = {"outcome": outcome, "by": by}
                ordered = {key: results[key] for key in sorted(results)}
                RESULTS.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n")
                print(f"{number}/{len(chosen)} {outcome}: {mutant.key} {by}", flush=True)
        finally:
            subprocess.run(["git", "worktree", "remove", "--force", tree], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
