"""The screen of a task under review, as Streamlit makes it: who gets it, and what it is given."""

from __future__ import annotations

import json

import pytest

from pagetrail.app.services.composition import Services
from pagetrail.storage.people.accounts import find_person
from tests.app.review_case import ALMA_ANSWER, under_review
from tests.app.screens import at_screen

VIEW = "reviewing"


def test_unknown_task_address_is_explained(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is in the address."""
    at = at_screen(services, "sven", monkeypatch, VIEW)
    for task_id in ("99999999", "0", "-1", "1.5", "9" * 5000, "one", "1;2"):
        at.query_params["task"] = task_id
        at.run()
        assert not at.exception, task_id
        assert [error.value for error in at.error] == ["There is no such task in this workspace."]
        assert not at.get("bidi_component"), task_id


def test_without_a_task_it_leads_to_the_queue(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An empty screen says what to do next."""
    at = at_screen(services, "sven", monkeypatch, VIEW).run()
    assert not at.exception
    assert [info.value for info in at.info] == ["Choose a task in the review queue."]


def test_a_supervisor_gets_the_component_with_the_task_and_no_work_in_it(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What people submitted comes by the guarded route only; opening it takes nothing."""
    case = under_review(services, take=False)
    at = at_screen(services, "sven", monkeypatch, VIEW, task=str(case.task)).run()
    assert not at.exception
    (mounted,) = at.get("bidi_component")
    component_args = json.loads(mounted.proto.json)
    assert component_args.pop("sentences")
    assert component_args.pop("keys")
    reviewer = find_person(services.workspace, "sven").id
    expected = {"task": case.task, "reviewer": reviewer, "home": "/", "base": "", "messages": None}
    assert component_args == expected
    assert ALMA_ANSWER not in str(mounted.proto)
    assert services.log.state(case.gold).last_seq == 0
