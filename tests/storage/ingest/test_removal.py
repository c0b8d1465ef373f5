"""Documents are removed while nothing refers to them, and only then."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert, select

from pagetrail.annotation import events as ev
from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import Busy, ConflictError, Forbidden, NotFoundError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI, ImageCache
from pagetrail.storage.corpus.local_files import pdf_path
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Audit, GoldDraft, PageScores, Task
from pagetrail.storage.importers.tasks import importer
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.document_uses import document_uses
from pagetrail.storage.ingest.exclusive import exclusive_ingest
from pagetrail.storage.ingest.removal import remove_document
from pagetrail.storage.maintenance.verify import verify
from pagetrail.storage.people.accounts import find_person
from tests.exports.campaigns import Stage, make_stage
from tests.support.factory import START

REPORT, OTHER = "annual report.pdf", "b.pdf"


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """Two documents, and a task whose gold is on one of them."""
    task = {"id": "q1", "question": "How many?", "evidence": [{"document": REPORT, "page": 3}]}
    return make_stage(tmp_path / "ws", preset("search"), [task])


def test_a_removed_document_is_gone(stage: Stage) -> None:
    """Its file, pages and images too; searches do not find it, and the workspace is sound."""
    corpus = Corpus(stage.workspace)
    info = corpus.document(OTHER)
    assert info is not None
    cache = ImageCache(stage.workspace.cache_dir)
    cache.write(info.sha256, 1, 150, b"\xff\xd8 \xff\xd9")
    cache.write(info.sha256, 1, THUMBNAIL_DPI, b"\xff\xd8 \xff\xd9")
    remove_document(stage.workspace, None, OTHER)
    assert corpus.names() == (REPORT,)
    assert corpus.document(OTHER) is corpus.document_by_hash(info.sha256) is None
    assert [page.file for page in corpus.pages()] == [REPORT] * 3
    assert not pdf_path(stage.workspace, info.sha256).exists()
    assert not cache.has(info.sha256, 1, 150) and not cache.has(info.sha256, 1, THUMBNAIL_DPI)
    assert not [problem for check in verify(stage.workspace) for problem in check.problems]
    with stage.workspace.engine.connect() as connection:
        (detail,) = connection.execute(
            select(Audit.detail).where(Audit.action == "document_removed")
        ).scalars()
    assert detail == f"{OTHER}: 1 pages; SHA-256 {info.sha256}"
    with pytest.raises(NotFoundError, match=r"no document 'b\.pdf'"):
        remove_document(stage.workspace, None, OTHER)


def _record(stage: Stage, table: type[Any], **values: Any) -> None:
    with write_transaction(stage.workspace.engine) as connection:
        task = connection.execute(select(Task.id, Task.campaign_id)).one()
        connection.execute(insert(table).values(task_id=task.id, **values))


def _draft(stage: Stage) -> None:
    _record(
        stage, GoldDraft, campaign_id=1, model="m", version="", reasons="", scores={}, digest="d",
        correctness={}, sources={}, at=iso(START),
        record={"evidence": [{"document": OTHER, "page": 1}]},
    )  # fmt: skip


def _scores(stage: Stage) -> None:
    _record(stage, PageScores, inclusion_probability=1.0, scores=[[OTHER, 1, 0.5, "top"]])


def _citation(stage: Stage) -> None:
    page: Any = {"document": OTHER, "page": 1}
    cited, removed = ev.CitationAdded(**page), ev.CitationRemoved(**page)
    stage.did("q1", "Ada", ev.Opened(session="t"), cited, removed)


def _hit(stage: Stage) -> None:
    search: dict[str, Any] = {
        "search_id": "s", "query": "x", "parsed": None, "top_k": 1, "total_hits": 1, "took_ms": 1,
        "index_id": "i", "results": [{"rank": 1, "file": OTHER, "page": 1, "score": 1.0}],
    }  # fmt: skip
    stage.did("q1", "Ada", ev.Opened(session="t"), ev.Searched(**search))


@pytest.mark.parametrize(
    ("use", "named"),
    [
        (_draft, "Work: 1 draft"),
        (_scores, "Work: scores in 1 task"),
        (_citation, "Work: 1 attempt, 2 events"),
        (_hit, "Work: 1 attempt, 1 event"),
    ],
)
def test_what_refers_to_a_document_is_counted(stage: Stage, use: Any, named: str) -> None:
    """Drafts, scores, citations that were removed since and results of searches keep it."""
    assert document_uses(stage.workspace, OTHER) == []
    use(stage)
    with pytest.raises(ConflictError) as refused:
        remove_document(stage.workspace, None, OTHER)
    assert f"{OTHER} cannot be removed, since work refers to it: {named}. " in refused.value.message
    assert Corpus(stage.workspace).document(OTHER) is not None


def test_tasks_with_gold_are_counted_with_their_pages(stage: Stage) -> None:
    """The pages they name are known, for whoever replaces the document."""
    (of_campaign,) = document_uses(stage.workspace, REPORT)
    assert of_campaign.sentence() == "Work: 1 task, in 1 batch, 1 with gold on it"
    assert of_campaign.pages == {3: 1}
    with pytest.raises(ConflictError, match="in 1 batch"):
        remove_document(stage.workspace, None, REPORT)


def test_only_supervisors_and_not_during_an_ingest(stage: Stage) -> None:
    """Nobody else removes anything; a running ingest may be about to name it."""
    with pytest.raises(Forbidden):
        remove_document(stage.workspace, find_person(stage.workspace, "Ada"), OTHER)
    with exclusive_ingest(stage.workspace), pytest.raises(ConflictError, match="Another ingest"):
        remove_document(stage.workspace, None, OTHER)
    assert Corpus(stage.workspace).document(OTHER) is not None


def test_an_event_that_was_under_way_is_not_stored(stage: Stage) -> None:
    """Somebody whose server still knows the document cites it just after it was removed."""
    driver = stage.driver("q1", "Ada")
    driver.do(ev.Opened(session="t"))
    driver.do(ev.PageViewed(document=REPORT, page=1, via="document"))
    corpus = driver.recorder._pages
    assert isinstance(corpus, Corpus) and corpus.document(OTHER) is not None
    remove_document(stage.workspace, None, OTHER)
    with pytest.raises(Busy, match="was removed from the collection"):
        driver.do(ev.CitationAdded(document=OTHER, page=1))
    corpus.names()  # as it does twice a second
    recorded = driver.do(ev.CitationAdded(document=OTHER, page=1))
    assert [refusal.code for refusal in recorded.refusals.values()] == ["unknown_document"]
    assert not driver.do(ev.CitationAdded(document=REPORT, page=1)).refusals


def test_an_import_that_was_under_way_is_refused(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tasks whose document is removed after their file was read are errors of their rows."""
    file = tmp_path / "tasks.jsonl"
    row = {"id": "n1", "question": "Why?", "evidence": [{"document": OTHER, "page": 1}]}
    file.write_text(json.dumps(row))
    complete = importer._complete

    def complete_while_it_is_removed(*arguments: Any) -> None:
        complete(*arguments)
        remove_document(stage.workspace, None, OTHER)

    monkeypatch.setattr(importer, "_complete", complete_while_it_is_removed)
    report = import_tasks(stage.workspace, file, campaign="New")
    assert report.imported == 0
    assert "there is no document b.pdf in this workspace" in report.bad[0].reason
