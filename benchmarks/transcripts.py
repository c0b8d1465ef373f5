"""Transcriptions: three rounds with a careless model on real pages, and how fast edits are stored.

The model of the demo plants errors in the texts of pages and proposes patches, some of which would
add errors. Simulated people decide the patches and correct some of the rest. Counted are the
planted errors that were found and those left, and the errors that accepted patches added.
"""

from __future__ import annotations

import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.harness import Benchmark, Measurement, Setup
from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.rounds import round_stage
from pagetrail.annotation.clock import ManualClock
from pagetrail.app.demo.campaigns.transcripts import (
    CarelessModel,
    TranscribedPage,
    correct,
    start_next_round,
)
from pagetrail.app.demo.simulated_work import SimulatedTab
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import open_assignment
from pagetrail.app.workspace.payload import attempt_payload
from pagetrail.storage.attempts import queries
from pagetrail.storage.batches import my_batches
from pagetrail.storage.corpus.documents import Corpus
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.importers.files.rows import RawRow, TaskFile
from pagetrail.storage.importers.tasks.importer import import_tasks
from pagetrail.storage.ingest.command import ingest
from pagetrail.storage.people.accounts import add_user, find_person

CAMPAIGN, PERSON = "Texts", "alma"
ROUNDS = 3
MIN_LINES = 12
"""Lines that a page must have to be transcribed."""
TEXT_CHARS, PATCHES, EDITS = 20_000, 200, 300


@dataclass
class RoundCounts:
    """Outcome of a campaign in rounds.

    Attributes:
        planted: errors in the model's texts.
        found: those that the final texts do not have.
        left: those that they have.
        bad_patches: wrong patches that the model proposed in all rounds.
        bad_patches_left: those whose error the final texts have.
        stages: pages by their stage in the end.
    """

    pages: int = 0
    rounds: int = 0
    planted: int = 0
    found: int = 0
    left: int = 0
    bad_patches: int = 0
    bad_patches_left: int = 0
    stages: Counter[str] = field(default_factory=Counter)


@contextmanager
def text_workspace(pdfs: Sequence[Path]) -> Iterator[tuple[Services, ManualClock]]:
    """A workspace over the PDFs with one annotator."""
    with tempfile.TemporaryDirectory(prefix="pagetrail-texts-") as folder:
        workspace = Workspace.create(Path(folder) / "ws")
        ingest(workspace, list(pdfs), ocr="never")
        clock = ManualClock(datetime(2026, 3, 2, 9, 0, tzinfo=UTC))
        services = Services(workspace, clock=clock)
        add_user(workspace, PERSON, "annotator", "benchmark password", clock=clock)
        try:
            yield services, clock
        finally:
            services.close()
            workspace.engine.dispose()


def go_rounds(
    services: Services, clock: ManualClock, pages: int, *, seed: int = 1, care: float = 0.8
) -> RoundCounts:
    """Three rounds of a campaign with that many pages, spread over the documents."""
    rng = Random(seed)
    model = CarelessModel(rng)
    transcribed = _transcribed_pages(services, model, pages)
    rows = [
        RawRow(number, page.record(key, model.patches(page, page.text)))
        for number, (key, page) in enumerate(transcribed.items(), start=1)
    ]
    report = import_tasks(
        services.workspace, TaskFile(rows), campaign=CAMPAIGN, protocol="transcribe", clock=clock
    )
    if report.bad:
        raise RuntimeError(report.bad[0].reason)
    counts = RoundCounts(pages=len(transcribed))
    person = find_person(services.workspace, PERSON)
    for row in my_batches.assignments(services.workspace.engine, person.id):
        open_assignment(services, person, row.assignment_id)
    for counts.rounds in range(1, ROUNDS + 1):
        if counts.rounds > 1:
            with tempfile.TemporaryDirectory() as folder:
                workspace = services.workspace
                start_next_round(workspace, CAMPAIGN, model, transcribed, Path(folder), clock)
        for task in _tasks(services, person.id):
            if task.status in ("new", "open"):
                tab = SimulatedTab(
                    services, person, task.attempt_id, clock, rng, f"round-{counts.rounds}"
                )
                correct(tab, transcribed[task.key], care=care)
    for task in _tasks(services, person.id):
        state = services.log.state(task.attempt_id)
        counts.stages[round_stage(state)] += 1
        text = state.transcript.text if state.transcript else ""
        page = transcribed[task.key]
        counts.planted += len(page.errors)
        counts.left += len(page.errors_left(text))
        counts.bad_patches += len(page.bad_patches)
        counts.bad_patches_left += len(page.bad_patches_accepted(text))
    counts.found = counts.planted - counts.left
    return counts


def _transcribed_pages(
    services: Services, model: CarelessModel, count: int
) -> dict[str, TranscribedPage]:
    """Pages with enough lines, one of each document in turn."""
    corpus = Corpus(services.workspace)
    candidates = []
    for name in corpus.names():
        info = corpus.document(name)
        numbers = range(1, (info.n_pages if info else 0) + 1)
        usable = [n for n in numbers if _is_usable(corpus.page_text(name, n))]
        candidates += [(index, name, number) for index, number in enumerate(usable[1:6])]
    pages = {}
    for _, name, number in sorted(candidates)[:count]:
        page = model.transcribe(name, number, corpus.page_text(name, number))
        pages[f"{name}-p{number}"] = page
    return pages


def _is_usable(text: str) -> bool:
    return sum(len(line.split()) >= 3 for line in text.splitlines()) >= MIN_LINES


def _tasks(services: Services, person_id: int) -> list[queries.BatchTask]:
    engine = services.workspace.engine
    return [
        task
        for row in my_batches.assignments(engine, person_id)
        for task in queries.batch_tasks(engine, row.assignment_id)
    ]


def measure(setup: Setup) -> Iterator[Measurement]:
    """Three rounds on the corpus, and edits of a long text with many patches."""
    pdfs = sorted(setup.corpus.rglob("*.pdf"), key=lambda path: path.stat().st_size)[:8]
    with text_workspace(pdfs) as (services, clock):
        counts = go_rounds(services, clock, 12)
        yield Measurement("pages in three rounds", counts.pages, "")
        yield Measurement("planted errors", counts.planted, "")
        yield Measurement("of these left after three rounds", counts.left, "")
        yield Measurement("wrong patches of the model", counts.bad_patches, "")
        yield Measurement("of these accepted and left", counts.bad_patches_left, "")
        yield from _measure_edits(services, clock, pdfs[0].name)


def _measure_edits(services: Services, clock: ManualClock, document: str) -> Iterator[Measurement]:
    text = "".join(f"Line {number:04} of the text.\n" for number in range(TEXT_CHARS // 23))
    step = len(text) // PATCHES
    patches = [
        {"at": at, "old": text[at : at + 4], "new": "Row ", "reason": "because"}
        for at in range(0, step * PATCHES, step)
    ]
    page = {"document": document, "page": 1}
    record: dict[str, Any] = {
        "id": "long", "question": "Correct the text.", "candidates": [page],
        "transcript": text, "patches": patches,
    }  # fmt: skip
    import_tasks(
        services.workspace,
        TaskFile([RawRow(1, record)]),
        campaign="Long text",
        protocol="transcribe",
        clock=clock,
    )
    person = find_person(services.workspace, PERSON)
    (batch,) = [
        row
        for row in my_batches.assignments(services.workspace.engine, person.id)
        if row.campaign == "Long text"
    ]
    attempt_id = open_assignment(services, person, batch.assignment_id)
    row = queries.attempt(services.workspace.engine, attempt_id)
    services.recorder.record(row.context(), [Command("open", ev.Opened(session="s"))])
    stored, opened = [], []
    rng = Random(1)
    for number in range(EDITS):
        at = rng.randrange(TEXT_CHARS // 2)
        edit = ev.TextEdit(at=at, removed="", inserted="typed ")
        start = time.perf_counter()
        recorded = services.recorder.record(
            row.context(),
            [Command(f"edit-{number}", ev.TextEdited(**page, edits=(edit,)))],
        )
        stored.append(time.perf_counter() - start)
        if recorded.refusals:
            raise RuntimeError("an edit was refused")
    for _ in range(20):
        start = time.perf_counter()
        attempt_payload(services, person, row)
        opened.append(time.perf_counter() - start)
    name = f"{len(text):,} characters and {PATCHES} patches"
    yield Measurement.of_durations(f"storing an edit of {name}", stored, target_p95_ms=50)
    yield Measurement.of_durations(f"data to open {name}", opened, target_p95_ms=300)


BENCHMARK = Benchmark("transcripts", measure)
