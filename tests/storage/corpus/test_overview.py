"""What supervisors see of the collection and its index, against workspaces made for it."""

from __future__ import annotations

import json
from pathlib import Path

import pymupdf
import pytest
from sqlalchemy import select, update

from pagetrail.storage.corpus.image_cache import THUMBNAIL_DPI
from pagetrail.storage.corpus.overview import (
    UnreadablePages,
    clear_cache,
    collection_state,
    folder_sizes,
)
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Document, Page
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.report import last_report
from pagetrail.storage.search.index import ENGINE
from pagetrail.storage.search.status import check_index, index_facts
from pagetrail.storage.search.store import ensure_index


def write_pdf(path: Path, texts: list[str]) -> Path:
    """A page with each text; an empty text is an empty page."""
    document = pymupdf.open()
    for text in texts:
        page = document.new_page(width=200, height=200)
        if text:
            page.insert_text((20, 40), text)
    document.save(path)
    return path


@pytest.fixture
def filled(workspace: Workspace, tmp_path: Path) -> Workspace:
    """Two documents, one with an empty page, and a hostile file that was refused."""
    full = write_pdf(tmp_path / "full.pdf", ["otters", "badgers"])
    holes = write_pdf(tmp_path / "holes.pdf", ["stoats", "", "martens"])
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7\nnothing of the kind")
    ingest(workspace, [full, holes, bad], ocr="never", workers=1)
    return workspace


def test_an_empty_workspace_has_nothing(workspace: Workspace) -> None:
    """No division by zero, no index, no report."""
    state = collection_state(workspace)
    assert (state.documents, state.pages, state.ocr_pages, state.unreadable_documents) == (
        0,
        0,
        0,
        (),
    )
    assert index_facts(workspace) is None
    assert check_index(workspace) == (
        False,
        "There is no index yet. Build it; searches wait for it.",
    )
    assert last_report(workspace.root) is None


def test_the_collection_is_counted(filled: Workspace) -> None:
    """Documents, pages, recognised pages, and which documents have no text on how many pages."""
    with write_transaction(filled.engine) as connection:
        connection.execute(update(Page).where(Page.text == "otters\n").values(text_source="ocr"))
        connection.execute(
            update(Page).where(Page.text == "martens\n").values(text_source="unreadable")
        )
    state = collection_state(filled)
    assert (state.documents, state.pages, state.ocr_pages) == (2, 5, 1)
    assert state.unreadable_documents == (UnreadablePages("holes.pdf", 3, 1, 1),)
    on_disk = sum(path.stat().st_size for path in filled.corpus_dir.glob("*.pdf"))
    assert state.bytes == folder_sizes(filled).corpus == on_disk


def test_the_last_run_is_remembered(filled: Workspace, tmp_path: Path) -> None:
    """With the refused file's sentence; the next run takes its place."""
    report = last_report(filled.root)
    assert report is not None
    (failed,) = report["failed"]
    assert failed["file"].endswith("bad.pdf")
    assert failed["reason"].startswith(f"{failed['file']} ")
    ingest(filled, [write_pdf(tmp_path / "more.pdf", ["voles"])], ocr="never", workers=1)
    later = last_report(filled.root)
    assert later is not None
    assert (later["failed"], len(later["ingested"])) == ([], 1)
    assert later["at"] >= report["at"]


def test_a_sound_index_is_said_to_be(filled: Workspace) -> None:
    """Its facts are those of the index; the check reads it all."""
    stored = ensure_index(filled)
    facts = index_facts(filled)
    assert facts is not None
    assert (facts.identity, facts.engine, facts.pages) == (stored.identity, ENGINE, 5)
    assert facts.current
    sound, sentence = check_index(filled)
    assert sound
    assert "5 pages" in sentence


def test_an_outdated_index_is_told_from_a_current_one(filled: Workspace, tmp_path: Path) -> None:
    """After another document it is of an earlier collection, until it is rebuilt."""
    ensure_index(filled)
    ingest(filled, [write_pdf(tmp_path / "more.pdf", ["voles"])], ocr="never", workers=1)
    facts = index_facts(filled)
    assert facts is not None
    assert not facts.current
    assert check_index(filled) == (
        False,
        "The index is of an earlier collection. Rebuild it.",
    )
    ensure_index(filled)
    assert check_index(filled)[0]


def test_a_changed_index_file_is_found(filled: Workspace) -> None:
    """One byte more, and the check says so."""
    stored = ensure_index(filled)
    file = next(path for path in stored.folder.iterdir() if path.name != "meta.json")
    file.write_bytes(file.read_bytes() + b"x")
    sound, sentence = check_index(filled)
    assert not sound
    assert "changed or are missing" in sentence


def test_texts_that_changed_behind_the_index_are_found(filled: Workspace) -> None:
    """The revision says "current", the texts say otherwise."""
    ensure_index(filled)
    with write_transaction(filled.engine) as connection:
        connection.execute(update(Page).values(text="something else"))
    sound, sentence = check_index(filled)
    assert not sound
    assert "does not match the texts" in sentence


def test_an_index_of_another_engine_is_named(filled: Workspace) -> None:
    """Its own engine and this program's."""
    stored = ensure_index(filled)
    meta = stored.folder / "meta.json"
    facts = json.loads(meta.read_text(encoding="utf-8"))
    meta.write_text(json.dumps({**facts, "engine": "whoosh 9"}), encoding="utf-8")
    sound, sentence = check_index(filled)
    assert not sound
    assert sentence == f"The index is of whoosh 9; this program searches with {ENGINE}."


def test_clearing_the_cache_frees_it_and_pages_are_drawn_again(filled: Workspace) -> None:
    """What is freed is what was there; nothing else in the cache folder goes."""
    with filled.engine.connect() as connection:
        sha256 = connection.execute(select(Document)).first().sha256  # type: ignore[union-attr]
    images = PageImages(filled)
    picture = images.jpeg(sha256, 1, 150)
    thumbnail = images.jpeg(sha256, 1, THUMBNAIL_DPI)
    (filled.cache_dir / "downloads").mkdir()
    cache_bytes = sum(path.stat().st_size for path in filled.cache_dir.rglob("*") if path.is_file())
    sizes = folder_sizes(filled)
    assert sizes.thumbnails == len(thumbnail)
    assert sizes.cache + sizes.thumbnails == cache_bytes >= len(picture) + len(thumbnail)
    assert clear_cache(filled) == cache_bytes
    assert folder_sizes(filled).cache == folder_sizes(filled).thumbnails == 0
    assert [path.name for path in filled.cache_dir.iterdir()] == ["downloads"]
    assert clear_cache(filled) == 0
    assert images.jpeg(sha256, 1, 150) == picture
    assert images.jpeg(sha256, 1, THUMBNAIL_DPI) == thumbnail
    images.workers.pool.close()
