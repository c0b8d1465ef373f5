"""Runs benchmarks: ``python -m benchmarks [NAME …] [--corpus DIR] [--save docs/performance.md]``.

Without a name, all run but those that take long (``load``, ``soak``, ``attacks``,
``queries``, ``judge-coverage``).
Medians and 95th percentiles are printed with their targets and with a reference from the same run.
The exit code is 1 if a target is missed.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import ExitStack
from functools import cache
from pathlib import Path

from rich.console import Console

from benchmarks import (
    actions,
    agents,
    agreement,
    attacks,
    boxes,
    campaign_form,
    dashboard,
    event_route,
    exports,
    ingest,
    interactions,
    judge_coverage,
    load,
    memory,
    page_turn,
    reading,
    results,
    search,
    signin,
    suspect_gold,
    table_grid,
    text_editor,
    transcripts,
)
from benchmarks.harness import Setup, print_table, save_table
from benchmarks.support import LIBRARY, bench_workspace, corpus_folder

BENCHMARKS = {
    benchmark.name: benchmark
    for benchmark in (
        ingest.BENCHMARK,
        search.BENCHMARK,
        event_route.BENCHMARK,
        actions.BENCHMARK,
        page_turn.BENCHMARK,
        interactions.BENCHMARK,
        reading.BENCHMARK,
        signin.BENCHMARK,
        memory.BENCHMARK,
        agents.BENCHMARK,
        boxes.BENCHMARK,
        text_editor.BENCHMARK,
        table_grid.BENCHMARK,
        agreement.BENCHMARK,
        dashboard.BENCHMARK,
        campaign_form.BENCHMARK,
        results.BENCHMARK,
        exports.BENCHMARK,
        judge_coverage.BENCHMARK,
        search.QUERIES,
        attacks.BENCHMARK,
        suspect_gold.BENCHMARK,
        transcripts.BENCHMARK,
        load.BENCHMARK,
        load.SOAK,
    )
}


def main() -> None:
    """Run the benchmarks named on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", choices=[[], *BENCHMARKS], metavar="NAME")
    parser.add_argument("--corpus", type=Path, help="a folder of PDF files; default: the library")
    parser.add_argument(
        "--pages",
        type=Path,
        default=LIBRARY.parent / "pages_20k.jsonl.gz",
        help="texts of pages to search, as JSON Lines, plain or .gz",
    )
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the rows into its table")
    for benchmark in BENCHMARKS.values():
        benchmark.add_options(parser.add_argument_group(benchmark.name))
    options = parser.parse_args()
    names = options.names or [
        name for name, benchmark in BENCHMARKS.items() if benchmark.is_default
    ]
    console = Console(width=None if sys.stdout.isatty() else 160)
    rows = []
    with ExitStack() as stack:
        corpus = stack.enter_context(corpus_folder(options.corpus))
        workspace = cache(lambda: stack.enter_context(bench_workspace(corpus)))
        setup = Setup(console, options, corpus, workspace, stack)
        for name in names:
            console.print(f"[bold]{name}[/] … (load {os.getloadavg()[0]:.1f})")
            rows += [(name, row) for row in BENCHMARKS[name].measure(setup)]
    print_table(console, rows)
    if options.save:
        save_table(options.save, rows)
    if any(measurement.passed is False for _, measurement in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
