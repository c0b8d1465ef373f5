"""Texts of pages as extracted, or with words whole, where a workspace was told so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.corpus.page_images import PageImages
from pagetrail.storage.corpus.page_values import Word
from pagetrail.storage.corpus.page_workers import PageWorkers
from pagetrail.storage.corpus.word_joining import joined_texts, with_joints
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.report import IngestReport
from pagetrail.storage.search.index import identity_of
from tests.storage.pdfs import typeset_pdf

EXTRACTED = "The oﬃce proﬁt inter\u00ad\nnational well-\nbeing 2019\u00ad2021\n"
WHOLE = "The office profit international wellbeing 2019-2021\n"


@pytest.fixture
def pdf(tmp_path: Path) -> Path:
    """A typeset page with two ligatures, two divided words and a hyphen that is a dash."""
    return typeset_pdf(tmp_path / "typeset.pdf", EXTRACTED)


@pytest.fixture
def workers(workspace: Workspace) -> Iterator[PageWorkers]:
    """The processes that read words."""
    workers = PageWorkers(workspace.cache_dir, size=1, limit_s=60)
    yield workers
    workers.pool.close()


def test_texts_are_as_extracted_and_the_report_counts_the_words(
    workspace: Workspace, pdf: Path
) -> None:
    """By default the reference's texts stay; a note says what searches miss, and the option."""
    report = ingest(workspace, [pdf], ocr="never", workers=1)
    assert _texts(workspace) == [EXTRACTED]
    assert (report.divided_words, report.ingested[0].divided_words) == (5, 5)
    assert "5 words" in report.notes[0] and "--normalise-text" in report.notes[0]
    assert report.as_json()["divided_words"] == 5


def test_plain_texts_have_no_note(workspace: Workspace, tmp_path: Path) -> None:
    """Hyphens within lines and suspended ones are no concern."""
    pdf = typeset_pdf(tmp_path / "plain.pdf", "well-known pre-\nand post-war\n")
    assert ingest(workspace, [pdf], ocr="never", workers=1).notes == []


def test_words_are_whole_in_what_was_there_and_in_what_comes_later(
    workspace: Workspace, pdf: Path, tmp_path: Path
) -> None:
    """Also in text files; without the option again, since the workspace has been told."""
    ingest(workspace, [pdf], ocr="never", workers=1)
    before = identity_of(Corpus(workspace).pages())
    report = _normalise(workspace, pdf)
    assert _texts(workspace) == [WHOLE]
    assert (report.joined_words, report.divided_words) == (5, 0)
    assert report.notes[0].startswith("Joined 5 words")
    assert identity_of(Corpus(workspace).pages()) != before
    later = typeset_pdf(tmp_path / "later.pdf", "another ﬂood\n")
    report = ingest(workspace, [later], ocr="never", workers=1)
    assert _texts(workspace) == ["another flood\n", WHOLE]
    assert (report.is_normalised, report.divided_words) == (True, 1)
    assert report.notes == ["Joined 1 word with ligatures, soft hyphens or hyphens at line ends."]
    text_file = tmp_path / "texts.jsonl"
    line = {"file": "later.pdf", "page_number": 1, "text": "a third eﬀect"}
    text_file.write_text(json.dumps(line), encoding="utf-8")
    assert ingest(workspace, [], text_jsonl=text_file).divided_words == 1
    assert _texts(workspace) == ["a third effect", WHOLE]
    revision = Corpus(workspace).revision
    assert _normalise(workspace, pdf).joined_words == 0
    assert Corpus(workspace).revision == revision


def test_boxes_of_words_stay_where_they_are(
    workspace: Workspace, pdf: Path, workers: PageWorkers
) -> None:
    """Each part of a divided word has its box; together they are the word of the text."""
    sha256 = ingest(workspace, [pdf], ocr="never", workers=1).ingested[0].sha256
    images = PageImages(workspace, workers=workers)
    extracted = images.words(sha256, 1)
    _normalise(workspace, pdf)
    words = images.words(sha256, 1)
    assert [word[:4] for word in words] == [word[:4] for word in extracted]
    assert [word.text for word in words] == [
        "The", "office", "profit", "inter\u00ad", "national", "well\u00ad", "being", "2019-2021",
    ]  # fmt: skip
    whole = joined_texts(words)
    assert whole[3:7] == ["international", "international", "wellbeing", "wellbeing"]
    assert " ".join(dict.fromkeys(whole)) == WHOLE.strip()


def test_words_of_one_line_are_not_joined() -> None:
    """A hyphen before a space within a line, and one at the end of the page, divide nothing."""
    words = [Word(0, 0, 9, 9, "pre-"), Word(10, 0, 19, 9, "paid"), Word(0, 10, 9, 19, "non-")]
    assert with_joints(words) == words
    assert joined_texts([Word(0, 0, 9, 9, "inter\u00ad")]) == ["inter"]


def _normalise(workspace: Workspace, pdf: Path) -> IngestReport:
    return ingest(workspace, [pdf], ocr="never", normalise_text=True, workers=1)


def _texts(workspace: Workspace) -> list[str]:
    return [page.text for page in sorted(Corpus(workspace).pages())]
