"""All benchmarks: ``python -m benchmarks [--corpus DIR] [--pages FILE] [--only NAME]``."""

from __future__ import annotations

import argparse
import os
import platform
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks import (
    actions,
    agents,
    agreement,
    boxes,
    dashboard,
    event_route,
    exports,
    ingest,
    memory,
    page_turn,
    results,
    search,
    signin,
)
from benchmarks.support import LIBRARY, Measurement, bench_workspace, corpus_folder
from pagetrail.storage.ingest.ocr_languages import tesseract_problem

PAGES = LIBRARY.parent / "pages_20k.jsonl.gz"
INGEST_TARGET = 0.85
SEARCH_TARGETS = ((2_000, 0.5), (None, 0.2))


def main() -> None:
    """Run what is asked for; prints a table and ends with 1 when a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a folder of PDF files; default: the library")
    parser.add_argument(
        "--pages", type=Path, default=PAGES, help="OCR JSONL to search, plain or .gz"
    )
    parser.add_argument("--only", choices=NAMES, help="one of them")
    options = parser.parse_args()
    console = Console()
    with ExitStack() as stack:
        pdfs = corpus_folder(options.corpus)
        root = cache(lambda: stack.enter_context(bench_workspace(pdfs)))
        runs: dict[str, Callable[[], list[Measurement]]] = {
            "ingest": lambda: _ingest(pdfs),
            "search": lambda: list(_search(options.pages)),
            "event_route": lambda: event_route.main(root()),
            "actions": actions.main,
            "page_turn": lambda: page_turn.main(root()),
            "signin": lambda: signin.main(root()),
            "memory": lambda: memory.main(root()),
            "agents": lambda: agents.main(root()),
            "boxes": boxes.main,
            "agreement": agreement.main,
            "dashboard": dashboard.main,
            "results": results.main,
            "exports": exports.main,
        }
        measurements = []
        for name in [options.only] if options.only else NAMES:
            console.print(f"[bold]{name}[/] … (load {os.getloadavg()[0]:.1f})")
            measurements += runs[name]()
    _show(console, measurements)
    if any(measurement.passed is False for measurement in measurements):
        raise SystemExit(1)


NAMES = (
    "ingest",
    "search",
    "event_route",
    "actions",
    "page_turn",
    "signin",
    "memory",
    "agents",
    "boxes",
    "agreement",
    "dashboard",
    "results",
    "exports",
)


def _ingest(pdfs: Path) -> list[Measurement]:
    found = ingest.main(pdfs)
    bare = ("bare get_text, 1 process", found["bare"])
    bare_all = (f"bare get_text, {os.cpu_count()} processes", found["bare_all"])
    return [
        Measurement("ingest, 1 worker", found["one_worker"], "pages/s", reference=bare),
        Measurement("ingest, all cores", found["all_workers"], "pages/s", reference=bare_all),
        Measurement(
            "ingest per core, of bare", found["ratio_per_core"], "×", INGEST_TARGET, "above"
        ),
        *_recognition(pdfs),
    ]


def _recognition(pdfs: Path) -> Iterator[Measurement]:
    if tesseract_problem("eng") is None:
        found = ingest.recognition(pdfs)
        one = ("1 worker", found["one_worker"])
        yield Measurement("OCR, all cores", found["all_workers"], "pages/s", reference=one)


def _search(pages: Path) -> Iterator[Measurement]:
    if not pages.is_file():
        return
    for limit, target in SEARCH_TARGETS:
        found = search.medians(pages, limit)
        label = "all pages" if limit is None else f"{limit:,} pages"
        yield Measurement(
            f"search, {label}",
            found["ours"],
            "ms",
            target * found["benchmark"],
            reference=("searcher for each query", found["benchmark"]),
        )


def _show(console: Console, measurements: list[Measurement]) -> None:
    table = Table(
        "Measure",
        title=f"{os.cpu_count()} cores, Python {platform.python_version()}, "
        f"load at the end {os.getloadavg()[0]:.1f}",
    )
    for column in ("Value", "Target", "Reference", "Ratio"):
        table.add_column(column, justify="right")
    table.add_column("")
    for measurement in measurements:
        sign = "≤" if measurement.better == "below" else "≥"
        reference, ratio = "", ""
        if measurement.reference is not None:
            what, value = measurement.reference
            reference = f"{what} {_number(value)}"
            ratio = f"{measurement.value / value:.2f}×"
        target = "" if measurement.target is None else f"{sign} {_number(measurement.target)}"
        verdict = {True: "[green]pass[/]", False: "[red]miss[/]", None: ""}[measurement.passed]
        table.add_row(
            measurement.name,
            f"{_number(measurement.value)} {measurement.unit}",
            target,
            reference,
            ratio,
            verdict,
        )
    console.print(table)


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


if __name__ == "__main__":
    main()
