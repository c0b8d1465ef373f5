"""Administration of campaigns from the entry point: what is made, changed, noted and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from starlette.testclient import TestClient
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.protocols.protocol import guidelines, parse
from pagetrail.app.services.composition import Services
from pagetrail.storage.batches.changeable_settings import change_settings
from pagetrail.storage.campaigns.guidelines import (
    guideline_versions,
    guidelines_of,
    save_guidelines,
)
from pagetrail.storage.campaigns.lifecycle import archive_campaign, reopen_campaign
from pagetrail.storage.campaigns.lookup import list_campaigns, protocol_of_campaign
from pagetrail.storage.importers.tasks.campaign_import import CampaignImport, import_files
from pagetrail.storage.people.audit import audit_entries
from tests.app.screens import as_person, at_screen
from tests.app.signed_in import at_work, send, stored_types
from tests.contract.test_keys import CLAIMING


def _part(services: Services, monkeypatch: pytest.MonkeyPatch, name: str = "sven") -> AppTest:
    at = at_screen(services, name, monkeypatch, "administration")
    at.query_params["part"] = "Campaigns"
    return at.run()


def _press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def _choose(at: AppTest, name: str, view: str = "Overview") -> AppTest:
    at.selectbox(key="campaign-which").select(name).run()
    return at.segmented_control(key="campaign-view").set_value(view).run()


def _acts(services: Services) -> list[tuple[str, str, str]]:
    return [(e.actor, e.action, e.detail) for e in reversed(audit_entries(services.workspace))]


def all_text(at: AppTest) -> str:
    kinds: tuple[Any, ...] = (
        at.error, at.success, at.warning, at.info, at.markdown, at.caption, at.code,
    )  # fmt: skip
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def _frame(at: AppTest, column: str) -> pd.DataFrame:
    return next(frame.value for frame in at.dataframe if column in frame.value.columns)


def _jsonl(*rows: dict[str, Any]) -> bytes:
    return "\n".join(map(json.dumps, rows)).encode()


def _task(id_: str, page: int = 1) -> dict[str, Any]:
    return {
        "id": id_,
        "question": f"{id_}?",
        "evidence": [{"document": "report.pdf", "page": page}],
    }


def test_table_counts_campaigns_and_hides_archived_ones(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One row per campaign; an archived one on demand only."""
    archive_campaign(services.workspace, None, "Otters given", unfinished=True)
    at = _part(services, monkeypatch)
    assert not at.exception
    table = _frame(at, "Campaign")
    assert table[
        ["Campaign", "Preset", "Status", "Tasks", "Batches", "Assigned", "Of"]
    ].values.tolist() == [["Otters", "search", "open", 2, 1, 2, 4]]
    at.toggle(key="campaign-archived").set_value(True).run()
    assert list(_frame(at, "Campaign")["Status"]) == ["open", "archived"]


def test_closing_asks_first_and_names_the_open_work(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing before the dialog's button; afterwards closed, once, in the log; reopening undoes."""
    at = _press(_choose(_part(services, monkeypatch), "Otters"), "campaign-close")
    assert "2 assigned batches with 4 tasks left (alma, bruno)" in all_text(at)
    assert list_campaigns(services.workspace)[0].status == "open"
    at = _press(at, "close-go")
    assert at.success[0].value == "Otters is closed."
    assert list_campaigns(services.workspace)[0].status == "closed"
    at = _press(at, "campaign-reopen")
    assert list_campaigns(services.workspace)[0].status == "open"
    assert [action for _, action, _ in _acts(services)] == ["campaign_closed", "campaign_reopened"]


def test_screen_keys_taken_by_a_stored_protocol_are_reported(
    services: Services, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The supervisor reads them above the protocol; a campaign without any has no warning."""
    rows = tmp_path / "rows.jsonl"
    rows.write_bytes(_jsonl(_task("k1")))
    campaign_import = CampaignImport(
        campaign="Keys", protocol=parse(CLAIMING, source="keys.toml"), assign=False
    )
    import_files(services.workspace, None, [rows], campaign_import)
    at = _choose(_part(services, monkeypatch), "Keys")
    (warning,) = at.warning
    assert "The key g chooses “Not” in “Fits”" in warning.value
    assert not _choose(at, "Otters").warning


def test_archiving_unfinished_work_needs_to_be_confirmed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The button works only once the box is ticked; the campaign leaves the list and My batches."""
    at = _press(_choose(_part(services, monkeypatch), "Otters"), "campaign-archive")
    assert at.button(key="archive-go").disabled
    assert "would stay unfinished" in all_text(at)
    at.checkbox(key="archive-sure").check().run()
    at = _press(at, "archive-go")
    assert not at.exception
    assert list(_frame(at, "Campaign")["Campaign"]) == ["Otters given"]
    screen = as_person(services, "alma", monkeypatch)
    titles = [block.value for block in screen.markdown if " · " in block.value]
    assert titles and all(title.startswith("**Otters given**") for title in titles)


def test_conflicting_change_is_explained(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tabs: the second is told, and nothing is done twice."""
    at = _press(_choose(_part(services, monkeypatch), "Otters"), "campaign-close")
    second = _press(_choose(_part(services, monkeypatch), "Otters"), "campaign-close")
    _press(at, "close-go")
    second = _press(second, "close-go")
    assert [error.value for error in second.error] == ["Campaign Otters is already closed."]
    assert len(_acts(services)) == 1


def test_archived_campaign_is_read_only(services: Services, server_client: TestClient) -> None:
    """Events, searches and checks of a tab that is still open are refused; reading goes on."""
    attempt, token = at_work(server_client, services)
    archive_campaign(services.workspace, None, "Otters", unfinished=True)
    archive_campaign(services.workspace, None, "Otters given", unfinished=True)
    headers = {"X-Pagetrail": token}
    before = stored_types(services, attempt)
    events = {"session": "s", "events": [{"id": "n", "type": "note_edited",
                                          "payload": {"text": "x"}}]}  # fmt: skip
    reply = server_client.post(
        f"/pagetrail/attempts/{attempt}/events", json=events, headers=headers
    )
    assert [refusal["code"] for refusal in reply.json()["refusals"]] == ["archived"]
    search = server_client.post(
        f"/pagetrail/attempts/{attempt}/search", json={"id": "q", "query": "otters"},
        headers=headers,
    )  # fmt: skip
    assert search.status_code == 409
    assert "archived" in search.json()["error"]["message"]
    assert stored_types(services, attempt) == before
    state = server_client.get(f"/pagetrail/attempts/{attempt}", headers=headers).json()
    assert state["state"]["closed"] is True
    reopen_campaign(services.workspace, None, "Otters")
    reopen_campaign(services.workspace, None, "Otters given")
    late_reply = server_client.post(
        f"/pagetrail/attempts/{attempt}/events", json=events, headers=headers
    )
    assert late_reply.json()["refusals"] == []


def _new(services: Services, monkeypatch: pytest.MonkeyPatch, name: str) -> AppTest:
    at = _press(_part(services, monkeypatch), "campaign-add")
    return at.text_input(key="campaign-name").input(name).run()


def _unfold(at: AppTest, key: str, *, opened: bool = True) -> AppTest:
    """What a click on the head of a folded part does."""
    at.session_state[key] = opened
    at = at.run()
    assert not at.exception
    return at


def _settings_of(at: AppTest, group: str) -> AppTest:
    (groups,) = (control for control in at.segmented_control if control.label == "Settings of")
    return groups.set_value(group).run()


def _toggle(at: AppTest, label: str) -> Any:
    return next(toggle for toggle in at.toggle if toggle.label == label)


def _send(at: AppTest, *files: tuple[str, bytes]) -> AppTest:
    uploads = [(name, data, "application/octet-stream") for name, data in files]
    at.file_uploader(key="campaign-files").set_value(uploads)
    return at.run()


def test_a_campaign_is_made_from_a_preset(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Settings and seed of the form, tasks of two files, assigned, noted, and opened after it."""
    at = _new(services, monkeypatch, "Made here")
    at = _unfold(at, "new-more-settings")
    setting = {widget.label: widget for widget in at.number_input}
    setting["Annotators per task"].set_value(2)
    setting["Tasks per batch"].set_value(1)
    setting["Pages per search"].set_value(7)
    setting["Number that the random order starts from"].set_value(99)
    at.run()
    at = _send(
        at,
        ("a.jsonl", _jsonl(_task("n1"), _task("n2"))),
        ("b.json", b"[" + _jsonl(_task("n3")) + b"]"),
    )
    at = _press(at, "campaign-create")
    assert "3 tasks from 2 files, in about 3 batches of up to 1, each for 2 people" in all_text(at)
    assert "Made here" not in [
        campaign_row.name for campaign_row in list_campaigns(services.workspace)
    ]
    at = _press(at, "import-go")
    assert not at.exception
    campaign = list_campaigns(services.workspace)[-1]
    assert (campaign.name, campaign.tasks, campaign.batches, campaign.overlap, campaign.seed) == (
        "Made here", 3, 3, 2, 99,
    )  # fmt: skip
    assert campaign.assignments == 6
    assert protocol_of_campaign(services.workspace, "Made here").search.top_k == 7
    assert guidelines_of(services.workspace, "Made here").text == guidelines("search")
    assert [(actor, action) for actor, action, _ in _acts(services)] == [
        ("sven", "campaign_created"),
        ("sven", "tasks_imported"),
    ]
    at = _press(at, "done")
    assert at.selectbox(key="campaign-which").value == "Made here"


def test_the_dialog_says_how_many_batches_there_will_be(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two small files become two batches, since each file begins one of its own."""
    at = _send(
        _new(services, monkeypatch, "Two files"),
        ("a.jsonl", _jsonl(_task("n1"), _task("n2"))),
        ("b.jsonl", _jsonl(_task("n3"))),
    )
    at = _press(at, "campaign-create")
    assert "3 tasks from 2 files, in about 2 batches of up to 25," in all_text(at)
    _press(at, "import-go")
    assert list_campaigns(services.workspace)[-1].batches == 2


def test_bad_rows_are_listed_and_skipped_on_request(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line and reason in a table before anything is stored; without leave nothing is."""
    at = _send(
        _new(services, monkeypatch, "Partly"),
        ("a.jsonl", _jsonl(_task("n1"), _task("n2", page=77), {"id": "<b>n3</b>"})),
    )
    at = _press(at, "campaign-create")
    table = _frame(at, "reason")
    assert table[["file", "line", "id"]].values.tolist() == [
        ["a.jsonl", 2, "n2"],
        ["a.jsonl", 3, "<b>n3</b>"],
    ]
    assert "page 77 of report.pdf does not exist" in table["reason"][0]
    assert at.button(key="import-go").disabled
    at.toggle(key="import-skip").set_value(True)
    at.toggle(key="import-assign").set_value(False).run()
    at = _press(at, "import-go")
    campaign = list_campaigns(services.workspace)[-1]
    assert (campaign.name, campaign.tasks, campaign.assignments) == ("Partly", 1, 0)
    assert list(_frame(at, "reason")["line"]) == [2, 3]


def test_the_dialog_says_how_many_gold_answers_are_prose(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before anything is stored, and again after it."""
    gold = [["The packaging segment shrank by 1.4% before acquisitions."]]
    rows = [_task("n1"), {**_task("n2"), "answer_variants": gold}]
    at = _send(_new(services, monkeypatch, "Prose"), ("a.jsonl", _jsonl(*rows)))
    for key in ("campaign-create", "import-go"):
        at = _press(at, key)
        assert "In prose: 1, such as that of n2" in all_text(at).replace("\\", "")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.jsonl", b"%PDF-1.4 x", "a.jsonl is a PDF, not JSONL"),
        ("a.jsonl", b"", "a.jsonl is empty"),
        ("x/../../a.csv", b"id\n1\n", "a.csv has no column question"),
        ("a.parquet", b"PAR1 but broken", "a.parquet is not readable Parquet"),
        ("n\x1b[31m.json", b"\xff\xfe", "UTF-16"),
    ],
)
def test_unusable_file_is_explained(
    services: Services, monkeypatch: pytest.MonkeyPatch, name: str, data: bytes, message: str
) -> None:
    """No trace, no path of the server, nothing stored."""
    at = _press(_send(_new(services, monkeypatch, "New"), (name, data)), "campaign-create")
    assert not at.exception
    error_text = at.error[0].value.replace("\\", "").replace("\u2060", "")
    assert message in error_text
    assert "/tmp" not in error_text and "pagetrail-" not in error_text
    assert len(list_campaigns(services.workspace)) == 2


def test_taken_or_empty_name_is_reported_at_once(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Archived campaigns keep their names; the button stays shut."""
    archive_campaign(services.workspace, None, "Otters given", unfinished=True)
    at = _send(_new(services, monkeypatch, "OTTERS GIVEN"), ("a.jsonl", _jsonl(_task("n"))))
    assert at.error[0].value == "A campaign Otters given already exists. Choose another name."
    assert at.button(key="campaign-create").disabled


def test_two_tabs_create_one_campaign(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second is told that it exists; its tasks do not become more batches."""
    tabs = []
    for id_ in ("n1", "n2"):
        at = _send(_new(services, monkeypatch, "Twice"), ("a.jsonl", _jsonl(_task(id_))))
        tabs.append(_press(at, "campaign-create"))
    _press(tabs[0], "import-go")
    second = _press(tabs[1], "import-go")
    assert not second.exception
    assert list_campaigns(services.workspace)[-1].tasks == 1
    assert [action for _, action, _ in _acts(services)] == ["campaign_created"]


def test_custom_protocol_is_checked_while_typing(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Line, key and way out of each problem; hostile text is a sentence; a good one is used."""
    at = _send(_new(services, monkeypatch, "Own"), ("a.jsonl", _jsonl(_task("n1"))))
    at.toggle(key="new-as-toml").set_value(True).run()
    box = at.text_area(key="new-toml")
    assert 'name = "search"' in box.value
    good = box.value
    for text, message in (
        (good + "\n[search]\ntop_k = 0\n", "not TOML"),
        ("name = 'x'\ntitle = 'y'\noverlapp = 2", "line 3, overlapp: there is no such key; did"),
        ("a=" + "[" * 5000, "line 1: is nested deeper than the 16 levels"),
        ('"a"' + ".a" * 49_990 + " = 1", "line 1: is nested deeper"),
        ("<script>alert(1)</script>", "not TOML"),
    ):
        at.text_area(key="new-toml").input(text).run()
        assert not at.exception
        assert message in all_text(at).replace("\\", "").replace("\u2060", ""), text[:40]
        assert at.button(key="campaign-create").disabled
    at.text_area(key="new-toml").input(good.replace('name = "search"', 'name = "mine"')).run()
    at = _press(_press(at, "campaign-create"), "import-go")
    assert list_campaigns(services.workspace)[-1].protocol == "mine"


def test_uploaded_toml_file_fills_the_box(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is edited afterwards stays, also while the box is out of sight."""
    at = _new(services, monkeypatch, "Own")
    at.toggle(key="new-as-toml").set_value(True).run()
    protocol_file = b"\xef\xbb\xbfname = 'mine'\r\ntitle = 'Mine'\r\n"
    at.file_uploader(key="new-toml-file").set_value(("p.toml", protocol_file, "application/toml"))
    at.run()
    assert at.text_area(key="new-toml").value == "name = 'mine'\ntitle = 'Mine'\n"
    at.text_area(key="new-toml").input("name = 'other'\ntitle = 'Mine'\n").run()
    at.toggle(key="new-as-toml").set_value(False).run()
    at.toggle(key="new-as-toml").set_value(True).run()
    assert at.text_area(key="new-toml").value == "name = 'other'\ntitle = 'Mine'\n"


def test_settings_that_contradict_each_other_are_named_by_their_labels(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A switch that needs another one: a sentence, and no button to go on with."""
    at = _new(services, monkeypatch, "New")
    at = _settings_of(_unfold(at, "new-more-settings"), "boxes")
    _toggle(at, "Start from a model’s boxes").set_value(True).run()
    assert "“Start from a model’s boxes”: boxes are off" in all_text(at)
    assert at.button(key="campaign-create").disabled


def test_pilot_is_created_with_mark_and_checked_gold(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form asks what a pilot needs; a row without gold is named; the dialog says what it is."""
    at = _new(services, monkeypatch, "Trial")
    at = at.segmented_control(key="new-kind").set_value("pilot").run()
    assert at.header[0].value == "New pilot"
    mark = next(
        number_input
        for number_input in at.number_input
        if number_input.label == "Tasks right to pass (%)"
    )
    at = mark.set_value(80.0).run()
    at = _toggle(at, "Show the gold after each task").set_value(False).run()
    bare = {"id": "n2", "question": "n2?"}
    at = _press(_send(at, ("a.jsonl", _jsonl(_task("n1"), bare))), "campaign-create")
    message = all_text(at)
    assert "The pilot “Trial” is created" in message and "taken by every annotator" in message
    assert "Annotators pass if they get 80 % of the tasks right" in message.replace("\\", "")
    assert "tasks of a pilot are compared with their gold" in _frame(at, "reason")["reason"][0]
    at.toggle(key="import-skip").set_value(True).run()
    at = _press(at, "import-go")
    assert not at.exception
    pilot = protocol_of_campaign(services.workspace, "Trial").pilot
    assert (pilot.enabled, pilot.pass_mark, pilot.feedback) == (True, 0.8, False)


def test_folded_settings_are_kept_and_differences_are_listed(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setting outlives its widget; an empty form begins without it."""
    at = _settings_of(_unfold(_new(services, monkeypatch, "New"), "new-more-settings"), "review")
    keep = "Annotators who must mark a page to keep it"
    at = (
        next(number_input for number_input in at.number_input if number_input.label == keep)
        .set_value(3)
        .run()
    )
    at = _unfold(at, "new-more-settings", opened=False)
    assert keep not in [number_input.label for number_input in at.number_input]
    assert f"{keep}: 3 (not 2)" in all_text(at).replace("\\", "").replace("\u2060", "")
    at = _press(_press(at, "campaign-back"), "campaign-add")
    assert keep not in all_text(at)


def test_tasks_are_added_to_a_campaign(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """As new batches; what already exists is a bad row."""
    at = _choose(_part(services, monkeypatch), "Otters", "Add tasks")
    file = ("m.jsonl", _jsonl(_task("q1"), _task("n1")), "application/json")
    at.file_uploader(key="more-Otters").set_value([file])
    at = _press(at.run(), "more-check")
    assert list(_frame(at, "reason")["id"]) == ["q1"]
    at.toggle(key="import-skip").set_value(True).run()
    at = _press(at, "import-go")
    assert not at.exception
    assert list_campaigns(services.workspace)[0].tasks == 3
    assert _acts(services)[-1][1] == "tasks_imported"


def _write(at: AppTest, text: str) -> AppTest:
    return at.text_area(key="guidelines-text-Otters").input(text).run()


def test_guidelines_are_previewed_saved_and_versioned(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTML stays text in the preview; a second press saves nothing; the old text can be had."""
    at = _choose(_part(services, monkeypatch), "Otters", "Guidelines")
    at = _write(at, "# New <script>alert(1)</script>\n\n$x$ :red[y]")
    preview = next(m.value for m in at.markdown if m.value.startswith("# New"))
    assert "\\<script\\>" in preview and "\\$x\\$" in preview
    assert guidelines_of(services.workspace, "Otters").text == guidelines("search")
    at = _press(at, "guidelines-save")
    assert not at.exception
    assert "Saved at" in all_text(at)
    assert guidelines_of(services.workspace, "Otters").text.startswith("# New <script>")
    assert at.button(key="guidelines-save").disabled
    saved_versions = guideline_versions(services.workspace, "Otters")
    assert [version.by for version in saved_versions] == ["sven", "original"]
    assert [action for _, action, _ in _acts(services)] == ["guidelines_saved"]
    at.selectbox(key="version-Otters").select_index(1).run()
    at = _press(at, "version-restore")
    assert at.text_area(key="guidelines-text-Otters").value == guidelines("search")
    _press(at, "guidelines-save")
    assert guidelines_of(services.workspace, "Otters").text == guidelines("search")
    assert "restored from" in _acts(services)[-1][2]


def test_concurrent_save_is_not_overwritten(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both texts are shown, mine stays in the box, and saving it is a second, knowing step."""
    at = _write(_choose(_part(services, monkeypatch), "Otters", "Guidelines"), "# Mine")
    save_guidelines(services.workspace, None, "Otters", "# Theirs", based_on=None)
    at = _press(at, "guidelines-save")
    assert "saved by the command line" in all_text(at)
    assert "+# Theirs" in at.code[0].value and "+# Mine" in at.code[1].value
    assert guidelines_of(services.workspace, "Otters").text == "# Theirs"
    assert at.text_area(key="guidelines-text-Otters").value == "# Mine"
    at = _press(at, "guidelines-mine")
    assert guidelines_of(services.workspace, "Otters").text == "# Theirs"
    _press(at, "guidelines-save")
    assert guidelines_of(services.workspace, "Otters").text == "# Mine"


def test_own_draft_can_be_replaced_by_the_saved_text(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The box has their text, and there is nothing to save."""
    at = _write(_choose(_part(services, monkeypatch), "Otters", "Guidelines"), "# Mine")
    save_guidelines(services.workspace, None, "Otters", "# Theirs", based_on=None)
    at = _press(_press(at, "guidelines-save"), "guidelines-theirs")
    assert at.text_area(key="guidelines-text-Otters").value == "# Theirs"
    assert at.button(key="guidelines-save").disabled


def test_draft_survives_leaving_the_screen(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another view and back: what was written is still there, and still not saved."""
    at = _write(_choose(_part(services, monkeypatch), "Otters", "Guidelines"), "# Draft")
    at.segmented_control(key="campaign-view").set_value("Overview").run()
    at.segmented_control(key="campaign-view").set_value("Guidelines").run()
    assert at.text_area(key="guidelines-text-Otters").value == "# Draft"
    assert guidelines_of(services.workspace, "Otters").text == guidelines("search")


def test_unchanged_editor_follows_others_saves(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of one's own to lose: the box shows what is current."""
    at = _choose(_part(services, monkeypatch), "Otters", "Guidelines")
    save_guidelines(services.workspace, None, "Otters", "# Theirs", based_on=None)
    at.run()
    assert at.text_area(key="guidelines-text-Otters").value == "# Theirs"


def test_guidelines_of_an_archived_campaign_are_read_only(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The text, no box."""
    archive_campaign(services.workspace, None, "Otters", unfinished=True)
    at = _part(services, monkeypatch)
    at.toggle(key="campaign-archived").set_value(True).run()
    at = _choose(at, "Otters", "Guidelines")
    assert "can only be read" in all_text(at)
    assert not at.text_area


def test_the_review_rule_is_changed_on_screen_by_one_of_two_supervisors(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what was changed is saved, with a note; what another window changed is not undone."""
    at = _choose(_part(services, monkeypatch), "Otters", "Review rule")
    assert not at.exception
    assert at.button(key="rule-save").disabled
    accept = next(box for box in at.selectbox if box.label == "Accept automatically")
    at = accept.select("majority").run()
    change_settings(services.workspace, None, "Otters", {"review.people": 3})
    at = _press(at, "rule-save")
    protocol = protocol_of_campaign(services.workspace, "Otters")
    assert (protocol.review.accept, protocol.review.people) == ("majority", 3)
    assert _acts(services)[-1] == (
        "sven", "review_settings_changed", "Otters: review.accept agreed → majority"
    )  # fmt: skip
    overlap = next(box for box in at.number_input if box.label == "Annotators per task")
    at = overlap.set_value(4).run()
    change_settings(services.workspace, None, "Otters", {"overlap": 3})
    at = _press(at, "rule-save")
    assert "Somebody else has changed overlap" in all_text(at)
    assert protocol_of_campaign(services.workspace, "Otters").overlap == 3


def test_families_of_systems_are_set_on_screen(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = _choose(_part(services, monkeypatch), "Otters", "Review rule")
    families = next(area for area in at.text_area if area.label.startswith("Families"))
    at = families.set_value("GPT: gpt-*, o3\n\nClaude: claude-*").run()
    at = _press(at, "rule-save")
    assert not at.exception
    review = protocol_of_campaign(services.workspace, "Otters").review
    assert review.families == {"GPT": ("gpt-*", "o3"), "Claude": ("claude-*",)}
    assert review.control_share == 0.05


def test_hidden_checks_are_set_on_screen_after_a_preview(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only closed campaigns with gold are offered; what it does is said before it is saved."""
    at = _choose(_part(services, monkeypatch), "Otters", "Hidden checks")
    assert not at.exception
    assert at.button(key="checks-save").disabled
    source = next(box for box in at.selectbox if box.label == "Hidden gold from")
    assert not source.options, "every other campaign is open"
    at = at.text_input(key="gold-copy-to-Otters given").set_value("Known otters").run()
    at = _press(at, "gold-copy")
    assert not at.exception
    assert _acts(services)[-1][1] == "gold_copied"
    rate = next(box for box in at.number_input if box.label == "Hidden gold per task")
    at = rate.set_value(0.5).run()
    assert "Choose where hidden gold comes from" in all_text(at)
    assert at.button(key="checks-save").disabled
    source = next(box for box in at.selectbox if box.label == "Hidden gold from")
    assert [name.rpartition(" (")[0] for name in source.options] == ["Known otters"]
    at = source.select("Known otters").run()
    assert "still to be assigned" in " ".join(element.value for element in at.markdown)
    at = _press(at, "checks-save")
    quality = protocol_of_campaign(services.workspace, "Otters").quality
    assert (quality.gold_from, quality.gold_rate) == ("Known otters", 0.5)
    assert _acts(services)[-1][1] == "review_settings_changed"


def test_a_task_is_edited_and_withdrawn_until_somebody_opens_it(
    services: Services, server_client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list, a saved question, the reason once it is opened, and a withdrawal after a dialog."""
    at = _choose(_part(services, monkeypatch), "Otters", "Tasks")
    task_table = _frame(at, "Question")
    assert list(task_table["Opened"]) == [0, 0]
    first, second = task_table["Task"]
    at.session_state["tasks-which"] = ("Otters", first)
    at = at.run()
    at = at.text_area[0].set_value("What do otters eat?").run()
    at = _press(at, "task-save")
    assert at.success[0].value == f"Task {first} is saved: question."
    assert "What do otters eat?" in list(_frame(at, "Question")["Question"])
    at = _press(at, "task-withdraw")
    assert "Nobody has opened it" in all_text(at)
    at = _press(at, "task-withdraw-do")
    assert list(_frame(at, "Question")["Task"]) == [second]
    attempt, token = at_work(server_client, services)
    assert (
        send(server_client, attempt, token, ("e1", "note_edited", {"text": "x"})).status_code == 200
    )
    at.session_state["tasks-which"] = ("Otters", second)
    at = at.run()
    assert "can be neither edited nor withdrawn: alma" in all_text(at)
    assert at.button(key="task-save").disabled and at.button(key="task-withdraw").disabled
    assert [action for _, action, _ in _acts(services)] == ["task_edited", "task_withdrawn"]
