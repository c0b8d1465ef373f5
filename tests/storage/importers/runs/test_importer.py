"""Importing a run: what is stored, what is left out, and that a second import changes nothing."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.errors import ConflictError, InputFileError, NotFoundError, PagetrailError
from pagetrail.annotation.protocols.protocol import Protocol, preset
from pagetrail.annotation.timing.durations import timing
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.tables import Campaign
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import list_people
from tests.storage.importers.runs.run_data import (
    CAMPAIGN,
    at,
    atif,
    bare,
    eval_log,
    events,
    failed_sample,
    madqa,
    run,
    sample,
    stored_agent_events,
    write_json,
)
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace, record_attempts


@pytest.fixture
def otters(tmp_path: Path) -> Workspace:
    """Four tasks that nobody has worked on."""
    return make_workspace(tmp_path / "ws")


def test_a_run_becomes_events_in_order(otters: Workspace, tmp_path: Path) -> None:
    """Where it is from, its steps, citations, answer, submission: on its own timeline."""
    report = run(otters, write_jsonl(tmp_path / "r.jsonl", [madqa()]))
    assert (report.imported, report.left_out, report.warnings) == (1, [], [])
    assert (report.format, report.searches, report.steps) == ("madqa", 1, 2)
    stored = events(otters)
    assert [e.type for e in stored] == [
        "run_imported", "agent_turn", "agent_step", "searched", "agent_turn", "agent_step",
        "citation_added", "answer_edited", "submitted",
    ]  # fmt: skip
    assert [e.elapsed_ms for e in stored] == [
        0, 2_000, 2_000, 2_000, 5_500, 5_500, 9_000, 9_000, 9_000,
    ]  # fmt: skip
    assert [e.client_event_id for e in stored] == [f"run/{n}" for n in range(1, 10)]
    assert stored[0].client_ts == "2026-03-01T08:00:00.000000Z"
    assert stored[-1].client_ts == "2026-03-01T08:00:09.000000Z"
    first = stored[0].payload
    assert isinstance(first, ev.RunImported)
    assert (first.file, first.record, first.iterations) == ("r.jsonl", 1, 3)
    assert first.timed and first.results_known and first.model == "model-1"
    state = fold(stored)
    assert (state.status, state.outcome, state.answer) == ("submitted", "answered", ["42"])
    assert timing(stored).wall_ms == 9_000


@pytest.mark.parametrize("form", ["inspect", "atif"])
def test_the_other_formats_become_the_same_kind_of_attempt(
    otters: Workspace, tmp_path: Path, form: str
) -> None:
    """Searches, answer, citations and times, whatever the file."""
    if form == "atif":
        path = write_json(tmp_path / "t.json", atif())
    else:
        path = eval_log(tmp_path / "l.eval", [sample(), failed_sample("t/2")])
    report = run(otters, path)
    assert report.format == form and report.imported >= 1
    assert report.failed == report.unanswered == (form == "inspect")
    state = fold(events(otters))
    assert state.answer == ["42"] and len(state.citations) >= 1
    assert [s.query for s in state.searches] == ["otters"]


def test_importing_again_changes_nothing(otters: Workspace, tmp_path: Path) -> None:
    """Also under another name, and when the file has grown meanwhile."""
    path = write_jsonl(tmp_path / "r.jsonl", [madqa(), bare("t/2")])
    run(otters, path)
    before = stored_agent_events(otters)
    second_report = run(otters, path)
    assert (second_report.imported, second_report.already_there, second_report.warnings) == (
        0,
        2,
        [],
    )
    renamed = write_jsonl(tmp_path / "grown.jsonl", [bare("t/3"), bare("t/2"), madqa()])
    more = run(otters, renamed, system="AGENT")
    assert (more.system, more.imported, more.already_there) == ("agent", 1, 2)
    assert [row for row in stored_agent_events(otters) if row[0] != "t/3"] == before


def test_another_run_under_the_same_name_is_refused_line_by_line(
    otters: Workspace, tmp_path: Path
) -> None:
    """Both sources are named with the way out, and what is stored stays."""
    run(otters, write_jsonl(tmp_path / "old.jsonl", [madqa()]))
    before = stored_agent_events(otters)
    new = write_jsonl(tmp_path / "new.jsonl", [bare("t/2"), madqa(answer="41")])
    report = run(otters, new)
    assert report.imported == 1
    (left,) = report.left_out
    assert (left.line, left.id) == (2, "t/1")
    assert "record 1 of old.jsonl" in left.reason and "record 2 of new.jsonl" in left.reason
    assert "another system name" in left.reason
    assert [row for row in stored_agent_events(otters) if row[0] == "t/1"] == before
    assert run(otters, new, system="other").imported == 2


def test_an_agent_that_worked_here_keeps_its_work(otters: Workspace, tmp_path: Path) -> None:
    """An import never adds to an attempt that was made through the search tool itself."""
    system = ensure_system(otters, "agent")
    row = ensure_attempt(otters, CAMPAIGN, "t/1", system)
    recorder = Recorder(SqlEventLog(otters.engine), Corpus(otters), ManualClock(_NOW))
    recorder.record(row.context(), [Command("c1", ev.Opened(session="s"))])
    report = run(otters, write_jsonl(tmp_path / "r.jsonl", [madqa()]))
    assert report.imported == 0 and "worked on this task here" in report.left_out[0].reason
    assert [e.type for e in events(otters)] == ["opened"]


def test_an_attempt_that_was_only_made_is_completed(otters: Workspace, tmp_path: Path) -> None:
    """The state when an import is killed between making and filling it."""
    ensure_attempt(otters, CAMPAIGN, "t/1", ensure_system(otters, "agent"), finished=True)
    assert run(otters, write_jsonl(tmp_path / "r.jsonl", [madqa()])).imported == 1
    assert len(events(otters)) == 9


def test_two_imports_at_once_store_a_run_once(
    otters: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes second finds the same run there, or another one, and says which."""
    path = write_jsonl(tmp_path / "r.jsonl", [madqa()])
    other = write_jsonl(tmp_path / "o.jsonl", [madqa(answer=["41"])])
    real = Recorder.record

    def late(self: Recorder, context: Any, commands: Any) -> Any:
        # The other import gets in between looking and writing.
        monkeypatch.setattr(Recorder, "record", real)
        run(otters, path)
        return real(self, context, commands)

    monkeypatch.setattr(Recorder, "record", late)
    second = run(otters, path)
    assert (second.imported, second.already_there) == (0, 1)
    run(otters, write_jsonl(tmp_path / "q.jsonl", [madqa("t/2")]))
    path = write_jsonl(tmp_path / "s.jsonl", [madqa("t/3")])
    other = write_jsonl(tmp_path / "o.jsonl", [madqa("t/3", answer=["41"])])
    monkeypatch.setattr(Recorder, "record", late)
    third = run(otters, other)
    assert third.imported == 0 and "another run" in third.left_out[0].reason
    assert fold(events(otters, "t/3")).answer == ["42"]


def test_what_cannot_be_imported_is_listed_and_the_rest_is_imported(
    otters: Workspace, tmp_path: Path
) -> None:
    """Broken JSON, other encodings, NaN, unknown and repeated tasks, too much: line by line."""
    lines = [
        json.dumps(bare("t/1")).encode(),
        b'{"id": "t/2", "answer":',
        b'{"id": "t/2", "answer": "\xff"}',
        b'{"id": "t/2", "answer": NaN}',
        b"[]",
        b"",
        json.dumps(bare("t/9")).encode(),
        json.dumps(bare("t/1")).encode(),
        json.dumps(bare("t/2", answer=["x"] * 501)).encode(),
        json.dumps(bare("t/2", answer="x" * 20_001)).encode(),
        b'{"id": "t/2", "x": ' + b"[" * 50_000 + b"]" * 50_000 + b"}",
        json.dumps(bare("t/2", answer="fine")).encode(),
    ]
    path = tmp_path / "r.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + b"\n".join(lines))
    report = run(otters, path)
    assert report.imported == 2
    assert [(n.line, n.id) for n in report.left_out] == [
        (2, None), (3, None), (4, None), (5, None), (7, "t/9"), (8, "t/1"), (9, "t/2"),
        (10, "t/2"), (11, None),
    ]  # fmt: skip
    reasons = {n.line: n.reason for n in report.left_out}
    assert "has no task 't/9'" in reasons[7] and "Import the questions" in reasons[7]
    assert reasons[8] == "the task occurs twice; the run in line 1 counts"
    assert reasons[9] == "answer: has 501 answers; 500 are allowed"
    assert reasons[10] == "answer: has 20,001 characters; 20,000 are allowed"
    assert fold(events(otters, "t/2")).answer == ["fine"]


def test_a_line_without_end_is_left_out(
    otters: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is never held in memory, and the line after it is read."""
    monkeypatch.setattr("pagetrail.storage.importers.files.json_rows.MAX_ROW_BYTES", 2**12)
    path = tmp_path / "r.jsonl"
    path.write_text(json.dumps(bare(answer="x" * 2**14)) + "\n" + json.dumps(bare("t/2")))
    report = run(otters, path)
    assert report.imported == 1 and "is longer than" in report.left_out[0].reason


def test_strict_imports_nothing_where_anything_is_left_out(
    otters: Workspace, tmp_path: Path
) -> None:
    """Not even the system is made; a good file is imported as ever."""
    path = write_jsonl(tmp_path / "r.jsonl", [bare("t/1"), bare("t/9")])
    report = run(otters, path, strict=True)
    assert report.stopped and report.imported == 0 and len(report.left_out) == 1
    assert [p.name for p in list_people(otters)] == ["Ada", "Grace"]
    assert run(otters, write_jsonl(path, [bare("t/1")]), strict=True).imported == 1


def test_pages_that_do_not_exist_are_kept_as_the_agent_gave_them(
    otters: Workspace, tmp_path: Path
) -> None:
    """They count as wrong; the warning names line and page."""
    cited = [{"file": "b.pdf", "page": 9}, {"file": "B.PDF", "page": 1}]
    history = [{"query": "q", "results": [{"file": "gone.pdf", "page": 2}]}]
    report = run(
        otters,
        write_jsonl(tmp_path / "r.jsonl", [bare(citations=cited, search_history=history)]),
    )
    assert [(c.document, c.page) for c in fold(events(otters)).citations] == [
        ("b.pdf", 9),
        ("B.PDF", 1),
    ]
    assert [n.line for n in report.warnings] == [1, 1]
    assert report.warnings[0].reason == (
        "cites a page that does not exist, which counts as wrong: page 9 of b.pdf does not "
        "exist: the document has 3 pages; there is no document B.PDF in this workspace; did you "
        "mean b.pdf?"
    )
    assert "gone.pdf" in report.warnings[1].reason


def test_a_question_that_reads_differently_is_said(otters: Workspace, tmp_path: Path) -> None:
    """An id that fits by chance is a run of another campaign."""
    rows = [bare(question="How many\n otters  were counted?"), bare("t/3", question="Who paid?")]
    report = run(otters, write_jsonl(tmp_path / "r.jsonl", rows))
    assert [n.line for n in report.warnings] == [2]
    assert "'Who signed?'" in report.warnings[0].reason


_NOW = datetime(2026, 2, 1, tzinfo=UTC)


def test_times_in_the_future_are_kept_and_said(otters: Workspace, tmp_path: Path) -> None:
    """A wrong clock of the agent does not bend the run's own time line."""
    path = write_jsonl(tmp_path / "r.jsonl", [madqa()])
    report = run(otters, path, clock=ManualClock(_NOW))
    assert [n.reason for n in report.warnings] == ["its times are in the future"]
    assert events(otters)[-1].elapsed_ms == 9_000
    assert events(otters)[-1].server_ts.startswith("2026-02-01")


def test_a_run_without_times_has_none(otters: Workspace, tmp_path: Path) -> None:
    """Everything at 0, said once in the report and once in the event."""
    report = run(otters, write_jsonl(tmp_path / "r.jsonl", [bare(search_history=[])]))
    assert report.untimed == 1 and report.results_unknown == 0
    stored = events(otters)
    assert {e.elapsed_ms for e in stored} == {0} and {e.client_ts for e in stored} == {None}
    assert isinstance(stored[0].payload, ev.RunImported) and not stored[0].payload.timed


def test_answers_are_one_a_line_unless_the_campaign_takes_prose(tmp_path: Path) -> None:
    """A line break in an answer does not make two of it."""
    rows = [bare(answer=["first\nanswer", "second"])]
    path = write_jsonl(tmp_path / "r.jsonl", rows)
    list_workspace = make_workspace(tmp_path / "list")
    run(list_workspace, path)
    assert fold(events(list_workspace)).answer == ["first answer", "second"]
    search = preset("search")
    prose = search.model_copy(update={"answer": search.answer.model_copy(update={"kind": "text"})})
    prose_workspace = make_workspace(tmp_path / "prose", protocol=prose)
    run(prose_workspace, path)
    assert fold(events(prose_workspace)).answer_text == "first\nanswer\nsecond"


def _limited() -> Protocol:
    search = preset("search")
    return search.model_copy(
        update={
            "clock": search.clock.model_copy(update={"limit_s": 10}),
            "evidence": search.evidence.model_copy(update={"max_pages": 1}),
        }
    )


def test_rules_for_people_do_not_change_what_an_agent_did(tmp_path: Path) -> None:
    """A time limit, a number of citations and a closed campaign do not cut a finished run."""
    otters = make_workspace(tmp_path / "ws", protocol=_limited())
    with otters.engine.begin() as connection:
        connection.execute(update(Campaign).values(status="closed"))
    cited = [{"file": "b.pdf", "page": n} for n in (1, 2, 3)]
    report = run(
        otters, write_jsonl(tmp_path / "r.jsonl", [madqa(citations=cited, started_at=at(-60))])
    )
    assert report.imported == 1 and len(fold(events(otters)).citations) == 3


def test_people_and_their_work_are_untouched(otters: Workspace, tmp_path: Path) -> None:
    """Nobody's attempt gets an event, and no batch goes to the system."""
    record_attempts(otters)
    with otters.engine.connect() as connection:
        query = "select count(*) from event e join attempt a on a.id = e.attempt_id"
        annotator_events = f"{query} where a.assignment_id is not null"
        before = connection.exec_driver_sql(annotator_events).scalar_one()
    run(otters, write_jsonl(tmp_path / "r.jsonl", [bare(f"t/{n}") for n in range(1, 5)]))
    with otters.engine.connect() as connection:
        assert connection.exec_driver_sql(annotator_events).scalar_one() == before
        assert connection.exec_driver_sql("select count(*) from assignment").scalar_one() == 4


def test_what_cannot_be_used_as_a_whole_is_refused(otters: Workspace, tmp_path: Path) -> None:
    """No campaign, no format, a person's name, a bad name, no file: typed, and nothing is made."""
    path = write_jsonl(tmp_path / "r.jsonl", [bare()])
    with pytest.raises(NotFoundError, match="Rivers"):
        run(otters, path, campaign="Rivers")
    with pytest.raises(NotFoundError, match="madqa, inspect, atif"):
        run(otters, path, format="csv")
    with pytest.raises(ConflictError, match="Ada"):
        run(otters, path, system="ada")
    with pytest.raises(PagetrailError) as caught:
        run(otters, path, system=" " * 3)
    assert caught.value.code == "invalid_name"
    with pytest.raises(InputFileError, match=r"missing\.jsonl cannot be read"):
        run(otters, tmp_path / "missing.jsonl")
    assert stored_agent_events(otters) == []


def test_a_run_of_two_thousand_steps(otters: Workspace, tmp_path: Path) -> None:
    """All of them are stored in one go, and the state counts them."""
    history = [{"query": f"q{n}", "num_results": 0} for n in range(2_000)]
    report = run(otters, write_jsonl(tmp_path / "r.jsonl", [bare(search_history=history)]))
    assert (report.imported, report.searches) == (1, 2_000)
    assert len(events(otters)) == 2_003
    too_many = [{"query": "q"}] * 20_001
    report = run(otters, write_jsonl(tmp_path / "s.jsonl", [bare("t/2", search_history=too_many)]))
    assert "20,001 steps are too many; 20,000 are allowed" in report.left_out[0].reason


def test_what_a_model_gave_to_people_is_not_put_before_a_run(
    otters: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run begins with where it is from, and holds what its file says alone."""
    monkeypatch.setattr(AttemptRow, "seeds", lambda self: [ev.NoteEdited(text="given")])
    run(otters, write_jsonl(tmp_path / "r.jsonl", [bare()]))
    assert [e.type for e in events(otters)] == ["run_imported", "answer_edited", "submitted"]
