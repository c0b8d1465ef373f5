"""A hostile client at a task with boxes: refused, noted where no screen does it, not stored."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
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
    drawn,
    graded,
    tab,
)
from tests.app.signed_in import attempts_of, boot, send, sign_in

Made = tuple[str, dict[str, Any]]


@pytest.fixture(autouse=True)
def campaigns(services: Services, tmp_path: Path) -> None:
    """The campaigns with boxes."""
    add_campaigns(services, tmp_path)


def _unchanged(made: BoxTab, do: Callable[[], Any]) -> Any:
    """The result of something that must not store anything."""
    before = list(made.services.log.events(made.attempt))
    result = do()
    assert list(made.services.log.events(made.attempt)) == before
    assert made.state == fold(before)
    return result


def _noted(made: BoxTab, action: str = "refused event") -> list[str]:
    return [detail for what, detail in made.notes() if what == action]


FORGED: list[tuple[str, Made]] = [
    ("unknown_label", drawn(label="Blob")),
    ("unknown_label", drawn(label="text")),
    ("unknown_label", drawn(label="<img src=x onerror=alert(1)>")),
    ("invalid", drawn(label="")),
    ("invalid", drawn(label="x" * 61)),
    ("invalid", drawn(label=None)),
    ("invalid", drawn(rect=["20", "30", "120", "80"])),
    ("invalid", drawn(rect=[120, 30, 20, 80])),
    ("invalid", drawn(rect=[20, 80, 120, 30])),
    ("invalid", drawn(rect=[20, 30, 20, 80])),
    ("invalid", drawn(rect=[20, 30, 20.001, 80])),
    ("invalid", drawn(rect=[20, 30, 120])),
    ("invalid", drawn(rect=[20, 30, 120, 80, 1])),
    ("invalid", drawn(rect=[20, 30, None, 80])),
    ("invalid", drawn(rect=[True, False, True, True])),
    ("invalid", drawn(rect={"x0": 1})),
    ("invalid", drawn(rect="20,30,120,80")),
    ("invalid", drawn(rect=[0, 0, 1e308, 1e308])),
    ("invalid", drawn(rect=[0, 0, 10**300, 80])),
    ("invalid", drawn(rect=[0, 0, -(10**4000), 80])),
    ("outside_page", drawn(rect=[20, 30, WIDTH + 1, 80])),
    ("outside_page", drawn(rect=[-1, 30, 50, 80])),
    ("outside_page", drawn(rect=[20, 30, 50, HEIGHT + 0.1])),
    ("outside_page", drawn(rect=[900_000, 900_000, 900_100, 900_100])),
    ("unknown_page", drawn(page=4)),
    ("unknown_page", drawn(page=10_000_000)),
    ("page_not_given", drawn(page=3)),
    ("unknown_document", drawn(document="../../etc/passwd")),
    ("page_not_given", drawn(document="other.pdf")),
    ("invalid", drawn(page=0)),
    ("invalid", drawn(page=-1)),
    ("invalid", drawn(page=1.5)),
    ("invalid", drawn(page=10**30)),
    ("invalid", drawn(box="")),
    ("invalid", drawn(box="x" * 101)),
    ("invalid", drawn(box="b 1")),
    ("invalid", drawn(box="b\n")),
    ("invalid", drawn(box="__proto__'")),
    ("invalid", drawn(box=7)),
    ("invalid", drawn(how="teleported")),
    ("invalid", drawn(deleted=False)),
    ("invalid", drawn(model={"id": "m"})),
    ("invalid", ("box_moved", {"box": "b-1"})),
    ("invalid", ("box_accepted", {"box": "b-1", "accepted": "maybe"})),
    ("invalid", ("box_resized", {"box": ["b-1"], "rect": RECT})),
    ("invalid", ("undone", {"document": REPORT, "page": 1})),
    ("invalid", ("box_undeleted", {"box": "b-1"})),
]


def test_what_no_client_draws(served: TestClient, services: Services) -> None:
    """Each is refused by itself with a sentence, noted once, and leaves the log as it was."""
    made = graded(served, services)
    for number, (code, event) in enumerate(FORGED, start=1):
        assert _unchanged(made, partial(made.send, event)) == [code], event
        assert made.refusals[0]["message"].strip(), event
        noted = _noted(made)
        assert len(noted) == number, event
        assert noted[-1].startswith(f"{made.attempt}: {code} × 1."), event


@pytest.mark.parametrize("type_", ["box_drawn", "box_moved", "box_resized"])
def test_numbers_that_are_none(served: TestClient, services: Services, type_: str) -> None:
    """As literals in JSON, which Python's reader lets through: refused and noted, by any event."""
    made = graded(served, services)
    assert made.send(drawn("a")) == []
    place = f'"document":"{REPORT}","page":1,"label":"Text",' if type_ == "box_drawn" else ""
    name = "b" if type_ == "box_drawn" else "a"
    numbers = ("NaN", "Infinity", "-Infinity", "1e308", "1e999", "-1e999")
    for count, number in enumerate(numbers, start=1):
        payload = f'{{"box":"{name}",{place}"rect":[20,30,{number},80]}}'
        reply = _unchanged(made, partial(made.raw, type_, payload))
        assert reply.status_code == 200
        assert [refusal["code"] for refusal in reply.json()["refusals"]] == ["invalid"], number
        assert len(_noted(made)) == count, number


def test_an_integer_of_5000_digits(served: TestClient, services: Services) -> None:
    """Longer than Python reads: the request as a whole is no JSON, and nothing is stored."""
    made = graded(served, services)
    payload = json.dumps(drawn()[1]).replace("30.5", "9" * 5_000)
    assert _unchanged(made, lambda: made.raw("box_drawn", payload)).status_code == 400


def test_page_numbers_in_addresses(served: TestClient, services: Services) -> None:
    """Whatever number is asked for, the answer is a sentence and not a failure."""
    made = graded(served, services)
    for page in ("1", "9" * 5_000):
        for route in ("words", "highlights"):
            reply = served.get(
                f"/pagetrail/attempts/{made.attempt}/{route}",
                params={"document": REPORT, "page": page, "search_id": "x"},
                headers={"X-Pagetrail": made.token},
            )
            assert reply.status_code in (200, 403, 404), reply.text
        image = served.get(f"/pagetrail/page/{'0' * 64}/{page}", params={"v": made.token})
        assert image.status_code == 404
        assert image.json()["error"]["message"]


def test_what_only_the_server_says(served: TestClient, services: Services) -> None:
    """Seeds, searches, checks, feedback and closings cannot be sent, not even well-formed ones."""
    made = graded(served, services)
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
        assert _unchanged(made, partial(made.send, event)) == ["server_only"], type_
        assert len(_noted(made)) == number, type_


def test_ids_are_taken_once(served: TestClient, services: Services) -> None:
    """A box cannot be drawn over another, a deleted one or a given element, on any page."""
    made = graded(served, services)
    assert made.send(drawn("a"), ("box_deleted", {"box": "a"}), drawn("b")) == []
    for name in ("a", "b"):
        for page in (1, 2):
            forged = drawn(name, page=page, rect=[1, 1, 50, 50])
            assert _unchanged(made, lambda e=forged: made.send(e)) == ["box_exists"]  # type: ignore[misc]
    verify = tab(served, services, VERIFY)
    assert [box.id for box in verify.boxes()] == ["e1", "e2", "e3"]
    assert _unchanged(verify, lambda: verify.send(drawn("e2"))) == ["box_exists"]
    assert verify.boxes()[1].model is not None


def test_given_elements_cannot_be_forged_before_they_come(
    served: TestClient, services: Services
) -> None:
    """A box called e1 as the very first event does not take the place of the model's."""
    attempt = attempts_of(services, "alma", VERIFY)[0]
    sign_in(served, "alma")
    token = boot(served, attempt)["token"]
    reply = send(served, attempt, token, ("1", *drawn("e1"))).json()
    assert [refusal["code"] for refusal in reply["refusals"]] == ["box_exists"]
    assert list(services.log.events(attempt)) == []


def test_nothing_is_handed_in_before_it_began(served: TestClient, services: Services) -> None:
    """Submitting as the very first event does not pass the elements by."""
    attempt = attempts_of(services, "alma", VERIFY)[0]
    sign_in(served, "alma")
    token = boot(served, attempt)["token"]
    reply = send(served, attempt, token, ("1", "submitted", {"outcome": "completed"})).json()
    assert [refusal["code"] for refusal in reply["refusals"]] == ["incomplete"]
    assert services.log.state(attempt).status == "new"


def test_undo_takes_back_the_last_change_and_no_other(
    served: TestClient, services: Services
) -> None:
    """An older change, one of another page, one that is no change, one of another person."""
    theirs = graded(served, services, "bruno")
    assert theirs.send(drawn("theirs")) == []
    made = graded(served, services)
    assert made.send(drawn("a"), drawn("b", rect=[150, 30, 250, 80]), drawn("c", page=2)) == []
    older, last, elsewhere = (f"alma-{made.count - back}" for back in (2, 1, 0))
    foreign = f"bruno-{theirs.count}"
    for change in (older, elsewhere, foreign, "alma-1", "nonsense", f"{last}/resumed"):
        for type_ in ("undone", "redone"):
            wish = (type_, {"document": REPORT, "page": 1, "change": change})
            code = "not_last" if type_ == "undone" else "nothing_to_undo"
            assert _unchanged(made, lambda w=wish: made.send(w)) == [code]  # type: ignore[misc]
    assert made.send(("undone", {"document": REPORT, "page": 1, "change": last})) == []
    assert [box.id for box in made.boxes()] == ["a"]
    assert [box.id for box in theirs.boxes()] == ["theirs"]


def test_given_elements_are_not_undone(served: TestClient, services: Services) -> None:
    """What was given is no change of the annotator's."""
    made = tab(served, services, VERIFY)
    for change in ("alma-1", "alma-1/seed-1"):
        wish = ("undone", {"document": REPORT, "page": 1, "change": change})
        assert _unchanged(made, lambda w=wish: made.send(w)) == ["nothing_to_undo"]  # type: ignore[misc]


def test_boxes_with_a_wrong_token(served: TestClient, services: Services) -> None:
    """Without a token, with somebody else's, a forged one or one of another task: 403, noted."""
    theirs = graded(served, services, "bruno")
    made = graded(served, services)
    other = boot(served, attempts_of(services, "alma", VERIFY)[0])["token"]
    forged = URLSafeSerializer("guessed", salt="pagetrail-attempt").dumps([1, made.attempt, 99_999])
    for number, token in enumerate(("", theirs.token, str(forged), other), start=1):
        made.token = token
        reply = _unchanged(made, lambda: made.raw("box_drawn", json.dumps(drawn("b-9")[1])))
        assert reply.status_code == 403, number
        assert len(_noted(made, "forbidden token")) == number


def test_boxes_into_another_persons_attempt(served: TestClient, services: Services) -> None:
    """Even with a token that the server's own secret signed for it: refused and noted."""
    theirs = graded(served, services, "bruno")
    mine = graded(served, services)
    person = services.tokens.make(1, theirs.attempt)
    stolen = BoxTab(served, services, theirs.attempt, person, "alma")
    reply = _unchanged(theirs, lambda: stolen.raw("box_drawn", json.dumps(drawn()[1])))
    assert reply.status_code == 403
    assert theirs.boxes() == [] and mine.boxes() == []
    assert [a for a, _ in mine.notes() if a.startswith("forbidden")]
