"""Transcriptions in rounds: texts are exported and patches imported until all pages are done."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.transcript_state import text_hash
from pagetrail.annotation.errors import InputFileError, NotFoundError
from pagetrail.app.cli.main import app
from pagetrail.exports.run import export
from pagetrail.storage.attempts import queries
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.batches.assignments import assign
from pagetrail.storage.batches.my_batches import assignments
from pagetrail.storage.batches.open_close import close_assignment, ensure_attempts
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.importers.transcripts.importer import PatchReport, import_patches
from tests.storage.task_data import add_people, register_documents, write_jsonl
from tests.support.factory import start_clock

CAMPAIGN = "Pages"
TEXT = "The harbor was cold. Total 98."


def page_task(number: int, **fields: Any) -> dict[str, Any]:
    """A page with a text and one patch."""
    return {
        "id": f"p{number}",
        "question": "Correct the text.",
        "candidates": [{"document": "report.pdf", "page": number}],
        "transcript": TEXT,
        "patches": [{"old": "harbor", "new": "harbour", "reason": "British"}],
        "model": "scribe-1",
        **fields,
    }


class Desk:
    """A person at the campaign."""

    def __init__(self, workspace: Workspace, user_id: int = 1) -> None:
        self.workspace = workspace
        self.clock = start_clock()
        self.log = SqlEventLog(workspace.engine)
        self.recorder = Recorder(self.log, Corpus(workspace), self.clock)
        (self.batch,) = assignments(workspace.engine, user_id)
        ensure_attempts(workspace.engine, self.batch.assignment_id, self.clock)
        rows = queries.batch_tasks(workspace.engine, self.batch.assignment_id)
        self.attempts = {row.key: row.attempt_id for row in rows}
        self._sent = 0

    def do(self, task: str, *payloads: ev.Payload) -> AttemptState:
        """Records what the person does with a page."""
        context = queries.attempt(self.workspace.engine, self.attempts[task]).context()
        commands = []
        for payload in payloads:
            self.clock.advance(seconds=10)
            self._sent += 1
            commands.append(Command(f"c{self._sent}", payload))
        recorded = self.recorder.record(context, commands)
        assert not recorded.refusals, recorded.refusals
        return recorded.state

    def state(self, task: str) -> AttemptState:
        """The stored state of a page."""
        return self.log.state(self.attempts[task])

    def decide_all(self, task: str, decision: ev.PatchDecision = "accepted") -> None:
        """Opens the page and decides its patches."""
        transcript = self.do(task, ev.Opened(session="s")).transcript
        assert transcript is not None
        for patch in transcript.in_state("open"):
            self.do(task, ev.PatchDecided(**page_of(task), patch=patch.id, decision=decision))

    def edit(self, task: str, old: str, new: str) -> None:
        """Replaces the first occurrence of a text."""
        transcript = self.state(task).transcript
        assert transcript is not None
        change = ev.TextEdit(at=transcript.text.index(old), removed=old, inserted=new)
        self.do(task, ev.TextEdited(**page_of(task), edits=(change,)))

    def submit(self, task: str) -> str:
        """Submits the page; returns its stage."""
        return round_stage(self.do(task, ev.Submitted(outcome="completed")))


def page_of(task: str) -> dict[str, Any]:
    """The page of a task."""
    return {"document": "report.pdf", "page": int(task[1:])}


@pytest.fixture
def desk(workspace: Workspace, tmp_path: Path) -> Desk:
    """Ada has three pages."""
    register_documents(workspace)
    file = write_jsonl(tmp_path / "tasks.jsonl", [page_task(number) for number in (1, 2, 3)])
    report = import_tasks(workspace, file, campaign=CAMPAIGN, protocol="transcribe")
    assert not report.bad and not report.warnings
    add_people(workspace, ["Ada", "Ben"])
    assign(workspace, CAMPAIGN, ["Ada"])
    return Desk(workspace)


def exported(desk: Desk, folder: Path, name: str = "transcripts.jsonl") -> list[dict[str, Any]]:
    """Rows of the export."""
    export(desk.workspace, CAMPAIGN, "transcripts", folder)
    text = (folder / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def answers(folder: Path, *rows: dict[str, Any]) -> Path:
    """A file of a model's answers."""
    return write_jsonl(folder / "patches.jsonl", rows)


def answer(row: dict[str, Any], *patches: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """A model's answer to a row of the export."""
    named = {name: row[name] for name in ("task", "annotator", "round", "text_sha256")}
    return {**named, "patches": list(patches), "model": "scribe-2", **fields}


def reasons(report: PatchReport) -> list[tuple[int, str | None, str]]:
    """What was not imported."""
    return [(entry.line, entry.patch, entry.reason) for entry in report.left_out]


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_pages_go_round_until_they_are_accepted_without_an_edit(desk: Desk, tmp_path: Path) -> None:
    """A changed page waits for a model, whose patches open it again; an unchanged one is done."""
    desk.decide_all("p1")
    assert desk.submit("p1") == "waiting"
    desk.decide_all("p2", "rejected")
    assert desk.submit("p2") == "accepted"
    first, second = exported(desk, tmp_path / "1")
    assert (first["task"], first["state"], first["round"], first["model"]) == (
        "p1", "waiting", 1, "scribe-1",
    )  # fmt: skip
    assert first["text"] == "The harbour was cold. Total 98."
    assert first["text_sha256"] == text_hash(first["text"])
    assert first["open_remarks"]["patches"] == []
    (remark,) = second["open_remarks"]["patches"]
    assert (remark["decision"], remark["reason"]) == ("rejected", "British")
    file = answers(tmp_path, answer(first, {"old": "98", "new": "89"}))
    report = import_patches(desk.workspace, file, campaign=CAMPAIGN, clock=desk.clock)
    assert (report.rounds.started, report.patches, report.left_out) == ({2: 1}, 1, [])
    state = desk.state("p1")
    assert (state.status, round_stage(state)) == ("open", "untouched")
    assert state.transcript is not None and state.transcript.model == "scribe-2"
    desk.decide_all("p1", "rejected")
    assert round_stage(desk.state("p1")) == "changed"
    desk.edit("p1", "98", "96")
    assert desk.submit("p1") == "waiting"
    (last, _) = exported(desk, tmp_path / "2")
    file = answers(tmp_path, answer(last))
    import_patches(desk.workspace, file, campaign=CAMPAIGN, clock=desk.clock)
    assert desk.submit("p1") == "accepted"
    (done, _) = exported(desk, tmp_path / "3")
    assert (done["state"], done["round"]) == ("accepted", 3)
    edits = exported(desk, tmp_path / "4", "transcript_edits.jsonl")
    assert [(edit["kind"], edit["round"], edit["active_ms"]) for edit in edits] == [
        ("accepted", 1, 10_000),
        ("rejected", 2, 10_000),
        ("typing", 2, 10_000),
        ("rejected", 1, 10_000),
    ]


def test_importing_again_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    """Neither while the page is in work nor after it was submitted; a page gets one set a round."""
    desk.decide_all("p1")
    desk.submit("p1")
    (row,) = exported(desk, tmp_path / "1")
    file = answers(tmp_path, answer(row, {"old": "98", "new": "89"}))
    import_patches(desk.workspace, file, campaign=CAMPAIGN)
    before = desk.state("p1")
    report = import_patches(desk.workspace, file, campaign=CAMPAIGN)
    assert (report.rounds.imported, report.rounds.already_there, report.left_out) == (0, 1, [])
    desk.decide_all("p1")
    desk.submit("p1")
    after = desk.state("p1")
    report = import_patches(desk.workspace, file, campaign=CAMPAIGN)
    assert (report.rounds.imported, report.rounds.already_there) == (0, 1)
    assert desk.state("p1") == after != before
    other = answers(tmp_path, answer(row, {"old": "98", "new": "90"}))
    assert reasons(import_patches(desk.workspace, other, campaign=CAMPAIGN)) == [
        (1, None, "is in round 2, not 1; export the transcripts again and answer the current text")
    ]


def test_rows_that_do_not_fit_are_listed_with_the_way_out(desk: Desk, tmp_path: Path) -> None:
    """Each by its line; the others are imported, and work that goes on is never replaced."""
    desk.decide_all("p1")
    desk.submit("p1")
    desk.decide_all("p2")
    (first, second) = exported(desk, tmp_path / "1")
    stranger = {**answer(first), "task": "p9"}
    stale = answer(first, text_sha256="0" * 64)
    stale.pop("round")
    file = answers(
        tmp_path,
        stranger,
        {**answer(first), "annotator": "Ben"},
        stale,
        answer(second),
        {**answer(first), "task": "p3"},
        {**answer(first), "patches": "none"},
        {**answer(first), "text_sha256": "abc"},
        answer(first, {"old": "harbor", "new": "x"}, {"id": "a", "old": "o", "new": "0"}),
        answer(first, {"old": "98", "new": "89"}, {"id": "a", "old": "o", "new": "0"}),
        answer(first, {"old": "98", "new": "88"}),
    )
    report = import_patches(desk.workspace, file, campaign=CAMPAIGN)
    again = "export the transcripts again and answer the current text"
    twice = "the text has “o” more than once; give at, or more of the text around it"
    assert reasons(report) == [
        (1, None, "campaign Pages has no task 'p9' that anybody opened"),
        (2, None, "annotator: Ben has not opened this task"),
        (3, None, f"has another text by now, SHA-256 {first['text_sha256'][:12]}…, not "
                  f"000000000000…; {again}"),
        (4, None, "is in work in round 1; wait until it is submitted"),
        (5, None, "has not been opened yet; its first patches come with import-tasks"),
        (6, None, "patches: must be a list; it is empty where nothing is proposed"),
        (7, None, "text_sha256: must be the SHA-256 of the text that the patches are for, as the "
                  "export has it"),
        (8, "patches[0]", "the text does not have “harbor”"),
        (8, "patches[1] (a)", twice),
        (8, None, "none of its 2 patches applies, so the round was not started"),
        (9, "patches[1] (a)", twice),
        (10, None, "line 9 has patches for this page already; a page gets one set a round"),
    ]  # fmt: skip
    assert (report.rounds.started, report.patches) == ({2: 1}, 1)
    transcript = desk.state("p1").transcript
    assert transcript is not None and [patch.id for patch in transcript.patches] == ["r2-1"]


def test_accepted_pages_stay_done_unless_asked_for(desk: Desk, tmp_path: Path) -> None:
    """A round for them is started with the option only."""
    desk.decide_all("p1", "rejected")
    assert desk.submit("p1") == "accepted"
    (row,) = exported(desk, tmp_path / "1")
    file = answers(tmp_path, answer(row, {"old": "98", "new": "89"}))
    ((_, _, reason),) = reasons(import_patches(desk.workspace, file, campaign=CAMPAIGN))
    assert reason.startswith("was accepted without an edit in round 1")
    import_patches(desk.workspace, file, campaign=CAMPAIGN, reopen_accepted=True)
    assert round_stage(desk.state("p1")) == "untouched"


def test_a_closed_batch_opens_again_and_can_be_closed_again(desk: Desk, tmp_path: Path) -> None:
    """The page goes back to the person who submitted it."""
    for task in ("p1", "p2", "p3"):
        desk.decide_all(task)
        desk.submit(task)

    def close() -> None:
        close_assignment(desk.workspace.engine, desk.recorder, desk.batch.assignment_id)

    close()
    (row, *_) = exported(desk, tmp_path / "1")
    import_patches(desk.workspace, answers(tmp_path, answer(row)), campaign=CAMPAIGN)
    (batch,) = assignments(desk.workspace.engine, 1)
    assert batch.status == "open" and not desk.state("p1").closed
    assert desk.submit("p1") == "accepted"
    close()
    assert desk.state("p1").closed


def test_two_people_have_rounds_of_their_own(desk: Desk, tmp_path: Path) -> None:
    """A row without an annotator answers whoever has that text; names are code names."""
    workspace = desk.workspace
    file = write_jsonl(tmp_path / "two.jsonl", [page_task(4)])
    import_tasks(workspace, file, campaign="Two", protocol="transcribe", overlap=2, assign=False)
    assign(workspace, "Two", ["Ada", "Ben"])
    desks = []
    for user_id in (1, 2):
        own = Desk.__new__(Desk)
        own.__dict__.update(desk.__dict__)
        (own.batch,) = [b for b in assignments(workspace.engine, user_id) if b.campaign == "Two"]
        ensure_attempts(workspace.engine, own.batch.assignment_id, own.clock)
        rows = queries.batch_tasks(workspace.engine, own.batch.assignment_id)
        own.attempts = {row.key: row.attempt_id for row in rows}
        desks.append(own)
    ada, ben = desks
    ada.decide_all("p4")
    ada.submit("p4")
    ben.decide_all("p4")
    ben.edit("p4", "Total 98", "Total 89")
    ben.submit("p4")
    export(workspace, "Two", "transcripts", tmp_path / "out")
    lines = (tmp_path / "out" / "transcripts.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert {row["annotator"] for row in rows} == {"pseudonym of Ada", "pseudonym of Ben"}
    of_ben = next(row for row in rows if row["annotator"] == "pseudonym of Ben")
    unnamed = answer(of_ben, {"old": "cold", "new": "warm"})
    unnamed.pop("annotator")
    report = import_patches(workspace, answers(tmp_path, unnamed), campaign="Two")
    assert report.rounds.started == {2: 1} and not report.left_out
    assert round_stage(ada.state("p4")) == "waiting"
    assert round_stage(ben.state("p4")) == "untouched"


def test_an_interrupted_import_is_completed_by_repeating_it(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each page is a transaction of its own: a round has its patches, or has not started."""
    for task in ("p1", "p2"):
        desk.decide_all(task)
        desk.submit(task)
    file = answers(
        tmp_path,
        *(answer(row, {"old": "98", "new": "89"}) for row in exported(desk, tmp_path / "1")),
    )
    record, calls = Recorder.record, 0

    def killed(self: Recorder, *args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        return record(self, *args, **kwargs)

    monkeypatch.setattr(Recorder, "record", killed)
    with pytest.raises(KeyboardInterrupt):
        import_patches(desk.workspace, file, campaign=CAMPAIGN)
    monkeypatch.undo()
    assert [round_stage(desk.state(task)) for task in ("p1", "p2")] == ["untouched", "waiting"]
    report = import_patches(desk.workspace, file, campaign=CAMPAIGN)
    assert (report.rounds.started, report.rounds.already_there) == ({2: 1}, 1)


def test_the_command_and_files_for_other_commands(desk: Desk, tmp_path: Path) -> None:
    """It prints the rounds; a campaign without texts, and a file of tasks, are refused."""
    desk.decide_all("p1")
    desk.submit("p1")
    (row,) = exported(desk, tmp_path / "1")
    file = answers(tmp_path, answer(row, {"old": "98", "new": "89"}), {"task": "p1"})
    folder = str(desk.workspace.root)
    command = ["import-patches", folder, str(file), "--campaign", CAMPAIGN, "--json"]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    printed = json.loads(result.stdout)
    assert printed["pages"] == {"2": 1} and printed["patches"] == 1
    assert printed["left_out"][0]["line"] == 2
    assert "Round 2 began for 1 page." in result.stderr
    assert CliRunner().invoke(app, [*command[:-1]]).exit_code == 0
    tasks = write_jsonl(tmp_path / "tasks.jsonl", [page_task(5)])
    with pytest.raises(InputFileError, match="use `pagetrail import-patches`"):
        import_tasks(desk.workspace, file, campaign="Patches")
    assert not import_patches(desk.workspace, tasks, campaign=CAMPAIGN).rounds.imported
    make_campaign_without_texts(desk.workspace, tmp_path)
    with pytest.raises(InputFileError, match="no text to correct"):
        import_patches(desk.workspace, file, campaign="Baseline")
    with pytest.raises(NotFoundError):
        import_patches(desk.workspace, file, campaign="None")


def make_campaign_without_texts(workspace: Workspace, folder: Path) -> None:
    """A campaign of another protocol."""
    rows = [{"id": "q", "question": "Why?"}]
    import_tasks(workspace, write_jsonl(folder / "q.jsonl", rows), campaign="Baseline")


@pytest.mark.parametrize("workspace", ["sqlite", "postgresql"], indirect=True)
def test_names_that_cannot_be_stored_are_left_out(desk: Desk, tmp_path: Path) -> None:
    """Half of a surrogate pair and NUL in a task or annotator; the reasons can be printed."""
    desk.decide_all("p1")
    desk.submit("p1")
    (row,) = exported(desk, tmp_path / "first")
    file = answers(
        tmp_path,
        answer(row, task="\ud800"),
        answer(row, task="p\0"),
        answer(row, annotator="\udfff\0"),
    )
    report = import_patches(desk.workspace, file, campaign=CAMPAIGN)
    assert [entry.line for entry in report.left_out] == [1, 2, 3]
    assert all(entry.reason.isprintable() for entry in report.left_out)
    assert all(entry.task is None or entry.task.encode() for entry in report.left_out)
