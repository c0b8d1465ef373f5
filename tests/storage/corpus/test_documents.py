"""The registered documents as others read them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.geometry.box import PageSize
from pagetrail.annotation.ports import DocumentSource
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.storable_text import clean_text
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from tests.storage.pdfs import make_pdf


def test_documents_by_name_and_hash(workspace: Workspace, tmp_path: Path) -> None:
    """Both ways lead to the same document, with sizes in points; unknown ones give None."""
    ingest(workspace, [make_pdf(tmp_path / "a.pdf", ["x", "y"])], ocr="never")
    corpus: DocumentSource = Corpus(workspace)
    info = corpus.document("a.pdf")
    assert info is not None
    assert info.pages == (PageSize(width=300, height=200),) * 2
    assert Corpus(workspace).document_by_hash(info.sha256) == info
    assert Corpus(workspace).path(info.sha256).is_file()
    assert corpus.document("b.pdf") is None
    assert corpus.document("\ud800.pdf") is None
    assert Corpus(workspace).document_by_hash("0" * 64) is None


def test_a_later_ingest_is_noticed(workspace: Workspace, tmp_path: Path) -> None:
    """What is kept in memory never hides a document that another process added."""
    corpus = Corpus(workspace)
    assert corpus.names() == () and corpus.revision == 0
    ingest(workspace, [make_pdf(tmp_path / "b.pdf", ["x"])], ocr="never")
    assert corpus.names() == ("b.pdf",) and corpus.revision == 1
    ingest(workspace, [make_pdf(tmp_path / "a.pdf", ["y"])], ocr="never")
    assert corpus.names() == ("a.pdf", "b.pdf") and corpus.revision == 2


def test_infos_are_kept_until_then(workspace: Workspace, tmp_path: Path) -> None:
    """The second question for a document builds no second answer."""
    ingest(workspace, [make_pdf(tmp_path / "a.pdf", ["x"])], ocr="never")
    corpus = Corpus(workspace)
    assert corpus.document("a.pdf") is corpus.document("a.pdf")


def test_page_text(workspace: Workspace, tmp_path: Path) -> None:
    """The stored text of a page; what does not exist is named with what does."""
    ingest(workspace, [make_pdf(tmp_path / "a.pdf", ["x", ""])], ocr="never")
    corpus = Corpus(workspace)
    assert corpus.page_text("a.pdf", 1) == "x\n"
    assert corpus.page_text("a.pdf", 2) == ""
    with pytest.raises(NotFoundError, match=r"page 3 of a\.pdf does not exist: the document has 2"):
        corpus.page_text("a.pdf", 3)
    with pytest.raises(NotFoundError, match=r"no document 'b\.pdf'"):
        corpus.page_text("b.pdf", 1)


@pytest.mark.parametrize(
    ("text", "cleaned", "count"),
    [
        ("plain", "plain", 0),
        ("nul\x00", "nul\ufffd", 1),
        ("half \ud83d, half \udc00", "half \ufffd, half \ufffd", 2),
        ("whole 🦉 é", "whole 🦉 é", 0),
    ],
)
def test_text_is_made_storable(text: str, cleaned: str, count: int) -> None:
    """NUL and lone surrogates become U+FFFD; everything else stays as it is."""
    assert clean_text(text) == (cleaned, count)
    cleaned.encode()
