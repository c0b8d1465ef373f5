"""Scores of pages decide which pages are graded, and are stored apart from the tasks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.campaigns.page_scores import page_scores_of
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, Document, Meta, Page, PageScores, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.importers.tasks.task_changes import withdraw_task
from tests.storage.task_data import register_documents, write_jsonl
from tests.support.table_rows import inserter

SETTINGS = {"prefilter.cut": 0.5, "prefilter.sample_rate": 0.25, "prefilter.model": "m"}


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """A workspace with ``report.pdf`` (9 pages) and another document of one page."""
    register_documents(workspace)
    with write_transaction(workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
        for document in connection.execute(select(Document.id, Document.n_pages)).all():
            for number in range(1, document.n_pages + 1):
                inserter(connection)(
                    Page, document_id=document.id, number=number, width=612.0, height=792.0,
                    rotation=0, crop_x0=0.0, crop_y0=0.0, text_source="pdf", text="",
                )  # fmt: skip
    return workspace


def scored(number: int, *scores: float, **fields: Any) -> dict[str, Any]:
    """A query whose pages of ``report.pdf`` have these scores."""
    pages = [
        {"document": "report.pdf", "page": page, "score": score}
        for page, score in enumerate(scores, start=1)
    ]
    return {"id": f"q{number}", "question": f"Query {number}?", "page_scores": pages, **fields}


def _import(workspace: Workspace, folder: Path, rows: list[Any], **options: Any) -> ImportReport:
    file = write_jsonl(folder / "tasks.jsonl", rows)
    options = {"campaign": "Graded", "protocol": "relevance", "settings": SETTINGS} | options
    return import_tasks(workspace, file, **options)


def _stored(workspace: Workspace) -> tuple[dict[str, list[int]], dict[str, Any]]:
    """Task → its candidates, and its scored pages."""
    with workspace.engine.connect() as connection:
        campaign = connection.execute(select(Campaign.id)).scalar_one()
        records = {row.key: row.record for row in connection.execute(select(Task))}
        assert "score" not in json.dumps(records)
        candidates = {key: [ref["page"] for ref in r["candidates"]] for key, r in records.items()}
        return candidates, page_scores_of(connection, campaign)


def test_pages_from_the_cut_on_and_a_sample_of_others(filled: Workspace, tmp_path: Path) -> None:
    """In the order of the documents; 2 of the 8 pages below are drawn from both tasks together."""
    rows = [scored(1, 0.1, 0.9, 0.2, 0.5, 0.3, 0.0), scored(2, 0.6, 0.4, 0.3, 0.2, 0.1)]
    report = _import(filled, tmp_path, rows)
    assert (report.imported, report.bad) == (2, [])
    candidates, scores = _stored(filled)
    assert {2, 4} <= set(candidates["q1"]) and 1 in candidates["q2"]
    assert all(pages == sorted(pages) for pages in candidates.values())
    assert sum(map(len, candidates.values())) == 3 + 2
    assert {entry.inclusion_probability for entry in scores.values()} == {0.25}
    for key, entry in scores.items():
        assert [page.page for page in entry.pages if page.is_graded] == candidates[key]
        assert [page.score for page in entry.pages] == [
            page["score"] for row in rows if row["id"] == key for page in row["page_scores"]
        ]
    withdraw_task(filled, None, "Graded", "q1")
    with filled.engine.connect() as connection:
        assert len(connection.execute(select(PageScores)).all()) == 1


def test_the_rows_own_candidates_without_a_cut(filled: Workspace, tmp_path: Path) -> None:
    """Whatever flagged them; their order tells nothing."""
    flagged = [{"document": "report.pdf", "page": page} for page in (3, 1)]
    _import(
        filled,
        tmp_path,
        [scored(1, 0.1, 0.2, 0.3, candidates=flagged)],
        settings={"prefilter.sample_rate": 0},
    )
    candidates, scores = _stored(filled)
    assert candidates["q1"] == [1, 3]
    assert [page.selection for page in scores["q1"].pages] == ["above", "below", "above"]


BAD: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    (scored(1, 0.1, 0.2), SETTINGS, "no page reaches prefilter.cut = 0.5; the highest score is"),
    (scored(1, 0.9), {}, "candidates: list the pages to be graded, or set prefilter.cut"),
    (
        scored(1, 0.9, candidates=[{"document": "report.pdf", "page": 1}]),
        SETTINGS,
        "prefilter.cut says which pages are graded; leave one out",
    ),
    (
        scored(1, 0.9, candidates=[{"document": "report.pdf", "page": 7}]),
        {},
        "page 7 of report.pdf is a candidate without score",
    ),
    (
        {**scored(1, 0.9, 0.8), "page_scores": scored(1, 0.9)["page_scores"] * 2},
        SETTINGS,
        "page 1 of report.pdf occurs twice",
    ),
    (
        {**scored(1), "page_scores": [{"document": "report.pdf", "page": 1, "score": "high"}]},
        SETTINGS,
        "page_scores",
    ),
    (
        {**scored(1), "page_scores": [{"document": "other.pdf", "page": 1, "score": 1}]},
        SETTINGS,
        "page_scores[0]",
    ),
    ({**scored(1), "page_scores": []}, SETTINGS, "page_scores"),
    ({**scored(1), "page_scores": "0.9"}, SETTINGS, "page_scores"),
]


@pytest.mark.parametrize(("row", "settings", "reason"), BAD)
def test_bad_scores_are_refused_row_by_row(
    filled: Workspace, tmp_path: Path, row: dict[str, Any], settings: dict[str, Any], reason: str
) -> None:
    """Each says what is wrong; the other row is imported."""
    good = scored(2, 0.9)
    if "prefilter.cut" not in settings:
        good["candidates"] = [{"document": "report.pdf", "page": 1}]
    report = _import(filled, tmp_path, [row, good], settings=settings, skip_bad=True)
    assert [(entry.line, entry.id) for entry in report.bad] == [(1, "q1")]
    assert reason in report.bad[0].reason
    assert report.imported == 1


def test_other_protocols_leave_scores_out(filled: Workspace, tmp_path: Path) -> None:
    """With a note; nothing is stored."""
    report = _import(filled, tmp_path, [scored(1, 0.9)], protocol="search", settings={})
    assert report.imported == 1
    assert any("page scores are left out" in warning for warning in report.warnings)
    with filled.engine.connect() as connection:
        assert connection.execute(select(PageScores)).all() == []
    assert preset("relevance").prefilter.cut is None
