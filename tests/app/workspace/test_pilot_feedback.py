"""Pilots as people meet them: gold stays hidden until a task is submitted, feedback comes once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import fold
from pagetrail.app.services.composition import Services
from pagetrail.storage.attempts.queries import attempt as attempt_row
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.tasks.pilot_gold import correct_gold
from pagetrail.storage.importers.tasks.task_changes import task_details
from pagetrail.storage.people.accounts import add_user
from pagetrail.storage.pilots.regrading import judge_answer
from pagetrail.storage.qualification.gate import pilot_results
from pagetrail.storage.qualification.submissions import FEEDBACK_EVENT, feedback_command
from tests.app.conftest import PASSWORD
from tests.app.route_sweep import every_answer
from tests.app.screens import as_person, at_screen, workspace_data
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types

GOLD_WORDS = ("zyxanswer", "zyxcomment", "zyxrow", "61.25")
"""Nothing but gold holds these; 61.25 is a coordinate of a gold box."""

PROTOCOL = """
name = "everything"
title = "Everything that can have gold"
pages = "given"
browse = false
search = { enabled = false }
evidence = { enabled = true, required = false }
answer = { kind = "list" }
pilot = { enabled = true }

[boxes]
enabled = true
labels = [{ name = "Text" }]

[[fields]]
name = "comment"
label = "Comment"
kind = "text"

[[fields]]
name = "grade"
label = "Grade"
scope = "page"
kind = "ordinal"
options = [{ value = "1", label = "One", code = 1 }, { value = "0", label = "Zero", code = 0 }]

[[fields]]
name = "rows"
label = "Rows"
kind = "records"
columns = [{ name = "cell", label = "Cell" }]
"""


def tasks(n: int = 2) -> list[dict[str, Any]]:
    """Tasks with gold of every kind."""
    return [
        {
            "id": f"p{number}",
            "question": f"What do otters eat, {number}?",
            "answer_variants": [["zyxanswer"]],
            "evidence": [{"document": "report.pdf", "page": 2}],
            "candidates": [{"document": "report.pdf", "page": page} for page in (1, 2)],
            "gold": {
                "fields": {"comment": "zyxcomment", "rows": [{"cell": "zyxrow"}]},
                "pages": [{"document": "report.pdf", "page": 2, "fields": {"grade": "1"}}],
                "boxes": [
                    {
                        "document": "report.pdf",
                        "page": 2,
                        "rect": [61.25, 10, 200, 90],
                        "label": "Text",
                    }
                ],
            },
        }
        for number in range(1, n + 1)
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A task file."""
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return path


@pytest.fixture
def pilot(services: Services, tmp_path: Path) -> Services:
    """A pilot of two tasks for everybody, and a campaign that waits for it."""
    toml = tmp_path / "everything.toml"
    toml.write_text(PROTOCOL, encoding="utf-8")
    report = import_tasks(
        services.workspace,
        write(tmp_path / "pilot.jsonl", tasks()),
        campaign="Trial",
        protocol=str(toml),
    )
    assert report.bad == []
    questions = [{"id": "w", "question": "Work?", "evidence": []}]
    import_tasks(
        services.workspace,
        write(tmp_path / "work.jsonl", questions),
        campaign="Real work",
        settings={"requires": "Trial"},
        overlap=2,
    )
    return services


RIGHT: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("1", "citation_added", {"document": "report.pdf", "page": 2}),
    ("2", "answer_edited", {"text": "ZYXanswer."}),
    ("3", "field_set", {"field": "comment", "value": "zyxcomment"}),
    ("4", "field_set", {"field": "grade", "document": "report.pdf", "page": 2, "value": "1"}),
    ("5", "row_set", {"field": "rows", "row": "r-1", "values": {"cell": "zyxrow"}}),
    (
        "6",
        "box_drawn",
        {
            "box": "b-1",
            "document": "report.pdf",
            "page": 2,
            "rect": [60, 10, 200, 90],
            "label": "Text",
        },
    ),
)
SUBMIT = ("7", "submitted", {"outcome": "answered"})
NOT_FOUND = ("7", "submitted", {"outcome": "not_found"})


def feedback(client: TestClient, attempt: str, token: str | None = None) -> Any:
    """Ask for feedback; returns the response."""
    token = boot(client, attempt)["token"] if token is None else token
    return client.post(f"/pagetrail/attempts/{attempt}/feedback", headers={"X-Pagetrail": token})


def leaks(text: str) -> list[str]:
    """The gold that a text holds."""
    return [word for word in GOLD_WORDS if word in text]


def test_no_route_reveals_gold_before_submission(
    server_client: TestClient, pilot: Services
) -> None:
    """Every route there is, with every method and with refused events, as owner and as others."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(server_client, "alma")
    data = boot(server_client, attempt)
    token = data["token"]
    wrong = [
        (f"{n}{k}", kind, {**payload, **changed})
        for n, (_, kind, payload) in enumerate(RIGHT)
        for k, changed in enumerate(
            ({"text": "x", "value": "x", "values": {"cell": "x"}, "rect": [1, 1, 99, 99]},
             {"page": 3}, {"field": "nothing", "label": "None", "values": {"x": "y"}})
        )
        if not leaks(json.dumps({**payload, **changed}))
    ]  # fmt: skip
    wrong.append(("x", "submitted", {"outcome": "bad"}))
    texts = [send(server_client, attempt, token, *wrong).text]
    for name in ("alma", "bruno", "sven"):
        sign_in(server_client, name)
        texts += every_answer(server_client, data)
    assert len(texts) > 20
    assert [leaks(text) for text in texts] == [[]] * len(texts)
    untouched = attempts_of(pilot, "bruno", "Trial")[0]
    sign_in(server_client, "bruno")
    assert leaks(json.dumps(boot(server_client, untouched))) == []
    assert "feedback_given" not in stored_types(pilot, attempt)


def test_no_screen_reveals_gold(pilot: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """My batches, the guide and the mounted workspace hold none of it."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    task = at_screen(pilot, "alma", monkeypatch, "task", attempt=attempt).run()
    assert not task.exception
    assert leaks(json.dumps(workspace_data(task))) == []
    for view in ("batches", "guide", "trajectory", "results"):
        screen = at_screen(pilot, "alma", monkeypatch, view).run()
        assert leaks(str(screen.main)) == []


def test_feedback_follows_submission_only(client: TestClient, pilot: Services) -> None:
    """Open, paused or reopened: refused with a sentence, and nothing is stored."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    assert feedback(client, attempt).status_code == 409
    token = boot(client, attempt)["token"]
    send(client, attempt, token, *RIGHT, SUBMIT, ("8", "reopened", {}))
    reply = feedback(client, attempt)
    assert reply.status_code == 409
    assert reply.json()["error"]["code"] == "not_handed_in"
    assert leaks(reply.text) == []
    assert "feedback_given" not in stored_types(pilot, attempt)


def test_feedback_on_an_undecided_answer_and_after_its_judgement(
    pilot: Services, client: TestClient
) -> None:
    """Neither right nor wrong, and said to wait; later it is shown as the supervisor judged it."""
    workspace = pilot.workspace
    for key in ("p1", "p2"):
        correct_gold(
            workspace, "Trial", key, {"answer_variants": [["7 km"]]}, "a length",
            edited_record=task_details(workspace, "Trial", key).record, by="sven",
        )  # fmt: skip
    sign_in(client, "alma")
    attempts = attempts_of(pilot, "alma", "Trial")
    answer = ("2", "answer_edited", {"text": "7 km or 9 km"})
    events = [answer if event[0] == "2" else event for event in RIGHT]
    for attempt in attempts:
        send(client, attempt, boot(client, attempt)["token"], *events, SUBMIT)
        data = feedback(client, attempt).json()
    parts = {part["part"]: part for part in data["feedback"]["parts"]}
    assert (parts["answer"]["right"], parts["answer"]["undecided"]) == (False, True)
    assert data["feedback"]["score"] == 1.0  # of the decided parts
    assert "“7 km or 9 km” and “7 km” may say the same" in data["reasons"]["answer"]
    assert (data["progress"]["undecided"], data["progress"]["waiting"]) == (2, True)
    judge_answer(workspace, "Trial", attempts[0], is_right=True, by="sven")
    data = feedback(client, attempts[0]).json()
    assert data["feedback"]["right"] is True
    assert data["reasons"]["answer"] == "A supervisor has judged it."
    assert boot(client, attempts[0])["state"]["feedback"]["right"] is True


def test_feedback_on_a_right_task(client: TestClient, pilot: Services) -> None:
    """All parts right, the gold beside them, and how far the pilot is."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    send(client, attempt, boot(client, attempt)["token"], *RIGHT, SUBMIT)
    reply = feedback(client, attempt)
    assert reply.status_code == 200, reply.text
    data = reply.json()
    assert data["feedback"]["right"] is True
    assert [part["part"] for part in data["feedback"]["parts"]] == [
        "answer",
        "evidence",
        "comment",
        "grade",
        "rows",
        "boxes",
    ]
    gold = data["gold"]
    assert gold["answers"] == ["zyxanswer"]
    assert gold["evidence"] == [{"document": "report.pdf", "page": 2}]
    assert gold["fields"]["comment"] == "zyxcomment"
    assert gold["pages"][0]["fields"] == {"grade": "1"}
    assert gold["boxes"][0]["rect"] == [61.25, 10, 200, 90]
    assert data["progress"] == {
        "done": 1,
        "total": 2,
        "right": 1,
        "pass_mark": 1.0,
        "passed": None,
        "undecided": 0,
        "waiting": False,
    }
    assert boot(client, attempt)["state"]["feedback"]["right"] is True


def test_feedback_is_stored_once_and_settles_the_task(client: TestClient, pilot: Services) -> None:
    """Asked again it is the same, in the log once; the task cannot be reopened any more."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    send(client, attempt, token, RIGHT[1], SUBMIT)
    first, second = feedback(client, attempt).json(), feedback(client, attempt).json()
    assert first == second
    assert first["feedback"]["right"] is False
    assert stored_types(pilot, attempt).count("feedback_given") == 1
    reply = send(client, attempt, token, ("9", "reopened", {})).json()
    assert reply["refusals"][0]["code"] == "gold_shown"
    assert fold(pilot.log.events(attempt)) == pilot.log.state(attempt)


def test_a_skipped_task_is_wrong_and_gets_feedback(client: TestClient, pilot: Services) -> None:
    """Skipping shows the gold, and costs the task."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    send(client, attempt, boot(client, attempt)["token"], *RIGHT, ("8", "skipped", {"reason": "?"}))
    data = feedback(client, attempt).json()
    assert data["feedback"]["right"] is False
    assert data["feedback"]["score"] == 0
    assert data["gold"]["answers"] == ["zyxanswer"]


def test_only_the_owner_of_a_pilot_task_gets_its_feedback(
    client: TestClient, pilot: Services
) -> None:
    """Another annotator, a supervisor, a stranger and a forged token are refused."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    send(client, attempt, token, NOT_FOUND)
    assert feedback(client, attempt, "forged").status_code == 403
    for name in ("bruno", "sven"):
        sign_in(client, name)
        assert feedback(client, attempt, token).status_code == 403
    client.cookies.clear()
    assert feedback(client, attempt, token).status_code == 401
    assert "feedback_given" not in stored_types(pilot, attempt)


def test_gold_can_be_disputed_once_it_was_shown(client: TestClient, pilot: Services) -> None:
    """With a reason, though the task is submitted; whoever has not seen it has nothing to say."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]

    def dispute(id_: str, reason: str) -> list[str]:
        reply = send(client, attempt, token, (id_, "gold_disputed", {"reason": reason})).json()
        return [refusal["code"] for refusal in reply["refusals"]]

    send(client, attempt, token, RIGHT[1], SUBMIT)
    assert dispute("8", "It says 43.") == ["no_feedback"]
    assert feedback(client, attempt).status_code == 200
    assert dispute("9", "  ") != []
    assert dispute("10", "It says 43.") == []
    state = boot(client, attempt)["state"]
    assert (state["disputed"], state["status"]) == ("It says 43.", "submitted")
    assert stored_types(pilot, attempt).count("gold_disputed") == 1


def test_a_browser_cannot_give_itself_feedback(client: TestClient, pilot: Services) -> None:
    """The event is the server's own."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    forged = ("8", "feedback_given", {"right": True, "score": 1, "parts": []})
    reply = send(client, attempt, token, NOT_FOUND, forged).json()
    assert [refusal["code"] for refusal in reply["refusals"]] == ["server_only"]


@pytest.mark.parametrize("campaign", ["Otters", "Otters given"])
def test_campaigns_that_are_no_pilot_give_no_feedback(
    client: TestClient, services: Services, campaign: str
) -> None:
    """Gold of a production campaign stays hidden after a task is submitted, too."""
    attempt = attempts_of(services, "alma", campaign)[0]
    sign_in(client, "alma")
    send(client, attempt, boot(client, attempt)["token"], ("1", "skipped", {"reason": "x"}))
    reply = feedback(client, attempt)
    assert (reply.status_code, reply.json()["error"]["code"]) == (409, "no_feedback")
    assert "secret gold answer" not in reply.text


def test_stored_verdict_is_about_the_submission(client: TestClient, pilot: Services) -> None:
    """A task reopened and changed in another tab meanwhile is compared as it is then."""
    attempt = attempts_of(pilot, "alma", "Trial")[0]
    sign_in(client, "alma")
    token = boot(client, attempt)["token"]
    send(client, attempt, token, *RIGHT, SUBMIT)
    row = attempt_row(pilot.workspace.engine, attempt)
    early = feedback_command(row, pilot.log.state(attempt))
    assert early is not None
    send(
        client,
        attempt,
        token,
        ("8", "reopened", {}),
        ("9", "answer_edited", {"text": "badgers"}),
        ("10", "submitted", {"outcome": "answered"}),
    )
    outcome = pilot.recorder.record(row.context(), [early])
    assert outcome.refusals[FEEDBACK_EVENT].code == "outdated"
    assert feedback(client, attempt).json()["feedback"]["right"] is False


def test_feedback_of_a_closed_batch_can_still_be_read(client: TestClient, pilot: Services) -> None:
    """Closing stores what was not looked at; reading it later changes nothing."""
    attempts = attempts_of(pilot, "alma", "Trial")
    sign_in(client, "alma")
    for attempt in attempts:
        send(client, attempt, boot(client, attempt)["token"], NOT_FOUND)
    assignment = boot(client, attempts[0])["batch"]["assignment"]
    assert client.post(f"/pagetrail/assignments/{assignment}/close").status_code == 200
    data = feedback(client, attempts[0]).json()
    assert data["progress"]["passed"] is False
    assert stored_types(pilot, attempts[0])[-2:] == ["feedback_given", "batch_closed"]
    assert feedback(client, attempts[0]).json() == data


def test_my_batches_tell_the_pilot_and_what_waits_for_it(
    client: TestClient, pilot: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before, half-way and after: counts, the mark, and the campaign that opens."""
    at = as_person(pilot, "alma", monkeypatch)
    assert any("Pilot: 0 of 2 done, 0 right, 100 % needed" in m.value for m in at.markdown)
    assert any("Opens when you have passed the pilot “Trial”" in t.value for t in at.text)
    assert not any("Real work" in button.label for button in at.button)
    sign_in(client, "alma")
    for attempt in attempts_of(pilot, "alma", "Trial"):
        send(client, attempt, boot(client, attempt)["token"], *RIGHT, SUBMIT)
    at = as_person(pilot, "alma", monkeypatch)
    # Submitted is not judged: the count of right tasks must not move while answers can change.
    assert any("2 of 2 done, 0 right" in m.value and "Close" in m.value for m in at.markdown)
    for attempt in attempts_of(pilot, "alma", "Trial"):
        feedback(client, attempt)
    at = as_person(pilot, "alma", monkeypatch)
    assert any("2 of 2 done, 2 right, 100 % needed. Passed." in m.value for m in at.markdown)
    assert [b.label for b in at.button if "Real work" in b.label] == [
        "Take the next batch of “Real work”"
    ]
    (result,) = [r for r in pilot_results(pilot.workspace.engine, "Trial") if r.user_name == "alma"]
    assert result.passed is True


def test_newcomers_get_only_the_pilot(pilot: Services) -> None:
    """Assigning passes over those who have not passed, with the reason."""
    add_user(pilot.workspace, "cora", "annotator", PASSWORD)
    assert assign(pilot.workspace, "Trial").created == [("Aquarius", "cora")]
    report = assign(pilot.workspace, "Real work")
    assert report.created == []
    assert set(report.passed_over) == {"alma", "bruno", "cora"}


def test_feedback_is_refused_outside_pilots(pilot: Services) -> None:
    """The recorder itself takes no feedback in a campaign that is no pilot."""
    attempt = attempts_of(pilot, "alma", "Otters")[0]
    context = attempt_row(pilot.workspace.engine, attempt).context()
    feedback = ev.FeedbackGiven(right=True, score=1, parts=())
    skipped = Command("1", ev.Skipped(reason="x"))
    outcome = pilot.recorder.record(context, [skipped, Command("2", feedback)])
    assert outcome.refusals["2"].code == "no_feedback"
