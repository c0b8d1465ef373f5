"""What a benchmark is, what it measures, and the table of measurements.

A module of this package declares ``BENCHMARK``; ``python -m benchmarks`` runs it, prints one table
for all, and with ``--save`` writes the rows into docs/performance.md.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from typing import Literal

from rich.console import Console
from rich.table import Table

Unit = Literal["s", "ms", "MB", "bytes", "/s", "pages/s", "keys", "×", ""]
COLUMNS = ("Benchmark", "Measure", "Median", "p95", "Longest", "Target", "Reference", "Ratio")
START, END = "<!-- benchmarks: start -->", "<!-- benchmarks: end -->"


@dataclass(frozen=True)
class Measurement:
    """A measured value with its target and a reference from the same run.

    Attributes:
        value: the median of several runs, or a single value; in ``unit``, as the others.
        p95: the 95th percentile.
        longest: the largest value.
        target: bound for ``value``.
        target_p95: upper bound for ``p95``.
        target_longest: upper bound for ``longest``.
        better: whether values below or above ``target`` pass.
        reference: name of what the value is compared with, and its value in the same unit.
        note: what failed, if the numbers alone do not show it; such a measurement is a miss.
    """

    name: str
    value: float
    unit: Unit
    target: float | None = None
    better: Literal["below", "above"] = "below"
    reference: tuple[str, float] | None = None
    p95: float | None = None
    target_p95: float | None = None
    longest: float | None = None
    target_longest: float | None = None
    note: str = ""

    @classmethod
    def of_durations(
        cls,
        name: str,
        seconds: Sequence[float],
        *,
        target_ms: float | None = None,
        target_p95_ms: float | None = None,
        target_longest_ms: float | None = None,
        reference: tuple[str, Sequence[float]] | None = None,
        note: str = "",
    ) -> Measurement:
        """Median, 95th percentile and longest of durations, in milliseconds.

        Args:
            reference: its name and durations in seconds, of which the median is compared.
        """
        middle, tail = milliseconds(seconds)
        return cls(
            name,
            middle,
            "ms",
            target_ms,
            reference=reference and (reference[0], median(reference[1]) * 1000),
            p95=tail,
            target_p95=target_p95_ms,
            longest=max(seconds) * 1000,
            target_longest=target_longest_ms,
            note=note,
        )

    @property
    def passed(self) -> bool | None:
        """Whether all targets are met; None without a target."""
        bounds = [(self.p95, self.target_p95), (self.longest, self.target_longest)]
        results = [value <= bound for value, bound in bounds if None not in (value, bound)]  # type: ignore[operator]
        if self.target is not None:
            is_below = self.value <= self.target
            results.append(is_below if self.better == "below" else self.value >= self.target)
        if self.note:
            results.append(False)
        return all(results) if results else None

    def cells(self) -> list[str]:
        """Texts for ``COLUMNS``, but the first."""
        sign = "≤" if self.better == "below" else "≥"
        targets = [
            f"{name}{sign_} {_number(bound)}"
            for name, sign_, bound in (
                ("", sign, self.target),
                ("p95 ", "≤", self.target_p95),
                ("max ", "≤", self.target_longest),
            )
            if bound is not None
        ]
        verdict = {True: "", False: ": missed", None: ""}[self.passed]
        reference, ratio = "", ""
        if self.reference is not None:
            name, value = self.reference
            reference = f"{name} {_number(value)}"
            ratio = f"{self.value / value:.2f}×" if value else ""
        return [
            self.name + (f" ({self.note})" if self.note else ""),
            f"{_number(self.value)} {self.unit}".strip(),
            "" if self.p95 is None else _number(self.p95),
            "" if self.longest is None else _number(self.longest),
            ", ".join(targets) + verdict,
            reference,
            ratio,
        ]


@dataclass
class Setup:
    """What a benchmark is given.

    Attributes:
        options: of the command line, those of ``Benchmark.add_options`` included.
        corpus: a folder of PDF files.
        workspace: the path of a workspace over them, made on first use and shared.
    """

    console: Console
    options: argparse.Namespace
    corpus: Path
    workspace: Callable[[], Path]
    resources: ExitStack


@dataclass(frozen=True)
class Benchmark:
    """A benchmark as ``python -m benchmarks NAME`` runs it.

    Attributes:
        is_default: whether it runs when no name is given.
    """

    name: str
    measure: Callable[[Setup], Iterable[Measurement]]
    is_default: bool = True
    add_options: Callable[[argparse._ArgumentGroup], object] = field(default=lambda _group: None)


def milliseconds(seconds: Sequence[float]) -> tuple[float, float]:
    """(median, 95th percentile) of durations in seconds, as milliseconds."""
    return median(seconds) * 1000, p95(seconds) * 1000


def p95(values: Sequence[float]) -> float:
    """The 95th percentile."""
    return quantiles(values, n=20)[-1] if len(values) > 1 else values[0]


def duration(function: Callable[[], object]) -> float:
    """Seconds that a call takes."""
    started = time.perf_counter()
    function()
    return time.perf_counter() - started


def print_table(console: Console, rows: Iterable[tuple[str, Measurement]]) -> None:
    """Print the measurements, each with the name of its benchmark."""
    table = Table(
        *COLUMNS[:2],
        title=f"{os.cpu_count()} cores, Python {platform.python_version()}, "
        f"load at the end {os.getloadavg()[0]:.1f}",
    )
    for title in COLUMNS[2:]:
        table.add_column(title, justify="right")
    for benchmark, measurement in rows:
        style = {True: "green", False: "red", None: None}[measurement.passed]
        table.add_row(benchmark, *measurement.cells(), style=style)
    console.print(table)


def save_table(file: Path, rows: Iterable[tuple[str, Measurement]]) -> None:
    """Replace the rows of these benchmarks in the table of a Markdown file; others stay.

    Raises:
        SystemExit: the file has no table between ``START`` and ``END``.
    """
    text = file.read_text(encoding="utf-8")
    parts = re.split(f"({re.escape(START)}|{re.escape(END)})", text)
    if len(parts) != 5:
        raise SystemExit(f"{file} has no table between {START} and {END}.")
    day = datetime.now(UTC).date().isoformat()
    lines: dict[str, list[str]] = {}
    for line in parts[2].strip().splitlines()[2:]:
        lines.setdefault(line.split("|")[1].strip(), []).append(line)
    added: dict[str, list[str]] = {}
    for benchmark, measurement in rows:
        cells = [benchmark, *measurement.cells(), f"{day}, load {os.getloadavg()[0]:.1f}"]
        added.setdefault(benchmark, []).append(f"| {' | '.join(cells)} |")
    header = [*COLUMNS, "Measured"]
    table = [f"| {' | '.join(header)} |", "|---|---|--:|--:|--:|---|---|--:|---|"]
    body = [line for group in (lines | added).values() for line in group]
    parts[2] = "\n\n" + "\n".join(table + body) + "\n\n"
    file.write_text("".join(parts), encoding="utf-8")


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
