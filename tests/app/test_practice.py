"""Practice tasks: every preset's can be done, says why, and leaves no trace in the workspace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import func, select, update
from starlette.testclient import TestClient

from pagetrail.annotation.protocols.protocol import Protocol, preset, preset_names, with_overrides
from pagetrail.annotation.tables.parsing import parse_tables
from pagetrail.app.practice import upkeep
from pagetrail.app.practice.campaigns import with_settings_of
from pagetrail.app.practice.start import practice_offers, start_practice
from pagetrail.app.practice.tasks import campaign_name, practice_tasks
from pagetrail.app.services.composition import Services
from pagetrail.app.services.practice import practice_folder, practising_person
from pagetrail.app.workspace.annotator_actions import record_events
from pagetrail.app.workspace.payload import attempt_payload
from pagetrail.app.workspace.pilot_feedback import give_feedback
from pagetrail.app.workspace.question_checks import check_question
from pagetrail.storage.attempts.queries import attempt as attempt_row
from pagetrail.storage.batches.my_batches import claimable_campaigns
from pagetrail.storage.campaigns.lookup import find_campaign
from pagetrail.storage.database.base import Base
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.people.accounts import find_person
from tests.app.signed_in import sign_in
from tests.support.looks import as_on_screen

Step = tuple[str, dict[str, Any]]


def test_every_preset_can_be_practised_without_counting(services: Services) -> None:
    """Work as the gold has it is right in all parts; each part says why; nothing else changes."""
    alma = find_person(services.workspace, "alma")
    before = row_counts(services)
    assert sorted(practice_tasks()) == preset_names()
    for name in practice_tasks():
        attempt = start_practice(services, alma, name)
        practice, person = services.practice.open(), practising_person(alma)
        assert attempt_payload(practice, person, attempt_row(practice.workspace.engine, attempt))[
            "practice"
        ]
        row = attempt_row(practice.workspace.engine, attempt)
        for number, (type_, payload) in enumerate(_steps(row.protocol, row.record)):
            if type_ == "submitted" and row.protocol.question.checks:
                check_question(practice, person, attempt, {})
            event = {"id": f"e{number}", "type": type_, "payload": as_on_screen(type_, payload)}
            body = {"session": "s", "events": [event]}
            refusals = record_events(practice, person, attempt, body)["refusals"]
            assert refusals == [], (name, type_, payload)
        reply = give_feedback(practice, person, attempt)
        parts = {part["part"]: part["right"] for part in reply["feedback"]["parts"]}
        assert parts and all(parts.values()), (name, parts)
        assert set(reply["reasons"]) == set(parts), name
        assert reply["progress"] is None
        assert start_practice(services, alma, name) != attempt, "it can be practised again"
    assert row_counts(services) == before
    assert services.corpus.document(practice_tasks()["search"]["evidence"][0]["document"]) is None


def test_new_kinds_of_practice_are_offered_first(services: Services) -> None:
    """New until it is submitted, or a task of such a campaign is; none where it is switched off."""
    alma = find_person(services.workspace, "alma")
    campaigns = ["Otters", "Otters given"]

    def offers(*worked_in: str) -> dict[str, bool]:
        practices = practice_offers(services, alma, campaigns, worked_in)
        return {offer.preset: offer.new for offer in practices}

    assert offers() == {"search": True, "oracle": True}
    assert offers("Otters") == {"search": False, "oracle": True}
    attempt = start_practice(services, alma, "oracle")
    body = {"session": "s", "events": [{"id": "1", "type": "submitted", "payload": {}}]}
    body["events"][0]["payload"] = {"outcome": "not_found"}  # type: ignore[index]
    record_events(services.practice.open(), practising_person(alma), attempt, body)
    assert offers() == {"search": True, "oracle": False}
    assert "Practice: Search and answer" not in claimable_campaigns(
        services.workspace.engine, alma.id
    )


def test_practice_is_as_in_the_campaign(services: Services) -> None:
    """Its settings and guidelines; the preset's where the practice task does not fit them."""
    alma, workspace = find_person(services.workspace, "alma"), services.workspace
    with write_transaction(workspace.engine) as connection:
        row = find_campaign(connection, "Otters")
        assert row is not None
        campaign_protocol = with_overrides(
            Protocol.model_validate(row.protocol),
            {"search.top_k": 3, "study.in_turn": True, "study.guidelines_first": True},
        )
        connection.execute(
            update(Campaign).where(Campaign.id == row.id)
            .values(protocol=campaign_protocol.model_dump(mode="json"),
                    guidelines="Cite every page.")
        )  # fmt: skip

    def practised(campaign: str) -> tuple[str, Protocol, str]:
        attempt = start_practice(services, alma, "search", campaign)
        practice = services.practice.open().workspace
        row = attempt_row(practice.engine, attempt)
        with practice.engine.connect() as connection:
            campaign_row = find_campaign(connection, row.campaign)
        assert campaign_row is not None
        return attempt, row.protocol, campaign_row.guidelines

    first, protocol, guidelines = practised("Otters")
    assert protocol.search.top_k == 3 and not protocol.study.in_turn
    assert guidelines.endswith("Cite every page.") and guidelines.startswith("## This is practice")
    assert practised("Otters") == (first, protocol, guidelines), "the open one goes on"
    odd = with_overrides(preset("verify"), {"boxes.labels": [{"name": "mine"}]})
    practice = services.practice.open().workspace
    assert with_settings_of(practice, odd, "") == campaign_name("verify")


def test_practice_is_made_ahead_and_its_processes_end_when_idle(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a quiet machine, where a campaign offers practice; waiting for news is no use."""
    assert not practice_folder(services.workspace.root).exists()
    monkeypatch.setattr(upkeep, "machine_is_idle", lambda _used: True)
    upkeep.PracticeUpkeep(services).check()
    first = services.practice.open()
    services.practice.close_idle(upkeep.IDLE_S)
    assert services.practice.open(used=False) is first
    services.practice.close_idle(0)
    assert services.practice.open(used=False) is not first


def test_practice_has_routes_of_its_own(services: Services, client: TestClient) -> None:
    """An attempt at a practice task is found below them only, by its own person only."""
    attempt = start_practice(services, find_person(services.workspace, "alma"), "judge")
    sign_in(client, "alma")
    assert client.get(f"/pagetrail/attempts/{attempt}").status_code == 404
    data = client.get(f"/pagetrail/practice/attempts/{attempt}").json()
    sha, page = next(iter(data["documents"].values()))["sha256"], data["given_pages"][0]["page"]
    picture = f"page/{sha}/{page}?dpi=40&v={data['token']}"
    assert client.get(f"/pagetrail/practice/{picture}").status_code == 200
    assert client.get(f"/pagetrail/{picture}").status_code == 403
    sign_in(client, "bruno")
    assert client.get(f"/pagetrail/practice/attempts/{attempt}").status_code == 403


def row_counts(services: Services) -> dict[str, int]:
    """Table → number of its rows."""
    with services.workspace.engine.connect() as connection:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in Base.metadata.sorted_tables
        }


def _steps(protocol: Protocol, record: dict[str, Any]) -> Iterator[Step]:
    """What somebody does who does everything as the gold has it."""
    gold = record.get("gold", {})
    yield "opened", {"session": "s"}
    if protocol.question.kind == "editable":
        yield "question_edited", {"text": "What does the aluminium box of a Pelican cost?"}
    for spec in protocol.scoped("task"):
        if spec.kind != "records" and spec.name in gold.get("fields", {}):
            yield "field_set", {"field": spec.name, "value": gold["fields"][spec.name]}
        if spec.kind == "records":
            yield from _rows(spec.name, record[str(spec.seed)], gold["fields"][spec.name])
    for page in gold.get("pages", ()):
        page_ref = {"document": page["document"], "page": page["page"]}
        yield "page_viewed", {"via": "given", **page_ref}
        for field, value in page["fields"].items():
            yield "field_set", {"field": field, "value": value, **page_ref}
    yield from _boxes(record.get("elements") or [], gold.get("boxes", ()))
    if protocol.transcript.enabled:
        yield from _transcript(record, gold["transcript"])
    if protocol.tables.enabled:
        yield from _tables(record, gold["tables"])
    if protocol.answer.kind != "off":
        for page_ref in record["evidence"] if protocol.evidence.enabled else ():
            yield "page_viewed", {"via": "result", **page_ref}
            yield "citation_added", page_ref
        yield "answer_edited", {"text": "\n".join(record["answer_variants"][0])}
    yield "submitted", {"outcome": "completed" if protocol.answer.kind == "off" else "answered"}


def _rows(
    field: str, seed_rows: list[dict[str, Any]], gold: list[dict[str, Any]]
) -> Iterator[Step]:
    for number, row in enumerate(seed_rows, start=1):
        name = {"field": field, "row": f"r{number}"}
        key_field = next(k for k in ("labels", "new", "what") if k in row)
        right = next((gold_row for gold_row in gold if gold_row[key_field] == row[key_field]), None)
        if right is None:
            yield "row_deleted", name
        else:
            changed = {k: v for k, v in right.items() if row.get(k) != v}
            yield "row_set", {"values": changed, **name}


def _transcript(record: dict[str, Any], gold: str) -> Iterator[Step]:
    """Accepts the patches whose text the gold has, and corrects what they leave."""
    (page,), text = record["candidates"], record["transcript"]
    for patch in record["patches"]:
        is_right = patch["inserted"] in gold and patch["removed"] not in gold
        decision = "accepted" if is_right else "rejected"
        yield "patch_decided", {"patch": patch["id"], "decision": decision, **page}
        if is_right:
            text = text.replace(patch["removed"], patch["inserted"])
    edit = {"at": 0, "removed": text, "inserted": gold}
    yield "text_edited", {"edits": [edit], "source": "paste", **page}


def _tables(record: dict[str, Any], gold: list[dict[str, Any]]) -> Iterator[Step]:
    """Inserts the rows that are missing, and corrects the cells that differ."""
    (page,) = record["candidates"]
    for table, gold_table in zip(record["tables"], gold, strict=True):
        rows = parse_tables(table["html"])[0].grid.texts()
        place = {"table": table["id"], **page}
        structure = 0
        for row, texts in enumerate(parse_tables(gold_table["html"])[0].grid.texts()):
            if rows[row][0] != texts[0]:
                change: dict[str, Any] = {"kind": "insert", "axis": "row", "at": row}
                yield "table_edited", {"change": change, "structure": structure, **place}
                rows.insert(row, [""] * len(texts))
                structure += 1
            for column, text in enumerate(texts):
                if rows[row][column] != text:
                    cell = {"row": row, "column": column, "was": rows[row][column], "text": text}
                    change = {"kind": "text", **cell}
                    yield "table_edited", {"change": change, "structure": structure, **place}


def _boxes(elements: list[dict[str, Any]], gold: list[dict[str, Any]]) -> Iterator[Step]:
    rects = {tuple(box["rect"]): box["label"] for box in gold}
    for number, element in enumerate(elements, start=1):
        box, label = f"e{number}", rects.pop(tuple(element["rect"]), None)
        if label is None:
            yield "box_deleted", {"box": box}
        elif label != element["label"]:
            yield "box_labelled", {"box": box, "label": label}
        else:
            yield "box_accepted", {"box": box}
    for number, box_to_draw in enumerate(box for box in gold if tuple(box["rect"]) in rects):
        yield "box_drawn", {"box": f"new{number}", **box_to_draw}
        if elements:
            yield "box_content_edited", {"box": f"new{number}", "content": "Signed"}
