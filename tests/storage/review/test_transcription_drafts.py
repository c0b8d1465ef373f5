"""Models' drafts of texts and tables: imported, merged with people's, hidden, and counted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation import events as ev
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.events.review import TextDecision
from pagetrail.annotation.protocols.protocol import preset, with_overrides
from pagetrail.annotation.review import Pick
from pagetrail.annotation.review.drafts import merged_versions
from pagetrail.annotation.review.table_merging import table_pairs
from pagetrail.annotation.review.text_merging import passages
from pagetrail.app.reviewing.table_comparison import compared_tables, running_table_pair
from pagetrail.app.reviewing.text_comparison import TextPair, running_text_pair, text_pairs
from pagetrail.storage.importers.drafts.importer import DraftReport, import_drafts
from tests.storage.task_data import write_jsonl
from tests.support.review_campaign import Reviewed, campaign

PAGE = {"document": "b.pdf", "page": 1}
DRAFT = "draft:1"
TEXT = "The 0tter swims in the Saale."
COUNTS = "<table><tr><th>River</th><th>2003</th></tr><tr><td>Saale</td><td>1O</td></tr></table>"
NOTES = "<table><tr><th>Note</th></tr><tr><td>estimated</td></tr></table>"
NOTES_TABLE = {"id": "notes", "html": NOTES}
READ_COUNTS = [{"River": "Saale", "2003": 10}]
ANSWERS = (
    ev.FieldSet(field="complete", value="yes"),
    ev.FieldSet(field="records", value="yes"),
)


def transcribed(folder: Path, **settings: Any) -> Reviewed:
    """A page whose text Ada and Bo corrected differently."""
    record = {"id": "t1", "question": "Transcribe.", "candidates": [PAGE], "transcript": TEXT}
    protocol = with_overrides(preset("transcribe"), {"overlap": 2, **settings})
    reviewed = campaign(folder / "ws", protocol, [record])
    for person, (removed, inserted) in {"Ada": ("0tter", "otter"), "Bo": ("Saale", "Elbe")}.items():
        edit = ev.TextEdit(at=TEXT.index(removed), removed=removed, inserted=inserted)
        reviewed.do(
            f"1-{person}",
            ev.Opened(session="s1"),
            ev.TextEdited(**PAGE, edits=(edit,), source="typing"),
            ev.Submitted(outcome="completed"),
        )
    return reviewed


def tabulated(folder: Path, **settings: Any) -> Reviewed:
    """Two tables of a page; Ada corrected a cell, Bo nothing."""
    tables = [{"id": "counts", "html": COUNTS}, {"id": "notes", "html": NOTES}]
    record = {"id": "t1", "question": "Verify.", "candidates": [PAGE], "tables": tables}
    protocol = with_overrides(preset("verify_table"), {"overlap": 2, **settings})
    reviewed = campaign(folder / "ws", protocol, [record])
    change = {"kind": "text", "row": 1, "column": 1, "was": "1O", "text": "1 0"}
    edit = ev.TableEdited.model_validate(
        {**PAGE, "table": "counts", "structure": 0, "change": change}
    )
    for person, edits in {"Ada": (edit,), "Bo": ()}.items():
        reviewed.do(
            f"1-{person}",
            ev.Opened(session="s1"),
            *edits,
            *ANSWERS,
            ev.Submitted(outcome="completed"),
        )
    return reviewed


def drafted(reviewed: Reviewed, *rows: dict[str, Any]) -> DraftReport:
    """What importing these drafts of the first task by the model ``reader`` reports."""
    file = write_jsonl(
        reviewed.workspace.root / "drafts.jsonl", [{"task": "t1", **row} for row in rows]
    )
    return import_drafts(reviewed.workspace, file, campaign="Random", model="reader")


def decide(reviewed: Reviewed, picks: dict[str, Pick] | None, id_: str = "d1") -> ev.Adjudicated:
    """Sofia decides what she sees; the decision as it is stored."""
    reviewed.reviews.decide(1, "Sofia", picks, "", reviewed.current_version(1), id_)
    gold = reviewed.reviews.streams.gold(1)
    payloads = [event.payload for event in reviewed.log.events(gold.attempt_id)]
    return [payload for payload in payloads if isinstance(payload, ev.Adjudicated)][-1]


def decided(pair: TextPair, *ways: str) -> tuple[TextDecision, ...]:
    """The differences of a pair, decided in their order."""
    differing = [passage for passage in pair["passages"] if "right" in passage]
    return tuple(
        TextDecision.model_validate({"number": number, **passage, "decision": way})
        for number, (passage, way) in enumerate(
            zip(differing, ways, strict=True), start=pair.get("first_number", 0)
        )
    )


def gold_state(reviewed: Reviewed) -> Any:
    """The gold as it is stored."""
    return reviewed.log.state(reviewed.reviews.streams.gold(1).attempt_id)


def test_a_text_is_taken_as_a_whole(tmp_path: Path) -> None:
    reviewed = transcribed(tmp_path)
    text = "The otter swims in the Elbe."
    report = drafted(reviewed, {"transcript": text, "reasons": "The map says Elbe."})
    assert (report.imported, report.left_out) == (1, [])
    decision = decide(reviewed, {"transcript": Pick("side", DRAFT)})
    (item,) = decision.drafts[0].items
    assert (item.kind, item.part, item.use, item.taken) == ("text", "transcript", "unchanged", True)
    assert gold_state(reviewed).transcript.text == text


def test_a_text_is_merged_with_a_person_s(tmp_path: Path) -> None:
    """Ada's river and the draft's verb: taken from the draft, and edited."""
    reviewed = transcribed(tmp_path)
    drafted(reviewed, {"transcript": "The otter swam in the Elbe."})
    task_work = reviewed.reviews.streams.task_work(1)
    drafts = reviewed.reviews.streams.drafts(task_work)
    pairs = text_pairs(task_work.submissions(), drafts.comparable())
    assert [(pair["left"], pair["right"]) for pair in pairs] == [
        ("1-Ada", "1-Bo"),
        ("1-Ada", DRAFT),
        ("1-Bo", DRAFT),
    ]
    ada, *_ = task_work.submissions()
    differing = [
        passage
        for passage in passages(ada.transcript or "", "The otter swam in the Elbe.")
        if passage.differs
    ]
    decisions = tuple(
        TextDecision(number=number, left=left, right=right, decision=decision)
        for number, ((left, right), decision) in enumerate(
            zip(differing, ("right", "left"), strict=True)
        )
    )
    pick = Pick("pick", sides=("1-Ada", DRAFT), text_decisions=decisions)
    decision = decide(reviewed, {"transcript": pick})
    assert gold_state(reviewed).transcript.text == "The otter swam in the Saale."
    assert [(item.use, item.taken) for item in decision.drafts[0].items] == [("edited", True)]


def test_two_people_s_texts_and_a_draft_are_merged_one_after_the_other(tmp_path: Path) -> None:
    """Ada's verb and Bo's river against the draft's: only what differs from the merge is asked."""
    reviewed = transcribed(tmp_path)
    drafted(reviewed, {"transcript": "The otter swims in the Elbe today."})
    task_work = reviewed.reviews.streams.task_work(1)
    versions = task_work.submissions(), reviewed.reviews.streams.drafts(task_work).takeable()
    sides = ("1-Ada", "1-Bo", DRAFT)
    (pair, *_) = text_pairs(*versions)
    first = decided(pair, "left", "right")
    pick = Pick("pick", sides=sides, text_decisions=first)
    running = running_text_pair(*versions, pick)
    assert running is not None
    assert (running["merged_from"], running["right"]) == (["1-Ada", "1-Bo"], DRAFT)
    assert running["first_number"] == len(first) == 2
    (added,) = (passage for passage in running["passages"] if "right" in passage)
    assert (added["left"].strip(), added["right"].strip()) == ("", "today")
    pick = Pick("pick", sides=sides, text_decisions=(*first, *decided(running, "right")))
    decision = decide(reviewed, {"transcript": pick})
    assert gold_state(reviewed).transcript.text == "The otter swims in the Elbe today."
    assert [(item.use, item.taken) for item in decision.drafts[0].items] == [("unchanged", True)]


def test_of_merged_tables_and_a_draft_it_is_known_what_was_taken(tmp_path: Path) -> None:
    reviewed = tabulated(tmp_path)
    drafted(reviewed, {"tables": [{"id": "counts", "records": READ_COUNTS}, NOTES_TABLE]})
    task_work = reviewed.reviews.streams.task_work(1)
    people, drafts = task_work.submissions(), reviewed.reviews.streams.drafts(task_work).takeable()
    sides = ("1-Ada", "1-Bo", DRAFT)
    first = (TextDecision(number=0, left="1 0", right="1O", decision="left"),)
    pick = Pick("pick", sides=sides, text_decisions=first)
    running = running_table_pair(people, drafts, pick)
    assert running is not None
    assert [d["number"] for table in running["tables"] for d in table["differences"]] == [1]
    second = TextDecision(number=1, left="1 0", right="10", decision="right")
    pick = Pick("pick", sides=sides, text_decisions=(*first, second))
    decision = decide(reviewed, {"tables": pick})
    assert [(item.table, item.use, item.taken) for item in decision.drafts[0].items] == [
        ("counts", "unchanged", True),
        ("notes", "unchanged", False),
    ]


def test_what_a_person_wrote_alike_is_unchanged_but_not_taken(tmp_path: Path) -> None:
    reviewed = transcribed(tmp_path)
    drafted(reviewed, {"transcript": "The otter  swims\nin the Saale.\n"})
    decision = decide(reviewed, {"transcript": Pick("side", "1-Ada")})
    assert [(item.use, item.taken) for item in decision.drafts[0].items] == [("unchanged", False)]


def test_tables_are_read_as_html_markdown_and_records(tmp_path: Path) -> None:
    """Each is taken; a row without its last cell is noted."""
    reviewed = tabulated(tmp_path)
    notes = "<table><tr><th>Note</th><th>By</th></tr><tr><td>counted</td></tr></table>"
    tables = [{"id": "notes", "markdown": notes}, {"id": "counts", "records": READ_COUNTS}]
    report = drafted(reviewed, {"tables": tables})
    assert (report.imported, report.left_out) == (1, [])
    assert report.notes == [
        "Line 1: table notes: rows of different lengths: empty cells were added."
    ]
    decision = decide(reviewed, {"tables": Pick("side", DRAFT)})
    assert [(item.kind, item.table, item.use, item.taken) for item in decision.drafts[0].items] == [
        ("table", "counts", "unchanged", True),
        ("table", "notes", "unchanged", True),
    ]
    counts, gold_notes = gold_state(reviewed).tables.tables
    assert counts.grid.records() == [{"River": "Saale", "2003": "10"}]
    assert gold_notes.grid.texts() == [["Note", "By"], ["counted", ""]]


def test_of_tables_that_are_merged_only_those_with_the_draft_s_cells_are_taken(
    tmp_path: Path,
) -> None:
    reviewed = tabulated(tmp_path)
    html = NOTES.replace("estimated", "guessed")
    tables = [{"id": "counts", "records": READ_COUNTS}, {"id": "notes", "html": html}]
    drafted(reviewed, {"tables": tables})
    task_work = reviewed.reviews.streams.task_work(1)
    drafts = reviewed.reviews.streams.drafts(task_work)
    compared = compared_tables(task_work.submissions(), drafts.comparable())
    assert [(pair["left"], pair["right"]) for pair in compared][1:] == [
        ("1-Ada", DRAFT),
        ("1-Bo", DRAFT),
    ]
    versions = merged_versions(task_work.submissions(), drafts.comparable(), "tables")
    pairs = table_pairs(*versions[1])
    differences = [difference for pair in pairs for difference in pair.differences]
    assert [(d.left, d.right) for d in differences] == [("1 0", "10"), ("estimated", "guessed")]
    decisions = tuple(
        TextDecision(number=number, left=d.left, right=d.right, decision=decision)
        for number, (d, decision) in enumerate(zip(differences, ("right", "left"), strict=True))
    )
    pick = Pick("pick", sides=("1-Ada", DRAFT), text_decisions=decisions)
    decision = decide(reviewed, {"tables": pick})
    assert [(item.table, item.use, item.taken) for item in decision.drafts[0].items] == [
        ("counts", "unchanged", True),
        ("notes", "rejected", False),
    ]


def test_hidden_drafts_are_neither_compared_nor_taken_before_a_decision(tmp_path: Path) -> None:
    reviewed = transcribed(tmp_path, **{"review.hide_drafts": 1.0})
    drafted(reviewed, {"transcript": "The otter swims in the Elbe."})
    task_work = reviewed.reviews.streams.task_work(1)
    assert reviewed.reviews.streams.drafts(task_work).comparable() == []
    with pytest.raises(Refusal) as refusal:
        decide(reviewed, {"transcript": Pick("side", DRAFT)})
    assert refusal.value.code == "unknown_side"
    hidden = decide(reviewed, {"transcript": Pick("side", "1-Ada")})
    assert hidden.drafts[0].visibility == "hidden"
    reviewed.reviews.take_up(1, "Sofia", "With the draft.", "u1")
    revealed = decide(reviewed, {"transcript": Pick("side", DRAFT)}, "d2")
    assert revealed.drafts[0].visibility == "revealed"
    assert [item.use for item in revealed.drafts[0].items] == ["unchanged"]


def test_a_rejected_draft_is_not_compared(tmp_path: Path) -> None:
    reviewed = transcribed(tmp_path)
    drafted(reviewed, {"transcript": "The otter."})
    reviewed.reviews.reject_draft(1, "Sofia", DRAFT, "r1", reason="Too short.")
    task_work = reviewed.reviews.streams.task_work(1)
    assert reviewed.reviews.streams.drafts(task_work).comparable() == []
    decision = decide(reviewed, {"transcript": Pick("side", "1-Ada")})
    assert [(item.use, item.taken) for item in decision.drafts[0].items] == [("rejected", False)]


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"tables": [{"id": "counts", "html": COUNTS}]}, "has no table 'notes'"),
        (
            {"tables": [{"id": "counts", "html": COUNTS}, {"id": "sums", "html": NOTES}]},
            "no table 'sums'; tables: counts, notes",
        ),
        ({"tables": [{"id": "counts", "html": "no table"}]}, "tables[0]: holds no table"),
        ({"tables": [{"id": "counts", "records": [["Saale"]]}]}, "records: must be a list"),
        (
            {"tables": [{"id": "counts", "records": [{"River": {"name": "Saale"}}]}]},
            "values must be texts or numbers",
        ),
        ({"tables": [{"id": "counts", "records": []}]}, "holds a table without cells"),
        ({"transcript": "text"}, "transcript: this campaign asks for no text"),
    ],
)
def test_tables_that_are_left_out(tmp_path: Path, row: dict[str, Any], problem: str) -> None:
    report = drafted(tabulated(tmp_path), row)
    assert report.imported == 0
    (error,) = report.left_out
    assert error.line == 1
    assert problem in error.reason


def test_texts_that_are_left_out_or_cleaned(tmp_path: Path) -> None:
    reviewed = transcribed(tmp_path)
    for row, problem in (
        ({"transcript": ["text"]}, "transcript: must be text"),
        ({"transcript": "x" * (ev.MAX_TRANSCRIPT + 1)}, "characters"),
        ({"tables": []}, "tables: this campaign asks for no tables"),
        ({"reasons": "none"}, "proposes nothing"),
    ):
        (error,) = drafted(reviewed, row).left_out
        assert problem in error.reason
    report = drafted(reviewed, {"transcript": "The otter\x07\r\nswims."})
    assert report.notes == ["Line 1: transcript: control characters were removed."]
    task_work = reviewed.reviews.streams.task_work(1)
    (draft,) = reviewed.reviews.streams.drafts(task_work).comparable()
    assert draft.transcript == "The otter\nswims."
