"""A sample drawn in the browser: a job, whose strata are shown."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from pagetrail.app.services.composition import Services
from pagetrail.storage.batches.assignments import planned_assignments
from pagetrail.storage.campaigns.task_list import list_tasks
from pagetrail.storage.importers.runs.importer import import_run
from pagetrail.storage.snapshot.snapshot import snapshot
from tests.app.admin.admin_screen import audit_rows, click, part, screen_text, table

LONG_S = 60.0


def _view(services: Services, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    at = part(services, monkeypatch, "Campaigns")
    at = at.selectbox(key="campaign-which").select("Otters").run()
    return at.segmented_control(key="campaign-view").set_value("Sample").run()


def test_tasks_are_drawn_into_a_new_campaign(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tasks; the table has their stratum and its inclusion probability."""
    at = _view(services, monkeypatch)
    assert at.button(key="sample-draw").disabled
    at = at.segmented_control(key="sample-kind-Otters").set_value("tasks").run()
    at = at.number_input(key="sample-n-Otters").set_value(2).run()
    at = at.text_input(key="sample-into-Otters").set_value("Part").run()
    at = click(at, "sample-draw")
    job = services.jobs.wait("draw_sample", LONG_S)
    assert job is not None and job.state == "done", job
    at = _view(services, monkeypatch)
    tasks = list_tasks(services.workspace, "Otters", limit=1)[0]
    assert f"2 tasks drawn from {tasks} into Part, in 1 stratum." in screen_text(at)
    (row,) = [row for row in table(at, 1) if "Inclusion probability" in row]
    assert row["Drawn"] == 2
    assert row["Inclusion probability"] == pytest.approx(2 / tasks)
    with snapshot(services.workspace) as database:
        sample = database.sample(database.campaign("Part").id)
    assert sample is not None and len(sample.tasks) == 2
    actions = [action for _, action, _ in audit_rows(services)]
    assert actions == ["sample_drawn", "draw_sample_done"]


def test_answers_are_drawn_by_verdict_and_system(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Without imported verdicts the answer rule decides; a refusal names what to do."""
    tasks = list_tasks(services.workspace, "Otters", limit=3)[1]
    run = tmp_path_factory.mktemp("runs") / "run.jsonl"
    lines = [{"id": task.key, "answer": ["nothing of it"], "search_history": []} for task in tasks]
    run.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    import_run(services.workspace, run, campaign="Otters", system="bm25")
    at = _view(services, monkeypatch)
    assert "the answer rule is the judge" in screen_text(at)
    strata = at.multiselect(key="sample-strata-predictions-Otters")
    assert strata.value == ["verdict"]
    at = strata.set_value(["verdict", "system"]).run()
    at = at.text_input(key="sample-into-Otters").set_value("Judging").run()
    at = at.selectbox(key="sample-allocation-predictions-Otters").set_value("neyman").run()
    at = click(at, "sample-draw")
    job = services.jobs.wait("draw_sample", LONG_S)
    assert job is not None and job.state == "failed"
    assert "Draw proportionally first" in job.message
    at = _view(services, monkeypatch)
    at = at.text_input(key="sample-into-Otters").set_value("Judging").run()
    strata = at.multiselect(key="sample-strata-predictions-Otters")
    at = strata.set_value(["verdict", "system"]).run()
    at = click(at, "sample-draw")
    job = services.jobs.wait("draw_sample", LONG_S)
    assert job is not None and job.state == "done", job
    assert job.result["strata"][0][:2] == ["undecided", "bm25"]
    at = _view(services, monkeypatch)
    planned = planned_assignments(services.workspace, "Judging").created
    assert planned
    assert {row["Judge"] for row in table(at, 2)} == {name for _, name in planned}
    at = click(at, "sample-assign")
    assert planned_assignments(services.workspace, "Judging").created == []
    assert "sample-assign" not in [button.key for button in _view(services, monkeypatch).button]


def test_pages_are_drawn_by_the_fields_of_an_uploaded_table(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table's column is a stratum of the stored sample; the uploaded file is deleted."""
    at = _view(services, monkeypatch)
    at = at.segmented_control(key="sample-kind-Otters").set_value("pages").run()
    rivers, *others = services.corpus.names()
    rows = [f"{name},{'rivers' if name == rivers else 'lakes'}" for name in (rivers, *others)]
    content = "\n".join(["document,habitat", *rows]).encode()
    uploader = at.file_uploader(key="sample-page-fields-Otters")
    at = uploader.set_value([("fields.csv", b"habitat\nlakes\n", "text/csv")]).run()
    assert "fields.csv has no column document" in at.error[0].value
    uploader = at.file_uploader(key="sample-page-fields-Otters")
    at = uploader.set_value([("fields.csv", content, "text/csv")]).run()
    assert not at.error
    at = at.multiselect(key="sample-strata-pages-Otters").set_value(["habitat"]).run()
    at = at.number_input(key="sample-n-Otters").set_value(2).run()
    at = at.text_input(key="sample-into-Otters").set_value("Pages").run()
    at = click(at, "sample-draw")
    job = services.jobs.wait("draw_sample", LONG_S)
    assert job is not None and job.state == "done", job
    assert list(job.result["fields"]) == ["habitat"]
    assert {row[0] for row in job.result["strata"]} == {"rivers", "lakes"}
    with snapshot(services.workspace) as database:
        sample = database.sample(database.campaign("Pages").id)
    assert sample is not None and len(sample.tasks) == 2
    assert set(sample.design.strata) == {("rivers",), ("lakes",)}
    assert list((services.workspace.root / "imports").iterdir()) == []
