"""A document is replaced by a corrected file; the earlier version and what saw it are kept."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from sqlalchemy import select

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorded
from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError
from pagetrail.annotation.protocols.protocol import preset
from pagetrail.annotation.replay.seen_versions import version_name, with_seen_versions
from pagetrail.exports.run import export
from pagetrail.storage.attempts.replay_lists import replaced_documents, stored_pages
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.local_files import pdf_path
from pagetrail.storage.database.tables import Audit
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest import replacement
from pagetrail.storage.ingest.command import replace_documents
from pagetrail.storage.ingest.exclusive import exclusive_ingest
from pagetrail.storage.ingest.removal import remove_document
from pagetrail.storage.ingest.replacement import Replacing
from pagetrail.storage.ingest.report import IngestReport
from pagetrail.storage.maintenance.backup import back_up
from pagetrail.storage.maintenance.restore import restore
from pagetrail.storage.maintenance.verify import verify
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.storage.pdfs import make_pdf
from tests.support.factory import AttemptDriver
from tests.support.function_process import print_line, start_function

REPORT = "annual report.pdf"
ACCEPTING = Replacing(accepts_missing_pages=True)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """A document of three pages, and a task whose gold is on the last one."""
    task = {"id": "q1", "question": "How many?", "evidence": [{"document": REPORT, "page": 3}]}
    return make_stage(tmp_path / "ws", preset("search"), [task])


@pytest.fixture
def corrected(tmp_path: Path) -> Path:
    """The corrected file, of two pages."""
    return make_pdf(tmp_path / "in" / REPORT, ["corrected", "second"])


def _replace(stage: Stage, file: Path, replacing: Replacing = ACCEPTING) -> IngestReport:
    return replace_documents(stage.workspace, [file], replacing, ocr="never", workers=1)


def _problems(workspace: Workspace) -> list[str]:
    return [problem for check in verify(workspace) for problem in check.problems]


def _did(driver: AttemptDriver, payload: ev.Payload, version: int | None) -> Recorded:
    """What a screen records that shows this version."""
    driver.sent += 1
    command = Command(f"v-{driver.sent}", payload, document_version=version)
    return driver.recorder.record(driver.context, [command])


def test_the_new_version_is_seen_and_the_earlier_one_kept(stage: Stage, corrected: Path) -> None:
    """By name the new file; by its hash and version the earlier one, with its sizes and text."""
    corpus = Corpus(stage.workspace)
    before = corpus.document(REPORT)
    assert before is not None and (before.version, before.n_pages) == (1, 3)
    (ingested,) = _replace(stage, corrected).ingested
    assert ingested.notes[0].startswith("Version 2 of the document; the earlier file is kept. ")
    assert "Work: 1 task, in 1 batch, 1 with gold on it" in ingested.notes[0]
    corpus.names()
    after = corpus.document(REPORT)
    assert after is not None and (after.version, after.n_pages) == (2, 2)
    assert corpus.document_by_hash(after.sha256) == after
    assert corpus.document_by_hash(before.sha256) == corpus.document(REPORT, 1) == before
    assert corpus.document(REPORT, 3) is None
    assert corpus.texts(REPORT) == ["corrected\n", "second\n"]
    assert [page.text for page in corpus.pages() if page.file == REPORT] == corpus.texts(REPORT)
    assert pdf_path(stage.workspace, before.sha256).exists()
    assert not _problems(stage.workspace)
    pdf_path(stage.workspace, before.sha256).write_bytes(b"damaged")
    assert "its content is not what was ingested" in "".join(_problems(stage.workspace))
    with stage.workspace.engine.connect() as connection:
        (detail,) = connection.execute(
            select(Audit.detail).where(Audit.action == "document_replaced")
        ).scalars()
    assert detail.startswith(f"{REPORT}: version 2, 2 pages; SHA-256 {before.sha256} by ")


def test_missing_pages_are_named_before_anything_changes(stage: Stage, corrected: Path) -> None:
    """A file without the page of the gold is refused, and leaves nothing behind."""
    report = _replace(stage, corrected, Replacing())
    assert not report.ingested
    assert (
        "has only 2 pages, and work refers to later ones: Work: 3 (1)." in report.failed[0].reason
    )
    info = Corpus(stage.workspace).document(REPORT)
    assert info is not None and info.version == 1
    assert not _problems(stage.workspace)


def test_other_names_and_the_first_file_again(stage: Stage, tmp_path: Path) -> None:
    """A file is named with its document; the first file may come back, as the third version."""
    other = make_pdf(tmp_path / "in" / "x.pdf", ["one", "two", "three"])
    assert "there is no document x.pdf" in _replace(stage, other).failed[0].reason
    first = Corpus(stage.workspace).document(REPORT)
    assert first is not None
    original = tmp_path / REPORT
    original.write_bytes(pdf_path(stage.workspace, first.sha256).read_bytes())
    assert _replace(stage, other, Replacing(REPORT)).ingested[0].document == REPORT
    assert f"has the same content as {REPORT}" in _replace(stage, other).duplicates[0].reason
    assert _replace(stage, original).ingested
    corpus = Corpus(stage.workspace)
    assert corpus.document(REPORT) == first.model_copy(update={"version": 3})
    assert corpus.document(REPORT, 1) == first
    assert not _problems(stage.workspace)


def test_a_screen_keeps_the_version_that_it_shows(stage: Stage, corrected: Path) -> None:
    """Somebody cites while the document is replaced: each event has the version that was seen."""
    driver = stage.driver("q1", "Ada")
    driver.do(ev.Opened(session="t"))
    corpus = driver.recorder._pages
    assert isinstance(corpus, Corpus) and corpus.document(REPORT) is not None
    assert not _did(driver, ev.PageViewed(document=REPORT, page=3, via="document"), 1).refusals
    _replace(stage, corrected)
    assert not _did(driver, ev.CitationAdded(document=REPORT, page=3), 1).refusals
    corpus.names()  # as it does twice a second
    assert not _did(driver, ev.PageViewed(document=REPORT, page=3, via="document"), 1).refusals
    (refusal,) = _did(driver, ev.CitationAdded(document=REPORT, page=3), 2).refusals.values()
    assert refusal.code == "unknown_page"
    (refusal,) = _did(driver, ev.CitationAdded(document=REPORT, page=1), 9).refusals.values()
    assert refusal.code == "unknown_document"
    assert not _did(driver, ev.CitationAdded(document=REPORT, page=1), 2).refusals
    assert not _did(driver, ev.PageViewed(document=REPORT, page=2, via="next"), None).refusals
    versions = [(event.type, event.document_version) for event in driver.events][1:]
    assert versions == [
        ("page_viewed", None),
        ("citation_added", None),
        ("page_viewed", None),
        ("citation_added", 2),
        ("page_viewed", 2),
    ]


@pytest.fixture
def seen_twice(stage: Stage, corrected: Path) -> Stage:
    """Ada cited page 3 of the first version, and page 1 of the second."""
    driver = stage.driver("q1", "Ada")
    driver.do(ev.Opened(session="t"))
    _did(driver, ev.CitationAdded(document=REPORT, page=3), 1)
    _replace(stage, corrected)
    driver.recorder._pages.document_names()
    _did(driver, ev.CitationRemoved(document=REPORT, page=3), 2)
    _did(driver, ev.CitationAdded(document=REPORT, page=1), 2)
    return stage


def test_a_replay_shows_what_was_seen(seen_twice: Stage) -> None:
    """Pages of the earlier version have its name and its file."""
    workspace = seen_twice.workspace
    first, second = (Corpus(workspace).document(REPORT, version) for version in (1, 2))
    assert first is not None and second is not None
    versions = replaced_documents(workspace.engine)
    events = list(with_seen_versions(seen_twice.driver("q1", "Ada").events, versions))
    pages: list[Any] = [
        (event.payload.document, event.payload.page)
        for event in events
        if isinstance(event.payload, ev.CitationAdded | ev.CitationRemoved)
    ]
    earlier = version_name(REPORT, 1)
    assert pages == [(earlier, 3), (earlier, 3), (REPORT, 1)]
    located = stored_pages(workspace.engine, pages)
    assert located[earlier, 3].sha256 == first.sha256
    assert located[REPORT, 1].sha256 == second.sha256


def test_exports_name_the_version(seen_twice: Stage, tmp_path: Path) -> None:
    """The events, and which versions after the first an attempt has seen."""
    export(seen_twice.workspace, CAMPAIGN, "trajectories", tmp_path / "out")
    events = pq.read_table(tmp_path / "out" / "events.parquet").to_pylist()
    assert [row["document_version"] for row in events] == [None, None, 2, 2]
    (attempt,) = pq.read_table(tmp_path / "out" / "attempts.parquet").to_pylist()
    assert attempt["document_versions"] == [{"document": REPORT, "version": 2}]


def test_backups_have_all_versions(seen_twice: Stage, tmp_path: Path) -> None:
    """A restored workspace is sound, with the earlier file."""
    back_up(seen_twice.workspace, tmp_path / "backup.tar", SystemClock())
    restore(tmp_path / "backup.tar", tmp_path / "restored", SystemClock())
    restored = Workspace.open(tmp_path / "restored")
    first = Corpus(restored).document(REPORT, 1)
    assert first is not None and pdf_path(restored, first.sha256).exists()
    assert not _problems(restored)


def test_removing_takes_all_versions(stage: Stage, tmp_path: Path) -> None:
    """Also the files of earlier versions."""
    assert _replace(stage, make_pdf(tmp_path / "in" / "b.pdf", ["new"])).ingested
    corpus = Corpus(stage.workspace)
    files = [corpus.document("b.pdf", version) for version in (1, 2)]
    remove_document(stage.workspace, None, "b.pdf")
    for info in files:
        assert info is not None and not pdf_path(stage.workspace, info.sha256).exists()
    assert not _problems(stage.workspace)


def test_two_replacements_wait_for_each_other(stage: Stage, corrected: Path) -> None:
    """The second one is refused with a sentence while the first runs."""
    with exclusive_ingest(stage.workspace), pytest.raises(ConflictError, match="Another ingest"):
        _replace(stage, corrected)


def replace_and_hang(root: str, file: str, where: str) -> None:
    """Replace a document, and hang before or after its rows have changed."""
    original = replacement.replace_version

    def hang(*_: object) -> Any:
        print_line("hanging")
        signal.pause()

    if where == "before":
        replacement.replace_version = hang
    else:
        replacement.replace_version = lambda *arguments: hang(original(*arguments))
    replace_documents(Workspace.open(Path(root)), [Path(file)], ACCEPTING, ocr="never", workers=1)


@pytest.mark.parametrize("where", ["before", "within"])
def test_kill_9_leaves_the_old_version(stage: Stage, corrected: Path, where: str) -> None:
    """Killed in the middle, the old version is whole; the same call replaces it."""
    root = stage.workspace.root
    with start_function(replace_and_hang, root, corrected, where) as run:
        assert run.stdout is not None
        assert any(line.strip() == "hanging" for line in run.stdout)
        run.send_signal(signal.SIGKILL)
    info = Corpus(stage.workspace).document(REPORT)
    assert info is not None and (info.version, info.n_pages) == (1, 3)
    assert _replace(stage, corrected).ingested
    info = Corpus(stage.workspace).document(REPORT)
    assert info is not None and (info.version, info.n_pages) == (2, 2)
    assert not _problems(stage.workspace)
