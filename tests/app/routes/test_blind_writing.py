"""Writing blind and checking variants, through the routes: quotas, given questions, exports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sqlalchemy import select
from starlette.testclient import TestClient

from pagetrail.app.services.composition import Services
from pagetrail.exports.reports.progress.questions import questions_report
from pagetrail.exports.run import export
from pagetrail.storage.authoring.question_counts import requested_questions
from pagetrail.storage.database.tables import Task
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from pagetrail.storage.progress.dashboard import campaign_of
from tests.app.signed_in import attempts_of, boot, send, sign_in, stored_types

DRAW = {"query_type": {"boolean": 1, "numerical": 1}, "query_format": {"keyword": 1}}


def start(services: Services, folder: Path, rows: list[dict[str, Any]], **options: Any) -> None:
    """A campaign called “Writing” with these tasks, assigned to everybody."""
    report = _import(services, folder, rows, **options)
    assert not report.bad, report.bad


def _import(
    services: Services, folder: Path, rows: list[dict[str, Any]], **options: Any
) -> ImportReport:
    file = folder / "rows.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return import_tasks(services.workspace, file, **{"campaign": "Writing", **options})


def brief(number: int, **fields: Any) -> dict[str, Any]:
    """Something to write about."""
    return {"id": f"t{number}", "question": "Write.", "summary": "Otters.", **fields}


def write(client: TestClient, attempt: str, text: str, **fields: str) -> None:
    """Write and submit a question."""
    events: list[tuple[str, str, dict[str, Any]]] = [
        ("e1", "opened", {"session": "s"}),
        ("e2", "question_edited", {"text": text}),
        *(
            (f"f-{name}", "field_set", {"field": name, "value": value})
            for name, value in fields.items()
        ),
        ("e9", "submitted", {"outcome": "completed"}),
    ]
    reply = send(client, attempt, boot(client, attempt)["token"], *events).json()
    assert reply["refusals"] == [] and reply["status"] == "submitted", reply


def exported(services: Services, folder: Path, format_: str, file: str) -> list[dict[str, Any]]:
    """The rows of an export."""
    export(services.workspace, "Writing", format_, folder / format_)
    lines = (folder / format_ / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_types_are_drawn_and_shown_with_the_campaigns_numbers(
    client: TestClient, services: Services, tmp_path: Path
) -> None:
    """A brief's own type stays and is no quota; another type that was written counts as that."""
    settings = {"question.draw": DRAW, "question.checks": False}
    rows = [*(brief(number) for number in range(4)), brief(8, query_type="boolean")]
    bad = _import(
        services, tmp_path, [brief(9, query_type="haiku")], protocol="author_blind", dry=True
    )
    assert "query_type: must be one of open-ended, extractive" in bad.bad[0].reason
    start(services, tmp_path, rows, protocol="author_blind", settings=settings, overlap=2)
    with services.workspace.engine.connect() as connection:
        statement = select(Task.key, Task.record).where(Task.key.like("t%"))
        records = {row.key: row.record for row in connection.execute(statement)}
    types = [records[f"t{number}"]["query_type"] for number in range(4)]
    assert sorted(types) == ["boolean", "boolean", "numerical", "numerical"]
    assert records["t0"]["drawn"] == ["query_type", "query_format"]
    assert records["t8"]["drawn"] == ["query_format"]
    sign_in(client, "alma")
    attempts = attempts_of(services, "alma", "Writing")
    screens = {attempt: boot(client, attempt) for attempt in attempts}
    asked = {
        attempt: {entry["field"]: entry for entry in (screen["question_counts"] or {})["requested"]}
        for attempt, screen in screens.items()
    }
    boolean, numerical = (
        next(a for a, e in asked.items() if e.get("query_type", {}).get("option") == option)
        for option in ("Boolean", "Numerical")
    )
    assert asked[boolean]["query_type"] == {
        "field": "query_type",
        "label": "Type",
        "option": "Boolean",
        "help": "The answer is yes or no.",
        "written": 0,
        "requested": 4,
    }
    given = next(attempt for attempt, entries in asked.items() if "query_type" not in entries)
    assert screens[given]["material"][-1]["lines"] == ["Type: boolean"]
    write(client, boolean, "Do otters swim?")
    write(client, numerical, "otters swim yes no", query_type="boolean")
    counts = {
        entry["field"]: (entry["written"], entry["requested"])
        for entry in boot(client, boolean)["question_counts"]["requested"]
    }
    assert counts == {"query_type": (2, 4), "query_format": (2, 10)}
    campaign = campaign_of(services.workspace.engine, "Writing")
    questions = requested_questions(services.workspace.engine, campaign.id, campaign.protocol)
    assert [(*question.options.values(), *question[1:]) for question in questions] == [
        ("Numerical", "Keywords", 2, 4, 0),
        ("Boolean", "Keywords", 3, 6, 2),
    ]
    report = questions_report("Writing", campaign.protocol, questions)
    assert [row.cells["missing"].value for row in report.tables[0].rows] == [4, 4]
    rows = exported(services, tmp_path, "authored", "authored.jsonl")
    assert {row["question"]: (row["query_type"], row["query_format"]) for row in rows} == {
        "Do otters swim?": ("boolean", "keyword"),
        "otters swim yes no": ("boolean", "keyword"),
    }
    assert {row["question"]: row["drawn"]["query_type"] for row in rows} == {
        "Do otters swim?": "boolean",
        "otters swim yes no": "numerical",
    }


def test_a_variant_is_confirmed_or_changed_next_to_its_original(
    client: TestClient, services: Services, tmp_path: Path
) -> None:
    """The editor starts with the given text, which is an event; the export links the variant."""
    rows = [
        {"id": f"q1-{language}", "question": text, "variant_of": "q1", "variant": "translation"}
        | {"original": "What do otters eat?", "language": language}
        for language, text in (("de", "Was essen Otter?"), ("fr", "Que mangent les loutres ?"))
    ]
    start(services, tmp_path, rows, protocol="variants", overlap=1)
    texts = {}
    for name in ("alma", "bruno"):
        sign_in(client, name)
        (attempt,) = attempts_of(services, name, "Writing")
        screen = boot(client, attempt)
        assert [part["source"] for part in screen["material"]] == ["original", "request"]
        assert screen["material"][0]["lines"] == ["What do otters eat?"]
        text = screen["state"]["question_text"]
        texts[name] = text
        events: list[tuple[str, str, dict[str, Any]]] = [("e1", "opened", {"session": "s"})]
        if text.startswith("Was"):
            events.append(("e2", "question_edited", {"text": "Was fressen Otter?"}))
        events += [
            ("e3", "field_set", {"field": "same_answer", "value": "yes"}),
            ("e4", "field_set", {"field": "natural", "value": "yes"}),
            ("e5", "submitted", {"outcome": "completed"}),
        ]
        reply = send(client, attempt, screen["token"], *events).json()
        assert reply["refusals"] == [] and reply["status"] == "submitted"
        assert stored_types(services, attempt)[:2] == ["opened", "question_seeded"]
    assert sorted(texts.values()) == ["Que mangent les loutres ?", "Was essen Otter?"]
    authored = exported(services, tmp_path, "authored", "authored.jsonl")
    assert {row["id"]: (row["question"], row["given_question"]) for row in authored} == {
        "q1-de": ("Was fressen Otter?", "Was essen Otter?"),
        "q1-fr": ("Que mangent les loutres ?", "Que mangent les loutres ?"),
    }
    assert {(row["variant_of"], row["variant"]) for row in authored} == {("q1", "translation")}
    assert {row["same_answer"] for row in authored} == {"yes"}
