"""Tables of ViDoRe V3, UniDoc-Bench and ParseBench of the worked campaigns, worked out by hand."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pytest import approx

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.exports.papers.folder import write_paper
from pagetrail.exports.papers.model import Paper
from pagetrail.exports.papers.options import PaperOptions
from pagetrail.exports.papers.papers import paper_of
from pagetrail.exports.papers.vidore import vidore_paper
from pagetrail.exports.reading.open_source import open_source
from tests.exports.campaigns import CAMPAIGN, make_stage
from tests.exports.conftest import StageOf
from tests.exports.papers.test_madqa import cells
from tests.exports.reports.agreement.people import GOOD, People, drew, graded

PaperOfScene = Callable[[str, str], Paper]


@pytest.fixture(scope="module")
def paper_of_scene(stage_of: StageOf) -> PaperOfScene:
    """(scene, paper) → the paper of that worked campaign, each made once."""

    @cache
    def make(scene: str, name: str) -> Paper:
        with open_source(stage_of(scene).workspace, CAMPAIGN) as source:
            return paper_of(name, [source], PaperOptions(replicates=50))

    return make


ADA = (300.75 - 71.5) * (192.1 - 91.25)
GRACE = (290 - 80) * (180 - 100)
ALL = {"group": "All"}
COMPLETE = {**ALL, "field": "Completeness"}
QUESTION, HUMAN, TEXT = {"format": "question"}, {"method": "human"}, {"content": "Text"}
POINTS = {"table": "Data points"}


@pytest.mark.parametrize(
    ("scene", "name", "key", "row", "column", "value"),
    [
        # Ada and Grace both graded three pages of a query: 2 and 1, 1 and 0, 0 and 0.
        ("relevance", "vidore", "table-7-relevance", ALL, "percent_agreement", 1 / 3),
        ("relevance", "vidore", "table-7-relevance", ALL, "units", 3),
        # Only page 1 of the first query is relevant to both: tables and text, of two types.
        ("relevance", "vidore", "table-6", {}, "queries", 4),
        ("relevance", "vidore", "table-6", {}, "documents", 2),
        ("relevance", "vidore", "figure-3", {"kind": "numerical"}, "share", 1 / 3),
        ("relevance", "vidore", "figure-4", {"kind": "Table"}, "share", 1 / 2),
        ("relevance", "vidore", "type-format", QUESTION | {"type": "numerical"}, "count", 1),
        ("relevance", "vidore", "figure-9", {"types": "extractive + numerical"}, "count", 1),
        ("relevance", "vidore", "figure-10", HUMAN | {"type": "extractive"}, "count", 1),
        ("relevance", "vidore", "figure-11", {"type": "numerical"}, "pages", 1.0),
        ("relevance", "vidore", "figure-13", TEXT | {"type": "numerical"}, "lift", 1.0),
        ("relevance", "vidore", "lengths", {"group": "question"}, "mean", 5.0),
        ("relevance", "unidoc", "table-1", {"domain": "All"}, "questions", 4),
        # Ada and Grace left five elements each on three pages, and none on a page of the annex.
        ("verify", "parsebench", "table-1", {}, "grounding", "yes"),
        ("verify", "parsebench", "table-2", {"campaign": "Total"}, "pages", 4),
        ("verify", "parsebench", "table-2", {"campaign": "Total"}, "documents", 2),
        ("verify", "parsebench", "table-2", {"campaign": "Total"}, "rules", 5.0),
        ("verify_chart", "parsebench", "table-2", {"dimension": "Charts"}, "rules", 3.0),
        # Of two tables of seven cells, one text was corrected and a row of three cells inserted.
        ("verify_table", "parsebench", "table-1", {}, "tables", "yes"),
        ("verify_table", "parsebench", "table-2", {"dimension": "Tables"}, "pages", 2),
        ("verify_table", "parsebench", "table-2", {"dimension": "Tables"}, "rules", None),
        ("verify_table", "parsebench", "tables", {}, "cells", 17),
        ("verify_table", "parsebench", "tables", {}, "corrected", 1),
        ("verify_table", "parsebench", "tables", {}, "added", 3),
        ("verify_table", "parsebench", "tables", {}, "share", 13 / 14),
        ("verify_table", "parsebench", "passes", {}, "same", 1),
        # One text by Ada and two by Grace, on four pages.
        ("verify", "madqa", "figure-2", {"element": "Text"}, "density", 1.5 / 4),
        # Grace's box is within Ada's; on another page only Ada drew.
        ("relevance", "vidore", "table-15", ALL, "iou", GRACE / ADA / 2),
        ("relevance", "vidore", "table-15", ALL, "dice_both", 2 * GRACE / (ADA + GRACE)),
        # Two of three find the first pair complete, both that reviewed the second.
        ("qa_review", "unidoc", "table-2", COMPLETE, "share", 1.0),
        ("qa_review", "unidoc", "table-2", COMPLETE, "unanimous", 1),
        ("qa_review", "unidoc", "table-2", COMPLETE, "majority", 1),
        ("qa_review", "unidoc", "table-2", {**ALL, "unit": "Pages"}, "met", 4),
        # Seven of ten judged elements were right: two of five by Ada, all by Grace.
        ("verify", "parsebench", "elements", {"class": "All"}, "acceptance", 0.7),
        ("verify", "parsebench", "elements", {"class": "All"}, "added", 1),
        ("verify", "parsebench", "confusion", {"human": "(deleted)"}, "count", 1),
        # Two people at one task, of whom one left it as it was, and one at another, unchanged.
        ("verify", "parsebench", "passes", {}, "share", 3 / 4),
        # One data point right, one corrected, one deleted, one added.
        ("verify_chart", "parsebench", "records", {**POINTS, "outcome": "Right"}, "share", 1 / 3),
        ("verify_chart", "parsebench", "records", {**POINTS, "outcome": "Added"}, "count", 1),
        ("verify_chart", "parsebench", "passes", {}, "same", 0),
        ("verify_transcript", "parsebench", "records", {"outcome": "Approve"}, "share", 2 / 3),
    ],
)
def test_values(
    paper_of_scene: PaperOfScene,
    scene: str,
    name: str,
    key: str,
    row: dict[str, Any],
    column: str,
    value: Any,
) -> None:
    """Each value is what the work says."""
    actual = cells(paper_of_scene(scene, name), key, **row)[column].value
    assert actual == (approx(value) if isinstance(value, float) else value)


PUBLISHED = {"madqa": (18, 26), "vidore": (16, 27), "unidoc": (10, 8), "parsebench": (16, 13)}
"""Paper → its numbers of tables and figures."""
MISSING_NUMBERS = {"unidoc": {("table", 6)}}
"""Numbers that the paper leaves out."""


@pytest.mark.parametrize("name", PUBLISHED)
@pytest.mark.parametrize("scene", ["relevance", "author"])
def test_every_table_and_figure_is_made_or_explained(
    paper_of_scene: PaperOfScene, scene: str, name: str
) -> None:
    """By its number in the paper."""
    paper = paper_of_scene(scene, name)
    numbers = {
        (kind, int(number))
        for table in paper.tables
        for kind, listed in re.findall(r"^(table|figure)((?:-[0-9]+)+)", table.key)
        for number in listed[1:].split("-")
    }
    for gap in paper.not_given:
        numbers |= numbers_named(gap.what)
    n_tables, n_figures = PUBLISHED[name]
    published = {("table", n) for n in range(1, n_tables + 1)}
    published |= {("figure", n) for n in range(1, n_figures + 1)}
    assert published - MISSING_NUMBERS.get(name, set()) - numbers == set()


def numbers_named(text: str) -> set[tuple[str, int]]:
    """The tables and figures in words such as “Tables 1 and 12 to 14, figure 5”."""
    numbers = set()
    for kind, listed in re.findall(r"(table|figure)s? ([0-9][0-9, toand]*)", text.lower()):
        for first, last in re.findall(r"([0-9]+)(?: to ([0-9]+))?", listed):
            numbers |= {(kind, n) for n in range(int(first), int(last or first) + 1)}
    return numbers


def test_characteristics_of_charts(tmp_path: Path) -> None:
    """Figure 6 counts tasks by each field that they state."""
    points = [{"labels": ["2023"], "value": "3"}]
    stage = make_stage(
        tmp_path,
        preset("verify_chart"),
        [
            {
                "id": key,
                "question": "Verify the chart.",
                "candidates": [{"document": "annual report.pdf", "page": number}],
                "data_points": points,
                "chart_type": kinds,
                "value_labels": number == 1,
            }
            for key, number, kinds in (("p1", 1, ["bar", "line"]), ("p2", 2, "bar"))
        ],
    )
    for key in ("p1", "p2"):
        stage.did(
            key,
            "Ada",
            ev.Opened(session="tab-1"),
            ev.RowSet(field="data_points", row="r1", values={"verdict": "right"}),
            ev.FieldSet(field="readable", value="yes"),
            ev.Submitted(outcome="completed"),
        )
    with open_source(stage.workspace, CAMPAIGN) as source:
        paper = paper_of("parsebench", [source], PaperOptions(replicates=50))
    bars = {
        row.cells["bar"].value: (row.cells["tasks"].value, row.cells["share"].value)
        for row in next(table for table in paper.tables if table.key == "figure-6").rows
    }
    assert bars == {
        "Chart type: bar": (2, 1.0),
        "Chart type: line": (1, 0.5),
        "Value labels: no": (1, 0.5),
        "Value labels: yes": (1, 0.5),
    }
    assert [figure.chart.key for figure in paper.figures] == ["figure-6"]


@pytest.mark.parametrize("name", ["vidore", "unidoc", "parsebench"])
def test_another_preset_gives_nothing_and_says_so(
    paper_of_scene: PaperOfScene, name: str, tmp_path: Path
) -> None:
    """A campaign of the author preset has none of these tables."""
    paper = paper_of_scene("author", name)
    assert not any(table.key in ("table-2", "table-15", "elements") for table in paper.tables)
    assert any("campaign" in gap.reason or "field" in gap.reason for gap in paper.not_given)
    files = write_paper(paper, tmp_path / "out")
    assert "Not given" in files[0].read_text(encoding="utf-8")


def test_an_unknown_paper_is_refused(paper_of_scene: PaperOfScene) -> None:
    """With the names of those that there are."""
    with pytest.raises(PagetrailError, match="madqa, vidore, unidoc, parsebench"):
        paper_of_scene("author", "nature")


def test_boxes_of_systems(tmp_path: Path) -> None:
    """Table 4 and figure 15, per dataset and domain; without boxes of a system they are missing."""
    people = People(preset("relevance"))
    people.task("q1", pages=(1, 2), domain="Energy")
    marks = (GOOD, graded(1, 2), graded(2, 2), drew(1, 0, 0, 50, 100), drew(2, 0, 0, 9, 9, box="2"))
    people.did("q1", "ada", *marks, outcome="answered")
    without = vidore_paper([people.source()], PaperOptions(replicates=50))
    assert any(gap.what == "Table 4, figure 15" for gap in without.not_given)
    people.did("q1", "vlm", drew(1, 0, 0, 50, 100), role="system")
    paper = vidore_paper([people.source()], PaperOptions(replicates=50))
    assert not any(gap.what == "Table 4, figure 15" for gap in paper.not_given)
    for place, group in (("Dataset", "All"), ("Domain", "Energy")):
        pages = cells(paper, "table-4", place=place, group=group, side="vlm")
        assert [pages[key].value for key in ("both", "people_only", "neither")] == [0.5, 0.5, 0.0]
        assert cells(paper, "figure-15", place=place, group=group)["dice"].value == 0.5
    assert [figure.chart.key for figure in paper.figures] == ["figure-15"]
    names = {path.name for path in write_paper(paper, tmp_path / "out")}
    assert {"figure-15.pdf", "table-4.csv", "table-4.tex"} <= names
