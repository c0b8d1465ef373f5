"""Jobs beside the server: one of a kind, progress, cancelling, and what a restart remembers."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymupdf
import pytest

from pagetrail.annotation.clock import SystemClock
from pagetrail.annotation.errors import ConflictError, StorageError
from pagetrail.app.jobs import manager
from pagetrail.app.jobs.manager import INTERRUPTED, Jobs
from pagetrail.app.jobs.progress import JobOutcome
from pagetrail.app.jobs.requests import (
    ExportRequest,
    ImportRequest,
    IndexRequest,
    IngestRequest,
)
from pagetrail.app.services.composition import Services
from pagetrail.storage.database.engine import write_transaction
from pagetrail.storage.database.jobs import last_jobs, store_job
from pagetrail.storage.database.location import DATABASE_URL, address_wanted
from pagetrail.storage.database.tables import Job
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.search.store import current_index
from pagetrail.storage.workers.memory import MEMORY_VARIABLE, MIN_MIB
from pagetrail.storage.workers.process import WorkerProcess
from tests.support.factory import make_workspace
from tests.support.function_process import print_line, start_function
from tests.support.postgresql import new_database

LONG_S = 60.0


@pytest.fixture
def jobs(services: Services) -> Iterator[Jobs]:
    """The services' jobs, seen off at the end."""
    yield services.jobs
    services.jobs.close()


def order(**changes: Any) -> ExportRequest:
    """An export of the small campaign."""
    fields = {"campaign": "Otters", "formats": [("gold", "Otters-gold")], "identify": False}
    return ExportRequest.model_validate({**fields, "dpi": 72, **changes})


def process(jobs: Jobs) -> WorkerProcess:
    """The export's process, once it has started."""
    deadline = time.monotonic() + LONG_S
    while (worker := jobs._running_jobs["export"].handle._process) is None:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return worker


def finished(jobs: Jobs, kind: str = "export") -> Job:
    """The last job, once it is over."""
    job = jobs.wait(kind, LONG_S)
    assert job is not None
    assert job.has_ended
    return job


def paused_job(jobs: Jobs) -> Job:
    """A job that is under way and held still, so that it cannot end by itself."""
    job = jobs.start("Otters as gold", "sven", order())
    assert jobs.pause("export", job.id, on=True)
    return job


def test_an_export_is_written_beside_the_server(jobs: Jobs, services: Services) -> None:
    """The folder is there, the end is told once, and it is remembered."""
    ends: list[Job] = []
    jobs.start("Otters as gold", "sven", order(), ends.append)
    job = finished(jobs)
    assert (job.state, job.message) == ("done", "Written: gold.")
    assert (services.workspace.exports_dir / "Otters-gold" / "manifest.json").is_file()
    assert ends == [job]
    assert Jobs(services.workspace, SystemClock()).last("export") == job


def test_a_format_that_fails_does_not_stop_the_others(jobs: Jobs, services: Services) -> None:
    """Its sentence is beside what was written."""
    formats = [["nonsense", "x"], ["madqa", "Otters-madqa"]]
    jobs.start("two", "sven", order(formats=formats))
    job = finished(jobs)
    assert job.state == "failed"
    assert job.result["written"] == ["madqa"]
    assert "There is no format 'nonsense'" in job.message
    assert job.message.endswith("Written: madqa.")


def test_one_job_of_a_kind_at_a_time(jobs: Jobs, services: Services) -> None:
    """A second one is refused with who started the first; another kind may run."""
    job = paused_job(jobs)
    with pytest.raises(ConflictError, match="sven has already started this: Otters as gold"):
        jobs.start("again", "tom", order())
    jobs.start("index", "tom", IndexRequest())
    assert finished(jobs, "index").state == "done"
    assert jobs.cancel("export", job.id)
    assert finished(jobs).state == "cancelled"
    jobs.start("again", "tom", order())
    assert finished(jobs).state == "done"


def test_process_that_ignores_interrupts_is_cancelled(
    jobs: Jobs, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is just starting may have been told to by what started the server."""
    job = paused_job(jobs)
    monkeypatch.setattr(WorkerProcess, "interrupt", lambda _process: None)
    assert jobs.cancel("export", job.id)
    assert finished(jobs).state == "cancelled"


def test_cancelling_leaves_nothing_half_finished(jobs: Jobs, services: Services) -> None:
    """No folder, not even a hidden one; a second cancel of the same job changes nothing."""
    job = paused_job(jobs)
    assert jobs.cancel("export", job.id)
    ended = finished(jobs)
    assert (ended.state, ended.message) == (
        "cancelled",
        "Cancelled. Nothing half-finished was kept.",
    )
    assert list(services.workspace.exports_dir.iterdir()) == []
    assert not jobs.cancel("export", job.id)
    assert not jobs.pause("export", job.id, on=False)


def test_a_paused_job_goes_on(jobs: Jobs, services: Services) -> None:
    """Held still it is shown as such; then it ends as if nothing had been."""
    job = paused_job(jobs)
    last = jobs.last("export")
    assert last is not None
    assert last.state == "paused"
    assert jobs.pause("export", job.id, on=False)
    assert finished(jobs).state == "done"


def test_a_paused_job_holds_no_lock(jobs: Jobs, services: Services) -> None:
    """It waits between two steps: people's work is stored meanwhile."""
    jobs.start("index", "sven", IndexRequest(force=True))
    for on in (True, False, True):
        assert jobs.pause("index", 1, on=on)
    with write_transaction(services.workspace.engine):
        pass
    assert jobs.pause("index", 1, on=False)
    assert finished(jobs, "index").state == "done"


def test_worker_death_is_reported(jobs: Jobs, services: Services) -> None:
    """Killed from outside, the job is failed and another can be started."""
    paused_job(jobs)
    os.kill(process(jobs).pid, signal.SIGKILL)
    job = finished(jobs)
    assert job.state == "failed"
    assert "stopped unexpectedly" in job.message
    jobs.start("again", "sven", order())
    assert finished(jobs).state == "done"


def noisy_job(*_: object) -> JobOutcome:
    """Runs in the worker: writes to standard output in two ways, then ends well."""
    sys.stdout.write("MuPDF error: format error\n")
    sys.stdout.flush()
    os.write(1, b"format error\n")
    return JobOutcome("done", "Well.")


def test_foreign_worker_messages_are_ignored(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that prints into the pipe neither ends the job nor changes how it ends."""
    monkeypatch.setattr("pagetrail.app.jobs.manager._RUN_JOB", f"{__name__}:noisy_job")
    jobs.start("a", "sven", order())
    job = finished(jobs)
    assert (job.state, job.message) == ("done", "Well.")


def test_server_shutdown_ends_its_jobs(jobs: Jobs, services: Services) -> None:
    """Closing interrupts what runs, paused or not, and waits for it."""
    paused_job(jobs)
    worker = process(jobs)
    jobs.close()
    assert not worker.is_alive
    assert list(services.workspace.exports_dir.iterdir()) == []


def test_interrupt_during_worker_imports_is_silent(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A worker that has not come to its work yet is cancelled, with no traceback in the log."""
    importing = tmp_path / "importing"
    slow_import = f"import pathlib, time; pathlib.Path({str(importing)!r}).touch(); time.sleep(60)"
    (tmp_path / "slow_job.py").write_text(slow_import, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr("pagetrail.app.jobs.manager._RUN_JOB", "slow_job:do_job")
    job = jobs.start("a", "sven", order())
    deadline = time.monotonic() + LONG_S
    while not importing.exists():
        assert time.monotonic() < deadline, "the worker never began to import"
        time.sleep(0.01)
    assert jobs.cancel("export", job.id)
    assert finished(jobs).state == "cancelled"
    assert caplog.text == ""


def hold_job(root: str) -> None:
    """Start an export, hold it still, say so, and wait."""
    held_jobs = Jobs(Workspace.open(Path(root)), SystemClock())
    job = held_jobs.start("Otters as gold", "sven", order())
    held_jobs.pause("export", job.id, on=True)
    print_line("held")
    held_jobs.wait("export", LONG_S)


def test_a_job_of_a_killed_server_is_shown_as_interrupted_and_can_be_started_again(
    jobs: Jobs, services: Services
) -> None:
    """kill -9 while a job is held still: the next start says so, and nothing is in its way."""
    with start_function(hold_job, services.workspace.root) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "held\n"
        deadline = time.monotonic() + LONG_S
        while not last_jobs(services.workspace.engine):
            assert time.monotonic() < deadline
            time.sleep(0.01)
        server.kill()
    restarted_jobs = Jobs(services.workspace, SystemClock())
    last = restarted_jobs.last("export")
    assert last is not None
    assert (last.id, last.state, last.message, last.by) == (1, "failed", INTERRUPTED, "sven")
    restarted_jobs.start("Otters as gold", "tom", order())
    assert (finished(restarted_jobs).id, finished(restarted_jobs).state) == (2, "done")


def test_the_end_of_an_earlier_job_does_not_replace_a_later_one(services: Services) -> None:
    """Stored in the wrong order, as by a second server, the later job is the last one."""
    engine = services.workspace.engine
    started_at = "2026-01-01T00:00:00.000000Z"
    later = Job(kind="export", id=2, title="later", by="tom", started_at=started_at)
    store_job(engine, later)
    store_job(engine, later.changed(id=1, title="earlier", state="done"))
    assert last_jobs(engine) == [later]
    store_job(engine, later.changed(state="done", result={"written": ["gold"]}))
    assert last_jobs(engine) == [later.changed(state="done", result={"written": ["gold"]})]


def test_a_busy_database_neither_stops_a_job_nor_the_screens(
    jobs: Jobs, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its state cannot be stored: it is done all the same, and shown as such until a restart."""

    def busy(*_: object) -> None:
        assert jobs.last("export") is not None
        raise StorageError("The database is busy.")

    monkeypatch.setattr("pagetrail.app.jobs.manager.store_job", busy)
    jobs.start("Otters as gold", "sven", order())
    assert finished(jobs).state == "done"
    assert last_jobs(services.workspace.engine) == []


def test_the_index_is_built_anew(jobs: Jobs, services: Services) -> None:
    """Forced, although it is current; it has the same identity."""
    before = current_index(services.workspace)
    assert before is not None
    jobs.start("index", "sven", IndexRequest(force=True))
    job = finished(jobs, "index")
    assert (job.state, job.result["identity"]) == ("done", before.identity)
    after = current_index(services.workspace)
    assert after is not None
    assert (after.identity, after.folder != before.folder) == (before.identity, True)


def test_documents_are_taken_in_and_indexed(jobs: Jobs, services: Services, tmp_path: Path) -> None:
    """A good file is a document afterwards and findable; a bad one has its sentence; both are gone
    from where they were."""
    source = services.workspace.corpus_dir
    good, duplicate, bad = (tmp_path / name for name in ("new.pdf", "again.pdf", "bad.pdf"))
    first = next(source.glob("*.pdf")).read_bytes()
    duplicate.write_bytes(first)
    good.write_bytes(_pdf())
    bad.write_bytes(b"%PDF-1.7 not really")
    paths = tuple(str(path) for path in (good, duplicate, bad))
    jobs.start("3 files", "sven", IngestRequest(paths=paths, ocr="never"))
    job = finished(jobs, "ingest")
    assert (job.state, job.message) == ("done", "1 ingested, 1 already exist, 1 refused.")
    assert [entry["document"] for entry in job.result["ingested"]] == ["new.pdf"]
    assert services.corpus.document("new.pdf") is not None
    stored = current_index(services.workspace)
    assert stored is not None
    assert stored.pages == 5
    assert not any(path.exists() for path in (good, duplicate, bad))


def _pdf() -> bytes:
    document = pymupdf.open()
    document.new_page().insert_text((40, 60), "stoats in winter")
    content: bytes = document.tobytes()
    return content


def test_servers_of_one_database_share_their_jobs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of a kind among all; each shows it and may stop it; its server's end is noticed."""
    monkeypatch.setenv(DATABASE_URL, new_database())
    monkeypatch.setattr(manager, "_SYNC_INTERVAL_S", 0.05)
    workspace = make_workspace(tmp_path / "ws", address=address_wanted())
    first_server, second_server = (
        Jobs(Workspace.open(workspace.root), SystemClock()) for _ in range(2)
    )
    try:
        job = first_server.start("Otters as gold", "sven", order())
        assert first_server.pause("export", job.id, on=True)
        wait_for(
            lambda: (
                (last_job := second_server.last("export")) is not None
                and last_job.state == "paused"
            )
        )
        with pytest.raises(ConflictError, match="sven has already started this"):
            second_server.start("again", "tom", order())
        assert second_server.cancel("export", job.id)
        assert finished(first_server).state == "cancelled"
        assert second_server.last("export") == first_server.last("export")
        assert not second_server.cancel("export", job.id)
        second_job = second_server.start("again", "tom", order())
        assert finished(second_server).state == "done"
        assert (second_job.id, first_server.last("export")) == (
            job.id + 1,
            second_server.last("export"),
        )
        store_job(workspace.engine, second_job.changed(id=7))  # of a server that was killed
        interrupted = first_server.last("export")
        assert interrupted is not None
        assert (interrupted.state, interrupted.message) == ("failed", INTERRUPTED)
    finally:
        first_server.close()
        second_server.close()


def wait_for(condition: Callable[[], bool]) -> None:
    """Wait for what another thread or process does."""
    give_up = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < give_up
        time.sleep(0.01)


def test_an_import_that_needs_too_much_memory_ends_alone(
    jobs: Jobs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """60 MB of empty lists become gigabytes of objects; the job says what to do."""
    monkeypatch.setenv(MEMORY_VARIABLE, str(MIN_MIB))
    folder = tmp_path / "sent"
    folder.mkdir()
    lists = ",".join(["[[]]"] * 12_000_000)
    (folder / "boxes.json").write_text(f'[{{"rect": [{lists}]}}]', encoding="utf-8")
    request = ImportRequest(
        operation="import-elements", fields={"campaign": "Otters"}, folder=str(folder), by="sven"
    )
    jobs.start("Elements", "sven", request)
    job = finished(jobs, "import_elements")
    assert job.state == "failed"
    assert "need more than 512 MiB of memory. Split them" in job.message
