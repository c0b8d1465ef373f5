"""Tables of reports on the screen: numbers where there are numbers, words where there are none."""

from __future__ import annotations

import copy
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pagetrail.app.ui.report_downloads import file_name
from pagetrail.app.ui.table_frames import prepare_table, table_contents
from pagetrail.exports.reports.charts.curves import budget_chart
from pagetrail.exports.reports.model import Cell, Column, RowKind, RowValues, Section, Table
from tests.app.views.test_results_parts import report
from tests.exports.reports import sample

COLUMNS = (
    Column("side", "Participant", "text"),
    Column("n", "n", "count"),
    Column("accuracy", "Accuracy", "share"),
    Column("f1", "Page F1", "score"),
)


def table(*rows: RowValues) -> Table:
    """A table of those rows."""
    return Table.from_rows("results", "Results", "Who is right?", COLUMNS, rows, ["A note."])


def line(
    participant: str, n: int, accuracy: Cell, f1: Cell, row_kind: RowKind = "row"
) -> RowValues:
    """A row of it."""
    return {"row_kind": row_kind, "side": participant, "n": n, "accuracy": accuracy, "f1": f1}


def test_plain_numbers_stay_numbers() -> None:
    """They sort as numbers; shares are in percent; counts are whole."""
    contents = table_contents(
        table(line("A", 12, Cell(0.125), Cell(0.5)), line("B", 1200, Cell(1.0), Cell(None)))
    )
    assert contents.numeric == {"n", "accuracy", "f1"}
    assert list(contents.frame["accuracy"]) == [12.5, 100.0]
    assert list(contents.frame["n"]) == [12, 1200]
    assert pd.isna(contents.frame["f1"][1])
    assert contents.notes == ["A note."]


def test_intervals_and_reasons_are_words() -> None:
    """A result has its interval beside it, an undefined one its letter and its reason."""
    contents = table_contents(
        table(
            line("A", 12, Cell(0.5, low=0.25, high=0.75), Cell(reason="no_gold_evidence")),
            line("B", 12, Cell(0.25), Cell(0.5)),
        )
    )
    assert contents.numeric == {"n"}
    assert list(contents.frame["accuracy"]) == ["50.0 [25.0, 75.0]", "25.0"]
    assert list(contents.frame["f1"]) == ["– (a)", "0.500"]
    assert contents.notes == ["(a) undefined: the tasks have no gold pages.", "A note."]


def test_an_accuracy_with_undecided_answers_is_words() -> None:
    """A range is no plain number, and says how many answers are undecided."""
    cell = Cell(0.25, undecided=6, lower=0.25, upper=0.75)
    contents = table_contents(table(line("A", 12, cell, Cell(0.5))))
    assert contents.numeric == {"n", "f1"}
    assert list(contents.frame["accuracy"]) == ["25.0–75.0 (6 undecided)"]


def test_note_common_to_all_intervals_appears_once() -> None:
    """A warning that every interval has takes no letter; the next footnote is (a)."""
    rough = Cell(0.5, low=0.25, high=0.75, flag="few_clusters")
    contents = table_contents(
        table(line("A", 12, rough, rough), line("B", 12, rough, Cell(reason="no_gold_evidence")))
    )
    assert list(contents.frame["accuracy"]) == ["50.0 [25.0, 75.0]"] * 2
    assert list(contents.frame["f1"])[1] == "– (a)"
    assert contents.notes[0].startswith("All intervals: fewer than 50")
    assert contents.notes[1] == "(a) undefined: the tasks have no gold pages."


def test_a_warning_of_some_intervals_keeps_its_letter() -> None:
    """Where one interval is sure and another is not, the other has the letter."""
    rough = Cell(0.5, low=0.25, high=0.75, flag="few_clusters")
    sure = Cell(0.5, low=0.4, high=0.6)
    contents = table_contents(table(line("A", 12, rough, sure), line("B", 12, sure, sure)))
    assert list(contents.frame["accuracy"]) == ["50.0 (a) [25.0, 75.0]", "50.0 [40.0, 60.0]"]
    assert contents.notes[0].startswith("(a) fewer than 50")


def test_without_intervals_figures_are_numbers_again() -> None:
    """What was said of intervals goes with them; reasons of undefined results stay."""
    rough = Cell(0.5, low=0.25, high=0.75, flag="few_clusters")
    contents = table_contents(
        table(line("A", 12, rough, Cell(reason="no_gold_evidence"))), intervals=False
    )
    assert list(contents.frame["accuracy"]) == [50.0]
    assert list(contents.frame["f1"]) == ["– (a)"]
    assert contents.notes == ["(a) undefined: the tasks have no gold pages.", "A note."]


def test_room_for_a_chart() -> None:
    """A table of a few columns leaves room for a chart beside it, a wide one does not."""
    rows = [{f"c{n}": "a long cell with words" for n in range(9)}]
    columns = [Column(f"c{n}", "Heading", "text") for n in range(9)]
    wide = Table.from_rows("t", "T", "Q?", columns, rows)
    assert prepare_table(table(line("A", 1, Cell(0.5), Cell(0.5)))).is_narrow
    assert not prepare_table(wide).is_narrow


@pytest.mark.parametrize(
    ("campaign", "name"),
    [
        ("Otters: a baseline", "Otters-a-baseline-agreement-report.html"),
        ("../../etc/passwd\r\nX: y", "etc-passwd-X-y-agreement-report.html"),
        ("***", "campaign-agreement-report.html"),
    ],
)
def test_names_of_files_are_tame(campaign: str, name: str) -> None:
    """Whatever a campaign is called, its files have letters, digits and hyphens."""
    sample_report = report()
    object.__setattr__(sample_report, "campaign", campaign)
    assert file_name(sample_report, "report.html") == name


def _draw(report_name: str) -> None:
    """The page of one of the reports below."""
    from pagetrail.app.results.report_view import show_report  # noqa: PLC0415  # AppTest runs this text alone
    from pagetrail.app.ui.table_frames import PreparedReport  # noqa: PLC0415
    from tests.app.ui import test_report_tables as module  # noqa: PLC0415

    report = module.HOSTILE if report_name == "hostile" else module.REPORT
    show_report(PreparedReport.prepare(report), intervals=True)


HOSTILE = sample.report()
CHART = budget_chart({"Humans": [(1, 0.25), (2, 0.5)]}, unit="searches")
REPORT = report()
object.__setattr__(
    REPORT,
    "sections",
    [
        Section(
            "Over*view*",
            [
                table(
                    line("A", 3, Cell(0.5), Cell(0.5)),
                    line("Pooled", 3, Cell(0.5), Cell(0.5), row_kind="pooled"),
                    line("Macro", 3, Cell(0.5), Cell(0.5), row_kind="macro"),
                ),
                CHART,
            ],
            ["Of **all**."],
        )
    ],
)


def test_drawing_leaves_the_report_as_it_is(tmp_path: Path) -> None:
    """A report is shared by all sessions: what Streamlit does to a chart stays out of it."""
    before = copy.deepcopy(dict(CHART.spec))
    at = AppTest.from_function(_draw, args=("drawn",), default_timeout=120).run()
    assert not at.exception
    assert dict(CHART.spec) == before
    assert [tab.label for tab in at.tabs] == [r"Over\*view\*"]
    assert list(at.dataframe[0].value["side"]) == ["A", "Pooled", "Macro"]
    assert r"Of \*\*all\*\*." in "\n".join(caption.value for caption in at.caption)


def test_hostile_names_are_drawn_as_text() -> None:
    """A report full of markup, control characters and formulas: no error, no sign unescaped."""
    at = AppTest.from_function(_draw, args=("hostile",), default_timeout=120).run()
    assert not at.exception
    words = [*at.markdown, *at.caption, *at.header, *(tab for tab in at.tabs)]
    for part in words:
        text = part.label if hasattr(part, "label") and not hasattr(part, "value") else part.value
        assert "<script>" not in text
        assert "](http" not in text
    assert any("alert" in str(chart.value.to_dict()) for chart in at.dataframe)
