"""One row for every submitted attempt: all that the measures need of it.

A person's attempt and an imported run give the same row. Efforts and times are those of
docs/metrics.md, Effort and Time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from pagetrail.annotation import events as ev
from pagetrail.annotation.answers.question import Question, Tolerance
from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.submission import Submission
from pagetrail.annotation.costs.attempt_cost import AttemptCost, pay_cost, run_cost
from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.annotation.costs.price_table import PriceTable
from pagetrail.annotation.errors import MeasureError
from pagetrail.annotation.events.model_usage import NO_USAGE, ModelUsage
from pagetrail.annotation.metrics.attribution import F1, doc_f1, page_f1
from pagetrail.annotation.metrics.correctness import UNDECIDED, Correctness, Rule, decide
from pagetrail.annotation.metrics.search.steps import SearchStep, is_tool_step, search_steps
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.annotation.runs.record import stated_confidence
from pagetrail.annotation.runs.usage import attempt_usage, usage_by_model
from pagetrail.annotation.statistics.attempt_weights import ScoredAttempt, Unit
from pagetrail.annotation.tasks.task import Hop, TaskRecord, read_task
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, timing

EffortKind = Literal[
    "searches",
    "tool_steps",
    "iterations",
    "steps",
    "total_tokens",
    "output_tokens",
    "active_s",
    "wall_s",
    "submit_s",
    "execution_s",
]

NO_ANSWER_ASKED = "no_answer_asked"
"""Why an attempt submitted as done is neither correct nor incorrect."""


@dataclass(frozen=True)
class Row:
    """A submitted attempt.

    Attributes:
        system: who made it: a person's name or pseudonym, or an imported run's name.
        domain, category, query_type, language: of the task, for tables; None where not stated.
        hop: single, cross_page or cross_doc; None without gold evidence.
        unanswerable: whether the collection does not hold the answer; such tasks are reported
            apart.
        answered: whether an answer was submitted; not, where it was not found or held to be
            unanswerable.
        correctness: whether it is right, and what decided that.
        page_f1, doc_f1: of the citations; undefined without gold evidence (``no_gold_evidence``)
            and where the protocol asks for none (``no_citations_asked``).
        cited: distinct pages cited.
        gold_pages, gold_documents: distinct pages and documents of the gold evidence.
        searches: the queries that were run, in order, without looks back at earlier ones.
        look_backs: how often an earlier search was repeated with the same results.
        tool_steps: searches, refused ones too, pages that were looked at, and tools that an agent
            called beside them; a page that only came back with its task is none.
        active_s: idle cap in seconds → active time, seconds; None where ``times_known`` is not.
        wall_s: last event less first event, seconds; None likewise.
        submit_s: from the first event to the submission, seconds: what follows that, such as the
            closing of the batch days later, is not in it; None likewise. Both without the time in
            which a finished task waited, where ``attempt_row`` is told so.
        iterations: effort as the file of an imported run counts it; None where nothing says so.
        times_known: whether it is known when things happened; not in some imported runs.
        results_known: whether it is known what each search returned; not in some imported runs.
        person: whether somebody made it, not a system.
        usage: tokens, dollars and waiting time of a system's models, as far as known.
        usage_by_model: the same by model.
        pay_rate: what a person is paid; None without a rate, and for systems.
        time_corrected: whether the server's clock was set meanwhile (docs/metrics.md, Time).
        without_documents: whether a model answered from the question alone.
        confidence: the system's own, 0 to 1, as its run or its submission states it; None without
            one.
    """

    attempt: str
    task: str
    system: str
    domain: str | None
    category: str | None
    query_type: str | None
    language: str | None
    hop: Hop | None
    unanswerable: bool
    outcome: ev.Outcome
    answered: bool
    correctness: Correctness
    page_f1: F1
    doc_f1: F1
    cited: int
    gold_pages: int
    gold_documents: int
    searches: tuple[SearchStep, ...]
    tool_steps: int
    active_s: dict[int, float] | None
    wall_s: float | None
    submit_s: float | None
    iterations: int | None = None
    times_known: bool = True
    results_known: bool = True
    person: bool = True
    look_backs: int = 0
    usage: ModelUsage = NO_USAGE
    usage_by_model: tuple[ev.ModelTotal, ...] = ()
    pay_rate: PayRate | None = None
    without_documents: bool = False
    time_corrected: bool = False
    confidence: float | None = None

    @cached_property
    def correct(self) -> bool | None:
        """Whether the answer is right; None where nothing could decide."""
        return self.correctness.correct

    @property
    def is_undecided(self) -> bool:
        """Whether the answer counts as incorrect only because nothing decided it."""
        return self.correctness.decided_by == UNDECIDED

    @cached_property
    def unit(self) -> Unit:
        """The attempts of a unit share a weight of 1 (docs/metrics.md, Weights)."""
        return self.task, None if self.person else self.system

    @property
    def only_drew_boxes(self) -> bool:
        """Whether a system's imported boxes are all of it: nothing here can be measured."""
        return (
            not self.person
            and self.correctness.reason == NO_ANSWER_ASKED
            and not (self.searches or self.tool_steps or self.times_known)
            and self.usage.is_empty
        )

    def scored(self, score: float | None) -> ScoredAttempt:
        """The attempt with a score, for means over attempts."""
        return ScoredAttempt(self.task, score, self.system, self.person)

    def scored_answer(self, *, within: bool = True) -> ScoredAttempt:
        """The attempt with 1 if its answer is right, else 0, for accuracies.

        Args:
            within: whether it is within the budget; beyond it, no answer is right.
        """
        score = float(self.correct is True and within)
        return self.scored(score)._replace(undecided=self.is_undecided and within)

    def effort(self, kind: EffortKind, idle_cap_s: int = DEFAULT_IDLE_CAP_S) -> float | None:
        """The effort of that kind: steps, tokens or seconds; None where it is unknown.

        ``iterations`` are those of the file of an imported run; of everybody else the searches,
        but at least 1, as in the MADQA export: an effort of 0 drops a row out of Kuiper. ``steps``
        are what MADQA's evaluator counts: the searches; of a row without any, its iterations.
        ``execution_s`` is people's active time, and of a system the latency of its model's calls,
        else its time to submission.

        Raises:
            MeasureError: active time under an idle cap that was not computed.
        """
        match kind:
            case "searches":
                return float(len(self.searches))
            case "tool_steps":
                return float(self.tool_steps)
            case "iterations":
                iterations = self.iterations
                return float(max(1, len(self.searches)) if iterations is None else iterations)
            case "steps":
                return float(len(self.searches)) or self.effort("iterations")
            case "total_tokens":
                return _number(self.usage.all_tokens)
            case "output_tokens":
                return _number(self.usage.output_tokens)
            case "wall_s":
                return self.wall_s
            case "submit_s":
                return self.submit_s
            case "active_s":
                return self._active(idle_cap_s)
            case "execution_s" if self.person:
                return self._active(idle_cap_s)
            case "execution_s":
                latency_ms = self.usage.latency_ms
                return self.submit_s if latency_ms is None else latency_ms / 1000

    def cost(self, prices: PriceTable | None, idle_cap_s: int = DEFAULT_IDLE_CAP_S) -> AttemptCost:
        """Pay of a person or dollars of a system, converted where the price table has a rate.

        Raises:
            MeasureError: active time under an idle cap that was not computed.
        """
        if self.person:
            return pay_cost(self.pay_rate, self._active(idle_cap_s)).in_dollars(prices)
        return run_cost(self.usage.cost_usd, self.usage_by_model, prices)

    def _active(self, idle_cap_s: int) -> float | None:
        if self.active_s is None:
            return None
        if idle_cap_s not in self.active_s:
            caps = ", ".join(map(str, self.active_s))
            raise MeasureError(f"There is no idle cap of {idle_cap_s} s. Caps: {caps}.")
        return self.active_s[idle_cap_s]


def attempt_row(
    task_record: TaskRecord | dict[str, Any],
    state: AttemptState,
    events: Sequence[ev.Event],
    *,
    protocol: Protocol,
    judgement: float | None = None,
    rule: Rule = "first",
    system: str | None = None,
    person: bool = True,
    waiting: bool = True,
) -> Row:
    """The row of a submitted attempt.

    An imported run begins with the event that says what its file tells: without times it has none
    here either, whatever the events' own clock says. Pages that it cites and that do not exist are
    wrong like any other that is not gold.

    Args:
        task_record: with its gold.
        state: the fold of the events.
        events: all of the attempt, in order.
        protocol: that it was made under: whether an answer is prose, whether pages are cited, and
            whether "not found" is how to say that there is no answer.
        judgement: 1, 0.5 or 0 of a judge of the answer.
        rule: what decides whether the answer is right, see ``decide``.
        system: who made it; the actor of the first event unless given.
        person: whether that is somebody, not a system.
        waiting: whether wall and submission time include the time in which the task was submitted
            or skipped, until it was reopened or its batch was closed.

    Raises:
        MeasureError: the attempt is not submitted, or the record or the judgement is not valid.
    """
    if state.status != "submitted" or state.outcome is None or not events:
        raise MeasureError(
            f"Attempt {events[0].attempt_id if events else 'without events'} is "
            f"{state.status}; only submitted attempts are measured."
        )
    record = _record(task_record)
    gold = [ref.key for ref in record.evidence]
    submission = Submission(Form(protocol, state))
    answer, cited = submission.answer, submission.pages
    asks_evidence = protocol.evidence.enabled
    first = events[0].payload
    run = first if isinstance(first, ev.RunImported) else None
    times = timing(events)
    wall_ms, submit_ms = times.wall_ms, times.submit_elapsed_ms or 0
    if not waiting:
        # Waiting may follow the submission too, so both end with it.
        wall_ms = submit_ms = times.wall_ms - times.handed_in_ms
    timed = run is None or run.timed
    return Row(
        attempt=events[0].attempt_id,
        task=record.id,
        system=system or events[0].actor,
        domain=record.domain,
        category=record.document_category,
        query_type=_joined(record.query_type),
        language=record.language,
        hop=record.hop,
        unanswerable=bool(record.unanswerable),
        outcome=state.outcome,
        answered=bool(answer),
        correctness=_correctness(record, submission, judgement, rule),
        page_f1=page_f1(cited, gold) if asks_evidence else _not_asked(),
        doc_f1=doc_f1(cited, gold) if asks_evidence else _not_asked(),
        cited=len(set(cited)),
        gold_pages=len(gold),
        gold_documents=len({document for document, _ in gold}),
        searches=search_steps(events, gold),
        tool_steps=sum(map(is_tool_step, events)),
        active_s={cap: ms / 1000 for cap, ms in times.active_ms.items()} if timed else None,
        wall_s=wall_ms / 1000 if timed else None,
        submit_s=submit_ms / 1000 if timed else None,
        iterations=run.iterations if run else None,
        times_known=timed,
        results_known=run is None or run.results_known,
        person=person,
        usage=attempt_usage(events),
        usage_by_model=usage_by_model(events),
        look_backs=sum(search.looks_back_at is not None for search in state.searches),
        without_documents=run is not None and run.without_documents,
        time_corrected=any(isinstance(event.payload, ev.TimeCorrected) for event in events),
        confidence=stated_confidence(events),
    )


AnyRow = TypeVar("AnyRow", bound=Row)


def judged_row(
    row: AnyRow,
    task_record: TaskRecord | dict[str, Any],
    answer: Sequence[str],
    judgement: float,
    rule: Rule,
) -> AnyRow:
    """The row of the same attempt once somebody has judged its answer.

    Raises:
        MeasureError: the record or the judgement is not valid.
    """
    if rule in ("first", "judgement") and row.correctness.exact is not None:
        # Only the judgement decides, and how alike the texts are is known.
        return replace(row, correctness=row.correctness.with_judgement(judgement))
    record = _record(task_record)
    question = Question(record.question, record.language)
    decided = decide(answer, record.answer_variants, judgement, rule, question=question)
    return replace(row, correctness=decided)


def _record(record: TaskRecord | dict[str, Any]) -> TaskRecord:
    if isinstance(record, TaskRecord):
        return record
    try:
        return read_task(record)
    except ValueError as error:
        raise MeasureError(f"The record of task {record.get('id')!r} breaks: {error}.") from error


def _correctness(
    record: TaskRecord,
    submission: Submission,
    judgement: float | None,
    rule: Rule,
) -> Correctness:
    protocol, outcome = submission.form.protocol, submission.outcome
    if outcome == "completed" and judgement is None:
        return Correctness(None, reason=NO_ANSWER_ASKED)
    if not record.unanswerable or judgement is not None:
        return decide(
            submission.answer,
            record.answer_variants,
            judgement,
            rule,
            question=Question(
                record.question, record.language, Tolerance.from_answer(protocol.answer)
            ),
        )
    # Without that choice, "not found" means the same.
    right = outcome == ("unanswerable" if protocol.answer.unanswerable else "not_found")
    return Correctness(right, "outcome", float(right))


def _not_asked() -> F1:
    return F1(value=None, reason="no_citations_asked", precision=None, recall=None)


def _number(count: int | None) -> float | None:
    return None if count is None else float(count)


def _joined(value: str | list[str] | None) -> str | None:
    return ", ".join(value) if isinstance(value, list) else value
