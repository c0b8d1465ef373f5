"""A hostile client at fields, closed pages and limits, and how much of it is noted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.app.services import security_log
from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import find_person
from tests.app.box_campaigns import (
    HEIGHT,
    LOCKED,
    REPORT,
    VERIFY,
    add_campaigns,
    draw_box,
    graded,
    tab,
)
from tests.app.signed_in import attempts_of, boot, sign_in

FULL = {"boxes.max_per_page": 100, "boxes.max_per_task": 120}


@pytest.fixture(autouse=True)
def campaigns(services: Services) -> None:
    """The campaigns with boxes; a page takes 100 of them, a task 120."""
    add_campaigns(services, relevance=FULL)


def on_page(field: str, value: Any, page: int = 1) -> tuple[str, dict[str, Any]]:
    """A page's field."""
    return "field_set", {"field": field, "document": REPORT, "page": page, "value": value}


def test_values_of_the_wrong_kind(server_client: TestClient, services: Services) -> None:
    """A grade is one of its options, as a text; anything else is refused, noted and not stored."""
    box_tab = graded(server_client, services)
    bad: list[Any] = ["3", 2, 2.0, True, ["2"], [], "", 10**4000]
    invalid: list[Any] = [
        {"value": "2"}, [["2"]], [1], ["x"] * 201, ["x" * 201], "x" * 20_001,
    ]  # fmt: skip
    bad_values = [("bad_value", value) for value in bad] + [("invalid", value) for value in invalid]
    for number, (code, value) in enumerate(bad_values, start=1):
        assert box_tab.send(on_page("relevance", value)) == [code], number
        assert box_tab.state.value("relevance", REPORT, 1) == "2", number
        assert len([a for a, _ in box_tab.notes() if a == "refused event"]) == number


def test_values_that_are_not_numbers(server_client: TestClient, services: Services) -> None:
    """As a literal in JSON."""
    box_tab = graded(server_client, services)
    for number in ("NaN", "Infinity", "1e999"):
        reply = box_tab.raw(
            "field_set", f'{{"field":"relevance","document":"{REPORT}","page":1,"value":{number}}}'
        )
        assert [r["code"] for r in reply.json()["refusals"]] == ["invalid"], number
        assert box_tab.state.value("relevance", REPORT, 1) == "2", number


NO_TARGETS: list[tuple[str, dict[str, Any]]] = [
    ("unknown_field", {"field": "gold", "value": "x"}),
    ("invalid", {"field": "__class__", "value": "x"}),
    ("invalid", {"field": "", "value": "x"}),
    ("invalid", {"field": "relevance", "document": REPORT, "value": "2"}),
    ("invalid", {"field": "relevance", "page": 1, "value": "2"}),
    ("invalid", {"field": "relevance", "document": REPORT, "page": 1, "box": "a", "value": 1}),
    ("invalid", {"field": "relevance", "document": REPORT, "page": 1}),
    ("wrong_scope", {"field": "relevance", "value": "2"}),
    ("wrong_scope", {"field": "relevance", "box": "a", "value": "2"}),
    ("wrong_scope", {"field": "query_quality", "document": REPORT, "page": 1, "value": "good"}),
    ("page_not_given", {"field": "relevance", "document": REPORT, "page": 3, "value": "2"}),
    ("unknown_page", {"field": "relevance", "document": REPORT, "page": 9, "value": "2"}),
    ("unknown_document", {"field": "relevance", "document": "x", "page": 1, "value": "2"}),
]


def test_invalid_targets(server_client: TestClient, services: Services) -> None:
    """A field is set where it is asked, of pages of the task."""
    box_tab = graded(server_client, services)
    before = box_tab.state.fields
    for number, (code, payload) in enumerate(NO_TARGETS, start=1):
        assert box_tab.send(("field_set", payload)) == [code], payload
        assert box_tab.state.fields == before, payload
        assert len(box_tab.notes()) == number, payload


def test_two_thousand_boxes(server_client: TestClient, services: Services) -> None:
    """A page takes what the protocol allows, and so does the task; the server stays usable."""
    box_tab = graded(server_client, services)
    codes: list[str] = []
    for batch in range(10):
        codes += box_tab.send(
            *(draw_box(f"b-{batch}-{n}", page=1 + batch % 2, rect=[n, n, n + 9, n + 9])
              for n in range(200))
        )  # fmt: skip
    assert (len(box_tab.boxes(1)), len(box_tab.boxes(2))) == (100, 20)
    assert codes == ["too_many_boxes"] * (2_000 - 120)
    assert box_tab.send(("box_deleted", {"box": "b-0-0"}), draw_box("one-more")) == [
        "too_many_boxes"
    ]


def test_repeated_drawing_and_deleting(server_client: TestClient, services: Services) -> None:
    """Deleted boxes count against the task, since they stay in its state."""
    box_tab = graded(server_client, services)
    for batch in range(3):
        events = []
        for n in range(50):
            name = f"b-{batch}-{n}"
            events += [draw_box(name), ("box_deleted", {"box": name})]
        codes = box_tab.send(*events)
    assert set(codes) == {"too_many_boxes", "unknown_box"}
    assert (len(box_tab.state.boxes.boxes), box_tab.boxes()) == (120, [])


def test_texts_of_boxes(server_client: TestClient, services: Services) -> None:
    """20,000 characters are stored as they are, one more is refused, a megabyte is not read."""
    box_tab = tab(server_client, services, VERIFY)
    text = "<script>alert(1)</script>\n" + "🦦é\u2028" * 6_658
    assert len(text) == 20_000
    assert box_tab.send(("box_content_edited", {"box": "e1", "content": text})) == []
    assert box_tab.boxes()[0].content == text
    for content in (text + "x", "x" * 200_000):
        assert box_tab.send(("box_content_edited", {"box": "e1", "content": content})) == [
            "invalid"
        ]
    huge = box_tab.raw("box_content_edited", json.dumps({"box": "e1", "content": "x" * 1_000_000}))
    assert huge.status_code == 400
    assert box_tab.boxes()[0].content == text


def test_attributes_of_boxes(server_client: TestClient, services: Services) -> None:
    """Fifty short texts by name, nothing else."""
    box_tab = tab(server_client, services, VERIFY)
    wrong: list[Any] = [
        {str(n): "x" for n in range(51)},
        {"a": "x" * 1_001},
        {"x" * 101: "a"},
        {"": "a"},
        {"a": 1},
        {"a": None},
        {"a": {"b": "c"}},
        [["a", "b"]],
        None,
    ]
    for attributes in wrong:
        event = ("box_attributes_edited", {"box": "e1", "attributes": attributes})
        assert box_tab.send(event) == ["invalid"], attributes
        assert box_tab.boxes()[0].verdict == "open", attributes


def test_closed_pages_stay_closed_by_every_route(
    server_client: TestClient, services: Services
) -> None:
    """Before the question is judged: no page, words, document, box, grade or material; then all."""
    box_tab = tab(server_client, services, LOCKED)
    info = services.corpus.document(REPORT)
    assert info is not None
    headers = {"X-Pagetrail": box_tab.token}
    base = f"/pagetrail/attempts/{box_tab.attempt}"
    ways: list[tuple[str, dict[str, str]]] = [
        (f"/pagetrail/page/{info.sha256}/1", {"v": box_tab.token, "dpi": "40"}),
        (f"{base}/words", {"document": REPORT, "page": "1"}),
        (f"{base}/document", {"name": REPORT}),
    ]
    for path, params in ways:
        reply = server_client.get(path, params=params, headers=headers)
        assert reply.status_code == 403, path
        assert "Self-contained" in reply.json()["error"]["message"]
    etag = f'"{info.sha256}-1-40"'
    conditional_reply = server_client.get(
        ways[0][0], params=ways[0][1], headers={"If-None-Match": etag}
    )
    assert conditional_reply.status_code == 403
    highlights = server_client.get(
        f"{base}/highlights",
        params={"document": REPORT, "page": "1", "search_id": "s"},
        headers=headers,
    )
    assert highlights.json() == {"boxes": []}
    closed = boot(server_client, box_tab.attempt)
    assert closed["given_pages"] == [] and closed["documents"] == {}
    assert "secret response" not in json.dumps(closed)
    viewed = ("page_viewed", {"document": REPORT, "page": 1, "via": "given"})
    needed = on_page("source_required", "required")
    assert box_tab.send(viewed, needed) == ["pages_locked", "pages_locked"]
    assert [action for action, _ in box_tab.notes()] == ["forbidden page"] * 4 + ["refused event"]
    assert box_tab.send(("field_set", {"field": "self_contained", "value": "yes"})) == []
    for path, params in ways:
        assert server_client.get(path, params=params, headers=headers).status_code == 200, path
    assert box_tab.send(viewed, needed) == []
    close_pages = ("field_set", {"field": "self_contained", "value": "no"})
    assert box_tab.send(close_pages) == ["pages_were_opened"]
    assert "secret response" in json.dumps(boot(server_client, box_tab.attempt))


def test_pages_of_another_task_are_refused_and_audited(
    server_client: TestClient, services: Services
) -> None:
    """A given task serves its own pages; the try is in the audit log."""
    box_tab = graded(server_client, services)
    info = services.corpus.document(REPORT)
    assert info is not None
    headers = {"X-Pagetrail": box_tab.token}
    image = server_client.get(
        f"/pagetrail/page/{info.sha256}/3", params={"v": box_tab.token, "dpi": "40"}
    )
    words = server_client.get(
        f"/pagetrail/attempts/{box_tab.attempt}/words",
        params={"document": REPORT, "page": "3"},
        headers=headers,
    )
    assert (image.status_code, words.status_code) == (403, 403)
    assert box_tab.notes() == [("forbidden page", f"{box_tab.attempt}: page 3 of {REPORT}")] * 2


def test_honest_mistakes_are_not_audited(server_client: TestClient, services: Services) -> None:
    """Stale second tabs, full pages and unfinished tasks are refused without a word to anybody."""
    box_tab = graded(server_client, services)
    assert box_tab.send(draw_box("a")) == []
    codes = box_tab.send(
        on_page("relevance", "0"),
        ("box_moved", {"box": "gone", "rect": [1, 1, 9, 9]}),
        ("box_moved", {"box": "a", "rect": [1, 1, 90, HEIGHT - 1]}),
        ("undone", {"document": REPORT, "page": 1, "change": "alma-1"}),
        ("box_resized", {"box": "a", "rect": [1, 1, 2, 2]}),
        ("submitted", {"outcome": "answered"}),
        ("resumed", {}),
    )
    assert codes == [
        "has_boxes",
        "unknown_box",
        "not_a_move",
        "not_last",
        "too_small",
        "incomplete",
        "not_paused",
    ]
    assert box_tab.notes() == []


def test_one_audit_line_names_every_kind(server_client: TestClient, services: Services) -> None:
    """Two hundred forged events at once are one line with the count of each kind."""
    box_tab = graded(server_client, services)
    box_tab.send(
        *[draw_box(f"a-{n}", label="Blob") for n in range(150)],
        *[("searched", {})] * 49,
        draw_box("good"),
    )
    (note,) = box_tab.notes()
    assert note[0] == "refused event"
    assert note[1].startswith(f"{box_tab.attempt}: server_only × 49, unknown_label × 150.")
    assert [box.id for box in box_tab.boxes()] == ["good"]


def test_audit_lines_are_limited(
    server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A person gets so many notes in a while; the next one says how many were left out."""
    now = 1_000.0
    monkeypatch.setattr(security_log, "monotonic", lambda: now)
    monkeypatch.setattr(security_log, "MAX_ENTRIES", 5)
    services.security_log = security_log.SecurityLog(services.workspace)
    box_tab = graded(server_client, services)
    for number in range(12):
        assert box_tab.send(draw_box(f"a-{number}", label="x" * 60)) == ["unknown_label"]
    assert len(box_tab.notes()) == 5
    services.security_log.record("bruno", "forbidden page", "somebody else's are written")
    now += security_log.WINDOW_S + 1
    box_tab.send(draw_box("b", label="Blob"))
    assert len(box_tab.notes()) == 6
    assert box_tab.notes()[-1][1].startswith("(7 before this were not noted)")
    box_tab.send(draw_box("c", label="Blob"))
    assert box_tab.notes()[-1][1].startswith(box_tab.attempt)


def test_failed_sign_in_audit_lines_are_limited(
    server_client: TestClient, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wrong tokens and other people's tasks are always refused, and noted up to the bound."""
    monkeypatch.setattr(security_log, "MAX_ENTRIES", 4)
    services.security_log = security_log.SecurityLog(services.workspace)
    brunos_attempt = attempts_of(services, "bruno", VERIFY)[0]
    sign_in(server_client, "alma")
    for _ in range(5):
        assert server_client.get(f"/pagetrail/attempts/{brunos_attempt}").status_code == 403
        reply = server_client.post(
            f"/pagetrail/attempts/{brunos_attempt}/events",
            json={"events": []},
            headers={"X-Pagetrail": "x"},
        )
        assert reply.status_code == 403
    box_tab = tab(server_client, services, VERIFY)
    assert [action for action, _ in box_tab.notes()] == ["forbidden attempt", "forbidden token"] * 2
    assert find_person(services.workspace, "alma").active


def test_malformed_batch_is_audited(server_client: TestClient, services: Services) -> None:
    """The agreed form is not left by accident."""
    box_tab = graded(server_client, services)
    reply = server_client.post(
        f"/pagetrail/attempts/{box_tab.attempt}/events",
        json={"events": [{"id": "a b", "type": "opened"}]},
        headers={"X-Pagetrail": box_tab.token},
    )
    assert reply.status_code == 400
    assert [action for action, _ in box_tab.notes()] == ["refused request"]
