"""The only way into the event log: validate against protocol and state, stamp, append."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from annotation import events as ev
from annotation.clock import iso, parse_iso
from annotation.completeness import awaited, missing
from annotation.errors import Refusal
from annotation.forms import Form
from annotation.ports import AttemptStream, Clock, EventLog, PageSize, PageSource
from annotation.protocol import Protocol
from annotation.response import Response, work_since
from annotation.rules import BOX_EVENTS, EDITS, check_box, check_field, check_row
from annotation.seeds import begun

LIMIT_GRACE_MS = 5_000
"""What was typed when the time was up may still arrive this much later."""

NOT_WORK = (ev.Paused, ev.Resumed, ev.TabHidden, ev.TabShown, ev.Reconnected, ev.Opened)


@dataclass(frozen=True)
class AttemptContext:
    """What the recorder must know of the attempt besides its events.

    Attributes:
        attempt_id: the stream.
        actor: name of the person or system at work.
        protocol: the campaign's protocol.
        pages: the (document, page) pairs that may be read; None means the whole collection.
        given: the pages that the task gives, in order; None where it gives none.
        seeds: makes the events that put a model's elements and rows before the annotator; called
            when the attempt begins.
    """

    attempt_id: str
    actor: str
    protocol: Protocol
    pages: frozenset[tuple[str, int]] | None = None
    given: tuple[tuple[str, int], ...] | None = None
    seeds: Callable[[], Sequence[ev.AnyPayload]] | None = None

    def form(self, state: Response) -> Form:
        """The protocol's questions over a state of this attempt."""
        return Form(self.protocol, state, self.given)


@dataclass(frozen=True)
class Command:
    """A wish to record something.

    Attributes:
        client_event_id: unique in the attempt; a repeated id is answered, not stored again.
        payload: what happened.
        client_ts: the browser's own clock, ISO-8601, as claimed.
        age_ms: how long ago it happened, by the browser's monotonic clock.
        based_on: number of the last event that the payload was worked out from; where others
            have followed meanwhile, the command is refused. None asks for nothing.
    """

    client_event_id: str
    payload: ev.AnyPayload
    client_ts: str | None = None
    age_ms: int = 0
    based_on: int | None = None


@dataclass(frozen=True)
class Receipt:
    """Proof that an event is stored; handed out only after its transaction has committed."""

    client_event_id: str
    seq: int
    server_ts: str
    elapsed_ms: int
    repeated: bool = False


@dataclass(frozen=True)
class Recorded:
    """The outcome of one call: receipts, refusals by client event id, and the state after it."""

    receipts: list[Receipt] = field(default_factory=list)
    refusals: dict[str, Refusal] = field(default_factory=dict)
    response: Response = field(default_factory=Response)


class Recorder:
    """Appends what people and agents do."""

    def __init__(self, log: EventLog, pages: PageSource, clock: Clock) -> None:
        self._log = log
        self._pages = pages
        self._clock = clock

    def record(self, context: AttemptContext, commands: Sequence[Command]) -> Recorded:
        """Store the commands in order, in one transaction.

        A refused command does not stop the ones after it, and nothing of it is stored. A command
        whose id is stored already is answered with the stored event's receipt.

        Raises:
            NotFoundError: no such attempt.
        """
        receipts: list[Receipt] = []
        refusals: dict[str, Refusal] = {}
        with self._log.writing(context.attempt_id) as stream:
            stamp = _Stamp(context, self._clock.now())
            for command in commands:
                try:
                    receipts.append(self._one(context, stream, command, stamp))
                except Refusal as refusal:
                    refusals[command.client_event_id] = refusal
            response = stream.response
        return Recorded(receipts, refusals, response)

    def _one(
        self, context: AttemptContext, stream: AttemptStream, command: Command, stamp: _Stamp
    ) -> Receipt:
        stored = stream.find(command.client_event_id)
        if stored is not None:
            return _receipt(stored, repeated=True)
        state = stream.response
        if command.based_on not in (None, state.last_seq):
            raise Refusal("This task was changed meanwhile. Try again.", code="outdated")
        given = list(context.seeds()) if state.last_seq == 0 and context.seeds else []
        # What a model gave counts from the first event on: without it, a task could be handed in
        # before anything was there to be checked.
        self._check(context, begun(state, given) if given else state, command.payload)
        self._check_time(context, state, command, stamp)
        if state.paused and not isinstance(command.payload, NOT_WORK):
            # Work in a second tab ends the pause: the clock must not stand still meanwhile. The
            # slash keeps the id apart from every id that a browser may send.
            _append(stream, stamp, command, "resumed", ev.Resumed(implicit=True))
        # The opening comes before what is given with it; other work needs it to be there.
        opens = isinstance(command.payload, ev.Opened)
        if not opens:
            _give(stream, stamp, command, given)
        event = stamp.event(stream.response, command)
        stream.append(event)
        if opens:
            _give(stream, stamp, command, given)
        return _receipt(event, repeated=False)

    def _check_time(
        self, context: AttemptContext, state: Response, command: Command, stamp: _Stamp
    ) -> None:
        limit = context.protocol.clock.limit_s
        if limit is None or not isinstance(command.payload, EDITS):
            return
        worked = state.work_ms + work_since(state, stamp.elapsed(state, command))
        if worked > limit * 1_000 + LIMIT_GRACE_MS:
            raise Refusal(
                "The time for this task is over. Hand in what you have, or skip it.",
                code="time_over",
                field="clock",
            )

    def _check(self, context: AttemptContext, state: Response, payload: ev.AnyPayload) -> None:
        """Raise a Refusal unless the payload is allowed now."""
        if state.closed:
            raise Refusal(
                "This batch is closed. It can be read but not changed.", code="batch_closed"
            )
        handed_in = state.status in ("submitted", "skipped")
        if handed_in and not isinstance(payload, ev.Reopened | ev.BatchClosed | ev.FeedbackGiven):
            raise Refusal(
                f"This task is {state.status}. Reopen it to go on working.", code="handed_in"
            )
        form = context.form(state)
        if isinstance(payload, BOX_EVENTS):
            _check_unlocked(form)
            check_box(form, payload, self._size(context, state, payload))
            return
        match payload:
            case ev.PageViewed():
                _check_unlocked(form)
                self._check_page(context, payload.document, payload.page)
            case ev.FieldSet():
                self._check_target(context, form, payload)
                check_field(form, payload)
            case ev.RowSet() | ev.RowDeleted():
                self._check_target(context, form, payload)
                check_row(form, payload)
            case ev.QuestionEdited() if context.protocol.question.kind != "editable":
                raise Refusal("The question is given.", code="given_question", field="question")
            case ev.AnswerEdited() if context.protocol.answer.kind == "off":
                raise Refusal("This task takes no answer.", code="no_answer", field="answer")
            case ev.AnswerEdited() | ev.QuestionEdited() if form.ended:
                raise Refusal(
                    "The task has ended with what was said of the question.",
                    code="ended",
                    field="answer" if isinstance(payload, ev.AnswerEdited) else "question",
                )
            case ev.Reopened() if state.feedback is not None:
                raise Refusal(
                    "The right answer of this pilot task has been shown. It stays as handed in.",
                    code="gold_shown",
                )
            case ev.FeedbackGiven() if not (handed_in and context.protocol.pilot.enabled):
                raise Refusal("There is no feedback on this task yet.", code="no_feedback")
            case ev.CitationAdded():
                self._check_citation(context, form, payload)
            case ev.CitationRemoved() if not state.cites(payload.document, payload.page):
                raise Refusal(
                    f"Page {payload.page} of {payload.document} is not cited.",
                    code="not_cited",
                    field="evidence",
                )
            case ev.Searched() | ev.SearchRefused() if not context.protocol.search.enabled:
                raise Refusal("This task has no search.", code="no_search", field="search")
            case ev.Paused() if not context.protocol.clock.pause:
                raise Refusal("This campaign's clock cannot be paused.", code="no_pause")
            case ev.Paused() if state.paused:
                raise Refusal("The clock is paused already.", code="already_paused")
            case ev.Resumed() if not state.paused:
                raise Refusal("The clock is not paused.", code="not_paused")
            case ev.Reopened() if not handed_in:
                raise Refusal("The task is open already.", code="not_handed_in")
            case ev.BatchClosed() if not handed_in:
                raise Refusal("The task is still open.", code="not_handed_in")
            case ev.Submitted():
                _check_submission(form, payload)
            case ev.Skipped() if not payload.reason.strip():
                raise Refusal("Say why the task is skipped.", code="no_reason", field="skip")
            case _:
                pass

    def _check_page(self, context: AttemptContext, document: str, page: int) -> None:
        info = self._pages.document(document)
        if info is None:
            raise Refusal(
                f"There is no document {document} in this collection.", code="unknown_document"
            )
        if page > info.n_pages:
            raise Refusal(
                f"Page {page} of {document} does not exist: the document has {info.n_pages} pages.",
                code="unknown_page",
            )
        if context.pages is not None and (document, page) not in context.pages:
            raise Refusal(
                f"Page {page} of {document} does not belong to this task.", code="page_not_given"
            )

    def _check_target(self, context: AttemptContext, form: Form, payload: ev.Targeted) -> None:
        """A page that a field is set of must be there, and open, like that of a box."""
        if payload.page is not None or payload.box is not None:
            _check_unlocked(form)
        if payload.document is not None and payload.page is not None:
            self._check_page(context, payload.document, payload.page)

    def _check_citation(
        self, context: AttemptContext, form: Form, payload: ev.CitationAdded
    ) -> None:
        evidence, state = context.protocol.evidence, form.state
        if not evidence.enabled:
            raise Refusal("This task takes no citations.", code="no_evidence", field="evidence")
        _check_unlocked(form)
        self._check_page(context, payload.document, payload.page)
        if state.cites(payload.document, payload.page):
            raise Refusal(
                f"Page {payload.page} of {payload.document} is cited already.",
                code="already_cited",
                field="evidence",
            )
        if len(state.citations) >= evidence.max_pages:
            raise Refusal(
                f"A task takes at most {evidence.max_pages} citations. Remove one first.",
                code="too_many_citations",
                field="evidence",
            )

    def _size(
        self, context: AttemptContext, state: Response, payload: ev.AnyPayload
    ) -> PageSize | None:
        """Size of the page that a box event's rectangle is on, after checking that page."""
        if isinstance(payload, ev.BoxDrawn):
            self._check_page(context, payload.document, payload.page)
            place = (payload.document, payload.page)
            if context.given is not None and place not in context.given:
                raise Refusal(
                    f"Page {payload.page} of {payload.document} is not among this task's pages.",
                    code="page_not_given",
                    field="boxes",
                )
        elif isinstance(payload, ev.BoxMoved | ev.BoxResized):
            box = state.boxes.get(payload.box)
            if box is None:
                return None
            place = (box.document, box.page)
        else:
            return None
        info = self._pages.document(place[0])
        return None if info is None else info.pages[place[1] - 1]


def _append(
    stream: AttemptStream, stamp: _Stamp, cause: Command, name: str, payload: ev.AnyPayload
) -> None:
    """Append what the server adds to a command, at the command's own moment."""
    added = Command(f"{cause.client_event_id}/{name}", payload, cause.client_ts, cause.age_ms)
    stream.append(stamp.event(stream.response, added))


def _give(
    stream: AttemptStream, stamp: _Stamp, cause: Command, given: Sequence[ev.AnyPayload]
) -> None:
    for number, payload in enumerate(given, start=1):
        _append(stream, stamp, cause, f"seed-{number}", payload)


def _check_unlocked(form: Form) -> None:
    """The pages stay closed until the fields of ``pages_after`` are set."""
    for spec in awaited(form, form.protocol.pages_after):
        raise Refusal(
            f"Judge “{spec.label}” first; the pages can be opened after that.",
            code="pages_locked",
            field=spec.name,
        )


def _check_submission(form: Form, payload: ev.Submitted) -> None:
    answer = form.protocol.answer
    without = answer.kind == "off" or form.ended
    if without != (payload.outcome == "completed"):
        raise Refusal(
            "This task takes no answer now; hand it in as done."
            if without
            else "This task wants an answer.",
            code="wrong_outcome",
            field="answer",
        )
    if payload.outcome == "unanswerable" and not answer.unanswerable:
        raise Refusal(
            "This campaign has no unanswerable questions. Choose “No answer found”, or skip.",
            code="no_unanswerable",
            field="answer",
        )
    if payload.outcome == "not_found" and not answer.not_found:
        raise Refusal(
            "“No answer found” is not an outcome of this campaign.",
            code="no_not_found",
            field="answer",
        )
    lacking = missing(form, payload.outcome)
    if lacking:
        raise Refusal(" ".join(lacking.values()), code="incomplete", field=next(iter(lacking)))


class _Stamp:
    """Puts the commands of one call on the attempt's time line."""

    def __init__(self, context: AttemptContext, now: datetime) -> None:
        self._context = context
        self._now = now
        self._origin: datetime | None = None

    def elapsed(self, state: Response, command: Command) -> int:
        """When the command happened, milliseconds since the attempt's first event."""
        age = timedelta(milliseconds=max(0, command.age_ms))
        if self._origin is None:
            # The time line begins when the first event happened, not when it was received.
            stored = state.clock_origin or state.started_at
            self._origin = parse_iso(stored) if stored else self._now - age
        elapsed = (self._now - age - self._origin) // timedelta(milliseconds=1)
        return max(state.elapsed_ms, elapsed)

    def event(self, state: Response, command: Command) -> ev.Event:
        return ev.Event(
            attempt_id=self._context.attempt_id,
            seq=state.last_seq + 1,
            server_ts=iso(self._now),
            client_ts=command.client_ts,
            elapsed_ms=self.elapsed(state, command),
            actor=self._context.actor,
            client_event_id=command.client_event_id,
            payload=command.payload,
        )


def _receipt(event: ev.Event, *, repeated: bool) -> Receipt:
    return Receipt(
        client_event_id=event.client_event_id,
        seq=event.seq,
        server_ts=event.server_ts,
        elapsed_ms=event.elapsed_ms,
        repeated=repeated,
    )
