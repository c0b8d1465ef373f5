"""Files come in once, or with a reason; a broken reader or an interrupt costs no other file."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import signal
from collections.abc import Sequence
from pathlib import Path

import pymupdf
import pytest

from pagetrail.annotation.errors import ConflictError, CorpusError, InputFileError
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.ingest import run as ingest_run
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.ingest.pool import IngestPool
from pagetrail.storage.ingest.report import IngestReport, Progress, page_ranges
from pagetrail.storage.ingest.worker import READER, ReadJob, run_job
from tests.storage.pdfs import CORPORA, MISBEHAVING, make_pdf, needs_corpora
from tests.support.function_process import output_of, print_line, start_function


def _take(
    workspace: Workspace, paths: Sequence[Path], timeout_s: float = 60, workers: int = 2
) -> IngestReport:
    return ingest(
        workspace, paths, ocr="never", workers=workers, timeout_s=timeout_s, reader=MISBEHAVING
    )


def _reasons(report: IngestReport) -> dict[str, str]:
    return {Path(entry.file).name: entry.reason for entry in report.failed}


def _everywhere(report: IngestReport) -> list[str]:
    lists = (report.ingested, report.duplicates, report.failed)
    return sorted(entry.file for entries in lists for entry in entries)


def test_a_folder_comes_in_whole(workspace: Workspace, tmp_path: Path) -> None:
    """PDFs below a folder are registered with all pages; other files are counted only."""
    make_pdf(tmp_path / "in" / "b.pdf", ["beta", "two"])
    make_pdf(tmp_path / "in" / "deep" / "A.PDF", ["alpha"])
    (tmp_path / "in" / "readme.txt").write_text("no")
    report = _take(workspace, [tmp_path / "in"])
    assert sorted(entry.document for entry in report.ingested) == ["A.PDF", "b.pdf"]
    assert report.ignored == 1 and not report.failed
    pages = [(p.file, p.page_number, p.total_pages, p.text) for p in Corpus(workspace).pages()]
    assert pages == [
        ("A.PDF", 1, 1, "alpha\n"),
        ("b.pdf", 1, 2, "beta\n"),
        ("b.pdf", 2, 2, "two\n"),
    ]
    assert not (workspace.corpus_dir / "incoming").exists()


def test_the_same_bytes_are_one_document(workspace: Workspace, tmp_path: Path) -> None:
    """A copy under another name, in the same run or later, names the document it repeats."""
    first = make_pdf(tmp_path / "first.pdf", ["same"])
    copy = tmp_path / "copy.pdf"
    copy.write_bytes(first.read_bytes())
    report = _take(workspace, [first, copy])
    assert [entry.document for entry in report.ingested] == ["first.pdf"]
    assert [(e.document, e.reason) for e in report.duplicates] == [
        ("first.pdf", "has the same content as first.pdf, which is known by this name as well.")
    ]
    duplicate = _take(workspace, [first, copy])
    assert {Path(e.file).name: e.reason for e in duplicate.duplicates} == {
        "first.pdf": "is in the workspace already.",
        "copy.pdf": "has the same content as first.pdf, which is known by this name as well.",
    }
    assert Corpus(workspace).revision == 1
    assert Corpus(workspace).document_names().aliases == {"copy.pdf": "first.pdf"}
    other = make_pdf(tmp_path / "x" / "copy.pdf", ["another"])
    (failed,) = _take(workspace, [other]).failed
    assert "has the name of another document: copy.pdf" in failed.reason
    make_pdf(tmp_path / "y" / "another.pdf", ["another"])
    _take(workspace, [tmp_path / "y"])
    other.rename(tmp_path / "first.pdf")
    (duplicate,) = _take(workspace, [tmp_path / "first.pdf"]).duplicates
    assert duplicate.reason.endswith("first.pdf is the name of another document.")
    assert Corpus(workspace).document_names().aliases == {"copy.pdf": "first.pdf"}


def test_files_of_one_size_are_told_apart(workspace: Workspace, tmp_path: Path) -> None:
    """Who has a size of its own is hashed where it is copied; the others, before."""
    for name, text in {"a": "alpha", "b": "gamma", "c": "alpha", "d": "a longer text"}.items():
        make_pdf(tmp_path / "in" / f"{name}.pdf", [text])
    sizes = {path.name: path.stat().st_size for path in (tmp_path / "in").iterdir()}
    assert sizes["a.pdf"] == sizes["b.pdf"] == sizes["c.pdf"] != sizes["d.pdf"]
    (tmp_path / "in" / "c.pdf").write_bytes((tmp_path / "in" / "a.pdf").read_bytes())
    report = _take(workspace, [tmp_path / "in"])
    assert sorted(entry.document for entry in report.ingested) == ["a.pdf", "b.pdf", "d.pdf"]
    assert [Path(entry.file).name for entry in report.duplicates] == ["c.pdf"]
    for entry in report.ingested:
        content = Path(entry.file).read_bytes()
        assert entry.sha256 == hashlib.sha256(content).hexdigest()
        assert Corpus(workspace).path(entry.sha256).read_bytes() == content


def test_a_file_that_becomes_like_another_while_the_run_goes_on(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Listed with a size of its own, it has another's content when its turn comes."""
    first = make_pdf(tmp_path / "in" / "a.pdf", ["alpha"])
    later = make_pdf(tmp_path / "in" / "b.pdf", ["a longer text"])

    def change(_: Progress) -> None:
        later.write_bytes(first.read_bytes())

    make_pdf(tmp_path / "in" / "a0.pdf", ["x"])
    make_pdf(tmp_path / "in" / "a1.pdf", ["x y"])
    report = ingest(workspace, [tmp_path / "in"], ocr="never", workers=1, progress=change)
    assert not report.failed
    assert [Path(entry.file).name for entry in report.duplicates] == ["b.pdf"]
    assert Corpus(workspace).path(report.duplicates[0].sha256).read_bytes() == first.read_bytes()


@pytest.mark.parametrize(("size", "sha256"), [(1, ""), (None, "0" * 64)])
def test_a_copy_that_is_not_what_was_listed_is_refused(
    tmp_path: Path, size: int | None, sha256: str
) -> None:
    """A file that another program is writing comes in whole or not at all."""
    path = make_pdf(tmp_path / "a.pdf", ["alpha"])
    size = path.stat().st_size if size is None else size
    with pytest.raises(CorpusError, match="changed while it was being read"):
        run_job(ReadJob(str(path), str(tmp_path / "copy.pdf"), size, sha256, 60), READER)


def test_two_files_of_one_name_are_an_error_that_names_both(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Which of two different reports of one name is meant is not for the program to choose."""
    first = make_pdf(tmp_path / "x" / "report.pdf", ["one"])
    two = make_pdf(tmp_path / "y" / "report.pdf", ["two"])
    report = _take(workspace, [first, two])
    assert [entry.file for entry in report.ingested] == [str(first)]
    (failed,) = report.failed
    assert failed.file == str(two)
    assert "report.pdf in the workspace has SHA-256 " in failed.reason
    assert report.ingested[0].sha256[:12] in failed.reason and str(two) in failed.reason


def test_a_namesake_of_a_broken_file_still_comes_in(workspace: Workspace, tmp_path: Path) -> None:
    """A file that fails does not block another of its name in the same run."""
    bad = make_pdf(tmp_path / "x" / "report.pdf", ["one"], marker="BUG")
    good = make_pdf(tmp_path / "y" / "report.pdf", ["two"])
    report = _take(workspace, [bad, good])
    assert [entry.file for entry in report.ingested] == [str(good)]
    assert [entry.file for entry in report.failed] == [str(bad)]


def test_a_reader_that_dies_or_hangs_costs_only_its_file(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Killed, crashed, out of memory, defective and hanging readers are told apart; the rest of
    the files, in flight at the same time, come in."""
    for marker in ("KILLED", "CRASH", "MEMORY", "BUG", "HANG"):
        make_pdf(tmp_path / "in" / f"{marker}.pdf", [marker], marker=marker)
    for n in range(12):
        make_pdf(tmp_path / "in" / f"good{n}.pdf", [f"good {n}"])
    report = _take(workspace, [tmp_path / "in"], timeout_s=2)
    reasons = _reasons(report)
    assert set(reasons) == {f"{m}.pdf" for m in ("KILLED", "CRASH", "MEMORY", "BUG", "HANG")}
    assert "killed the reader" in reasons["KILLED.pdf"]
    assert "crashed the reader (SIGSEGV)" in reasons["CRASH.pdf"]
    assert "more than 1,536 MiB of memory" in reasons["MEMORY.pdf"]
    assert "a defect of the reader" in reasons["BUG.pdf"]
    assert "given up after 2 s" in reasons["HANG.pdf"]
    assert len(report.ingested) == 12
    stored = {path.name for path in workspace.corpus_dir.iterdir()}
    assert stored == {f"{entry.sha256}.pdf" for entry in report.ingested}


def test_an_interrupt_amid_a_file_counts_it_once(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file that has no outcome is pending, once, also the one just given to a worker."""
    for n in range(3):
        make_pdf(tmp_path / "in" / f"{n}.pdf", [f"text {n}"])

    def submit(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(IngestPool, "submit", submit)
    report = ingest(workspace, [tmp_path / "in"], workers=1)
    assert report.interrupted and not report.ingested
    assert [Path(file).name for file in report.pending] == ["0.pdf", "1.pdf", "2.pdf"]


def test_an_interrupt_keeps_what_is_finished(workspace: Workspace, tmp_path: Path) -> None:
    """Ctrl-C ends with every file accounted for; the same call does the rest, and only that."""
    for n in range(6):
        make_pdf(tmp_path / "in" / f"{n}.pdf", [f"text {n}"])

    def stop(now: Progress) -> None:
        if now.pages == 2:
            raise KeyboardInterrupt

    report = ingest(workspace, [tmp_path / "in"], ocr="never", workers=1, progress=stop)
    assert report.interrupted
    assert len(report.ingested) == 2 and len(report.pending) == 4
    rest = ingest(workspace, [tmp_path / "in"], ocr="never")
    assert {e.file for e in rest.duplicates} == {e.file for e in report.ingested}
    assert {e.file for e in rest.ingested} == set(report.pending)


def ingest_and_count(root: str, folder: str, reader: str) -> None:
    """Ingest a folder, and print the number of finished files after each."""
    ingest(
        Workspace.open(Path(root)),
        [Path(folder)],
        ocr="never",
        workers=1,
        timeout_s=3,
        reader=reader,
        progress=lambda now: print_line(now.files),
    )


def test_kill_9_loses_no_finished_document(workspace: Workspace, tmp_path: Path) -> None:
    """Killed in the middle of a document, the run resumes: the finished one is not read again."""
    make_pdf(tmp_path / "in" / "a.pdf", ["finished"])
    make_pdf(tmp_path / "in" / "b.pdf", ["in flight"], marker="HANG")
    make_pdf(tmp_path / "in" / "c.pdf", ["not started"])
    with start_function(ingest_and_count, workspace.root, tmp_path / "in", MISBEHAVING) as run:
        assert run.stdout is not None
        assert any(line.strip() == "1" for line in run.stdout)
        run.send_signal(signal.SIGKILL)
    assert Corpus(workspace).names() == ("a.pdf",)
    report = ingest(workspace, [tmp_path / "in"], ocr="never")
    assert [Path(e.file).name for e in report.duplicates] == ["a.pdf"]
    assert sorted(e.document for e in report.ingested) == ["b.pdf", "c.pdf"]
    assert not (workspace.corpus_dir / "incoming").exists()


def test_only_one_ingest_at_a_time(workspace: Workspace, tmp_path: Path) -> None:
    """A second run on the same workspace is refused with a sentence."""
    path = make_pdf(tmp_path / "a.pdf", ["a"])
    refused: list[str] = []

    def ingest_again(_: Progress) -> None:
        with pytest.raises(ConflictError) as caught:
            ingest(workspace, [path])
        refused.append(caught.value.message)

    ingest(workspace, [path], progress=ingest_again)
    assert "Another ingest is running" in refused[0]


def test_complete_documents_share_a_transaction(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing counts as finished before its transaction; the corpus has one new revision."""
    monkeypatch.setattr(ingest_run, "_STORE_INTERVAL_S", 3600)
    for n in range(6):
        make_pdf(tmp_path / "in" / f"{n}.pdf", [f"text {n}"])
    finished: list[tuple[int, int]] = []

    def note(now: Progress) -> None:
        finished.append((now.files, len(Corpus(workspace).names())))

    report = ingest(workspace, [tmp_path / "in"], ocr="never", workers=2, progress=note)
    assert len(report.ingested) == 6
    assert Corpus(workspace).revision == 1
    assert set(finished) == {(0, 0), (6, 6)}


def test_a_full_disk_registers_nothing_half(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without room for a document there is neither a row nor a file of it, and the rest goes on."""
    real = ingest_run.register

    def full(target: Workspace, documents: Sequence[ingest_run.NewDocument]) -> None:
        if any(document.name == "a.pdf" for document in documents):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(target, documents)

    monkeypatch.setattr(ingest_run, "register", full)
    monkeypatch.setattr(ingest_run, "_STORE_INTERVAL_S", 3600)
    paths = [make_pdf(tmp_path / name, [name]) for name in ("a.pdf", "b.pdf")]
    report = _take(workspace, paths)
    assert "cannot be stored in the workspace: No space left on device" in report.failed[0].reason
    assert Corpus(workspace).names() == ("b.pdf",)
    assert len(list(workspace.corpus_dir.iterdir())) == 1


def ingest_below_limit(root: str, path: str) -> None:
    """Ingest where files may have 150,000 bytes, and print why one failed."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, 150_000))
    print_line(ingest(Workspace.open(Path(root)), [Path(path)]).failed[0].reason)


def test_a_limit_on_file_size_is_a_clear_failure(workspace: Workspace, tmp_path: Path) -> None:
    """The operating system's refusal while copying reaches the report as a sentence."""
    path = make_pdf(tmp_path / "a.pdf", ["a"])
    path.write_bytes(path.read_bytes() + b"%" * 200_000)
    output = output_of(ingest_below_limit, workspace.root, path)
    assert "cannot be copied into the workspace: File too large" in output
    assert Corpus(workspace).names() == ()


NAMES = [
    "with space.pdf",
    "quo'te\".pdf",
    "emoji 🦉.pdf",
    "..%2f..%2fetc.pdf",
    "..pdf",
    "-rf.pdf",
    "new\nline.pdf",
    "[bold]x[∕y].pdf",
    "<script>alert(1)<∕script>.pdf",
]


def test_strange_names_come_in_unchanged(workspace: Workspace, tmp_path: Path) -> None:
    """Whatever a file may be called is its document's name; nothing is a path or an option."""
    for n, name in enumerate(NAMES):
        make_pdf(tmp_path / "in" / name, [f"text {n}"])
    report = _take(workspace, [tmp_path / "in"])
    assert not report.failed
    assert set(Corpus(workspace).names()) == set(NAMES)


def test_a_name_that_is_not_utf8_is_escaped(workspace: Workspace, tmp_path: Path) -> None:
    """Bytes that no encoding explains are shown as they are, and stored as text."""
    source = make_pdf(tmp_path / "a.pdf", ["a"])
    strange = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.pdf"))
    source.rename(strange)
    report = _take(workspace, [strange])
    assert Corpus(workspace).names() == ("caf\\xe9.pdf",)
    assert report.as_json()["ingested"][0]["file"].endswith("caf\\xe9.pdf")


def test_paths_that_are_no_pdf_each_have_a_reason(workspace: Workspace, tmp_path: Path) -> None:
    """Every path given is in exactly one list: missing, dangling, a pipe, a text file, empty."""
    os.mkfifo(tmp_path / "pipe.pdf")
    (tmp_path / "dangling.pdf").symlink_to(tmp_path / "nowhere.pdf")
    (tmp_path / "note.txt").write_text("not a PDF")
    (tmp_path / "empty.pdf").touch()
    (tmp_path / "folder").mkdir()
    names = ["pipe.pdf", "dangling.pdf", "note.txt", "empty.pdf", "folder", "missing.pdf"]
    report = _take(workspace, [tmp_path / name for name in names])
    reasons = _reasons(report)
    assert "not a regular file" in reasons["pipe.pdf"]
    assert "link to nothing" in reasons["dangling.pdf"]
    assert "not a PDF" in reasons["note.txt"]
    assert "zero bytes" in reasons["empty.pdf"]
    assert "holds no PDF file" in reasons["folder"]
    assert "No such file" in reasons["missing.pdf"]
    assert _everywhere(report) == sorted(str(tmp_path / name) for name in names)


def test_link_loops_and_repeated_paths_count_once(workspace: Workspace, tmp_path: Path) -> None:
    """A folder that contains itself ends, and a file named twice is one input."""
    path = make_pdf(tmp_path / "in" / "a.pdf", ["a"])
    (tmp_path / "in" / "loop").symlink_to(tmp_path / "in")
    report = _take(workspace, [tmp_path / "in", path, tmp_path / "in" / ".." / "in" / "a.pdf"])
    assert [entry.file for entry in report.ingested] == [str(path)]
    assert not report.duplicates and not report.failed


def test_a_password_and_damage_are_told(workspace: Workspace, tmp_path: Path) -> None:
    """A locked file says so; one cut short comes in with a note when pages survive."""
    document = pymupdf.open()
    document.new_page()
    document.save(
        tmp_path / "locked.pdf", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y"
    )
    pdf_bytes = make_pdf(tmp_path / "whole.pdf", [f"page {n}" for n in range(30)]).read_bytes()
    (tmp_path / "cut.pdf").write_bytes(pdf_bytes[: len(pdf_bytes) - 1500])
    report = _take(workspace, [tmp_path / "locked.pdf", tmp_path / "cut.pdf"])
    assert "protected by a password" in _reasons(report)["locked.pdf"]
    (cut,) = report.ingested
    assert any("damaged" in note for note in cut.notes)


def test_two_thousand_pages(workspace: Workspace, tmp_path: Path) -> None:
    """A very long document comes in with every page in its place."""
    document = pymupdf.open()
    for n in range(2_000):
        document.new_page(width=200, height=50)
        if n in (0, 1_999):
            document[n].insert_text((5, 20), f"leaf {n + 1}")
    document.save(tmp_path / "long.pdf")
    report = _take(workspace, [tmp_path / "long.pdf"])
    assert report.ingested[0].pages == 2_000
    corpus = Corpus(workspace)
    assert corpus.page_text("long.pdf", 2_000) == "leaf 2000\n"
    assert any("No text on pages 2–1999 of 2000" in note for note in report.ingested[0].notes)


def test_nothing_to_do_is_an_error(workspace: Workspace) -> None:
    """A call without files says what to give."""
    with pytest.raises(InputFileError, match="at least one PDF"):
        ingest(workspace, [])


def test_page_ranges() -> None:
    """Page numbers are told as ranges, and long lists are cut."""
    assert page_ranges([4]) == "page 4"
    assert page_ranges([7, 1, 2, 3]) == "pages 1–3, 7"
    assert page_ranges(list(range(1, 60, 2))).endswith("23, …")


@pytest.mark.corpus
@needs_corpora
def test_hostile_files_each_have_one_place(workspace: Workspace) -> None:
    """The collection of broken PDFs: four cannot be used and say why, the others come in."""
    report = ingest(workspace, [CORPORA / "hostile"], ocr="never")
    reasons = _reasons(report)
    assert set(reasons) == {
        "empty.pdf",
        "header-only.pdf",
        "not-a-pdf.pdf",
        "password-example.pdf",
    }
    assert _everywhere(report) == sorted(map(str, (CORPORA / "hostile").glob("*.pdf")))
    for reason in reasons.values():
        assert "Traceback" not in reason and reason.endswith(".")
