"""Importing tasks: all or nothing, every bad row named, campaigns that grow but never change."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select, update

from pagetrail.annotation.errors import (
    ConflictError,
    InputFileError,
    NotFoundError,
    PagetrailError,
    ProtocolError,
)
from pagetrail.annotation.protocols.protocol import Protocol, preset
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.tables import Assignment, Batch, Campaign, Task
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import ImportReport, import_tasks
from tests.storage.pdfs import CORPORA, needs_corpora
from tests.storage.task_data import add_people, register_documents, task, write_jsonl

LIBRARY_PAGE_0 = 187


@pytest.fixture
def filled(workspace: Workspace) -> Workspace:
    """A workspace with ``report.pdf`` (9 pages) and another document of one page."""
    register_documents(workspace)
    return workspace


def _import(workspace: Workspace, folder: Path, rows: list[Any], **options: Any) -> ImportReport:
    file = write_jsonl(folder / "tasks.jsonl", rows)
    return import_tasks(workspace, file, **{"campaign": "Pilot", **options})


def _stored(workspace: Workspace, model: Any) -> list[Any]:
    with workspace.engine.connect() as connection:
        return list(connection.execute(select(model).order_by(model.id)))


def _reasons(report: ImportReport) -> list[tuple[int, str | None, str]]:
    return [(row.line, row.id, row.reason) for row in report.bad]


def test_tasks_become_batches_of_a_new_campaign(filled: Workspace, tmp_path: Path) -> None:
    """File order, batches under constellations' names, the settings asked for, the record whole."""
    rows = [task(n, modality=["Table"]) for n in range(7)]
    report = _import(
        filled, tmp_path, rows, batch_size=3, overlap=2, seed=5, settings={"search.top_k": "10"}
    )
    assert (report.imported, report.batches, report.bad) == (
        7,
        ["Aquarius", "Orion", "Phoenix"],
        [],
    )
    (campaign,) = _stored(filled, Campaign)
    protocol = Protocol.model_validate(campaign.protocol)
    assert (campaign.name, campaign.seed, campaign.status) == ("Pilot", 5, "open")
    assert (protocol.name, protocol.search.top_k, protocol.overlap) == ("search", 10, 2)
    tasks = _stored(filled, Task)
    assert [row.key for row in tasks] == [f"q{n}" for n in range(7)]
    assert [row.position for row in tasks] == list(range(1, 8))
    assert tasks[0].record["modality"] == ["Table"]
    sizes = [[row.batch_id for row in tasks].count(batch.id) for batch in _stored(filled, Batch)]
    assert sizes == [3, 3, 1]


def test_markup_in_a_question_is_kept_as_text(filled: Workspace, tmp_path: Path) -> None:
    """Import neither removes nor escapes anything: the screens show it as text."""
    text = "<script>alert('x')</script> **b** $x$ <img src=x onerror=alert(1)> {{7*7}}"
    _import(filled, tmp_path, [task(1, question=text)])
    assert _stored(filled, Task)[0].record["question"] == text


BAD_ROWS: list[tuple[Any, str]] = [
    (task(9, evidence=[{"document": "report.pdf", "page": 12}]),
     "evidence[0]: page 12 of report.pdf does not exist: the document has 9 pages"),
    (task(9, evidence=[{"document": "Größe & Gewicht.pdf", "page": 2}]),
     "evidence[0]: page 2 of Größe & Gewicht.pdf does not exist: the document has 1 page"),
    (task(9, evidence=[{"document": "Report.PDF", "page": 1}]),
     "there is no document Report.PDF in this workspace; did you mean report.pdf?"),
    (task(9, evidence=[{"document": "report", "page": 1}]), "did you mean report.pdf?"),
    (task(9, evidence=[{"document": "reprot.pdf", "page": 1}]), "did you mean report.pdf?"),
    (task(9, evidence=[{"document": "../etc/passwd", "page": 1}]),
     "evidence[0]: there is no document ../etc/passwd in this workspace"),
    (task(9, evidence=[{"document": "a\nb\x1b[0m", "page": 1}]),
     r"there is no document a\nb\x1b[0m in this workspace"),
    (task(9, candidates=[{"document": "report.pdf", "page": 1},
                         {"document": "x.pdf", "page": 1}]),
     "candidates[1]: there is no document x.pdf"),
    (task(9, evidence=[{"document": "report.pdf", "page": -1}]), "page -1 does not exist"),
    (task(1), "the id 'q1' is used in line 1 already"),
    (task(9, question=""), "question: is blank"),
    (task(9, question="\ud800"), "question: holds half of a surrogate pair"),
    ([1], "is not a JSON object"),
]  # fmt: skip


@pytest.mark.parametrize(("row", "reason"), BAD_ROWS)
def test_one_bad_row_stops_the_import_unless_skipped(
    filled: Workspace, tmp_path: Path, row: Any, reason: str
) -> None:
    """Without --skip-bad nothing at all is stored; with it, the good rows are."""
    rows = [task(1), row, task(3)]
    report = _import(filled, tmp_path, rows)
    assert report.imported == 0
    assert [bad.line for bad in report.bad] == [2]
    assert reason in report.bad[0].reason
    report.bad[0].reason.encode()
    assert _stored(filled, Campaign) == _stored(filled, Task) == []
    skipped = _import(filled, tmp_path, rows, skip_bad=True)
    assert (skipped.imported, skipped.bad) == (2, report.bad)
    assert [stored.key for stored in _stored(filled, Task)] == ["q1", "q3"]


def test_bad_rows_of_every_kind_come_in_the_order_of_the_file(
    filled: Workspace, tmp_path: Path
) -> None:
    """Broken lines, schema errors and unknown pages are one list, by line."""
    file = tmp_path / "t.jsonl"
    lines = [
        json.dumps(task(1, evidence=[{"document": "no.pdf", "page": 1}])),
        "{broken",
        json.dumps({"id": 7}),
        json.dumps(task(4)),
        "",
        json.dumps(task(4)),
    ]
    file.write_text("\n".join(lines), encoding="utf-8")
    report = import_tasks(filled, file, campaign="Pilot", skip_bad=True)
    assert [(line, id_) for line, id_, _ in _reasons(report)] == [
        (1, "q1"), (2, None), (3, "7"), (6, "q4"),
    ]  # fmt: skip
    assert report.imported == 1


def test_the_number_1_and_the_text_1_are_one_id(filled: Workspace, tmp_path: Path) -> None:
    """Ids are compared as they are stored."""
    report = _import(filled, tmp_path, [{**task(1), "id": 1}, {**task(2), "id": "1"}])
    assert [bad.reason for bad in report.bad] == ["the id '1' is used in line 1 already"]


def test_a_file_of_bad_rows_makes_no_campaign(filled: Workspace, tmp_path: Path) -> None:
    """Skipping everything imports nothing, and leaves nothing behind."""
    report = _import(filled, tmp_path, [{"id": 1}, 5], skip_bad=True)
    assert (report.imported, len(report.bad)) == (0, 2)
    assert _stored(filled, Campaign) == []


def test_more_tasks_become_new_batches(filled: Workspace, tmp_path: Path) -> None:
    """Names and places go on; the campaign's own settings serve when none are given."""
    _import(filled, tmp_path, [task(n) for n in range(3)], batch_size=2, overlap=3, seed=9)
    report = _import(filled, tmp_path, [task(n) for n in range(3, 8)])
    assert report.batches == ["Phoenix", "Lyra", "Cygnus"]
    assert [batch.position for batch in _stored(filled, Batch)] == [1, 2, 3, 4, 5]
    assert [row.position for row in _stored(filled, Task)] == list(range(1, 9))
    assert len(_stored(filled, Campaign)) == 1
    second_report = _import(filled, tmp_path, [task(n) for n in range(2)])
    assert {bad.reason for bad in second_report.bad} == {
        "campaign Pilot has a task 'q0' already",
        "campaign Pilot has a task 'q1' already",
    }


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        ({"protocol": "oracle"}, "pages (search, not gold)"),
        ({"overlap": 3}, "overlap (2, not 3)"),
        ({"seed": 8}, "seed (7, not 8)"),
        ({"settings": {"search.top_k": 9}}, "search.top_k (5, not 9)"),
        ({"guidelines": "other"}, "guidelines"),
        ({"campaign": "PILOT"}, "differs in case only"),
    ],
)
def test_a_campaign_never_changes_its_settings(
    filled: Workspace, tmp_path: Path, options: dict[str, Any], difference: str
) -> None:
    """The same people must not work under two rules in one campaign; what differs is named."""
    _import(filled, tmp_path, [task(1)], overlap=2, guidelines="# Rules")
    with pytest.raises(ConflictError) as caught:
        _import(filled, tmp_path, [task(2)], **options)
    assert difference in caught.value.message
    assert len(_stored(filled, Task)) == 1
    same_settings = {"protocol": "search", "overlap": 2, "seed": 7, "guidelines": "# Rules"}
    assert _import(filled, tmp_path, [task(2)], batch_size=9, **same_settings).imported == 1


def test_a_preset_that_has_got_a_setting_since_is_still_the_campaigns(
    filled: Workspace, tmp_path: Path
) -> None:
    """Stored without the setting, the campaign keeps its default; asked for, it is refused."""
    _import(filled, tmp_path, [task(1)], protocol="author")
    with write_transaction(filled.engine) as connection:
        stored = connection.execute(select(Campaign.protocol)).scalar_one()
        del stored["text"]
        connection.execute(update(Campaign).values(protocol=stored))
    assert _import(filled, tmp_path, [task(2)], protocol="author").imported == 1
    with pytest.raises(ConflictError, match=r"text\.select"):
        _import(filled, tmp_path, [task(3)], settings={"text.select": True})


def test_a_closed_campaign_takes_no_tasks(filled: Workspace, tmp_path: Path) -> None:
    """Closing is final for importing too."""
    _import(filled, tmp_path, [task(1)])
    with write_transaction(filled.engine) as connection:
        connection.execute(update(Campaign).values(status="closed"))
    with pytest.raises(ConflictError, match="Campaign Pilot is closed"):
        _import(filled, tmp_path, [task(2)])


def test_protocols_need_their_pages(filled: Workspace, tmp_path: Path) -> None:
    """Given pages without candidates and gold pages without evidence cannot be shown."""
    bare = {"id": "q", "question": "?"}
    gold = _import(filled, tmp_path, [bare], campaign="Gold", protocol="oracle")
    assert "evidence: this protocol shows the evidence pages" in gold.bad[0].reason
    given_pages = preset("oracle").model_copy(update={"pages": "given"})
    report = _import(filled, tmp_path, [bare], campaign="Given", protocol=given_pages)
    assert "candidates: this protocol shows given pages" in report.bad[0].reason
    assert _import(filled, tmp_path, [bare], campaign="Search").imported == 1


def test_a_protocol_of_ones_own(filled: Workspace, tmp_path: Path) -> None:
    """A TOML file works like a preset; what does not exist is said, and nothing is stored."""
    protocol_file = tmp_path / "own.toml"
    protocol_file.write_text('name = "own"\ntitle = "Own"\nbatch_size = 2\n', encoding="utf-8")
    report = _import(filled, tmp_path, [task(n) for n in range(3)], protocol=str(protocol_file))
    assert len(report.batches) == 2
    with pytest.raises(NotFoundError, match="Presets: "):
        _import(filled, tmp_path, [task(9)], campaign="B", protocol="serach")
    with pytest.raises(ProtocolError, match="cannot be read"):
        _import(filled, tmp_path, [task(9)], campaign="B", protocol="absent.toml")
    with pytest.raises(ProtocolError, match=r"no setting 'search\.topk'"):
        _import(filled, tmp_path, [task(9)], campaign="B", settings={"search.topk": 1})
    with pytest.raises(ProtocolError, match="overlap"):
        _import(filled, tmp_path, [task(9)], campaign="B", overlap=0)
    assert len(_stored(filled, Campaign)) == 1


@pytest.mark.parametrize("name", ["", " a", "a\n", "\ud800", "x" * 101])
def test_campaign_names_must_be_readable(filled: Workspace, tmp_path: Path, name: str) -> None:
    """A name that cannot be typed on a command line names no campaign."""
    with pytest.raises(PagetrailError) as caught:
        _import(filled, tmp_path, [task(1)], campaign=name)
    assert caught.value.code == "invalid_name"
    caught.value.message.encode()


@pytest.mark.parametrize("seed", [-1, 2**31])
def test_seeds_fit_any_database(filled: Workspace, tmp_path: Path, seed: int) -> None:
    """31 bits, so that PostgreSQL's integer holds them too."""
    with pytest.raises(PagetrailError) as caught:
        _import(filled, tmp_path, [task(1)], seed=seed)
    assert caught.value.code == "invalid_seed"


def test_a_workspace_without_documents_is_said_once(workspace: Workspace, tmp_path: Path) -> None:
    """Not one error a row; tasks that name no page may come before the documents."""
    with pytest.raises(ConflictError, match="no documents yet"):
        _import(workspace, tmp_path, [task(1), task(2)])
    assert _import(workspace, tmp_path, [{"id": 1, "question": "?"}]).imported == 1


def test_new_batches_go_to_the_active_annotators(filled: Workspace, tmp_path: Path) -> None:
    """Import assigns in the same transaction, unless told not to."""
    add_people(filled, ["Ada", "Bob", "Cy"])
    first = _import(filled, tmp_path, [task(n) for n in range(6)], batch_size=2, overlap=2)
    assert first.assigned is not None
    assert first.assigned.loads == {"Ada": 2, "Bob": 2, "Cy": 2}
    second = _import(filled, tmp_path, [task(6)], assign=False)
    assert second.assigned is None
    assert len(_stored(filled, Assignment)) == 6
    short = _import(filled, tmp_path, [task(1)], campaign="Many", overlap=5)
    assert short.assigned is not None
    assert short.assigned.shortfall == {"Aquarius": 2}


def test_warnings_count_what_a_person_should_know(filled: Workspace, tmp_path: Path) -> None:
    """Imported all the same, but said: each kind once, with its count."""
    rows = [
        task(1, question="A\0B"),
        {**task(2), "answer_variants": ["a", "b"]},
        task(4, unanswerable=True, evidence=[], answer_variants=[]),
        task(5, evidence=[]),
    ]
    report = _import(filled, tmp_path, rows)
    assert report.imported == 4
    assert [warning.rpartition(": ")[2] for warning in report.warnings] == [
        "1.",
        "1.",
        "1.",
        "1.",
    ]
    assert "control character" in report.warnings[0]
    assert "the setting answer.unanswerable = true" in report.warnings[-1]
    allowed = _import(
        filled, tmp_path, [task(4, unanswerable=True, evidence=[], answer_variants=[])],
        campaign="B", settings={"answer.unanswerable": True},
    )  # fmt: skip
    assert allowed.warnings == []


def test_thousands_of_unknown_documents_do_not_hold_the_import_up(
    workspace: Workspace, tmp_path: Path
) -> None:
    """Suggestions stop after fifty names: each costs a comparison with the whole collection."""
    register_documents(workspace, {f"annual-report-{n}.pdf": 1 for n in range(500)})
    rows = [
        task(n, evidence=[{"document": f"anual-report-{n}.pdf", "page": 1}]) for n in range(400)
    ]
    report = _import(workspace, tmp_path, rows)
    suggested = [row for row in report.bad if "did you mean" in row.reason]
    assert (len(report.bad), len(suggested)) == (400, 50)


def test_evidence_on_page_0_is_left_out_and_named(filled: Workspace, tmp_path: Path) -> None:
    """The task is imported, the reference kept beside it, the line in the warnings."""
    bad = {"document": "report.pdf", "page": 0}
    rows = [task(1, evidence=[bad, {"document": "report.pdf", "page": 2}])]
    report = _import(filled, tmp_path, rows)
    assert (report.imported, report.bad) == (1, [])
    assert "Line 1 (" in report.warnings[0] and "page 0" in report.warnings[0]
    assert "import it with pages counted from 0" in report.warnings[1]
    record = _stored(filled, Task)[0].record
    assert record["evidence"] == [{"document": "report.pdf", "page": 2}]
    assert record["evidence_left_out"] == [bad]
    report_from_0 = _import(filled, tmp_path, rows, campaign="From 0", pages_from=0)
    assert (report_from_0.imported, report_from_0.warnings) == (1, [])
    pages = [ref["page"] for ref in _stored(filled, Task)[1].record["evidence"]]
    assert pages == [1, 3]


@pytest.mark.corpus
@needs_corpora
def test_the_library_imports_whole(workspace: Workspace) -> None:
    """396 real tasks; the one whose evidence is on a page 0 is named in the warnings."""
    file = CORPORA / "library" / "questions.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    lengths: dict[str, int] = {}
    for row in rows:
        for ref in row["evidence"]:
            lengths[ref["document"]] = max(lengths.get(ref["document"], 1), ref["page"])
    register_documents(workspace, lengths)
    add_people(workspace, ["Ada", "Bob", "Cy"])
    report = import_tasks(workspace, file, campaign="library", overlap=2)
    assert (report.imported, report.bad, len(report.batches)) == (396, [], 16)
    assert report.warnings[0].startswith(f"Line {LIBRARY_PAGE_0} ")
    assert report.assigned is not None
    assert sorted(report.assigned.loads.values()) == [10, 11, 11]


def test_a_missing_file_is_an_input_error(filled: Workspace, tmp_path: Path) -> None:
    """The path is in the sentence, and the workspace stays as it was."""
    with pytest.raises(InputFileError, match=r"nothing\.jsonl cannot be read"):
        import_tasks(filled, tmp_path / "nothing.jsonl", campaign="Pilot")
    assert _stored(filled, Campaign) == []
