"""Reviewers see of a task what its annotators saw, in every preset."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from pagetrail.annotation import events as ev
from pagetrail.annotation.messages import use_translations
from pagetrail.annotation.protocols.protocol import preset, preset_names
from pagetrail.app.reviewing.task_data import review_data
from pagetrail.app.services import languages
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.payload import attempt_payload
from pagetrail.storage.attempts import queries
from pagetrail.storage.corpus.documents import REVISION_KEY
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Meta
from pagetrail.storage.people.accounts import Person
from tests.support.review_campaign import campaign

OF_THE_TASK = {"task", "protocol", "guidelines", "material", "given_pages", "documents"}
OF_THE_ATTEMPT = {
    "active_ms", "archived", "attempt", "batch", "brief", "campaign", "corpus", "excluded",
    "decisions_mark", "epoch", "event_types", "key_conditions", "label_keys", "link", "locked",
    "practice", "question_counts", "results", "review", "state", "token", "user", "withdrawn",
}  # fmt: skip
SYSTEM = "planted: the system that predicted it"
RECORD: dict[str, Any] = {
    "id": "t/1",
    "question": "How many otters?",
    "domain": "Wildlife",
    "document_category": "Report",
    "answer_variants": [["42"], ["forty-two"]],
    "evidence": [{"document": "b.pdf", "page": 2}],
    "candidates": [{"document": "b.pdf", "page": page} for page in (1, 3)],
    "prediction": {"answer": "41 otters", "system": SYSTEM},
    "response": "There are 42 otters.",
    "summary": "About otters.",
    "query_type": "numerical",
    "elements": [
        {"id": "m", "document": "b.pdf", "page": 1, "rect": [0, 0, 9, 9], "label": "Text"}
    ],
    "data_points": [{"labels": "2020", "value": "4"}],
    "patches": [{"old": "a", "new": "b"}],
}
MATERIAL_SOURCES = {
    "author": ["summary", "request"],
    "author_blind": ["summary", "request"],
    "variants": ["request"],
    "judge": ["gold_answers", "prediction"],
    "trajectory": ["gold_answers", "prediction"],
    "qa_review": ["response"],
}


@pytest.mark.parametrize("name", preset_names())
def test_reviewers_see_what_annotators_see(name: str, tmp_path: Path) -> None:
    """Question, material and given pages with their documents; who predicted it is told nobody."""
    protocol = preset(name)
    reviewed = campaign(tmp_path / "ws", protocol, [RECORD])
    with write_transaction(reviewed.workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
    services = Services(reviewed.workspace)
    first = dict.fromkeys([*protocol.pages_after, *(f for m in protocol.material for f in m.after)])
    set_first = []
    for field in first:
        spec = protocol.field(field)
        assert spec is not None
        set_first.append(ev.FieldSet(field=field, value=spec.options[0].value))
    reviewed.do("1-Ada", ev.Opened(session="tab"), *set_first)
    row = queries.attempt(reviewed.workspace.engine, "1-Ada")
    annotator_view = attempt_payload(services, Person(1, "Ada", "annotator", "p1", True), row)
    assert annotator_view["locked"] == []
    assert set(annotator_view) == OF_THE_TASK | OF_THE_ATTEMPT, "say what of it is the task's"

    reviewer_view = review_data(services, Person(3, "Sofia", "supervisor", "p3", True), 1)
    assert {key: reviewer_view["task"][key] for key in annotator_view["task"]} == annotator_view[
        "task"
    ]
    assert (reviewer_view["protocol"], reviewer_view["guidelines"]) == (
        annotator_view["protocol"],
        annotator_view["guidelines"],
    )
    assert reviewer_view["material"] == annotator_view["material"]
    assert [part["source"] for part in reviewer_view["material"]] == MATERIAL_SOURCES.get(name, [])
    assert all(part["lines"] for part in reviewer_view["material"])
    assert reviewer_view["given_pages"] == (annotator_view["given_pages"] or [])
    for given_page in reviewer_view["given_pages"]:
        assert reviewer_view["documents"][given_page["document"]]["n_pages"] == 3
    assert annotator_view["documents"].items() <= reviewer_view["documents"].items()
    assert SYSTEM not in json.dumps([annotator_view, reviewer_view])


def test_labels_of_boxes_are_in_the_reader_s_language(tmp_path: Path) -> None:
    """The stored label stays as it is."""
    reviewed = campaign(tmp_path / "ws", preset("verify"), [RECORD])
    with write_transaction(reviewed.workspace.engine) as connection:
        connection.execute(insert(Meta).values(key=REVISION_KEY, value="1"))
    box = ev.BoxDrawn(document="b.pdf", page=1, box="b1", rect=(0, 0, 9, 9), label="Table")
    reviewed.do("1-Ada", ev.Opened(session="tab"), box, ev.Skipped(reason="unclear"))
    services = Services(reviewed.workspace)
    sofia = Person(3, "Sofia", "supervisor", "p3", True)
    with use_translations(languages.translations("de")):
        (participant, *_) = review_data(services, sofia, 1)["participants"]
    titles = {box["label"]: box["title"] for box in participant["boxes"]}
    assert titles["Table"] == "Tabelle"
