"""Names of annotators hidden from reviewers: no route or screen of review names one."""

from __future__ import annotations

import json
from urllib.parse import urlencode

import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from pagetrail.app.reviewing.queue_address import filters_in
from pagetrail.app.services.composition import Services
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign, User
from pagetrail.storage.review.projection import refresh
from tests.app.review_case import (
    ALMA_ANSWER,
    BRUNO_ANSWER,
    BRUNO_NOTE,
    Case,
    body_of,
    do,
    send_back,
    under_review,
)
from tests.app.screens import at_screen
from tests.app.signed_in import boot

LABELS = ["Annotator A", "Annotator B"]


@pytest.fixture
def case(services: Services) -> Case:
    """Two people differ; one comments on their own work."""
    change_settings(services.workspace, None, "Otters", {"review.hide_names": True})
    review_case = under_review(services)
    do(services, "alma", review_case.alma, "again", ("commented", {"text": "I am not sure."}))
    return review_case


def names_in(text: str) -> list[str]:
    """The people named anywhere but in what they wrote."""
    for annotator_text in (ALMA_ANSWER, BRUNO_ANSWER, BRUNO_NOTE):
        text = text.replace(annotator_text, "")
    return [name for name in ("alma", "bruno") if name in text.casefold()]


def test_no_route_of_review_names_an_annotator(
    server_client: TestClient, services: Services, case: Case
) -> None:
    """Not before the decision, in its refusals, in the gold, nor in the draft's workspace."""
    data = body_of(server_client, case)
    assert sorted(participant["name"] for participant in data["participants"]) == LABELS
    (comment,) = [c for participant in data["participants"] for c in participant["comments"]]
    assert comment["by"] in LABELS
    texts = [json.dumps(data), server_client.post(f"{case.url}/preview", json={"picks": {}}).text]
    texts.append(json.dumps(boot(server_client, case.gold)))

    picks = {"answer": {"how": "side", "side": case.alma}, "evidence": {"how": "union"}}
    decision = {
        "id": "d1",
        "picks": picks,
        "reason": "",
        "reviewed_version": data["reviewed_version"],
    }
    hand_in_again(services, case)
    refused = server_client.post(f"{case.url}/decide", json=decision)
    assert refused.status_code == 409 and "has resubmitted" in refused.text
    send_back(services, case.bruno)
    waiting = body_of(server_client, case)
    (pending,) = waiting["reviewed_version"]["pending"]
    assert (
        waiting["unfinished"]["decide_label"] == f"Decide without {pending}" and pending in LABELS
    )
    late = server_client.post(
        f"{case.url}/decide",
        json=decision | {"reviewed_version": waiting["reviewed_version"], "id": "d2"},
    )
    assert late.status_code == 200, late.text
    texts += [refused.text, json.dumps(waiting), late.text]
    assert late.json()["gold"]["reason"] == f"Decided without {pending} (sent back)."
    assert [names_in(text) for text in texts] == [[]] * len(texts)
    stored = services.reviews.streams.task_work(case.task).gold
    assert stored is not None and stored.state.review is not None
    assert stored.state.review.reason == "Decided without bruno (sent back)."


def hand_in_again(services: Services, case: Case) -> None:
    """Bruno resubmits while the reviewer looks at the task."""
    do(
        services,
        "bruno",
        case.bruno,
        "later",
        ("reopened", {}),
        ("submitted", {"outcome": "answered"}),
    )


def test_the_queue_neither_names_nor_finds_anybody(
    services: Services, case: Case, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table has the task's labels; there is no filter by person, nor by a link to one."""
    refresh(services.workspace.engine)
    at = at_screen(services, "sven", monkeypatch, "review", who="alma", campaign="Otters").run()
    assert not at.exception
    (table,) = at.dataframe
    assert table.value["Annotators"].tolist()[0] == ", ".join(LABELS)
    assert "Annotator" not in [box.label for box in at.selectbox]
    assert names_in(str(at.main) + table.value.to_csv()) == []
    with services.workspace.engine.connect() as connection:
        campaign_id = connection.execute(
            select(Campaign.id).where(Campaign.name == "Otters")
        ).scalar_one()
    assert (
        filters_in(services.workspace, [campaign_id], urlencode({"who": "alma"})).annotator is None
    )


def test_letters_are_independent_of_names_and_survive_renaming(
    services: Services, case: Case
) -> None:
    """Over a few tasks both people are A somewhere; renaming somebody changes no label."""
    change_settings(services.workspace, None, "Otters", {"review.hide_names": True})
    before = {task: dict(services.reviews.streams.hidden_names(task).labels) for task in (1, 2)}
    assert [sorted(labels.values()) for labels in before.values()] == [LABELS, LABELS]
    with write_transaction(services.workspace.engine) as connection:
        connection.execute(update(User).where(User.name == "alma").values(name="zoe"))
    after = {task: dict(services.reviews.streams.hidden_names(task).labels) for task in (1, 2)}
    assert after == {
        task: {name.replace("alma", "zoe"): label for name, label in labels.items()}
        for task, labels in before.items()
    }
    hidden_names = services.reviews.streams.hidden_names(case.task)
    assert hidden_names.in_text("zoe and zoezoe, (bruno)").count("Annotator") == 2
    assert hidden_names.label("sven") == "sven"
