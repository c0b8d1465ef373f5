"""Administration of exports from the entry point, and the zip route: files, jobs and notes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from zipfile import ZipFile

import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.app.admin.exporting.export_form import ExportOrder
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import oversight_token
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.exports.run import FORMATS, export
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.database.tables import Job
from pagetrail.storage.people.accounts import find_person
from tests.app.admin.admin_screen import (
    audit_rows,
    click,
    held_still,
    part,
    screen_messages,
    screen_text,
)
from tests.app.review_case import current_version, under_review
from tests.app.signed_in import sign_in

EXPORTS = "Exports"
LONG_S = 60.0


def ended(services: Services) -> Job:
    """The export job, once it is over."""
    job = services.jobs.wait("export", LONG_S)
    assert job is not None
    assert job.has_ended
    return job


def tick_formats(at: AppTest, *formats: str) -> AppTest:
    """With these formats ticked."""
    for name in formats:
        at = at.checkbox(key=f"format-{name}").check().run()
    return at


def manifest(services: Services, name: str) -> dict[str, object]:
    """Of a finished export."""
    text = (services.workspace.exports_dir / name / "manifest.json").read_text(encoding="utf-8")
    manifest_json: dict[str, object] = json.loads(text)
    return manifest_json


def token(services: Services, name: str = "sven") -> str:
    """The token of a supervisor's screens."""
    return oversight_token(services, find_person(services.workspace, name))


def test_every_format_has_a_description(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All of them, each with its sentence; nothing is chosen and names are off."""
    at = part(services, monkeypatch, EXPORTS)
    labels = [box.label for box in at.checkbox]
    for name in FORMATS:
        assert any(label.startswith(f"{name}: ") for label in labels)
    assert not any(box.value for box in at.checkbox)
    assert at.button(key="export").disabled


def test_chosen_formats_are_exported_and_listed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two folders without names, with what was left out; who did it and how it ended is noted."""
    alma = find_person(services.workspace, "alma")
    (assignment, *_) = assignments(services.workspace.engine, alma.id)
    open_assignment(services, alma, assignment.assignment_id)  # two tasks that nobody works on
    at = tick_formats(part(services, monkeypatch, EXPORTS), "gold", "madqa")
    at = at.selectbox(key="campaign").set_value("Otters").run()
    click(at, "export")
    assert ended(services).state == "done"
    for name in ("Otters-gold", "Otters-madqa"):
        assert manifest(services, name)["identified"] is False
    at = part(services, monkeypatch, EXPORTS)
    assert "**Otters · gold**" in screen_text(at)
    assert "Left out · 2 attempts: never opened" in screen_text(at).replace("\\", "")
    job_title = "Export of Otters as madqa, gold"
    assert f"{job_title} (sven, " in screen_text(at)
    assert audit_rows(services) == [
        ("sven", "export_started", "Otters as madqa, gold"),
        ("sven", "export_done", f"{job_title}: Written: madqa, gold."),
    ]


def test_names_are_warned_of_and_kept_apart(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ticking names shows the warning; the folder is another one than without."""
    at = tick_formats(part(services, monkeypatch, EXPORTS), "gold")
    at = at.checkbox(key="identify").check().run()
    assert any("do not publish" in message for message in screen_messages(at))
    click(at, "export")
    ended(services)
    assert manifest(services, "Otters-gold-named")["identified"] is True
    assert not (services.workspace.exports_dir / "Otters-gold").exists()
    assert audit_rows(services)[0][2] == "Otters as gold, with names"


def test_answers_to_judge_and_originals_are_chosen_where_a_format_has_them(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each option is off until a format can take it, and has a folder of its own."""
    under_review(services)
    at = tick_formats(part(services, monkeypatch, EXPORTS), "gold")
    assert at.checkbox(key="undecided").disabled
    assert at.checkbox(key="originals").disabled
    at = tick_formats(at, "trajectory-tasks", "madqa")
    at = at.selectbox(key="campaign").set_value("Otters").run()
    at = at.checkbox(key="undecided").check().run()
    at = at.checkbox(key="originals").check().run()
    click(at, "export")
    assert ended(services).state == "done"
    answers = manifest(services, "Otters-trajectory-tasks-undecided")["choices"]
    assert answers == {"answers": "undecided", "submission": "first"}
    assert manifest(services, "Otters-madqa-originals")["choices"] == {
        "originals": True,
        "submission": "first",
    }
    assert manifest(services, "Otters-gold")["choices"] == {}
    assert audit_rows(services)[0][2].endswith(", only answers to judge, with originals")
    exports_text = screen_text(part(services, monkeypatch, EXPORTS))
    assert "only answers to judge" in exports_text
    assert "with originals" in exports_text


def test_final_submissions_have_a_folder_of_their_own(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that they replace no export of first submissions; formats of gold alone have neither."""
    under_review(services)
    at = tick_formats(part(services, monkeypatch, EXPORTS), "gold", "madqa")
    at = at.selectbox(key="campaign").set_value("Otters").run()
    click(at.selectbox(key="submission").set_value("final").run(), "export")
    assert ended(services).state == "done"
    assert manifest(services, "Otters-madqa-final")["choices"] == {"submission": "final"}
    assert manifest(services, "Otters-gold")["choices"] == {}
    assert "final submissions" in screen_text(part(services, monkeypatch, EXPORTS))


def test_the_gold_decided_in_review_is_exported(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where a format can go by it, in a folder of its own; the other format stays as it is."""
    case = under_review(services)
    services.reviews.decide(
        case.task, "sven", None, "", current_version(services, case.task), "decided"
    )
    at = part(services, monkeypatch, EXPORTS)
    assert at.checkbox(key="decided").disabled, "no format is chosen that can go by it"
    at = tick_formats(at, "gold", "madqa").selectbox(key="campaign").set_value("Otters").run()
    assert not at.checkbox(key="decided").disabled
    at = at.checkbox(key="decided").check().run()
    click(at, "export")
    assert ended(services).state == "done"
    by_gold = manifest(services, "Otters-gold-adjudicated")
    assert by_gold["choices"] == {
        "gold": "adjudicated",
        "gold_tasks": {
            "decided": 1,
            "by_rule": 0,
            "by_reviewer": 1,
            "checked": 0,
            "taken_up_again": 0,
        },
        "gold_versions": {"q1": 1},
    }
    assert manifest(services, "Otters-madqa")["choices"] == {"submission": "first"}
    at = part(services, monkeypatch, EXPORTS)
    assert screen_text(at).count("with the gold decided in review") == 1
    assert "1 task: without gold decided in review" in screen_text(at).replace("\\", "")
    started = "Otters as madqa, gold, with the gold decided in review"
    assert ("sven", "export_started", started) in audit_rows(services)


def test_an_earlier_export_is_replaced_only_after_a_question(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog names it; until it is answered nothing runs."""
    export(services.workspace, "Otters", "gold", services.workspace.exports_dir / "Otters-gold")
    at = tick_formats(part(services, monkeypatch, EXPORTS), "gold")
    at = click(at, "export")
    assert "Otters-gold of campaign Otters, written" in screen_text(at)
    assert services.jobs.last("export") is None
    click(at, "replace-do")
    assert ended(services).state == "done"
    assert audit_rows(services)[0][1] == "export_started"


def test_two_tabs_start_one_export(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second click is told who started what; the job can be cancelled from either tab."""
    first = tick_formats(part(services, monkeypatch, EXPORTS), "gold")
    second = tick_formats(part(services, monkeypatch, EXPORTS), "madqa")
    held_still(monkeypatch, first, "export")
    second = second.button(key="export").click().run()
    assert any("sven has already started this" in message for message in screen_messages(second))
    assert second.button(key="export").disabled
    click(second, "job-cancel-export")
    assert ended(services).state == "cancelled"
    assert list(services.workspace.exports_dir.iterdir()) == []
    at = part(services, monkeypatch, EXPORTS)
    assert any("Cancelled." in message for message in screen_messages(at))
    actions = [action for _, action, _ in audit_rows(services)]
    assert actions.count("export_started") == 1
    assert "export_cancelled" in actions


def test_an_export_is_deleted_after_a_question(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder goes, once; a second tab is told that it is gone."""
    export(services.workspace, "Otters", "gold", services.workspace.exports_dir / "Otters-gold")
    tabs = [click(part(services, monkeypatch, EXPORTS), "delete-Otters-gold") for _ in range(2)]
    assert "The folder Otters-gold with" in screen_text(tabs[0])
    assert (services.workspace.exports_dir / "Otters-gold").is_dir()
    first, second = (tab.button(key="delete-do").click().run() for tab in tabs)
    assert "Otters-gold is deleted." in screen_messages(first)
    assert "There is no export 'Otters-gold' any more." in screen_messages(second)
    assert list(services.workspace.exports_dir.iterdir()) == []
    assert audit_rows(services) == [("sven", "export_deleted", "Otters-gold")]


def test_export_interrupted_by_a_crash_is_shown_as_incomplete(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is no export; it can be removed after a question."""
    left = services.workspace.exports_dir / ".Otters-coco-x1"
    left.mkdir()
    at = part(services, monkeypatch, EXPORTS)
    assert "Incomplete, last written" in screen_text(at)
    at = click(click(at, f"remove-{left.name}"), "remove-do")
    assert not left.exists()
    assert audit_rows(services) == [("sven", "export_leftover_removed", left.name)]


@pytest.mark.parametrize(
    ("campaign", "folder"),
    [("Otters", "Otters-gold"), ("a/b", "a%2Fb-gold"), ("../x", "%2E.%2Fx-gold")],
)
def test_a_campaigns_name_is_never_a_path(campaign: str, folder: str) -> None:
    """Separators are encoded, and no folder is hidden."""
    order = ExportOrder(campaign, ("gold",), identify=False, dpi=144, decided=False)
    assert order.folders == {"gold": folder}


def test_a_zip_is_for_supervisors(server_client: TestClient, services: Services) -> None:
    """The bytes of the folder, noted; nothing of the packing stays behind."""
    name = "Otters & Söhne-gold"
    export(services.workspace, "Otters", "gold", services.workspace.exports_dir / name)
    sign_in(server_client, "sven")
    reply = server_client.get(
        f"/pagetrail/exports/{name.replace('&', '%26')}.zip", params={"v": token(services)}
    )
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/zip"
    with ZipFile(io.BytesIO(reply.content)) as archive:
        assert f"{name}/manifest.json" in archive.namelist()
    assert list((services.workspace.cache_dir / "downloads").iterdir()) == []
    assert audit_rows(services) == [("sven", "export_downloaded", name)]


@pytest.mark.parametrize("name", ["Otters-gold", "nothing", "..%2Fcorpus"])
def test_annotators_get_no_zip(server_client: TestClient, services: Services, name: str) -> None:
    """Whether there is one or not, the answer is the same, and the try is noted."""
    export(services.workspace, "Otters", "gold", services.workspace.exports_dir / "Otters-gold")
    sign_in(server_client, "alma")
    reply = server_client.get(f"/pagetrail/exports/{name}.zip", params={"v": token(services)})
    assert reply.status_code in (403, 404)
    assert b"PK" not in reply.content[:4]
    if "%2F" not in name:
        assert reply.status_code == 403
        assert audit_rows(services) == [("alma", "forbidden oversight", f"export {name}")]


def test_a_zip_needs_the_token_of_the_same_person(
    server_client: TestClient, services: Services
) -> None:
    """Without one, or with one for a task: refused and noted."""
    export(services.workspace, "Otters", "gold", services.workspace.exports_dir / "Otters-gold")
    sign_in(server_client, "sven")
    sven = find_person(services.workspace, "sven")
    for wrong in ("", services.tokens.make(sven.id, "some-attempt")):
        reply = server_client.get("/pagetrail/exports/Otters-gold.zip", params={"v": wrong})
        assert reply.status_code == 403
    assert {action for _, action, _ in audit_rows(services)} == {"forbidden token"}
    missing_export = server_client.get("/pagetrail/exports/gone.zip", params={"v": token(services)})
    assert missing_export.status_code == 404


def test_the_download_is_linked(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The list links the route with the supervisor's token."""
    export(services.workspace, "Otters", "gold", services.workspace.exports_dir / "Otters-gold")
    at = part(services, monkeypatch, EXPORTS)
    urls = [element.proto.url for element in at.get("link_button")]
    assert f"/pagetrail/exports/Otters-gold.zip?v={token(services)}" in urls
