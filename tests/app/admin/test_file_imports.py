"""Agents' runs and models' elements imported in the browser: jobs, and what they leave out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.app.operations.forms import Expander, Row
from pagetrail.app.operations.registry import IMPORTS, WITHOUT_JOB, file_import
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import claim_batch, record_events
from pagetrail.storage.campaigns.gold_drafts import last_draft
from pagetrail.storage.campaigns.lookup import list_campaigns, protocol_of_campaign
from pagetrail.storage.campaigns.price_tables import stored_price_table
from pagetrail.storage.campaigns.task_list import list_tasks
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.database.tables import Attempt, User
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.people.accounts import find_person
from pagetrail.storage.progress.campaign_state import campaign_state
from tests.app.admin.admin_screen import audit_rows, click, part, screen_text, table
from tests.support.looks import as_on_screen

LONG_S = 60.0

Step = tuple[str, dict[str, Any]]
"""Type and payload of an event."""


def _files(*files: tuple[str, list[dict[str, Any]]]) -> list[tuple[str, bytes, str]]:
    return [
        (name, "\n".join(map(json.dumps, rows)).encode(), "application/json")
        for name, rows in files
    ]


def _view(services: Services, monkeypatch: pytest.MonkeyPatch, name: str, view: str) -> AppTest:
    at = part(services, monkeypatch, "Campaigns")
    at = at.selectbox(key="campaign-which").select(name).run()
    return at.segmented_control(key="campaign-view").set_value(view).run()


def test_an_agents_run_is_imported(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The good run becomes an attempt of the system, the bad one is listed with its reason."""
    key = list_tasks(services.workspace, "Otters", limit=1)[1][0].key
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    assert at.button(key="run-import").disabled
    rows = [{"id": key, "answer": ["fish"], "search_history": []}, {"id": "nowhere", "answer": []}]
    at.file_uploader(key="run-files-Otters").set_value(_files(("results.jsonl", rows)))
    at = at.text_input(key="run-system-Otters").set_value("bm25").run()
    at = click(at, "run-import")
    job = services.jobs.wait("import_run", LONG_S)
    assert job is not None and job.state == "done", job
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    assert "1 run of bm25" in screen_text(at)
    left_out = table(at, len(at.dataframe) - 1)
    assert [(row["id"], row["what"]) for row in left_out if row["what"] == "left out"] == [
        ("nowhere", "left out")
    ]
    with services.workspace.engine.connect() as connection:
        query = (
            select(func.count())
            .select_from(Attempt)
            .join(User, User.id == Attempt.user_id)
            .where(User.name == "bm25")
        )
        assert connection.execute(query).scalar_one() == 1
    assert list((services.workspace.root / "imports").iterdir()) == []
    actions = [action for _, action, _ in audit_rows(services)]
    assert actions == ["import_run_started", "import_run_done"]


def test_a_campaign_is_made_from_a_models_elements(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One task per page with its boxes, with the form’s guidelines; a bad element is listed."""
    at = part(services, monkeypatch, "Campaigns")
    at = click(at, "campaign-add")
    at = at.text_input(key="campaign-name").set_value("Layout").run()
    at = at.selectbox(key="new-preset").select("verify").run()
    good = {"document": "report.pdf", "page": 1, "rect": [10, 10, 50, 50], "label": "Caption"}
    bad = {**good, "page": 99}
    uploader = at.file_uploader(key="element-files-new")
    uploader.set_value(_files(("layout.jsonl", [good, bad])))
    at = at.text_area(key="element-mapping-new").set_value("Caption=Text").run()
    at = click(at, "element-import")
    text = screen_text(at)
    assert "What annotators do:" in text
    assert "Can be changed later:" in text
    assert "Layout" not in [campaign.name for campaign in list_campaigns(services.workspace)]
    at = click(at, "element-create-do")
    job = services.jobs.wait("import_elements", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.message == "1 task in 1 batch with 1 element, 1 element or file left out."
    assert [row[3] for row in job.result["rows"]][:1] == ["left out"]
    assert str(services.workspace.root) not in str(job.result)
    assert "Layout" in [campaign.name for campaign in list_campaigns(services.workspace)]
    assert protocol_of_campaign(services.workspace, "Layout").name == "verify"


def test_imported_verdicts_can_decide_results(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A set with a name and a judge; a row about no task of the campaign is listed."""
    key = list_tasks(services.workspace, "Otters", limit=1)[1][0].key
    run = tmp_path / "results.jsonl"
    run.write_text(json.dumps({"id": key, "answer": ["fish"], "search_history": []}))
    import_run(services.workspace, run, campaign="Otters", system="bm25")
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    assert at.button(key="verdicts-import").disabled
    rows = [
        {"task": key, "system": "bm25", "verdict": "correct"},
        {"task": "nowhere", "system": "bm25", "verdict": "wrong"},
    ]
    at.file_uploader(key="verdicts-file-Otters").set_value(_files(("labels.jsonl", rows)))
    at.text_input(key="verdicts-judge-Otters").set_value("panel")
    at.number_input(key="verdicts-round-Otters").set_value(2)
    at.text_area(key="verdicts-prompt-Otters").set_value("Judge\nthis.")
    at = at.text_input(key="verdicts-set-name-Otters").set_value("experts").run()
    at = click(at, "verdicts-import")
    job = services.jobs.wait("import_verdicts", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.message == "1 verdict imported as experts, 1 left out."
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    assert "no task 'nowhere'" in str(table(at, len(at.dataframe) - 1)[0]["reason"])
    (stored,) = campaign_state(services.workspace, "Otters").verdicts
    judge = JudgeInfo(judge="panel", round=2, prompt="Judge\nthis.")
    assert (stored.name, stored.info, stored.verdicts) == ("experts", judge, 1)
    listed = next(table(at, n)[0] for n in range(len(at.dataframe)) if "judge" in table(at, n)[0])
    assert (listed["judge"], listed["round"]) == ("panel", 2)
    assert listed["prompt"].startswith("sha256:")
    assert list((services.workspace.root / "imports").iterdir()) == []


def test_a_systems_boxes_are_imported(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """COCO's classes are mapped; a box on no page is listed with the rest of the work."""
    document = services.corpus.names()[0]
    record = {"id": "p1", "question": "Grade.", "candidates": [{"document": document, "page": 1}]}
    import_tasks(
        services.workspace,
        TaskFile([RawRow(1, record)]),
        campaign="Pages",
        protocol="relevance",
        assign=False,
        clock=services.clock,
    )
    label = protocol_of_campaign(services.workspace, "Pages").boxes.labels[0].name
    at = _view(services, monkeypatch, "Pages", "Runs and verdicts")
    assert at.button(key="boxes-import").disabled
    box = {"document": document, "page": 1, "rect": [10, 10, 50, 50], "label": "Bild"}
    uploader = at.file_uploader(key="boxes-files-Pages")
    uploader.set_value(_files(("boxes.jsonl", [box, {**box, "page": 99}])))
    at.text_area(key="boxes-mapping-Pages").set_value(f"Bild={label}")
    at = at.text_input(key="boxes-system-Pages").set_value("vlm").run()
    at = click(at, "boxes-import")
    job = services.jobs.wait("import_boxes", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.message == "1 box of vlm imported at 1 task, 1 box or file left out."
    at = _view(services, monkeypatch, "Pages", "Runs and verdicts")
    assert "page 99" in str(table(at, len(at.dataframe) - 1)[0]["reason"])
    assert campaign_state(services.workspace, "Pages").systems == ("vlm",)
    assert list((services.workspace.root / "imports").iterdir()) == []
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    assert "boxes-import" not in {button.key for button in at.button}, "asks for no boxes"


def _submitted(
    services: Services, campaign: str, protocol: str, material: dict[str, Any], *steps: Step
) -> str:
    """Alma's submitted attempt at the only task of a new campaign."""
    page = {"document": services.corpus.names()[0], "page": 1}
    record = {"id": "p1", "question": "Correct.", "candidates": [page], **material}
    import_tasks(
        services.workspace,
        TaskFile([RawRow(1, record)]),
        campaign=campaign,
        protocol=protocol,
        assign=False,
        clock=services.clock,
    )
    alma = find_person(services.workspace, "alma")
    attempt = claim_batch(services, alma, campaign)
    events = [
        {"id": f"e{number}", "type": type_, "payload": as_on_screen(type_, payload)}
        for number, (type_, payload) in enumerate(
            [("opened", {"session": "s"}), *steps, ("submitted", {"outcome": "completed"})]
        )
    ]
    reply = record_events(services, alma, attempt, {"session": "s", "events": events})
    assert reply["refusals"] == []
    return attempt


def test_patches_begin_the_next_round(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page goes back to its annotator in the supervisor's name; other rows are listed."""
    edit = {"at": 0, "removed": "0", "inserted": "O"}
    page = {"document": services.corpus.names()[0], "page": 1}
    attempt = _submitted(
        services,
        "Texts",
        "transcribe",
        {"transcript": "0tters here"},
        ("text_edited", {**page, "edits": [edit]}),
    )
    at = _view(services, monkeypatch, "Texts", "Add tasks")
    assert at.button(key="patches-import").disabled
    patch = {"old": "here", "new": "there"}
    digest = text_hash("Otters here")
    rows = [
        {"task": "p1", "text_sha256": digest, "patches": [patch]},
        {"task": "nowhere", "text_sha256": digest, "patches": []},
    ]
    at.text_input(key="patches-model-Texts").set_value("scribe")
    at = at.file_uploader(key="patches-file-Texts").set_value(_files(("p.jsonl", rows))).run()
    at = click(at, "patches-import")
    job = services.jobs.wait("import_patches", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.message == "1 patch for 1 page imported, 1 left out."
    at = _view(services, monkeypatch, "Texts", "Add tasks")
    assert "no task 'nowhere'" in str(table(at, len(at.dataframe) - 1)[0]["reason"])
    state = services.log.state(attempt)
    assert state.status == "open" and state.transcript is not None
    assert (state.transcript.round, state.transcript.model) == (2, "scribe")
    *_, started, _given = services.log.events(attempt)
    assert (started.type, started.actor) == ("round_started", "sven")


def test_fixed_tables_begin_the_next_round(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The task goes back to its annotator with the change to confirm; other rows are listed."""
    page = {"document": services.corpus.names()[0], "page": 1}
    html = "<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>"
    flag = {"table": "t1", "structure": 0, "row": 1, "column": 0, "kind": "text", "note": "is 4"}
    attempt = _submitted(
        services,
        "Tables",
        "verify_table",
        {"tables": [{"id": "t1", "html": html}]},
        ("cell_flagged", {**page, **flag}),
        *(("field_set", {"field": name, "value": "yes"}) for name in ("complete", "records")),
    )
    at = _view(services, monkeypatch, "Tables", "Add tasks")
    assert at.button(key="tables-import").disabled
    assert "patches-import" not in {button.key for button in at.button}, "has no texts"
    digest = services.log.state(attempt).tables.sha256
    fixed = [{"id": "t1", "html": html.replace("<td>1", "<td>4")}]
    rows = [
        {"task": "p1", "tables_sha256": digest, "tables": fixed},
        {"task": "nowhere", "tables_sha256": digest, "tables": fixed},
    ]
    at.text_input(key="tables-model-Tables").set_value("grid-2")
    at = at.file_uploader(key="tables-file-Tables").set_value(_files(("f.jsonl", rows))).run()
    at = click(at, "tables-import")
    job = services.jobs.wait("import_tables", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.message == "Tables of 1 task imported, with 1 change to confirm, 1 left out."
    at = _view(services, monkeypatch, "Tables", "Add tasks")
    assert "no task 'nowhere'" in str(table(at, len(at.dataframe) - 1)[0]["reason"])
    state = services.log.state(attempt)
    fixed_table = state.tables.table("t1")
    assert (state.status, state.tables.round, state.tables.model) == ("open", 2, "grid-2")
    assert fixed_table is not None and fixed_table.n_unconfirmed == 1
    assert "round_started" in {e.type for e in services.log.events(attempt) if e.actor == "sven"}
    assert list((services.workspace.root / "imports").iterdir()) == []
    actions = [action for _, action, _ in audit_rows(services)]
    assert actions == ["import_tables_started", "import_tables_done"]


def test_drafts_are_imported(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the model that the form names; a row about no task is listed."""
    key = list_tasks(services.workspace, "Otters", limit=1)[1][0].key
    at = _view(services, monkeypatch, "Otters", "Drafts")
    assert at.button(key="drafts-import").disabled
    rows = [{"task": key, "answer": ["fish"]}, {"task": "nowhere", "answer": ["fish"]}]
    at.text_input(key="drafts-model-Otters").set_value("drafter")
    at = at.file_uploader(key="drafts-file-Otters").set_value(_files(("d.jsonl", rows))).run()
    at = click(at, "drafts-import")
    job = services.jobs.wait("import_drafts", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.message == "1 draft imported by drafter, 1 left out."
    at = _view(services, monkeypatch, "Otters", "Drafts")
    assert "no task 'nowhere'" in str([table(at, n) for n in range(len(at.dataframe))])
    with services.workspace.engine.connect() as connection:
        assert last_draft(connection, "Otters") == 1


def _fields(rows: Sequence[Row | Expander]) -> list[str]:
    return [
        name
        for row in rows
        for name in (_fields(row.rows) if isinstance(row, Expander) else [i.field for i in row])
    ]


@pytest.mark.parametrize("name", sorted(IMPORTS.keys() - WITHOUT_JOB))
def test_every_import_has_a_form(name: str) -> None:
    """It asks for fields of the request, and for what is required or in its job's title."""
    operation = file_import(name)
    fields = operation.model_fields
    form = operation.form
    asked = [*_fields(form.above), *_fields(form.below)]
    assert set(asked) <= fields.keys()
    required = {field for field, info in fields.items() if info.is_required()} - {"campaign"}
    assert set(form.required) == required <= set(asked)
    title = operation.title.format(campaign="Otters", **dict.fromkeys(required, "x"))
    assert "{" not in title


def test_unknown_search_tool_is_asked_about(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job stops with the tool's name and calls; named in the form, its calls are searches."""
    key = list_tasks(services.workspace, "Otters", limit=1)[1][0].key
    call = {"id": "c", "function": {"name": "kb_search", "arguments": '{"query": "fish"}'}}
    messages = [
        {"role": "user", "content": "How many?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c", "content": "[]"},
        {"role": "assistant", "content": "42"},
    ]
    files = _files(("chat.jsonl", [{"task_id": key, "messages": messages}]))
    for tools, state, message in (
        ("", "failed", "kb_search (1 call)"),
        ("kb_search, other", "done", "1 run of bm25 (openai) imported"),
    ):
        at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
        at.file_uploader(key="run-files-Otters").set_value(files)
        at.text_input(key="run-search-tools-Otters").set_value(tools)
        at = at.text_input(key="run-system-Otters").set_value("bm25").run()
        click(at, "run-import")
        job = services.jobs.wait("import_run", LONG_S)
        assert job is not None and job.state == state, job
        assert message in job.message


def test_prices_are_stored_and_removed(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with a mistake changes nothing and says where it is; the audit log has the others."""
    good = 'name = "List"\ndate = 2026-11-01\n[models.m]\ninput = 1\noutput = 2\n[rates]\nEUR = 1.1'
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    for text in (good.replace("2\n", "-2\n"), good):
        file = ("prices.toml", text.encode(), "application/toml")
        at.file_uploader(key="prices-file").set_value([file]).run()
        at = click(at, "prices-store")
        if text != good:
            assert "models.m.output: must be" in at.error[0].value
            assert stored_price_table(services.workspace) is None
    stored = stored_price_table(services.workspace)
    assert stored is not None and stored.models["m"].output == 2
    at = _view(services, monkeypatch, "Otters", "Runs and verdicts")
    assert "1 EUR = 1.1 USD" in screen_text(at)
    at = click(at, "prices-remove")
    assert stored_price_table(services.workspace) is None
    details = [row[2] for row in audit_rows(services) if row[1] == "prices_changed"]
    assert details == [str(stored), "removed"]
