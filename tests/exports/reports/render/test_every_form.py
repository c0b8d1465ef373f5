"""A report made by hand, in every form, byte for byte, and what harmful names become in each.

When a change of form is meant, write the files again with
``python -m tests.exports.reports.render.test_every_form`` and look at the difference.
"""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import get_args

import pytest
from rich.cells import cell_len
from rich.console import Console

from pagetrail.annotation.agreement.estimation import Reason
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.reports.model import Cell, Column, Report, Table
from pagetrail.exports.reports.render.csv_text import csv_text
from pagetrail.exports.reports.render.formatting import Footnotes, digits, format_cell, heading
from pagetrail.exports.reports.render.html_page import html_text
from pagetrail.exports.reports.render.json_text import SCHEMA, json_text, report_json
from pagetrail.exports.reports.render.latex_table import escaped, latex_text
from pagetrail.exports.reports.render.reasons import (
    FLAGS,
    REASONS,
    flag_words,
    reason_words,
)
from pagetrail.exports.reports.render.terminal import show
from pagetrail.exports.writing.left_out import LEFT_OUT, left_out_words
from tests.exports.reports.sample import (
    FORMULA,
    LATEX,
    LINES,
    NAMES,
    SCRIPT,
    report,
    table,
    without_charts,
)

GOLDEN = Path(__file__).parent / "golden"
WIDTHS = (80, 120)


def terminal(shown_report: Report, width: int) -> str:
    """The report as a terminal of that width shows it, without colours."""
    out = io.StringIO()
    show(shown_report, Console(file=out, width=width, color_system=None, legacy_windows=False))
    return out.getvalue()


@cache
def forms() -> dict[str, str]:
    """Every form of the report without charts, by the name of its golden file."""
    sample_report = without_charts()
    return {
        **{f"terminal-{width}.txt": terminal(sample_report, width) for width in WIDTHS},
        "by-side.csv": csv_text(table()),
        "by-side.tex": latex_text(table()),
        "report.json": json_text(sample_report),
        "report.html": html_text(sample_report).replace(version("pagetrail"), "VERSION"),
    }


@pytest.mark.parametrize("name", sorted(forms()))
def test_every_form_is_as_it_was(name: str) -> None:
    """The same report gives the bytes of the golden file."""
    assert forms()[name].encode() == (GOLDEN / name).read_bytes()


def test_no_golden_file_is_left_over() -> None:
    """Every golden file is compared."""
    assert {path.name for path in GOLDEN.iterdir()} == set(forms())


@pytest.mark.parametrize("width", WIDTHS)
def test_a_terminal_is_never_left(width: int) -> None:
    """No line is longer than the window, and no name brings control characters into it."""
    lines = terminal(report(), width).split("\n")
    assert max(cell_len(line) for line in lines) <= width
    assert not [c for line in lines for c in line if ord(c) < 32 or c == "\u202e"]


def test_a_wide_table_comes_in_pieces_that_name_their_rows() -> None:
    """Too wide for the window, a table goes on below, again with the names of its rows."""
    text = terminal(replace(without_charts(), left_out=[]), 80)
    assert "continued below" in text
    assert len(re.findall(r"^Humans", text, flags=re.MULTILINE)) == 2


def test_overall_rows_stand_apart_in_a_terminal() -> None:
    """An empty line or a rule is between the rows and the pooled one."""
    lines = terminal(without_charts(), 120).split("\n")
    index = next(i for i, line in enumerate(lines) if line.startswith("Pooled"))
    assert not lines[index - 1].strip(" ─")


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        (0.815, "share", "81.5"),
        (1, "share", "100.0"),
        (0.76, "score", "0.760"),
        (-0.25, "score", "−0.250"),
        (-0.00001, "score", "0.000"),
        (1234, "count", "1,234"),
        (1234.5678, "number", "1,234.57"),
        (81.249, "seconds", "81.2"),
        (True, "text", "yes"),
        ("", "text", ""),
        ("a\nb", "text", "a b"),
    ],
)
def test_figures_have_the_digits_of_their_column(
    value: str | float | bool, kind: str, expected: str
) -> None:
    """Shares are percentages, scores have three decimals, and nothing is minus nothing."""
    assert digits(value, Column("a", "A", kind)) == expected  # type: ignore[arg-type]


def test_an_undefined_figure_is_a_dash_with_its_reason() -> None:
    """Never 0, 1 or nothing; where there is nothing to say the cell is empty."""
    notes, column = Footnotes(), Column("a", "A", "score")
    assert format_cell(Cell(reason="no_variation"), column, notes).value == "–"
    assert format_cell(Cell(), column, notes).joined() == ""
    assert notes.all == [("a", f"undefined: {reason_words('no_variation')}")]


def test_every_form_gives_both_ends_of_an_accuracy_with_undecided_answers() -> None:
    """Both ends, the outer limits, and the number undecided; a decided accuracy is as before."""
    cell = Cell(
        0.153, low=0.1, high=0.2, undecided=44,
        lower=0.153, upper=0.731, lower_low=0.1, upper_high=0.8,
    )  # fmt: skip
    table = Table.from_rows(
        "t", "T", "", (Column("accuracy", "Accuracy", "share"),), [{"accuracy": cell}]
    )
    words = "15.3–73.1 [10.0, 80.0] (44 undecided)"
    assert format_cell(cell, table.columns[0], Footnotes()).joined() == words
    assert "15.3--73.1" in latex_text(table) and "(44 undecided)" in latex_text(table)
    (row,) = rows_of(csv_text(table))
    ends = ("undecided", "lower", "upper", "lower_low", "upper_high")
    assert row["accuracy"] == "0.153"
    assert [row[f"accuracy_{end}"] for end in ends] == ["44", "0.153", "0.731", "0.1", "0.8"]
    assert table.rows[0].cells["accuracy"] == cell
    difference = Cell(-0.05, undecided=3, lower=-0.1, upper=0.02)
    shown = format_cell(difference, table.columns[0], Footnotes()).joined()
    assert shown == "−10.0 to 2.0 (3 undecided)"
    plain = Cell(0.153, low=0.1, high=0.2)
    assert format_cell(plain, table.columns[0], Footnotes()).joined() == "15.3 [10.0, 20.0]"


def test_a_column_is_no_qualifier_of_another() -> None:
    """The count gold_undecided says nothing of the share gold."""
    columns = (Column("gold", "Gold", "share"), Column("gold_undecided", "Undecided", "count"))
    table = Table.from_rows("t", "T", "", columns, [{"gold": Cell(0.5), "gold_undecided": 3}])
    assert table.rows[0].cells == {"gold": Cell(0.5), "gold_undecided": Cell(3)}


def test_the_same_footnote_has_the_same_letter() -> None:
    """Letters follow the order in which notes first come, and no note comes twice."""
    notes = Footnotes()
    assert [notes.letter(note) for note in ("x", "y", "x", "z")] == ["a", "b", "a", "c"]
    assert [notes.letter(str(n)) for n in range(30)][-1] == "ag"


@pytest.mark.parametrize(
    ("label", "kind", "expected"),
    [
        ("Accuracy", "share", "Accuracy (%)"),
        ("Share in %", "share", "Share in %"),
        ("Time", "seconds", "Time (s)"),
        ("Active time, s", "seconds", "Active time, s"),
        ("AC2", "score", "AC2"),
    ],
)
def test_a_heading_has_its_unit_once(label: str, kind: str, expected: str) -> None:
    """A unit that the label says is not said again."""
    assert heading(Column("a", label, kind)) == expected  # type: ignore[arg-type]


def test_unknown_reasons_are_shown_all_the_same() -> None:
    """A reason without words of its own is spelled out of its name."""
    assert reason_words("never_heard_of") == "never heard of"
    assert flag_words("odd_flag") == "odd flag"
    assert left_out_words(LeftOut("query", "very_odd", 2)) == "2 queries: very odd"
    assert left_out_words(LeftOut("attempt", "status_skipped", 1)) == "1 attempt: skipped"


@pytest.mark.parametrize("words", [REASONS, FLAGS, LEFT_OUT])
def test_words_are_clauses(words: dict[str, str]) -> None:
    """They are behind a colon and before a full stop, so they have neither."""
    for name, clause in words.items():
        assert re.fullmatch(r"[a-z0-9_]+", name)
        assert clause == clause.strip() and not clause.endswith((".", ":", ";"))
        assert "_" not in clause


def test_every_reason_of_a_coefficient_has_words() -> None:
    """None is left to be spelled out of its name."""
    assert set(get_args(Reason)) <= set(REASONS)


def rows_of(text: str) -> list[dict[str, str]]:
    """CSV as its readers see it."""
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_csv_has_every_digit_and_what_qualifies_a_figure() -> None:
    """Intervals, errors, reasons and flags have columns of their own where any row has them."""
    first, second, *_ = rows_of(csv_text(table()))
    assert first["accuracy"] == "0.815"
    assert (first["ac2_low"], first["ac2_high"], first["ac2_se"]) == ("0.741", "0.7784", "0.0095")
    assert first["ac2_flag"] == "few_clusters"
    assert (second["accuracy"], second["accuracy_reason"]) == ("", "no_rows")
    assert "n_low" not in first and "ratio_flag" not in first


def test_csv_starts_no_formula() -> None:
    """Texts that a spreadsheet would run are quoted; negative numbers stay numbers."""
    rows = rows_of(csv_text(table()))
    assert f"'{FORMULA}" in [row["side"] for row in rows]
    for lead in ("=1", "+1", "-1", "@x", "\t=1", " =1", "\n=1"):
        formula_table = Table.from_rows("k", "t", "", [Column("a", "A", "text")], [{"a": lead}])
        assert rows_of(csv_text(formula_table))[0]["a"].startswith("'")
    assert float(rows[2]["ac2"]) == -0.25


def test_csv_tells_overall_rows_from_others() -> None:
    """A reader can leave out pooled and macro rows."""
    kinds = [row["row_kind"] for row in rows_of(csv_text(table()))]
    assert kinds == ["row"] * (len(kinds) - 2) + ["pooled", "macro"]


def test_json_has_everything() -> None:
    """Undefined results are null with a reason; the order is the report's."""
    sample_report = report()
    parsed = json.loads(json_text(sample_report))
    assert parsed == json.loads(json.dumps(report_json(sample_report)))
    assert parsed["schema"] == SCHEMA
    parts = [part for section in parsed["sections"] for part in section["parts"]]
    assert [p["key"] for p in parts if p["type"] == "chart"] == [
        c.key for c in sample_report.charts
    ]
    cells = parts[0]["rows"][1]["cells"]
    assert cells["accuracy"] == {"value": None, "reason": "no_rows"}
    assert parsed["left_out"][0]["ids"] == ["a1", "a2"]


def test_latex_runs_nothing_of_a_name() -> None:
    """Every character that means something to LaTeX is escaped, and braces stay balanced."""
    assert r"\input" not in latex_text(table())
    assert escaped(LATEX).startswith(r"100\% of \$x\_1\textasciicircum{}2 \& \#3 \{\text")
    assert escaped("a--b") == "a-{}-b"
    for name in NAMES:
        text = re.sub(r"\\(?:[{}$&#%_]|[a-zA-Z]+)", "", escaped(name))
        assert not set(text) & set('\\$&#%_^~<>|"`')
        assert text.count("{") == text.count("}")


def test_latex_rows_are_whole() -> None:
    """Every row has all cells, ends once, and begins with nothing that ``\\\\`` would take."""
    latex = latex_text(table())
    body = latex.split("\\toprule\n")[1].split("\\bottomrule")[0].split("\n")
    rows = [line for line in body if line and line != r"\midrule"]
    for row in rows:
        assert row.endswith(r" \\") and row.count(r"\\") == 1
        assert len(re.findall(r"(?<!\\)&", row)) == len(table().columns) - 1
        assert not row.startswith(("[", "*"))
    assert [latex.count(f"\\{word}rule") for word in ("top", "mid", "bottom")] == [1, 2, 1]
    plain = re.sub(r"\\[{}]", "", latex)
    assert plain.count("{") == plain.count("}")
    assert re.findall(r"\\begin\{(\w+)\}", latex) == ["table", "tabular", "minipage"]
    assert re.findall(r"\\end\{(\w+)\}", latex) == ["tabular", "minipage", "table"]


def test_names_stay_readable_in_every_form() -> None:
    """The harmless part of a harmful name is still there, in its place."""
    for text in (terminal(report(), 120), html_text(report()), latex_text(table())):
        assert "two lines" in text
        assert "検索エージェント" in text
        assert LINES not in text
    assert SCRIPT in csv_text(table()).replace('""', '"')


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for name, content in forms().items():
        (GOLDEN / name).write_bytes(content.encode())
