"""Texts made elsewhere replace those of the PDFs, and their order is the index's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest.command import ingest
from tests.storage.pdfs import make_pdf


def _line(file: str, page: object, text: object, total: int = 2) -> str:
    row = {"file": file, "service": "x", "page_number": page, "total_pages": total, "text": text}
    return json.dumps(row)


def _corpus(workspace: Workspace, tmp_path: Path) -> list[Path]:
    return [
        make_pdf(tmp_path / "a.pdf", ["a one", "a two"]),
        make_pdf(tmp_path / "b.pdf", ["b one", "b two"]),
    ]


def _order(workspace: Workspace) -> list[tuple[str, int, str]]:
    return [(p.file, p.page_number, p.text.strip()) for p in Corpus(workspace).pages()]


def test_the_files_order_is_kept_and_other_pages_follow(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Insertion order is part of the ranking: named pages in the file's order, then the rest by
    name and number; page texts are replaced only where named."""
    texts = tmp_path / "texts.jsonl"
    texts.write_text("\n".join([_line("b.pdf", 2, "new b2"), _line("a.pdf", 2, "new a2")]))
    report = ingest(workspace, _corpus(workspace, tmp_path), ocr="never", text_jsonl=texts)
    assert report.text_pages == 2 and report.notes == []
    assert _order(workspace) == [
        ("b.pdf", 2, "new b2"),
        ("a.pdf", 2, "new a2"),
        ("a.pdf", 1, "a one"),
        ("b.pdf", 1, "b one"),
    ]


def test_a_text_file_alone_later_and_again(workspace: Workspace, tmp_path: Path) -> None:
    """Texts may come after the PDFs; the same file again changes nothing, not even the revision."""
    ingest(workspace, _corpus(workspace, tmp_path), ocr="never")
    texts = tmp_path / "texts.jsonl.gz"
    texts.write_bytes(gzip.compress(_line("b.pdf", 1, "new").encode()))
    before = Corpus(workspace).revision
    ingest(workspace, [], text_jsonl=texts)
    assert _order(workspace)[0] == ("b.pdf", 1, "new")
    assert Corpus(workspace).revision == before + 1
    ingest(workspace, [], text_jsonl=texts)
    assert Corpus(workspace).revision == before + 1


def test_a_second_text_file_goes_behind_the_first(workspace: Workspace, tmp_path: Path) -> None:
    """Pages ordered by an earlier file stay in front; a page named again moves to its new place."""
    first, second = tmp_path / "1.jsonl", tmp_path / "2.jsonl"
    first.write_text("\n".join([_line("b.pdf", 1, "x"), _line("b.pdf", 2, "y")]))
    second.write_text("\n".join([_line("a.pdf", 2, "z"), _line("b.pdf", 1, "w")]))
    ingest(workspace, _corpus(workspace, tmp_path), ocr="never", text_jsonl=first)
    ingest(workspace, [], text_jsonl=second)
    assert _order(workspace) == [
        ("b.pdf", 2, "y"),
        ("a.pdf", 2, "z"),
        ("b.pdf", 1, "w"),
        ("a.pdf", 1, "a one"),
    ]


def test_bad_lines_are_named_and_the_rest_is_used(workspace: Workspace, tmp_path: Path) -> None:
    """Each line that cannot be used is reported with its number and the reason."""
    good = _line("a.pdf", 1, "kept <script>alert(1)</script>")
    lines = [
        b"\xef\xbb\xbf" + good.encode(),
        b"{broken",
        b'"a string"',
        _line("a.pdf", 9, "beyond").encode(),
        _line("a.pdf", "2", "number as text").encode(),
        _line("a.pdf", True, "true").encode(),
        _line("a.pdf", 1, "again").encode(),
        _line("../../etc/passwd", 1, "unknown").encode(),
        _line("../../etc/passwd", 2, "unknown").encode(),
        _line("a.pdf", 2, None).encode(),
        b'{"file": "a.pdf", "page_number": 2, "text": "caf\xe9"}',
        b"[" * 100_000,
        b"",
        b'{"file": "b.pdf", "page_number": 1, "text": "nul \\u0000 half \\ud83d end"}',
        b'{"file": "\\ud800.pdf", "page_number": 1, "text": "x"}',
        b'{"file": "a.pdf", "page_number": ' + b"9" * 5000 + b"}",
    ]
    texts = tmp_path / "texts.jsonl"
    texts.write_bytes(b"\r\n".join(lines))
    report = ingest(workspace, _corpus(workspace, tmp_path), ocr="never", text_jsonl=texts)
    notes = "\n".join(report.notes)
    assert "line 2: is not JSON" in notes
    assert "line 3: is not a JSON object" in notes
    assert "line 4: page 9 of a.pdf does not exist: the document has 2 pages" in notes
    assert "line 5: 'page_number' must be a whole number from 1, not '2'" in notes
    assert "line 6: 'page_number' must be a whole number from 1, not True" in notes
    assert "line 7: page 1 of a.pdf is on line 1 too" in notes
    assert "line 8 and 1 more: there is no document ../../etc/passwd in this workspace" in notes
    assert "line 10: 'text' must be a string, not None" in notes
    assert "line 11: is not UTF-8" in notes
    assert "line 12: is nested too deeply" in notes
    assert "line 15: there is no document \\ud800.pdf in this workspace" in notes
    assert "line 16: is not usable JSON" in notes
    assert "2 characters that cannot be stored" in notes
    assert _order(workspace)[:2] == [
        ("a.pdf", 1, "kept <script>alert(1)</script>"),
        ("b.pdf", 1, "nul \ufffd half \ufffd end"),
    ]
    assert report.text_pages == 2


def test_many_bad_lines_are_counted(workspace: Workspace, tmp_path: Path) -> None:
    """A thousand broken lines do not bury the report."""
    texts = tmp_path / "texts.jsonl"
    texts.write_text("\n".join(["{"] * 1000 + [_line("a.pdf", 1, "x")]))
    report = ingest(workspace, _corpus(workspace, tmp_path), ocr="never", text_jsonl=texts)
    assert len(report.notes) == 51
    assert "950 more problems like these" in report.notes[-1]


@pytest.mark.parametrize("content", [b"", b"\x89PNG\r\n\x1a\n\x00", b"\x1f\x8bbroken", b"{}\n"])
def test_an_unusable_text_file_stops_before_anything_is_read(
    workspace: Workspace, tmp_path: Path, content: bytes
) -> None:
    """A wrong file is an error that names it; no PDF is registered under a wrong assumption."""
    texts = tmp_path / "texts.jsonl"
    texts.write_bytes(content)
    with pytest.raises(InputFileError, match=r"texts\.jsonl"):
        ingest(workspace, _corpus(workspace, tmp_path), text_jsonl=texts)
    assert Corpus(workspace).names() == ()


def test_a_missing_text_file_is_named(workspace: Workspace, tmp_path: Path) -> None:
    """So is one that does not exist."""
    with pytest.raises(InputFileError, match=r"nowhere\.jsonl cannot be read: No such file"):
        ingest(workspace, [], text_jsonl=tmp_path / "nowhere.jsonl")


def test_a_truncated_gzip_is_used_as_far_as_it_goes(workspace: Workspace, tmp_path: Path) -> None:
    """Lines before the break count, and the break is reported."""
    rows = [_line("a.pdf", 1, "x")] + [_line("other.pdf", n, str(n) * 50) for n in range(1, 5000)]
    texts = tmp_path / "texts.jsonl.gz"
    compressed = gzip.compress("\n".join(rows).encode())
    texts.write_bytes(compressed[: len(compressed) // 2])
    report = ingest(workspace, _corpus(workspace, tmp_path), ocr="never", text_jsonl=texts)
    assert any("breaks off" in note for note in report.notes)
    assert _order(workspace)[0] == ("a.pdf", 1, "x")
