"""Word boxes for scans that were recognised before they were stored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from pagetrail.annotation.errors import CorpusError, InputFileError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.overview import pages_without_boxes
from pagetrail.storage.corpus.recognised_words import recognised_words
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import DOCUMENTS, PAGES, RECOGNISED_WORDS
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.ocr_languages import ocr_languages, tesseract_problem
from pagetrail.storage.ingest.word_boxes import add_word_boxes
from tests.storage.pdfs import make_pdf, scan_pdf

TESSERACT = r"""#!/bin/sh
[ "$1" = --list-langs ] && { printf 'List:\neng\n'; exit; }
cat > /dev/null
printf 'Harbour' > "$2.txt"
printf '5\t1\t1\t1\t1\t1\t100\t100\t400\t80\t90\tHarbour\n' > "$2.tsv"
"""


@pytest.fixture
def old(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workspace]:
    """Two scans as an older version left them, the second with a text read in another way."""
    program = tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text(TESSERACT)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")
    tesseract_problem.cache_clear()
    ocr_languages.cache_clear()
    paths = [scan_pdf(tmp_path / f"{name}.pdf", [name]) for name in ("a", "b")]
    ingest(workspace, [*paths, make_pdf(tmp_path / "typed.pdf", ["typed"])], workers=1)
    forget(workspace)
    yield workspace
    tesseract_problem.cache_clear()
    ocr_languages.cache_clear()


def forget(workspace: Workspace) -> None:
    """Word boxes are gone, and b has another text."""
    b = select(DOCUMENTS.c.id).where(DOCUMENTS.c.name == "b.pdf").scalar_subquery()
    with write_transaction(workspace.engine) as connection:
        connection.execute(RECOGNISED_WORDS.delete())
        connection.execute(PAGES.update().where(PAGES.c.document_id == b).values(text="Harb0ur"))


def texts(workspace: Workspace) -> list[str]:
    corpus = Corpus(workspace)
    return [corpus.page_text(name, 1).strip() for name in ("a.pdf", "b.pdf", "typed.pdf")]


def test_boxes_come_and_texts_stay_unless_asked(old: Workspace) -> None:
    """The index stays current; with ``replace_text`` the text and the revision change."""
    revision, before = Corpus(old).revision, texts(old)
    assert before == ["Harbour", "Harb0ur", "typed"]
    report = add_word_boxes(old, workers=1)
    assert (report.boxed, report.kept, report.replaced, report.left) == (2, 1, 0, 0)
    assert "kept their text" in report.sentence()
    assert (texts(old), Corpus(old).revision) == (before, revision)
    document = Corpus(old).document("b.pdf")
    assert document is not None
    assert [word.text for word in recognised_words(old, document.sha256, 1)] == ["Harbour"]
    assert not pages_without_boxes(old)
    forget(old)
    report = add_word_boxes(old, workers=1, replace_text=True)
    assert (report.kept, report.replaced) == (0, 1)
    assert texts(old) == ["Harbour", "Harbour", "typed"]
    assert Corpus(old).revision == revision + 1


def test_an_interrupted_run_is_continued(old: Workspace) -> None:
    """What was stored stays, the rest is left and comes with the next run."""

    def interrupt(done: int, _total: int) -> None:
        if done == 1:
            raise KeyboardInterrupt

    report = add_word_boxes(old, workers=1, progress=interrupt)
    assert report.interrupted and report.left == 1
    assert sum(map(len, pages_without_boxes(old).values())) == 1
    assert add_word_boxes(old, workers=1).boxed == 1


def test_what_cannot_be_done_is_said_before_anything_starts(old: Workspace) -> None:
    """No such language, no such document."""
    with pytest.raises(CorpusError, match="'xyz'"):
        add_word_boxes(old, ocr_lang="xyz")
    with pytest.raises(InputFileError, match=r"'c\.pdf'"):
        add_word_boxes(old, document="c.pdf")
    assert len(pages_without_boxes(old, "a.pdf")) == 1
