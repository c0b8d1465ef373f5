"""Administration of the collection: its screen, its jobs, and the route that takes files in."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pymupdf
import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.errors import BadRequest
from pagetrail.app.admin.collection import pdf_files
from pagetrail.app.jobs.manager import Jobs
from pagetrail.app.jobs.requests import IngestRequest
from pagetrail.app.services import pending_uploads as uploads
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.storage.corpus.page_values import DOCUMENT_WARNINGS, NOTICE
from pagetrail.storage.database.tables import Job
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.search.store import current_index, page_count
from tests.app.admin.admin_screen import (
    audit_rows,
    click,
    held_still,
    part,
    screen_messages,
    screen_text,
    table,
)
from tests.app.signed_in import sign_in
from tests.storage.pdfs import notice_pdf, stamped_pdf, typeset_pdf

COLLECTION = "Collection"
LONG_S = 60.0
HEADER = "X-Pagetrail"


def pdf(text: str) -> bytes:
    """One page with that text."""
    document = pymupdf.open()
    page = document.new_page(width=200, height=200)
    if text:
        page.insert_text((20, 40), text)
    content: bytes = document.tobytes()
    return content


def ended(services: Services, kind: str) -> Job:
    """The last job of a kind, once it is over."""
    job = services.jobs.wait(kind, LONG_S)
    assert job is not None
    assert job.has_ended
    return job


def token(services: Services) -> str:
    """Of the supervisor's screens."""
    return oversight_token(services, find_person(services.workspace, "sven"))


@pytest.fixture
def sven(server_client: TestClient, services: Services) -> Iterator[TestClient]:
    """The supervisor's browser."""
    sign_in(server_client, "sven")
    yield server_client


def send(client: TestClient, services: Services, name: str, content: bytes) -> int:
    """Send a file; the answer's status."""
    reply = client.put(
        f"/pagetrail/uploads/{name}", content=content, headers={HEADER: token(services)}
    )
    return reply.status_code


def test_the_collection_is_described(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counts, index, sizes; a document opens with all its pages; a sound index is said to be."""
    at = part(services, monkeypatch, COLLECTION)
    values = {metric.label: metric.value for metric in at.metric}
    assert values["Documents"] == "2"
    assert values["Pages"] == "4"
    stored = current_index(services.workspace)
    assert stored is not None
    assert f"identity {stored.identity[:12]}" in screen_text(at)
    assert "whoosh 2\\.7\\.4" in screen_text(at) or "whoosh 2.7.4" in screen_text(at)
    row = next(
        row for index in range(len(at.dataframe)) for row in table(at, index) if "Link" in row
    )
    shown_page = sven.get(urlsplit(row["Link"])._replace(scheme="", netloc="").geturl())
    assert row["Size"] > 500, "bytes, so that the column sorts by them"
    assert f"<h1>{row['Document']}</h1>" in shown_page.text
    assert shown_page.text.count("<img ") == row["Pages"]
    image = unescape(re.findall(r'src="\.\./([^"]+)"', shown_page.text)[-1])
    assert sven.get(f"/pagetrail/{image}").headers["content-type"] == "image/jpeg"
    click(at, "index-check")
    assert ended(services, "index").state == "done"
    at = part(services, monkeypatch, COLLECTION)
    assert "The index is sound" in screen_text(at)
    assert [action for _, action, _ in audit_rows(services)] == [
        "index_check_started",
        "check_done",
    ]


def test_documents_that_show_nothing_are_named_with_what_to_do(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A form of which only a notice is shown, and a scan with only a stamp as text."""
    form = notice_pdf(tmp_path / "form.pdf")
    scan = stamped_pdf(tmp_path / "scan.pdf", "Harbour dues", "Page 1")
    ingest(services.workspace, [form, scan], ocr="never", workers=1)
    at = part(services, monkeypatch, COLLECTION)
    rows = [row for index in range(len(at.dataframe)) for row in table(at, index)]
    to_check = {row["Document"]: row for row in rows if "Warning" in row}
    assert to_check["form.pdf"]["Warning"] == DOCUMENT_WARNINGS[NOTICE]
    assert (to_check["scan.pdf"]["Only a stamp"], to_check["scan.pdf"]["Warning"]) == (1, "")


def test_a_document_is_removed_after_a_question(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The panel says what refers to a document; one that nothing refers to can be removed."""
    at = part(services, monkeypatch, COLLECTION)
    at.session_state["document-selected"] = "report.pdf"
    at = at.run()
    assert "2 tasks, in 1 batch, 2 with gold on it" in screen_text(at)
    assert at.button(key="document-remove").disabled
    at.session_state["document-selected"] = "other.pdf"
    click(at.run(), "document-remove")
    assert "No task, gold, draft or work refers to it." in screen_text(at)
    click(at, "document-remove-do")
    assert "other.pdf is removed, with its file and its images." in screen_messages(at)
    assert services.corpus.document("other.pdf") is None
    assert audit_rows(services)[-1][:2] == ("sven", "document_removed")


def test_the_index_is_built_once_in_two_tabs(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second click is told who started it; paused, cancelled, and the index is as before."""
    before = current_index(services.workspace)
    assert before is not None
    first, second = (part(services, monkeypatch, COLLECTION) for _ in range(2))
    held_still(monkeypatch, first, "index-build")
    second = second.button(key="index-build").click().run()
    assert any("sven has already started this" in message for message in screen_messages(second))
    assert second.button(key="job-resume-index").label == "Resume"
    click(second, "job-cancel-index")
    assert ended(services, "index").state == "cancelled"
    assert current_index(services.workspace) == before
    at = part(services, monkeypatch, COLLECTION)
    click(at, "index-build")
    assert ended(services, "index").state == "done"
    after = current_index(services.workspace)
    assert after is not None
    assert after.identity == before.identity


def test_a_paused_build_goes_on(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a reload of the page, too: the job is the server's, not the tab's."""
    held_still(monkeypatch, part(services, monkeypatch, COLLECTION), "index-build")
    reloaded = part(services, monkeypatch, COLLECTION)
    click(reloaded, "job-resume-index")
    assert ended(services, "index").state == "done"


def test_the_cache_is_cleared_after_a_question(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How much is named before; afterwards it is empty."""
    report = services.corpus.document("report.pdf")
    assert report is not None
    picture = services.images.jpeg(report.sha256, 1, 150)
    at = click(part(services, monkeypatch, COLLECTION), "clear-cache")
    assert "of page images and thumbnails are removed." in screen_text(at)
    assert sum(1 for _ in services.workspace.cache_dir.rglob("*.jpg")) == 1
    at = click(at, "clear-cache-do")
    assert list(services.workspace.cache_dir.rglob("*.jpg")) == []
    assert at.button(key="clear-cache").disabled
    assert len(picture) > 0
    assert [action for _, action, _ in audit_rows(services)] == ["page_cache_cleared"]


def test_divided_words_can_be_joined(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form offers it, also for pages that are there; the report counts the words; it stays."""
    file = typeset_pdf(services.workspace.root.parent / "typeset.pdf", "The oﬃce")
    ingest(services.workspace, [file], ocr="never", workers=1)
    at = part(services, monkeypatch, COLLECTION)
    assert "searches do not find these" in screen_text(at)
    assert send(sven, services, "more.pdf", pdf("more")) == 200
    at = part(services, monkeypatch, COLLECTION)
    at = at.selectbox(key="ocr").set_value("never").run()
    at = at.checkbox(key="normalise-text").check().run()
    click(at, "ingest")
    assert ended(services, "ingest").state == "done"
    stored = current_index(services.workspace)
    assert stored is not None and stored.pages == page_count(services.workspace)
    assert services.corpus.texts("typeset.pdf") == ["The office\n"]
    assert send(sven, services, "later.pdf", pdf("later")) == 200
    at = part(services, monkeypatch, COLLECTION)
    assert "with ligatures, soft hyphens or hyphens at line ends" in screen_text(at)
    box = at.checkbox(key="normalise-text")
    assert (box.value, box.disabled) == (True, True)


def test_uploaded_files_are_ingested(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Good, empty, hostile, known: each has its line; the documents are there and indexed."""
    pdf_bytes = next(services.workspace.corpus_dir.glob("*.pdf")).read_bytes()
    files = {
        "stoats & Söhne.pdf": pdf("stoats in winter"),
        "empty.pdf": pdf(""),
        "hostile.pdf": b"%PDF-1.7\n" + b"\xff" * 100,
        "known.pdf": pdf_bytes,
    }
    monkeypatch.setattr(pdf_files, "ocr_languages", lambda: ("deu", "eng"))
    for name, content in files.items():
        assert send(sven, services, name.replace("&", "%26"), content) == 200
    at = part(services, monkeypatch, COLLECTION)
    assert "**4 files waiting**" in screen_text(at)
    requests: list[IngestRequest] = []
    start = Jobs.start

    def keep_request(self: Jobs, title: str, by: str, request: Any, *args: Any) -> Job:
        requests.append(request)
        return start(self, title, by, request, *args)

    monkeypatch.setattr(Jobs, "start", keep_request)
    at = at.multiselect(key="ocr-languages").set_value(["deu"]).run()
    at = at.selectbox(key="ocr").set_value("never").run()
    click(at, "ingest")
    assert ended(services, "ingest").state == "done"
    assert [request.ocr_lang for request in requests] == ["deu"]
    at = part(services, monkeypatch, COLLECTION)
    lines = {row["File"]: row for row in table(at)}
    assert lines["stoats & Söhne.pdf"]["Result"] == "ingested"
    assert lines["known.pdf"]["Result"] == "already exists"
    assert lines["hostile.pdf"]["Result"] == "refused"
    assert str(services.workspace.root) not in str(lines)
    missing_pages = {row["Document"]: row["Without text"] for row in table(at, 1)}
    assert missing_pages == {"empty.pdf": 1}
    assert services.corpus.document("stoats & Söhne.pdf") is not None
    stored = current_index(services.workspace)
    assert stored is not None
    assert stored.pages == 6
    assert uploads.pending_uploads(services.workspace) == []
    assert list((services.workspace.root / "uploads").iterdir()) == []
    actions = [action for _, action, _ in audit_rows(services)]
    assert actions == [*["document_uploaded"] * 4, "ingest_started", "ingest_done"]


def test_a_document_is_replaced_after_a_question(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What depends on it is named; without pages that work refers to, it must be accepted."""
    assert send(sven, services, "report.pdf", pdf("otters, corrected")) == 200
    at = part(services, monkeypatch, COLLECTION)
    assert "Documents of these names exist: report.pdf" in screen_text(at)
    at = click(at, "replace")
    assert "2 tasks, in 1 batch, 2 with gold on it" in screen_text(at)
    click(at, "replace-do")
    assert ended(services, "ingest").state == "failed"
    at = part(services, monkeypatch, COLLECTION)
    (line,) = (row for row in table(at) if row["File"] == "report.pdf")
    assert "has only 1 page, and work refers to later ones" in line["Reason"]
    at = click(at, "replace")
    at = at.checkbox(key="replace-missing-pages").check().run()
    click(at, "replace-do")
    assert ended(services, "ingest").state == "done"
    services.corpus.names()
    info = services.corpus.document("report.pdf")
    assert info is not None and (info.version, info.n_pages) == (2, 1)
    assert uploads.pending_uploads(services.workspace) == []
    actions = [action for actor, action, _ in audit_rows(services) if actor == "sven"]
    assert actions[-2:] == ["document_replaced", "ingest_done"]


def test_uploads_can_be_discarded(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a question; the collection stays as it is."""
    assert send(sven, services, "a.pdf", pdf("a")) == 200
    at = click(part(services, monkeypatch, COLLECTION), "discard")
    assert len(uploads.pending_uploads(services.workspace)) == 1
    at = click(at, "discard-do")
    assert "1 file discarded." in screen_messages(at)
    assert uploads.pending_uploads(services.workspace) == []
    assert audit_rows(services)[-1] == ("sven", "uploads_discarded", "1 files")


@pytest.mark.parametrize(
    "name",
    ["evil.exe", ".hidden.pdf", "a\\b.pdf", "x" * 300 + ".pdf", "no", "tab%09.pdf", "..pdf"],
)
def test_invalid_document_names_are_refused(
    sven: TestClient, services: Services, name: str
) -> None:
    """Nothing is stored, and nothing is written outside the folder for uploads."""
    before = sorted(services.workspace.root.rglob("*.pdf"))
    assert send(sven, services, name, pdf("x")) in (400, 404)
    assert uploads.pending_uploads(services.workspace) == []
    assert sorted(services.workspace.root.rglob("*.pdf")) == before


def test_too_long_a_name_is_refused_with_the_limit(services: Services) -> None:
    """In bytes, which is what file systems count: 70 Japanese letters are 210."""
    with pytest.raises(BadRequest, match="too long: 214 bytes, of which 200 are allowed"):
        uploads.check_name("報" * 70 + ".pdf")
    uploads.check_name("報" * 65 + ".pdf")


@pytest.mark.parametrize("name", ["..%2F..%2Fx.pdf", "%2Fetc%2Fx.pdf", "a%2Fb.pdf"])
def test_paths_in_file_names_are_not_followed(
    sven: TestClient, services: Services, name: str
) -> None:
    """An encoded separator is no document's name."""
    assert send(sven, services, name, pdf("x")) in (400, 404, 405)
    assert uploads.pending_uploads(services.workspace) == []


def test_a_file_that_is_too_large_leaves_nothing(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused while it comes in, and what came of it is gone."""
    monkeypatch.setattr(uploads, "MAX_FILE", 1000)
    assert send(sven, services, "large.pdf", b"%PDF" + b"x" * 2000) == 400
    assert list((services.workspace.root / "uploads").iterdir()) == []


def test_incomplete_uploads_expire(services: Services) -> None:
    """A crash while a file came in leaves a part; after a day it goes, a fresh one stays."""
    folder = services.workspace.root / "uploads"
    parts = [folder / name / ".part" for name in ("old", "fresh")]
    for part_ in parts:
        part_.parent.mkdir(parents=True)
        part_.write_bytes(b"%PDF")
    os.utime(parts[0], (0, 0))
    assert uploads.pending_uploads(services.workspace) == []
    uploads.remove_leftovers(services.workspace)
    assert [path.name for path in folder.iterdir()] == ["fresh"]


def test_number_of_waiting_files_is_limited(
    sven: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next one is refused with the way out."""
    monkeypatch.setattr(uploads, "MAX_WAITING", 1)
    assert send(sven, services, "a.pdf", pdf("a")) == 200
    assert send(sven, services, "b.pdf", pdf("b")) == 400
    assert [file.name for file in uploads.pending_uploads(services.workspace)] == ["a.pdf"]


def test_annotators_cannot_send_files(server_client: TestClient, services: Services) -> None:
    """Neither with their own session and a supervisor's token, nor without one; it is noted."""
    sign_in(server_client, "alma")
    assert send(server_client, services, "a.pdf", pdf("a")) == 403
    assert uploads.pending_uploads(services.workspace) == []
    assert audit_rows(services) == [("alma", "forbidden oversight", "upload a.pdf")]


def test_a_file_needs_token_and_origin(sven: TestClient, services: Services) -> None:
    """A link from another site, or a request without the token, stores nothing."""
    address = "/pagetrail/uploads/a.pdf"
    assert sven.put(address, content=pdf("a")).status_code == 403
    headers = {HEADER: token(services), "Origin": "https://elsewhere.example"}
    assert sven.put(address, content=pdf("a"), headers=headers).status_code == 403
    assert uploads.pending_uploads(services.workspace) == []


def test_upload_requires_a_session(server_client: TestClient, services: Services) -> None:
    """401 without a session."""
    assert send(server_client, services, "a.pdf", pdf("a")) == 401
