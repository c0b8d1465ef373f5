"""The replay's screen: choosing, what reaches the browser, results, and who gets nothing of it."""

from __future__ import annotations

import json
from typing import Any

import pandas as pd
import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.annotation import events as ev
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.app.replay.attempt_details import events_csv
from pagetrail.app.routes.assets import entry
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.system_attempts import ensure_gold_attempt
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Attempt, User
from pagetrail.storage.people.accounts import find_person
from tests.app.screens import at_screen, component_data
from tests.app.signed_in import attempts_of, sign_in
from tests.support.audit_log import audited
from tests.support.factory import events_at

VIEW = "trajectory"
REPLAY = "pagetrail.replay"
SEARCH = ev.Searched(
    search_id="s1",
    query="otters",
    parsed="otters",
    top_k=5,
    total_hits=2,
    took_ms=1,
    index_id="i",
    results=tuple(
        SearchHit(rank=rank, file="report.pdf", page=page, score=1.0)
        for rank, page in enumerate((1, 2), start=1)
    ),
)


def record(services: Services, attempt: str, *payloads: ev.Payload) -> None:
    """Write events into the log as the server itself does."""
    row = queries.attempt(services.workspace.engine, attempt)
    have = services.log.state(attempt).last_seq
    events = events_at(*((have + n, payload) for n, payload in enumerate(payloads)))
    with services.log.writing(attempt) as stream:
        for number, event in enumerate(events, start=have + 1):
            stream.append(
                event.model_copy(
                    update={
                        "attempt_id": attempt,
                        "seq": number,
                        "actor": row.user_name,
                        "client_event_id": f"t{number}",
                    }
                )
            )


def worked_on(services: Services) -> tuple[str, str]:
    """One task by alma and by bruno; bruno's account is made a system's."""
    almas_attempt = attempts_of(services, "alma")[0]
    task = queries.attempt(services.workspace.engine, almas_attempt).key
    brunos_attempt = next(
        attempt
        for attempt in attempts_of(services, "bruno")
        if queries.attempt(services.workspace.engine, attempt).key == task
    )
    page = {"document": "report.pdf", "page": int(task[1:])}
    record(
        services,
        almas_attempt,
        ev.Opened(session="tab"),
        SEARCH,
        ev.PageViewed(via="result", search_id="s1", rank=1, **page),
        ev.CitationAdded(**page),
        ev.AnswerEdited(text="secret gold answer"),
        ev.Submitted(outcome="answered"),
    )
    record(services, brunos_attempt, SEARCH, ev.Submitted(outcome="not_found"))
    with write_transaction(services.workspace.engine) as connection:
        connection.execute(update(User).where(User.name == "bruno").values(role="system"))
    return almas_attempt, brunos_attempt


def opened(
    services: Services, monkeypatch: pytest.MonkeyPatch, name: str = "sven", **address: str
) -> AppTest:
    """The screen at an address."""
    at = at_screen(services, name, monkeypatch, VIEW)
    for key, value in address.items():
        at.query_params[key] = value
    return at.run()


def data_of(at: AppTest) -> dict[str, Any]:
    """What the replay was mounted with."""
    assert not at.exception
    return component_data(at, REPLAY)


def test_a_link_opens_the_attempt(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the browser gets is the script: pages by number, with hash and size, and no text."""
    almas_attempt, _ = worked_on(services)
    at = opened(services, monkeypatch, attempt=almas_attempt)
    data = data_of(at)
    (attempt,) = data["attempts"]
    assert (attempt["id"], attempt["name"], attempt["state"]) == (almas_attempt, "alma", "Answered")
    assert attempt["result"] == {
        "words": "Right",
        "parts": "Against the gold: right answer, evidence 1",
        "tone": "good",
    }
    assert [lane for _, lane, _ in attempt["moments"]] == [
        "other", "search", "page", "citation", "answer", "other"
    ]  # fmt: skip
    sha = services.corpus.document("report.pdf").sha256
    assert attempt["documents"] == [["report.pdf", sha]]
    assert [page[:2] for page in attempt["pages"]] == [[0, 1], [0, 2]]
    assert attempt["pages"][0][2:] == [400, 500]
    assert attempt["searches"][0]["results"] == [0, 1]
    assert [lane for lane, _ in attempt["lanes"]] == ["search", "page", "citation", "answer"]
    assert attempt["textNames"] == [["answer", "Answer"]]
    assert "live in rivers" not in json.dumps(data), "the text of a page was sent"
    assert data["token"] and data["prefix"] == "/pagetrail"


def test_a_skipped_attempt_has_no_verdict_and_a_wrong_one_names_its_parts(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wrong answer with some of the evidence is not so many per cent right."""
    skipped, wrong = attempts_of(services, "alma")[:2]
    record(services, skipped, ev.Opened(session="tab"), ev.Skipped(reason="unreadable"))
    record(
        services,
        wrong,
        ev.Opened(session="tab"),
        *(ev.CitationAdded(document="report.pdf", page=page) for page in (1, 2)),
        ev.AnswerEdited(text="another thing altogether"),
        ev.Submitted(outcome="answered"),
    )

    data = data_of(opened(services, monkeypatch, attempt=skipped, **{"with": wrong}))

    assert [attempt["state"] for attempt in data["attempts"]] == ["Skipped", "Answered"]
    no_result, result = [attempt["result"] for attempt in data["attempts"]]
    assert no_result is None
    assert "%" not in result["words"]
    assert result["words"].partition(", ")[2] == "evidence 0.67"


def test_two_attempts_stand_side_by_side(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second in the address, or chosen; results with the differences; one table of events."""
    almas_attempt, brunos_attempt = worked_on(services)
    at = opened(services, monkeypatch, attempt=almas_attempt)
    (second,) = at.selectbox
    assert second.options[0] == "bruno (system) · same task · No answer found"
    second.select_index(0).run()
    assert at.query_params["with"] in (brunos_attempt, [brunos_attempt])
    at.run()
    for screen in (
        at,
        opened(services, monkeypatch, attempt=almas_attempt, **{"with": brunos_attempt}),
    ):
        data = data_of(screen)
        assert [attempt["id"] for attempt in data["attempts"]] == [almas_attempt, brunos_attempt]
        assert [attempt["system"] for attempt in data["attempts"]] == [False, True]
        differences, table = (frame.value for frame in screen.dataframe)
        assert list(differences.columns) == ["Measure", "alma", "bruno", "Difference"]
        by_name = differences.set_index("Measure")
        assert list(by_name.loc["Citations"]) == ["1", "0", "−1"]
        assert list(by_name.loc["Searches"]) == ["1", "1", "0"]
        assert list(table["Who"])[:3] == ["alma", "bruno", "alma"]
        assert len(table) == 8


def test_the_list_is_filtered_by_the_address(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Names, state and words of the question; without a filter all that were started."""
    worked_on(services)
    unfiltered = opened(services, monkeypatch)
    assert sorted(unfiltered.dataframe[0].value["Who"]) == ["alma", "bruno (system)"]
    for address, expected in (
        ({"who": "alma"}, ["alma"]),
        ({"state": "No answer found"}, ["bruno (system)"]),
        ({"text": "OTTERS"}, ["alma", "bruno (system)"]),
        ({"campaign": "Otters", "who": "bruno"}, ["bruno (system)"]),
    ):
        at = opened(services, monkeypatch, **address)
        assert not at.exception
        assert sorted(at.dataframe[0].value["Who"]) == expected, address
    no_matches = opened(services, monkeypatch, text="badgers")
    assert not no_matches.dataframe
    assert "Remove a filter" in no_matches.info[0].value


def test_an_old_attempt_opens_by_its_link(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is on no page of the list that is shown."""
    almas_attempt, brunos_attempt = worked_on(services)
    monkeypatch.setattr("pagetrail.app.replay.attempt_choice.PAGE", 1)
    first = opened(services, monkeypatch)
    assert len(first.dataframe[0].value) == 1
    for attempt in (almas_attempt, brunos_attempt):
        data = data_of(opened(services, monkeypatch, attempt=attempt))
        assert data["attempts"][0]["id"] == attempt
    first.number_input[0].set_value(2).run()
    assert first.caption[0].value.startswith("2 attempts")
    assert list(first.dataframe[0].value["Who"]) != list(
        opened(services, monkeypatch).dataframe[0].value["Who"]
    )


def test_gold_streams_open_by_link_only(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A supervisor's work on gold is no attempt in the list, and can be replayed all the same."""
    almas_attempt, _ = worked_on(services)
    with write_transaction(services.workspace.engine) as connection:
        task = connection.execute(
            select(Attempt.task_id).where(Attempt.id == almas_attempt)
        ).scalar_one()
        gold = ensure_gold_attempt(connection, task, services.clock)
    record(services, gold, ev.ReviewTaken())
    assert len(opened(services, monkeypatch).dataframe[0].value) == 2
    data = data_of(opened(services, monkeypatch, attempt=gold))
    assert data["attempts"][0]["name"] == "Gold stream"


@pytest.mark.parametrize("address", [{"attempt": "none"}, {"with": "none"}])
def test_missing_attempt_is_explained(
    services: Services, monkeypatch: pytest.MonkeyPatch, address: dict[str, str]
) -> None:
    """As the first or as the second."""
    almas_attempt, _ = worked_on(services)
    at = opened(services, monkeypatch, **{"attempt": almas_attempt, **address})
    assert not at.exception
    assert [error.value for error in at.error] == [
        "This task does not exist, or its batch was withdrawn."
    ]


def test_unstarted_task_says_so(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """An attempt that exists and has no events."""
    attempt = attempts_of(services, "alma")[0]
    at = opened(services, monkeypatch, attempt=attempt)
    assert not at.exception
    assert "nothing to replay" in at.info[0].value


def test_csv_download_contains_no_formulas() -> None:
    """Missing results are empty."""
    frame = pd.DataFrame([{"Time (s)": 1.5, "What": "=1+1", "Idle (s)": None}])
    assert events_csv(frame).decode("utf-8-sig") == "Time (s),What,Idle (s)\n1.5,'=1+1,\n"


def test_the_modules_of_both_components_are_served(client: TestClient) -> None:
    """The replay's beside the workspace's, under one version; nothing else under that address."""
    replay, workspace = entry("/pagetrail", "replay"), entry("/pagetrail")
    folder = replay.removesuffix("/replay.js")
    assert workspace == f"{folder}/workspace.js"
    for address in (replay, workspace, f"{folder}/workspace.css", f"{folder}/replay.css"):
        reply = client.get(address)
        assert reply.status_code == 200, address
        assert "immutable" in reply.headers["cache-control"]
    for address in (
        "replay/main.ts",
        "nothing.js",
        "manifest.json",
        "replay/__init__.py",
        "routes/assets.py",
    ):
        assert client.get(f"{folder}/{address}").status_code == 404, address


def test_unknown_annotator_in_the_address_is_ignored(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An old link names a person who is gone: the whole list, and no failure."""
    worked_on(services)
    at = opened(services, monkeypatch, who="nobody", state="Asleep", campaign="Badgers")
    assert not at.exception
    assert len(at.dataframe[0].value) == 2


def test_the_same_person_twice_is_told_apart(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two attempts of one annotator at different tasks: both questions, a number to each name."""
    first, second = attempts_of(services, "alma")
    for attempt in (first, second):
        record(services, attempt, ev.Opened(session="tab"), SEARCH)
    at = opened(services, monkeypatch, attempt=first, **{"with": second})
    data = data_of(at)
    assert [attempt["name"] for attempt in data["attempts"]] == ["alma (1)", "alma (2)"]
    assert data["question"].count("say about otters?") == 2
    differences, table = (frame.value for frame in at.dataframe)
    assert list(differences.columns) == ["Measure", "alma (1)", "alma (2)", "Difference"]
    assert set(table["Who"]) == {"alma (1)", "alma (2)"}
    assert not differences.isna().any().any()


def test_image_request_with_a_supervisors_token_is_refused_and_audited(
    services: Services, client: TestClient
) -> None:
    """An annotator who replays a request of the replay gets nothing, and it is in the audit log."""
    token = oversight_token(services, find_person(services.workspace, "sven"))
    info = services.corpus.document("report.pdf")
    assert info is not None
    url = f"/pagetrail/page/{info.sha256}/1?dpi=75&v={token}"
    sign_in(client, "sven")
    assert client.get(url).status_code == 200
    sign_in(client, "alma")
    assert client.get(url).status_code == 403
    assert [entry[:2] for entry in audited(services.workspace)] == [("alma", "forbidden token")]
