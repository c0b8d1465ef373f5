"""A report made by hand: every kind of cell and column, and names meant to do harm."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.reports.charts.curves import budget_chart, kuiper_chart, retrieval_chart
from pagetrail.exports.reports.charts.distributions import overlap_chart
from pagetrail.exports.reports.charts.estimates import agreement_chart
from pagetrail.exports.reports.charts.matrices import kappa_chart
from pagetrail.exports.reports.charts.stages import cascade_chart
from pagetrail.exports.reports.model import Cell, Chart, Column, Report, Section, Table

SCRIPT = "<script>alert(\"x\")</script> & 'co'"
LATEX = r"100% of $x_1^2 & #3 {~} \input{/etc/passwd}"
FORMULA = '=HYPERLINK("http://evil.example","click")'
ARABIC = "محرك بحث \u202eabc"
CHINESE = "検索エージェント"
LINES = "two\nlines\x00\x1b[31m and\ta tab"
LONG = "a-very-long-system-name-" * 8
NAMES = (SCRIPT, LATEX, FORMULA, ARABIC, CHINESE, LINES, LONG, "[bracket]* bold[/]", "")

COLUMNS = (
    Column("side", "Participant", "text", "People together, or a system."),
    Column("n", "n", "count", "Attempts."),
    Column("accuracy", "Accuracy", "share", "Share of right answers; MADQA, 2603.12180."),
    Column("ac2", "AC2 <b>", "score", "Gwet's AC2 & its interval (Gwet 2014)."),
    Column("ratio", "Wasted effort", "number"),
    Column("time", "Median time", "seconds", "Half of the attempts took longer."),
    Column("done", "Done", "text"),
)


def table(key: str = "by-side") -> Table:
    """Every kind of cell in every kind of row."""
    rows = [
        {
            "side": "Humans",
            "n": 1234,
            "accuracy": Cell(0.815, low=0.7449, high=0.87, se=0.031),
            "ac2": Cell(0.76, low=0.741, high=0.7784, se=0.0095, flag="few_clusters"),
            "ratio": 1.005,
            "time": 81.249,
            "done": True,
        },
        {
            "side": "BM25 agent",
            "n": 0,
            "accuracy": Cell(reason="no_rows"),
            "ac2": Cell(-0.00001, flag="one_cluster"),
            "ratio": Cell(reason="never_heard_of"),
            "time": Cell(reason="no_times"),
            "done": False,
        },
        *({"side": name, "n": 1, "ac2": Cell(-0.25, low=-0.5, high=0.0)} for name in NAMES),
        {"row_kind": "pooled", "side": "Pooled", "n": 1235, "ac2": 0.5},
        {"row_kind": "macro", "side": "Macro", "accuracy": Cell(reason="no_rows")},
    ]
    return Table.from_rows(
        key,
        f"By side {SCRIPT}",
        "Who is right how often?",
        COLUMNS,
        rows,
        notes=(f"A note of {LATEX} {SCRIPT}",),
    )


def charts() -> list[Chart]:
    """Each kind of chart, with the names in it."""
    curves = {
        name: [(0.0, 0.0), (1.0, 1.5 - i / 4), (2.0, -0.5), (4.0, 0.0)]
        for i, name in enumerate(NAMES)
    }
    shares = {name: [(1, 0.25), (2, 0.5 + i / 20)] for i, name in enumerate(NAMES)}
    stages = ("no_answer", "retrieval", "navigation", "comprehension", "correct")
    counts = {name: dict(zip(stages, (0, 1, 2, 3, 4), strict=True)) for name in NAMES}
    return [
        kuiper_chart(curves, effort="searches"),
        budget_chart(shares, unit="searches"),
        cascade_chart(
            {name: {s: n / 10 for s, n in row.items()} for name, row in counts.items()}, counts
        ),
        kappa_chart(
            [
                (SCRIPT, LATEX, 0.5, None),
                (SCRIPT, ARABIC, None, "no_variation"),
                (LATEX, ARABIC, -0.7, None),
            ]
        ),
        retrieval_chart(shares, level="page"),
        overlap_chart([0.0, 0.05, 0.5, 0.96, 1.0], measure="IoU"),
        agreement_chart(
            [
                (SCRIPT, "Krippendorff's alpha", 0.469, 0.44, 0.5),
                (SCRIPT, "Gwet's AC2", 0.76, 0.741, 0.778),
                (LINES, "Gwet's AC2", -0.1, None, None),
            ],
            key="agreement-relevance",
            title="How far do people agree on relevance?",
        ),
    ]


@cache
def report() -> Report:
    """A report with all of it."""
    return Report(
        kind="metrics",
        title=f"Metrics of {SCRIPT}",
        campaign=SCRIPT,
        protocol="madqa_baseline",
        facts={"Attempts measured": 1235, "Annotators": 3},
        choices={"rule": "first", "idle_cap_s": 60, "compare": ["a", LATEX], "by": None},
        sections=[
            Section("Answers", [table(), charts()[0]], notes=("All tasks count the same.",)),
            Section(
                "Nothing here",
                [Table.from_rows("empty", "No rows", "", [Column("a", "A", "score")], [])],
            ),
            Section("Charts", charts()[1:]),
        ],
        left_out=[
            LeftOut("attempt", "status_skipped", 2, ["a1", "a2"]),
            LeftOut("query", "odd", 1),
        ],
    )


def without_charts() -> Report:
    """The same without charts, whose drawing depends on the fonts of the machine."""
    full_report = report()
    sections = [
        Section(
            section.title,
            [part for part in section.parts if isinstance(part, Table)],
            section.notes,
        )
        for section in full_report.sections
    ]
    return replace(full_report, sections=sections)
