"""Rows against what their protocol works on: pages, rows, responses, gold, and pilots."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pagetrail.annotation.errors import ConflictError
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.gold_kinds import GoldKinds
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

PAGES = [{"document": "report.pdf", "page": page} for page in range(1, 10)]


@pytest.fixture(autouse=True)
def _documents(workspace: Workspace) -> None:
    register_documents(workspace)


def imported(
    workspace: Workspace, folder: Path, protocol: str, *rows: dict[str, Any], **options: Any
) -> ImportReport:
    """Import rows into a campaign called like the protocol."""
    file = write_jsonl(folder / "tasks.jsonl", rows)
    return import_tasks(workspace, file, campaign=protocol, protocol=protocol, **options)


def paged_task(number: int = 1, **fields: Any) -> dict[str, Any]:
    """A row with candidate pages."""
    return task(number, candidates=PAGES[:3], **fields)


@pytest.mark.parametrize(
    ("protocol", "row", "reason"),
    [
        (
            "verify_transcript",
            paged_task(),
            "patches: “Patches” is about given rows, and the task has",
        ),
        ("verify_transcript", paged_task(patches="x"), "patches: must be a list of objects"),
        (
            "verify_chart",
            paged_task(data_points={"a": 1}),
            "data_points: must be a list of objects",
        ),
        ("verify_chart", paged_task(data_points=[{"x": 1}]), "data_points[0]: holds none of the"),
        (
            "verify_chart",
            paged_task(data_points=[{"value": "1", "tolerance": "much"}]),
            "data_points[0]: Tolerance: 'much' is not a number",
        ),
        (
            "verify_chart",
            paged_task(data_points=[{"value": "1" * 20_001}]),
            "data_points: value has ",
        ),
        ("verify", paged_task(elements=["Table", "Text"]), "elements: must be a list of objects"),
        ("qa_review", task(1, answer_variants=None), "response: is missing"),
        ("qa_review", task(1, response=" ", answer_variants=None), "response: is missing"),
        ("qa_review", task(1, response={"text": "x"}), "response: must be text"),
        ("search", task(1, gold={"fields": {"hop": "x"}}), "gold.fields: there is no task field"),
        ("search", task(1, gold=["x"]), "gold: must be an object"),
        (
            "relevance",
            paged_task(gold={"pages": [{**PAGES[0], "fields": {"relevance": 5}}]}),
            "gold.pages[0].fields.relevance: '5' is not one of 2, 1, 0",
        ),
        (
            "relevance",
            paged_task(gold={"pages": [{**PAGES[5], "fields": {"relevance": 2}}]}),
            "gold.pages[0]: page 6 of report.pdf is none of the pages of its task",
        ),
        (
            "relevance",
            paged_task(gold={"boxes": [{"document": "report.pdf", "page": 12, "rect": [0, 0, 9, 9],
                                   "label": "Text"}]}),
            "gold.boxes[0]: page 12 of report.pdf does not exist",
        ),
    ],
)  # fmt: skip
def test_rows_their_protocol_can_do_nothing_with_are_bad(
    workspace: Workspace, tmp_path: Path, protocol: str, row: dict[str, Any], reason: str
) -> None:
    """The message names the field, the value and what would do."""
    report = imported(workspace, tmp_path, protocol, row)
    assert report.imported == 0
    (bad,) = report.bad
    assert bad.reason.startswith(reason), bad.reason


def test_more_pages_than_the_protocol_takes(workspace: Workspace, tmp_path: Path) -> None:
    """Too many candidates are a bad row, with the setting that would allow them."""
    row = task(1, candidates=PAGES)
    report = imported(workspace, tmp_path, "relevance", row, settings={"max_pages": 8})
    assert [bad.reason for bad in report.bad] == [
        "candidates: 9 pages; this protocol takes at most 8 a task "
        "(the setting max_pages = 9 allows them)"
    ]
    assert imported(workspace, tmp_path, "relevance", row, settings={"max_pages": 9}).imported == 1
    gold = task(1, evidence=PAGES[:2])
    report = imported(workspace, tmp_path, "oracle", gold, settings={"max_pages": 1})
    assert report.bad[0].reason.startswith("evidence: 2 pages")


def test_tasks_without_pre_annotations_are_noted(workspace: Workspace, tmp_path: Path) -> None:
    """They can be worked on from nothing, which somebody may not have meant."""
    report = imported(workspace, tmp_path, "verify", paged_task(1), paged_task(2))
    assert report.imported == 2
    assert report.warnings == [
        "Tasks with no elements to verify, so that pages start without boxes: 2."
    ]
    chart = imported(
        workspace, tmp_path, "verify_chart", paged_task(1), paged_task(2, data_points=[])
    )
    assert chart.warnings == [
        "Tasks with no data_points, so that the table “Data points” starts empty: 2."
    ]
    fine = paged_task(3, data_points=[{"labels": ["2019", "EU"], "value": 12.0, "tolerance": 0.5}])
    assert imported(workspace, tmp_path, "verify_chart", fine).warnings == []


def test_a_review_takes_the_gold_answer_where_no_response_is_given(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Either is enough."""
    rows = [task(1, response="Seven otters."), task(2), task(3, response=7, answer_variants=None)]
    assert imported(workspace, tmp_path, "qa_review", *rows).imported == 3


def test_a_pilots_task_needs_gold_for_what_is_asked(workspace: Workspace, tmp_path: Path) -> None:
    """Gold of parts that the protocol does not ask is none."""
    pilot = {"pilot.enabled": True}
    bare = task(1, answer_variants=None, evidence=[])
    report = imported(workspace, tmp_path, "search", bare, task(2), settings=pilot)
    assert [(bad.line, bad.reason.split(",")[0]) for bad in report.bad] == [
        (1, "gold: tasks of a pilot are compared with their gold")
    ]
    review = imported(workspace, tmp_path, "qa_review", task(1), settings=pilot)
    assert len(review.bad) == 1
    task_with_gold = task(1, gold={"fields": {"complete": "yes"}})
    assert imported(workspace, tmp_path, "qa_review", task_with_gold, settings=pilot).imported == 1


@pytest.mark.parametrize(
    ("protocol", "row", "settings", "reason"),
    [
        (
            "search",
            task(1, unanswerable=True, evidence=[], answer_variants=[]),
            {"answer.not_found": False},
            "unanswerable: annotators can choose neither",
        ),
        (
            "search",
            task(1, evidence=PAGES[:3]),
            {"evidence.max_pages": 2},
            "evidence: 3 pages; annotators can cite 2",
        ),
        (
            "search",
            task(1, candidates=PAGES[:2], evidence=PAGES[4:5]),
            {"pages": "given", "browse": False},
            "evidence: page 5 of report.pdf is none of the pages of its task",
        ),
        (
            "relevance",
            paged_task(
                gold={
                    "boxes": [{**PAGES[0], "rect": [1, 1, 9 + n, 9], "label": "Text"}
                              for n in range(2)]
                }
            ),
            {"boxes.max_per_page": 1},
            "gold.boxes: 2 boxes on page 1 of report.pdf; annotators can draw 1",
        ),
    ],
)  # fmt: skip
def test_gold_that_nobody_could_meet_stays_out_of_pilots(
    workspace: Workspace,
    tmp_path: Path,
    protocol: str,
    row: dict[str, Any],
    settings: dict[str, Any],
    reason: str,
) -> None:
    """Everybody would fail such a task; in a campaign that is no pilot it does no harm."""
    pilot = {**settings, "pilot.enabled": True}
    report = imported(workspace, tmp_path, protocol, row, settings=pilot)
    assert [bad.reason[: len(reason)] for bad in report.bad] == [reason]
    assert imported(workspace, tmp_path, protocol, row, settings=settings).imported == 1


def test_a_check_of_a_pilot_says_what_its_gold_decides(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Per part the tasks that have gold for it, before anything is stored."""
    rows = [
        task(1),
        task(2, evidence=[]),
        task(3, unanswerable=True, evidence=[], answer_variants=[]),
    ]
    settings = {"pilot.enabled": True}
    report = imported(workspace, tmp_path, "search", *rows, settings=settings, dry=True)
    assert (
        "Compared with the gold: Answer: 2 of 3 tasks; Evidence pages: 1 of 3 tasks; Outcome: 1 of "
        "3 tasks." in report.warnings
    )
    assert any("one slip changes the share by 33 points" in warning for warning in report.warnings)


def test_a_check_of_a_pilot_warns_of_gold_in_prose(workspace: Workspace, tmp_path: Path) -> None:
    """Of whoever answers in other words nobody could tell by rule whether they pass."""
    sentence = "The packaging segment shrank by 1.4% before acquisitions."
    rows = [task(1), task(2, question="Which segment shrank?", answer_variants=[[sentence]])]
    settings = {"pilot.enabled": True}
    report = imported(workspace, tmp_path, "search", *rows, settings=settings, dry=True)
    (warning,) = [warning for warning in report.warnings if "prose" in warning]
    assert "In prose: 1, such as that of q2." in warning
    assert "judged them under Pilots" in warning
    report = imported(workspace, tmp_path, "search", rows[0], settings=settings, dry=True)
    assert not any("prose" in warning for warning in report.warnings)


def test_an_import_counts_gold_in_prose_and_says_what_to_do(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Only of tasks that come in and have an answer as gold; silent without prose."""
    sentence = "The packaging segment shrank by 1.4% before acquisitions."
    prose = {"question": "Which segment shrank?", "answer_variants": [[sentence]]}
    rows = [
        task(1),
        task(2, **prose),
        task(3, unanswerable=True, evidence=[], answer_variants=[]),
        task(4, **prose, evidence=[{"document": "report.pdf", "page": 77}]),
        task(5, answer_variants=[[sentence], ["1.4 %"]]),
    ]
    report = imported(workspace, tmp_path, "search", *rows, skip_bad=True)
    assert report.gold_kinds == GoldKinds(comparable=2, prose=1)
    (warning,) = [warning for warning in report.warnings if "prose" in warning]
    assert "can compare: 2. In prose: 1, such as that of q2." in warning
    assert "judge all of them" in warning
    assert "or a sample (Campaigns → Sample, or pagetrail sample)" in warning
    only_short = imported(workspace, tmp_path, "search", task(6), dry=True)
    assert only_short.gold_kinds == GoldKinds(comparable=1)
    assert not any("prose" in warning for warning in only_short.warnings)


def test_gold_comes_from_csv_too(workspace: Workspace, tmp_path: Path) -> None:
    """A cell of JSON is read as such."""
    file = tmp_path / "tasks.csv"
    file.write_text(
        'id,question,evidence,gold\n'
        'q1,Why?,"[{""document"": ""report.pdf"", ""page"": 1}]",'
        '"{""fields"": {""complete"": ""maybe""}}"\n',
        encoding="utf-8",
    )  # fmt: skip
    report = import_tasks(workspace, file, campaign="C", protocol="qa_review")
    assert "answer_variants" in report.bad[0].reason
    file.write_text(file.read_text().replace("gold\n", "gold,response\n").replace('}"\n', '}",x\n'))
    report = import_tasks(workspace, file, campaign="C", protocol="qa_review")
    assert report.bad[0].reason == "gold.fields.complete: 'maybe' is not one of yes, no"


@pytest.mark.parametrize(
    ("requires", "message"),
    [
        ("Nothing", "requires: there is no campaign 'Nothing'. Import the pilot first. Pilots: P."),
        ("Plain", "requires: campaign Plain is not a pilot"),
        ("Work", "requires: campaign Work cannot wait for itself"),
    ],
)
def test_what_is_required_must_be_a_pilot(
    workspace: Workspace, tmp_path: Path, requires: str, message: str
) -> None:
    """A slip in the name would close the campaign to everybody."""
    file = write_jsonl(tmp_path / "t.jsonl", [task(1)])
    import_tasks(workspace, file, campaign="Plain")
    import_tasks(workspace, file, campaign="P", settings={"pilot.enabled": True})
    with pytest.raises(ConflictError) as refused:
        import_tasks(workspace, file, campaign="Work", settings={"requires": requires})
    assert message in refused.value.message
    assert import_tasks(workspace, file, campaign="Work", settings={"requires": "P"}).imported == 1


def test_questions_of_the_pilot_do_not_slip_into_production_unsaid(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Annotators have been shown the answers; whoever imports should know."""
    pilot = write_jsonl(tmp_path / "p.jsonl", [task(1), task(2)])
    import_tasks(workspace, pilot, campaign="P", settings={"pilot.enabled": True})
    file = write_jsonl(tmp_path / "t.jsonl", [task(2), task(3)])
    report = import_tasks(workspace, file, campaign="Work", settings={"requires": "P"})
    assert report.warnings == [
        "Tasks whose question is also in the pilot P: 1. Annotators have seen the answers there."
    ]


def test_a_pilot_of_several_batches_is_said_to_be_several_pilots(
    workspace: Workspace, tmp_path: Path
) -> None:
    """With the option that makes it one; assigned is the first batch only, to everybody."""
    add_people(workspace, ["Ada", "Bob"])
    file = write_jsonl(tmp_path / "p.jsonl", [task(n) for n in range(5)])
    report = import_tasks(
        workspace, file, campaign="P", settings={"pilot.enabled": True}, batch_size=2
    )
    assert report.warnings[0].startswith("This pilot is split into 3 batches.")
    assert "a batch size of 5 makes it one" in report.warnings[0]
    assert report.assigned is not None
    assert report.assigned.created == [("Aquarius", "Ada"), ("Aquarius", "Bob")]


@pytest.mark.parametrize(
    ("n", "size", "is_warned"), [(3, 25, True), (10, 25, False), (20, 5, True)]
)
def test_a_pilot_of_few_tasks_is_said_to_say_little(
    workspace: Workspace, tmp_path: Path, n: int, size: int, is_warned: bool
) -> None:
    """From ten tasks a batch on nothing is said; below, how little they say and what to do."""
    file = write_jsonl(tmp_path / "p.jsonl", [task(k) for k in range(n)])
    report = import_tasks(
        workspace, file, campaign="P", settings={"pilot.enabled": True}, batch_size=size
    )
    warnings = [
        warning for warning in report.warnings if "with gold: somebody who gets all" in warning
    ]
    assert bool(warnings) is is_warned
    if n == 3:
        assert "only 44 % of such tasks" in warnings[0] and "by 33 points" in warnings[0]
        assert "Put at least 10 tasks into one file" in warnings[0]


def test_people_who_have_not_passed_are_named_by_an_import(
    workspace: Workspace, tmp_path: Path
) -> None:
    """New batches of a gated campaign are assigned to nobody yet, and the report says why."""
    add_people(workspace, ["Ada"])
    file = write_jsonl(tmp_path / "t.jsonl", [task(1)])
    import_tasks(workspace, file, campaign="P", settings={"pilot.enabled": True})
    report = import_tasks(workspace, file, campaign="Work", settings={"requires": "P"})
    assert report.assigned is not None
    assert report.assigned.created == []
    assert report.assigned.passed_over == {"Ada": "Opens when you have passed the pilot “P”."}
