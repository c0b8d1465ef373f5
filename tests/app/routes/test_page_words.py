"""The words of a page: who gets them, where they are, and when there are none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pymupdf
import pytest
from starlette.testclient import TestClient

from pagetrail.app.routes import page_words as words
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.find_computation import count_hits
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from tests.app.signed_in import attempts_of, boot, sign_in

DOCUMENT = "turned.pdf"


@pytest.fixture
def boxed(services: Services, tmp_path: Path) -> Services:
    """The workspace with a campaign of boxes: two given pages, one turned and cropped, of three."""
    folder = tmp_path / "more"
    folder.mkdir()
    document = pymupdf.open()
    for number in (1, 2, 3):
        page = document.new_page(width=400, height=500)
        page.insert_text((100, 200), f"marked{number} words", fontsize=20)
    document[1].set_cropbox(pymupdf.Rect(50, 100, 350, 450))
    document[1].set_rotation(90)
    document.save(folder / DOCUMENT)
    ingest(services.workspace, [folder], ocr="never", workers=1)
    pages = [{"document": DOCUMENT, "page": n} for n in (1, 2)]
    tasks = tmp_path / "boxes.jsonl"
    tasks.write_text(json.dumps({"id": "b1", "question": "Which?", "candidates": pages}))
    import_tasks(services.workspace, tasks, campaign="Boxes", protocol="relevance", seed=1)
    return services


def ask(
    client: TestClient, attempt: str, token: str, document: str = DOCUMENT, page: object = 1
) -> Any:
    """The route's response."""
    return client.get(
        f"/pagetrail/attempts/{attempt}/words",
        params={"document": document, "page": str(page)},
        headers={"X-Pagetrail": token},
    )


def owner(services: Services) -> tuple[str, str]:
    """The person who has the campaign's only task, and the attempt."""
    for name in ("alma", "bruno"):
        try:
            return name, attempts_of(services, name, "Boxes")[0]
        except StopIteration:
            continue
    raise AssertionError("nobody has the task")


def test_words_stand_where_they_are_seen(client: TestClient, boxed: Services) -> None:
    """On a turned page with a shifted crop box, in points of the page as displayed."""
    name, attempt = owner(boxed)
    sign_in(client, name)
    token = boot(client, attempt)["token"]
    reply = ask(client, attempt, token, page=2)
    assert reply.status_code == 200
    (x0, y0, x1, y1, text), second = reply.json()["words"]
    assert (text, second[4]) == ("marked2", "words")
    # Text from (100, 200) on paper; the crop box begins at (50, 100) and is 350 high; turning
    # clockwise makes x of 350 - (y - 100).
    assert y0 == pytest.approx(100 - 50, abs=1)
    assert x0 < 350 - (200 - 100) < x1
    assert y1 - y0 > x1 - x0, "the line runs down the turned page"
    assert second[1] > y1


def test_words_are_for_the_task_owners_pages_only(client: TestClient, boxed: Services) -> None:
    """No session, no token, a page not given, no page at all, another person: each is refused."""
    name, attempt = owner(boxed)
    assert ask(client, attempt, "x").status_code == 401
    sign_in(client, name)
    token = boot(client, attempt)["token"]
    assert ask(client, attempt, "x").status_code == 403
    assert ask(client, attempt, token, page=3).status_code == 403
    assert ask(client, attempt, token, document="report.pdf").status_code == 403
    for page in ("0", "-1", "x", "1e3", "9" * 5_000, "²"):
        assert ask(client, attempt, token, page=page).status_code in (403, 404), page
    other = "bruno" if name == "alma" else "alma"
    sign_in(client, other)
    assert ask(client, attempt, token).status_code == 403


def test_a_search_task_gets_no_words(client: TestClient, services: Services) -> None:
    """People see what agents see: without boxes a page is an image."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    assert ask(client, attempt, token, document="report.pdf").json() == {"words": []}
    assert len(words.placed_words_of(services, "report.pdf", 1)) == 4


def test_text_is_read_out_and_found_where_the_campaign_allows_it(
    client: TestClient, services: Services
) -> None:
    """A screen reader gets any page's text, recorded once per request; finding is a setting."""
    attempt = attempts_of(services, "alma")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"], "Origin": "http://testserver"}
    body = {"id": "text-1", "document": "report.pdf", "page": 1, "text": "page"}

    def post(route: str, **changes: object) -> Any:
        at = f"/pagetrail/attempts/{attempt}/{route}"
        return client.post(at, json=body | changes, headers=headers)

    assert len(post("text").json()["words"]) == len(post("text").json()["words"]) == 4
    assert post("text", id="text-2", page=99).status_code in (404, 409)
    assert (post("find").status_code, post("find", text=" ").status_code) == (409, 400)
    types = [event.type for event in services.log.events(attempt)]
    assert types.count("page_text_read") == 1
    assert len(post("text", page=2).json()["words"]) == 3
    types = [event.type for event in services.log.events(attempt)]
    assert types.count("page_text_read") == 2, "the same id for another page"
    assert "document_searched" not in types


def test_finding_in_a_document_is_an_event_of_its_own(
    client: TestClient, services: Services, tmp_path: Path
) -> None:
    """Each time, with its hits, and no search; sent again it is the same."""
    tasks = tmp_path / "finding.jsonl"
    tasks.write_text(json.dumps({"id": "f1", "question": "Which?"}))
    import_tasks(
        services.workspace, tasks, campaign="Finding", protocol="search", overlap=2, seed=1,
        settings={"text.find": True},
    )  # fmt: skip
    attempt = attempts_of(services, "alma", "Finding")[0]
    sign_in(client, "alma")
    headers = {"X-Pagetrail": boot(client, attempt)["token"], "Origin": "http://testserver"}

    def find(id_: str, text: str) -> list[Any]:
        body = {"id": id_, "document": "report.pdf", "text": text}
        url = f"/pagetrail/attempts/{attempt}/find"
        pages: list[Any] = client.post(url, json=body, headers=headers).json()["pages"]
        return pages

    assert len(find("f-1", "OTTERS")) == len(find("f-1", "OTTERS")) == 2
    assert find("f-2", "zebra") == []
    events = list(services.log.events(attempt))
    assert {event.type for event in events} == {"document_searched"}
    logged_searches = [(event.fields()["text"], event.fields()["hits"]) for event in events]
    assert logged_searches == [("OTTERS", 2), ("zebra", 0)]


def test_hits_are_counted_page_by_page() -> None:
    """Across lines, whatever the case, spaces and compatibility forms."""
    texts = ["Net\nincome, net  INCOME", "", "the net \ufb01gures"]
    assert count_hits(texts, " net income") == [(1, 2)]
    assert count_hits(texts, "figures") == [(3, 1)]


def test_pages_without_text_or_with_damage_have_no_words(
    client: TestClient, boxed: Services
) -> None:
    """The aid is missing, and the work goes on."""
    name, attempt = owner(boxed)
    sign_in(client, name)
    token = boot(client, attempt)["token"]
    assert len(ask(client, attempt, token).json()["words"]) == 2
    info = boxed.corpus.document(DOCUMENT)
    assert info is not None
    boxed.images.workers.pool.close()
    del boxed.images  # which would have the document open
    boxed.corpus.path(info.sha256).write_bytes(b"%PDF-1.7 gone")
    assert ask(client, attempt, token).json() == {"words": []}
