"""A hostile client at a task with boxes: refused, noted where no screen does it, not stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from itsdangerous import URLSafeSerializer
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import event_types
from pagetrail.app.services.composition import Services
from tests.app.box_campaigns import (
    ELEMENTS,
    HEIGHT,
    RECT,
    REPORT,
    VERIFY,
    WIDTH,
    BoxTab,
    add_campaigns,
    draw_box,
    graded,
    tab,
)
from tests.app.signed_in import attempts_of, boot, send, sign_in

DrawnBox = tuple[str, dict[str, Any]]


@pytest.fixture(autouse=True)
def campaigns(services: Services) -> None:
    """The campaigns with boxes."""
    add_campaigns(services)


def _unchanged(box_tab: BoxTab, do: Callable[[], Any]) -> Any:
    """The result of something that must not store anything."""
    before = list(box_tab.services.log.events(box_tab.attempt))
    result = do()
    assert list(box_tab.services.log.events(box_tab.attempt)) == before
    assert box_tab.state == fold(before)
    return result


def noted_details(box_tab: BoxTab, action: str = "refused event") -> list[str]:
    return [detail for noted_action, detail in box_tab.notes() if noted_action == action]


FORGED: list[tuple[str, DrawnBox]] = [
    ("unknown_label", draw_box(label="Blob")),
    ("unknown_label", draw_box(label="text")),
    ("unknown_label", draw_box(label="<img src=x onerror=alert(1)>")),
    ("invalid", draw_box(label="")),
    ("invalid", draw_box(label="x" * 61)),
    ("invalid", draw_box(label=None)),
    ("invalid", draw_box(rect=["20", "30", "120", "80"])),
    ("invalid", draw_box(rect=[120, 30, 20, 80])),
    ("invalid", draw_box(rect=[20, 80, 120, 30])),
    ("invalid", draw_box(rect=[20, 30, 20, 80])),
    ("invalid", draw_box(rect=[20, 30, 20.001, 80])),
    ("invalid", draw_box(rect=[20, 30, 120])),
    ("invalid", draw_box(rect=[20, 30, 120, 80, 1])),
    ("invalid", draw_box(rect=[20, 30, None, 80])),
    ("invalid", draw_box(rect=[True, False, True, True])),
    ("invalid", draw_box(rect={"x0": 1})),
    ("invalid", draw_box(rect="20,30,120,80")),
    ("invalid", draw_box(rect=[0, 0, 1e308, 1e308])),
    ("invalid", draw_box(rect=[0, 0, 10**300, 80])),
    ("invalid", draw_box(rect=[0, 0, -(10**4000), 80])),
    ("outside_page", draw_box(rect=[20, 30, WIDTH + 1, 80])),
    ("outside_page", draw_box(rect=[-1, 30, 50, 80])),
    ("outside_page", draw_box(rect=[20, 30, 50, HEIGHT + 0.1])),
    ("outside_page", draw_box(rect=[900_000, 900_000, 900_100, 900_100])),
    ("unknown_page", draw_box(page=4)),
    ("unknown_page", draw_box(page=10_000_000)),
    ("page_not_given", draw_box(page=3)),
    ("unknown_document", draw_box(document="../../etc/passwd")),
    ("page_not_given", draw_box(document="other.pdf")),
    ("invalid", draw_box(page=0)),
    ("invalid", draw_box(page=-1)),
    ("invalid", draw_box(page=1.5)),
    ("invalid", draw_box(page=10**30)),
    ("invalid", draw_box(box="")),
    ("invalid", draw_box(box="x" * 101)),
    ("invalid", draw_box(box="b 1")),
    ("invalid", draw_box(box="b\n")),
    ("invalid", draw_box(box="__proto__'")),
    ("invalid", draw_box(box=7)),
    ("invalid", draw_box(how="teleported")),
    ("invalid", draw_box(deleted=False)),
    ("invalid", draw_box(model={"id": "m"})),
    ("invalid", ("box_moved", {"box": "b-1"})),
    ("invalid", ("box_accepted", {"box": "b-1", "accepted": "maybe"})),
    ("invalid", ("box_resized", {"box": ["b-1"], "rect": RECT})),
    ("invalid", ("undone", {"document": REPORT, "page": 1})),
    ("invalid", ("box_undeleted", {"box": "b-1"})),
]


def test_boxes_that_no_client_draws_are_refused(
    server_client: TestClient, services: Services
) -> None:
    """Each is refused by itself with a sentence, noted once, and leaves the log as it was."""
    box_tab = graded(server_client, services)
    for number, (code, event) in enumerate(FORGED, start=1):
        assert _unchanged(box_tab, partial(box_tab.send, event)) == [code], event
        assert box_tab.refusals[0]["message"].strip(), event
        details = noted_details(box_tab)
        assert len(details) == number, event
        assert details[-1].startswith(f"{box_tab.attempt}: {code} × 1."), event


@pytest.mark.parametrize("type_", ["box_drawn", "box_moved", "box_resized"])
def test_invalid_numbers_are_refused(
    server_client: TestClient, services: Services, type_: str
) -> None:
    """As literals in JSON, which Python's reader lets through: refused and noted, by any event."""
    box_tab = graded(server_client, services)
    assert box_tab.send(draw_box("a")) == []
    placement = f'"document":"{REPORT}","page":1,"label":"Text",' if type_ == "box_drawn" else ""
    name = "b" if type_ == "box_drawn" else "a"
    numbers = ("NaN", "Infinity", "-Infinity", "1e308", "1e999", "-1e999")
    for count, number in enumerate(numbers, start=1):
        payload = f'{{"box":"{name}",{placement}"rect":[20,30,{number},80]}}'
        reply = _unchanged(box_tab, partial(box_tab.raw, type_, payload))
        assert reply.status_code == 200
        assert [refusal["code"] for refusal in reply.json()["refusals"]] == ["invalid"], number
        assert len(noted_details(box_tab)) == count, number


def test_an_integer_of_5000_digits(server_client: TestClient, services: Services) -> None:
    """Longer than Python reads: the request as a whole is no JSON, and nothing is stored."""
    box_tab = graded(server_client, services)
    payload = json.dumps(draw_box()[1]).replace("30.5", "9" * 5_000)
    assert _unchanged(box_tab, lambda: box_tab.raw("box_drawn", payload)).status_code == 400


def test_page_numbers_in_addresses(server_client: TestClient, services: Services) -> None:
    """Whatever number is asked for, the answer is a sentence and not a failure."""
    box_tab = graded(server_client, services)
    for page in ("1", "9" * 5_000):
        for route in ("words", "highlights"):
            reply = server_client.get(
                f"/pagetrail/attempts/{box_tab.attempt}/{route}",
                params={"document": REPORT, "page": page, "search_id": "x"},
                headers={"X-Pagetrail": box_tab.token},
            )
            assert reply.status_code in (200, 403, 404), reply.text
        image = server_client.get(f"/pagetrail/page/{'0' * 64}/{page}", params={"v": box_tab.token})
        assert image.status_code == 404
        assert image.json()["error"]["message"]


def test_server_only_events_are_refused(server_client: TestClient, services: Services) -> None:
    """Seeds, searches, checks, feedback and closings cannot be sent, not even well-formed ones."""
    box_tab = graded(server_client, services)
    payloads: dict[str, dict[str, Any]] = {
        "elements_seeded": {"document": REPORT, "page": 1, "elements": ELEMENTS},
        "rows_seeded": {"field": "relevance", "rows": []},
        "checked": {"at_seq": 999, "findings": []},
        "feedback_given": {"right": True, "score": 1, "parts": []},
    }
    types = sorted(event_types(server_only=True))
    assert set(payloads) < set(types)
    for number, type_ in enumerate(types, start=1):
        event = (type_, payloads.get(type_, {}))
        assert _unchanged(box_tab, partial(box_tab.send, event)) == ["server_only"], type_
        assert len(noted_details(box_tab)) == number, type_


def test_box_ids_are_unique(server_client: TestClient, services: Services) -> None:
    """A box cannot be drawn over another, a deleted one or a given element, on any page."""
    box_tab = graded(server_client, services)
    assert box_tab.send(draw_box("a"), ("box_deleted", {"box": "a"}), draw_box("b")) == []
    for name in ("a", "b"):
        for page in (1, 2):
            forged = draw_box(name, page=page, rect=[1, 1, 50, 50])
            assert _unchanged(box_tab, lambda e=forged: box_tab.send(e)) == ["box_exists"]  # type: ignore[misc]
    verify = tab(server_client, services, VERIFY)
    assert [box.id for box in verify.boxes()] == ["e1", "e2", "e3"]
    assert _unchanged(verify, lambda: verify.send(draw_box("e2"))) == ["box_exists"]
    assert verify.boxes()[1].model is not None


def test_given_elements_cannot_be_forged_before_they_come(
    server_client: TestClient, services: Services
) -> None:
    """A box called e1 as the very first event does not take the place of the model's."""
    attempt = attempts_of(services, "alma", VERIFY)[0]
    sign_in(server_client, "alma")
    token = boot(server_client, attempt)["token"]
    reply = send(server_client, attempt, token, ("1", *draw_box("e1"))).json()
    assert [refusal["code"] for refusal in reply["refusals"]] == ["box_exists"]
    assert list(services.log.events(attempt)) == []


def test_submission_requires_an_opened_task(server_client: TestClient, services: Services) -> None:
    """Submitting as the very first event does not pass the elements by."""
    attempt = attempts_of(services, "alma", VERIFY)[0]
    sign_in(server_client, "alma")
    token = boot(server_client, attempt)["token"]
    reply = send(server_client, attempt, token, ("1", "submitted", {"outcome": "completed"})).json()
    assert [refusal["code"] for refusal in reply["refusals"]] == ["incomplete"]
    assert services.log.state(attempt).status == "new"


def test_only_the_last_change_can_be_undone(server_client: TestClient, services: Services) -> None:
    """An older change, one of another page, one that is no change, one of another person."""
    brunos_attempt = graded(server_client, services, "bruno")
    assert brunos_attempt.send(draw_box("theirs")) == []
    box_tab = graded(server_client, services)
    assert (
        box_tab.send(draw_box("a"), draw_box("b", rect=[150, 30, 250, 80]), draw_box("c", page=2))
        == []
    )
    older, last, elsewhere = (f"alma-{box_tab.count - offset}" for offset in (2, 1, 0))
    foreign = f"bruno-{brunos_attempt.count}"
    for change in (older, elsewhere, foreign, "alma-1", "nonsense", f"{last}/resumed"):
        for type_ in ("undone", "redone"):
            undo_event = (type_, {"document": REPORT, "page": 1, "change": change})
            code = "not_last" if type_ == "undone" else "nothing_to_undo"
            assert _unchanged(box_tab, lambda w=undo_event: box_tab.send(w)) == [code]  # type: ignore[misc]
    assert box_tab.send(("undone", {"document": REPORT, "page": 1, "change": last})) == []
    assert [box.id for box in box_tab.boxes()] == ["a"]
    assert [box.id for box in brunos_attempt.boxes()] == ["theirs"]


def test_given_elements_are_not_undone(server_client: TestClient, services: Services) -> None:
    """What was given is no change of the annotator's."""
    box_tab = tab(server_client, services, VERIFY)
    for change in ("alma-1", "alma-1/seed-1"):
        undo_event = ("undone", {"document": REPORT, "page": 1, "change": change})
        assert _unchanged(box_tab, lambda w=undo_event: box_tab.send(w)) == ["nothing_to_undo"]  # type: ignore[misc]


def test_boxes_with_a_wrong_token(server_client: TestClient, services: Services) -> None:
    """Without a token, with somebody else's, a forged one or one of another task: 403, noted."""
    brunos_attempt = graded(server_client, services, "bruno")
    box_tab = graded(server_client, services)
    other = boot(server_client, attempts_of(services, "alma", VERIFY)[0])["token"]
    forged = URLSafeSerializer("guessed", salt="pagetrail-attempt").dumps(
        [1, box_tab.attempt, 99_999]
    )
    for number, token in enumerate(("", brunos_attempt.token, str(forged), other), start=1):
        box_tab.token = token
        reply = _unchanged(
            box_tab, lambda: box_tab.raw("box_drawn", json.dumps(draw_box("b-9")[1]))
        )
        assert reply.status_code == 403, number
        assert len(noted_details(box_tab, "forbidden token")) == number


def test_boxes_into_another_persons_attempt(server_client: TestClient, services: Services) -> None:
    """Even with a token that the server's own secret signed for it: refused and noted."""
    brunos_attempt = graded(server_client, services, "bruno")
    almas_attempt = graded(server_client, services)
    person = services.tokens.make(1, brunos_attempt.attempt)
    stolen = BoxTab(server_client, services, brunos_attempt.attempt, person, "alma")
    reply = _unchanged(brunos_attempt, lambda: stolen.raw("box_drawn", json.dumps(draw_box()[1])))
    assert reply.status_code == 403
    assert brunos_attempt.boxes() == [] and almas_attempt.boxes() == []
    assert [a for a, _ in almas_attempt.notes() if a.startswith("forbidden")]
