"""Bookmarks and a scratchpad go with an annotator through a batch, and to nobody else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation.attempts.state import fold
from pagetrail.app.services.composition import Services
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.app.conftest import TASKS
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types

NAME = "Aids"
PAGE = {"document": "report.pdf", "page": 2}
OPENED = ("opened", {"session": "s"})


@pytest.fixture
def aided(services: Services, tmp_path: Path) -> Services:
    """A campaign that allows bookmarks and a scratchpad."""
    path = tmp_path / "aids.jsonl"
    path.write_text("\n".join(map(json.dumps, TASKS)), encoding="utf-8")
    settings = {"aids.bookmarks": True, "aids.scratchpad": True, "aids.calculator": True}
    import_tasks(services.workspace, path, campaign=NAME, settings=settings, overlap=2)
    return services


def record(
    client: TestClient, attempt: str, prefix: str, *events: tuple[str, dict[str, Any]]
) -> list[str]:
    """Record events in an attempt; returns the codes of refusals."""
    token = boot(client, attempt)["token"]
    numbered = [(f"{prefix}-{n}", type_, fields) for n, (type_, fields) in enumerate(events)]
    reply = send(client, attempt, token, *numbered).json()
    return [refusal["code"] for refusal in reply["refusals"]]


def aids_on_screen(client: TestClient, attempt: str) -> tuple[list[dict[str, Any]], str]:
    """Bookmarks and scratchpad on the screen of an attempt."""
    state = boot(client, attempt)["state"]
    return state["bookmarks"], state["scratchpad"]


def test_aids_go_from_task_to_task_and_back(aided: Services, client: TestClient) -> None:
    """What was on screen is in each attempt's events; those of one batch are one."""
    first, second = attempts_of(aided, "alma", NAME)
    sign_in(client, "alma")
    written = ("scratchpad_edited", {"text": "FY 2019"})
    assert record(client, first, "a", OPENED, ("page_bookmarked", PAGE), written) == []
    assert aids_on_screen(client, second) == ([PAGE], "FY 2019")
    removed = ("bookmark_removed", PAGE)
    rewritten = ("scratchpad_edited", {"text": "FY 2020"})
    assert record(client, second, "b", OPENED, removed, rewritten) == []
    types = [t for t in stored_types(aided, second) if t != "opened"]
    assert types == ["batch_aids_carried", "bookmark_removed", "scratchpad_edited"]
    assert aids_on_screen(client, first) == ([], "FY 2020")
    assert record(client, first, "c", OPENED, OPENED) == []
    assert stored_types(aided, first).count("batch_aids_carried") == 1
    for attempt in (first, second):
        state = fold(aided.log.events(attempt))
        assert (state.bookmarks, state.scratchpad) == ((), "FY 2020")


def test_own_work_of_a_request_is_not_taken_back(aided: Services, client: TestClient) -> None:
    """A task that is left and opened again within one request keeps what was written there."""
    first, _ = attempts_of(aided, "alma", NAME)
    sign_in(client, "alma")
    written = ("scratchpad_edited", {"text": "late"})
    assert record(client, first, "a", OPENED, written, ("tab_hidden", {}), OPENED) == []
    assert "batch_aids_carried" not in stored_types(aided, first)
    assert aids_on_screen(client, first) == ([], "late")


def test_nobody_else_sees_them(aided: Services, client: TestClient) -> None:
    """Another annotator of the same batch begins with nothing."""
    first, _ = attempts_of(aided, "alma", NAME)
    sign_in(client, "alma")
    text = "only mine"
    record(client, first, "a", OPENED, ("page_bookmarked", PAGE))
    record(client, first, "b", ("scratchpad_edited", {"text": text}))
    for attempt in attempts_of(aided, "bruno", NAME):
        sign_in(client, "bruno")
        assert aids_on_screen(client, attempt) == ([], "")
        assert text not in json.dumps(boot(client, attempt))
        assert record(client, attempt, "a", OPENED) == []
        assert stored_types(aided, attempt) == ["opened"]


def test_other_campaigns_refuse_them(aided: Services, client: TestClient) -> None:
    """They are off unless a campaign allows them; nobody can send what others' tasks say."""
    attempt = attempts_of(aided, "alma")[0]
    sign_in(client, "alma")
    events = (
        ("page_bookmarked", PAGE),
        ("bookmark_removed", PAGE),
        ("scratchpad_edited", {"text": "x"}),
        ("batch_aids_carried", {"bookmarks": [], "scratchpad": "x"}),
    )
    codes = record(client, attempt, "a", OPENED, *events)
    assert codes == ["server_only", "no_bookmarks", "no_bookmarks", "no_scratchpad"]
    attempt = attempts_of(aided, "alma", NAME)[0]
    missing_page = {"document": "report.pdf", "page": 9}
    codes = record(client, attempt, "a", ("page_bookmarked", missing_page))
    assert codes == ["unknown_page"]
    codes = record(client, attempt, "b", ("scratchpad_edited", {"text": "x" * 5_001}))
    assert codes == ["invalid"]


def test_calculations_are_computed_again(aided: Services, client: TestClient) -> None:
    """A result that is wrong, or none, is refused; without a calculator all are."""
    right = {"expression": "(120-100)/100", "result": "0.2"}
    attempt = attempts_of(aided, "alma", NAME)[0]
    sign_in(client, "alma")
    assert record(client, attempt, "a", OPENED, ("calculated", right)) == []
    assert boot(client, attempt)["state"]["calculations"] == [{**right, "seq": 2}]
    codes = record(
        client,
        attempt,
        "b",
        ("calculated", right | {"result": "0.3"}),
        ("calculated", {"expression": "1/0", "result": "0"}),
        ("calculated", {"expression": "1**2", "result": "1"}),
        ("calculated", {"expression": "__import__('os')", "result": "1"}),
    )
    assert sorted(codes) == ["invalid", "no_calculation", "no_calculation", "wrong_result"]
    other = attempts_of(aided, "alma")[0]
    copied = {"document": "report.pdf", "page": 1, "text": "12", "to": "calculator"}
    events = (("calculated", right), ("text_copied", copied))
    assert record(client, other, "a", *events) == ["no_calculator", "no_calculator"]
