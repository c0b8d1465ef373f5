"""A campaign of people and systems whose results can be worked out by hand.

Everything goes through the real recorder: people search, cite and answer in attempts, systems
are read in as finished runs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command, Recorder
from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.events.search_results import SearchHit
from pagetrail.annotation.protocols.protocol import Protocol, preset
from pagetrail.exports.reading.open_source import open_source
from pagetrail.exports.reports.metrics.report import MetricsOptions, metrics
from pagetrail.exports.reports.model import Cell, Report, Row, Table
from pagetrail.storage.attempts.event_log import SqlEventLog
from pagetrail.storage.attempts.system_attempts import ensure_attempt, ensure_system
from pagetrail.storage.corpus.documents import Corpus
from tests.exports.campaigns import CAMPAIGN, Stage, make_stage
from tests.support.factory import START

REPORT, ANNEX = "annual report.pdf", "b.pdf"
P1, P2, P3, B1 = (REPORT, 1), (REPORT, 2), (REPORT, 3), (ANNEX, 1)
MISSING = ("no such file.pdf", 7)

Page = tuple[str, int]


def task(key: str, *evidence: Page, answer: str | None = "42", **fields: Any) -> dict[str, Any]:
    """A task with that gold; without an answer it is unanswerable."""
    gold: dict[str, Any] = {"unanswerable": True} if answer is None else {}
    return {
        "id": key,
        "question": f"What of {key}?",
        "answer_variants": [] if answer is None else [[answer]],
        "evidence": [{"document": name, "page": page} for name, page in evidence],
        **gold,
        **fields,
    }


@dataclass(frozen=True)
class Try:
    """What somebody did at a task.

    Attributes:
        searches: the pages that each query showed.
        cites: page 1 of the report for an answer, else nothing, unless given.
        answer: None for "not found", or for nothing where ``outcome`` says another thing.
    """

    answer: str | None = "42"
    searches: Sequence[Sequence[Page]] = ()
    cites: Sequence[Page] | None = None
    queries: Sequence[str] = ()
    outcome: ev.Outcome | None = None
    step_s: float = 5

    def payloads(self) -> list[ev.Payload]:
        """The events after the first."""
        payloads: list[ev.Payload] = [
            _search(n, self.queries[n - 1] if self.queries else f"query {n}", pages)
            for n, pages in enumerate(self.searches, start=1)
        ]
        cites = ([] if self.answer is None else [P1]) if self.cites is None else self.cites
        payloads += [ev.CitationAdded(document=name, page=page) for name, page in cites]
        if self.answer is not None:
            payloads.append(ev.AnswerEdited(text=self.answer))
        outcome = self.outcome or ("not_found" if self.answer is None else "answered")
        return [*payloads, ev.Submitted(outcome=outcome)]


def _search(n: int, query: str, pages: Sequence[Page]) -> ev.Searched:
    return ev.Searched(
        search_id=f"s{n}",
        query=query,
        parsed=query,
        top_k=5,
        total_hits=len(pages),
        took_ms=1.0,
        index_id="index-1",
        results=tuple(
            SearchHit(rank=rank, file=name, page=page, score=9.0 - rank)
            for rank, (name, page) in enumerate(pages, start=1)
        ),
    )


@dataclass
class Scene:
    """A campaign to work on and to measure."""

    stage: Stage
    clock: ManualClock = field(default_factory=lambda: ManualClock(START))

    def person(self, name: str, tries: Mapping[str, Try]) -> None:
        """Somebody works on these tasks."""
        for key, attempt in tries.items():
            driver = self.stage.driver(key, name)
            for payload in [ev.Opened(session="tab-1"), *attempt.payloads()]:
                recorded = driver.do(payload, after_s=attempt.step_s)
                assert not recorded.refusals, recorded.refusals

    def skip(self, name: str, key: str) -> None:
        """Somebody skips a task."""
        self.stage.did(key, name, ev.Opened(session="tab-1"), ev.Skipped(reason="unreadable"))

    def system(
        self,
        name: str,
        tries: Mapping[str, Try],
        *,
        iterations: Mapping[str, int] | None = None,
        timed: bool = False,
        results_known: bool = True,
        campaign: str = CAMPAIGN,
        model: str | None = None,
        usage: Mapping[str, ev.ModelUsage] | None = None,
    ) -> None:
        """A system's run over these tasks is read in, with what it used of tasks as totals."""
        usages = usage or {}
        person = ensure_system(self.stage.workspace, name, clock=self.clock)
        for n, (key, attempt) in enumerate(tries.items(), start=1):
            row = ensure_attempt(
                self.stage.workspace, campaign, key, person, finished=True, clock=self.clock
            )
            context = replace(row.context(), imported=True)
            log = SqlEventLog(self.stage.workspace.engine)
            recorder = Recorder(log, Corpus(self.stage.workspace), self.clock)
            first = ev.RunImported(
                format="madqa",
                file="run.jsonl",
                sha256="0" * 64,
                record=n,
                iterations=(iterations or {}).get(key),
                timed=timed,
                results_known=results_known,
                model=model,
                totals=(ev.ModelTotal(usage=usages[key]),) if key in usages else (),
            )
            for number, payload in enumerate([first, *attempt.payloads()], start=1):
                recorded = recorder.record(context, [Command(f"r{number}", payload)])
                assert not recorded.refusals, recorded.refusals
                if timed:
                    self.clock.advance(seconds=attempt.step_s)

    def report(self, **options: Any) -> Report:
        """The metrics report, with few replicates."""
        with open_source(self.stage.workspace, CAMPAIGN, identify=False) as source:
            return metrics(source, MetricsOptions(**{"replicates": 200, **options}))


def make_scene(
    root: Path,
    tasks: Sequence[Mapping[str, Any]],
    people: Sequence[str] = ("Ada", "Grace"),
    protocol: Protocol | None = None,
) -> Scene:
    """A campaign of the search preset unless another protocol is given; nobody has worked."""
    return Scene(make_stage(root / "ws", protocol or preset("search"), tasks, people))


def section(report: Report, title: str) -> bool:
    """Whether the report has that section."""
    return any(section.title == title for section in report.sections)


def table(report: Report, key: str) -> Table:
    """The table of that key."""
    return next(table for table in report.tables if table.key == key)


def lines(report: Report, key: str, **conditions: Any) -> list[Row]:
    """The rows of a table whose cells have these values."""
    return [
        row
        for row in table(report, key).rows
        if all(row.cells[name].value == value for name, value in conditions.items())
    ]


def line(report: Report, key: str, **conditions: Any) -> Mapping[str, Cell]:
    """The one such row."""
    (row,) = lines(report, key, **conditions)
    return row.cells


def value(report: Report, key: str, column: str, **conditions: Any) -> Any:
    """The value of one cell."""
    return line(report, key, **conditions)[column].value


def left_out(report: Report) -> dict[tuple[str, str], int]:
    """(what, reason) → count."""
    return {(entry.what, entry.reason): entry.count for entry in report.left_out}
