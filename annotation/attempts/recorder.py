"""The only way into the event log: validate against protocol and state, stamp, append."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.batch_aids import carried_payload
from pagetrail.annotation.attempts.completeness import missing
from pagetrail.annotation.attempts.context import (
    GRACE_MS,
    AttemptContext,
    accepts_unfinished,
    over_by_ms,
)
from pagetrail.annotation.attempts.contradictions import row_with_verdict, rows_with_verdicts
from pagetrail.annotation.attempts.event_log import AttemptStream, EventLog
from pagetrail.annotation.attempts.preannotations import state_once_started
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.timeline import Position, Timelines, client_count_ms
from pagetrail.annotation.attempts.validation.events import check_event
from pagetrail.annotation.attempts.validation.verdicts import check_seen
from pagetrail.annotation.clock import iso
from pagetrail.annotation.document_names import DocumentNames
from pagetrail.annotation.errors import Refusal
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock, DocumentInfo, DocumentSource
from pagetrail.annotation.sentences import sentence

__all__ = ["AttemptContext", "Command", "Receipt", "Recorded", "Recorder"]

MAX_STATE_CHARS = 4_000_000
"""An attempt's state is stored again and again: from this size on, it may no longer grow."""

MAX_EVENTS = 100_000
MAX_LOG_CHARS = 128_000_000
"""What an attempt may have in the log; an hour of 20 edits a second is 72,000 events."""
_ON_REQUEST = (
    ev.AgentStep,
    ev.Checked,
    ev.DocumentSearched,
    ev.PageTextRead,
    ev.Searched,
    ev.SearchRefused,
)
"""Events that the server makes at the request of the person at work, without a limit."""


@dataclass(frozen=True)
class Command:
    """A request to record something.

    Attributes:
        client_event_id: unique in the attempt; a repeated id is answered, not stored again.
        payload: what happened.
        client_ts: the browser's own clock, ISO-8601, as claimed.
        age_ms: how long ago it happened, by the browser's monotonic clock.
        based_on: number of the last event that the payload was derived from; where others have
            followed since, the command is refused. None skips this check.
        document_version: of the payload's document, that was seen; None: the current one.
        is_from_screen: whether a screen of this version sent it, whose verdicts say how long their
            unit was seen.
    """

    client_event_id: str
    payload: ev.Payload
    client_ts: str | None = None
    age_ms: int = 0
    based_on: int | None = None
    document_version: int | None = None
    is_from_screen: bool = False


@dataclass(frozen=True)
class Receipt:
    """Proof that an event is stored; issued only after its transaction has committed."""

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
    state: AttemptState = field(default_factory=AttemptState)


class Recorder:
    """Appends what people and agents do."""

    def __init__(self, log: EventLog, pages: DocumentSource, clock: Clock) -> None:
        self._log = log
        self._pages = pages
        self._clock = clock
        self._timelines = Timelines(clock)

    def record(
        self,
        context: AttemptContext,
        commands: Sequence[Command],
        guard: Callable[[AttemptState], None] | None = None,
        *,
        exclusive: bool = False,
    ) -> Recorded:
        """Store the commands in order, in one transaction.

        A refused command does not stop the ones after it, and nothing of it is stored. A command
        whose id is stored already is answered with the stored event's receipt.

        Args:
            guard: called with the attempt's state once nobody else can write to the attempt; an
                exception that it raises is passed on, and nothing is stored.
            exclusive: lock out all other writers, as always for gold: for guards that read other
                attempts.

        Raises:
            NotFoundError: no such attempt.
        """
        receipts: list[Receipt] = []
        refusals: dict[str, Refusal] = {}
        with self._log.writing(context.attempt_id, exclusive=exclusive or context.review) as stream:
            if guard is not None:
                guard(stream.state)
            stamp = _EventStamp(context, stream, stream.now(self._clock), self._timelines)
            for command in commands:
                try:
                    receipts.append(self._record_command(context, stream, command, stamp))
                except Refusal as refusal:
                    refusals[command.client_event_id] = refusal
            state = stream.state
        if stamp.has_corrected:
            self._timelines.forget_correction(context.attempt_id)
        return Recorded(receipts, refusals, state)

    def elapsed_ms(self, attempt_id: str, state: AttemptState) -> int:
        """Milliseconds since the attempt's first event, as an event recorded now would have it."""
        return self._timelines.elapsed_ms(attempt_id, state)

    def _record_command(
        self, context: AttemptContext, stream: AttemptStream, command: Command, stamp: _EventStamp
    ) -> Receipt:
        stored = stream.find(command.client_event_id)
        if stored is not None:
            return _receipt(stored, repeated=True)
        state = stream.state
        if command.based_on not in (None, state.last_seq):
            raise Refusal(gettext("This task was changed meanwhile. Try again."), code="outdated")
        seeds = list(context.seeds()) if state.last_seq == 0 and context.seeds else []
        # What a model gave counts from the first event on: without it, a task could be
        # submitted before there was anything to check.
        checked = state_once_started(state, seeds) if seeds else state
        elapsed = stamp.elapsed(state, command)
        documents = _SeenVersion(self._pages, command)
        check_event(documents, context, checked, command.payload, elapsed)
        if not context.imported:
            check_seen(
                context.form(checked), command.payload, is_from_screen=command.is_from_screen
            )
        _check_time(context, state, command, elapsed)
        command = _with_what_follows(context, checked, command, elapsed)
        correction = stamp.take_correction()
        if correction is not None:
            _append(stream, stamp, command, "clock", correction)
        if state.paused and command.payload.is_work:
            # Work in a second tab ends the pause: the clock must go on. The slash
            # keeps the id apart from every id that a browser may send.
            _append(stream, stamp, command, "resumed", ev.Resumed(implicit=True))
        # The opening comes before what a model gave; any other event comes after it.
        opens = isinstance(command.payload, ev.Opened)
        if not opens:
            _give(stream, stamp, command, seeds)
        event = stamp.event(stream.state, command, documents.version)
        if not context.imported:
            _check_total(stream, command)
        if stream.size > MAX_STATE_CHARS and not (context.imported or context.review):
            _check_growth(stream.state, event)
        stream.append(event)
        if opens:
            _give(stream, stamp, command, seeds)
            _carry_aids(context, stream, stamp, command)
        return _receipt(event, repeated=False)


def _check_time(
    context: AttemptContext, state: AttemptState, command: Command, elapsed_ms: int
) -> None:
    over_ms = over_by_ms(context, state, elapsed_ms)
    if command.payload.is_edit and over_ms is not None and over_ms > GRACE_MS:
        raise Refusal(sentence("time_over"), code="time_over", field="clock")


def _with_what_follows(
    context: AttemptContext, state: AttemptState, command: Command, elapsed_ms: int
) -> Command:
    """What is stored of a command: the server adds what follows from the work.

    A changed row brings its verdict. A submission says what is missing when the time is up; what
    a client claims of it does not count.

    Raises:
        Refusal: what was changed contradicts the verdict given with it.
    """
    payload = command.payload
    if context.imported:
        return command
    if isinstance(payload, ev.RowSet):
        return replace(command, payload=row_with_verdict(context.form(state), payload))
    if isinstance(payload, ev.RowsSet):
        return replace(command, payload=rows_with_verdicts(context.form(state), payload))
    if not isinstance(payload, ev.Submitted):
        return command
    missing_parts: tuple[str, ...] = ()
    if accepts_unfinished(context, state, elapsed_ms):
        missing_parts = tuple(missing(context.form(state), payload.outcome))
    if missing_parts == payload.missing:
        return command
    return replace(command, payload=payload.model_copy(update={"missing": missing_parts}))


def _check_total(stream: AttemptStream, command: Command) -> None:
    """Refuse more events than any work has; what ends the work, or others do to it, passes."""
    payload = command.payload
    is_of_others = payload.server_only and not isinstance(payload, _ON_REQUEST)
    if is_of_others or payload.finishes:
        return
    if stream.state.last_seq >= MAX_EVENTS or stream.log_chars >= MAX_LOG_CHARS:
        raise Refusal(
            sentence(
                "attempt_full", events=f"{MAX_EVENTS:,}", megabytes=f"{MAX_LOG_CHARS / 1e6:.0f}"
            ),
            code="attempt_full",
        )


def _check_growth(state: AttemptState, event: ev.Event) -> None:
    """Refuse edits that enlarge a state that is already too large; submitting is not an edit."""
    payload = event.payload
    if not (
        payload.is_edit
        or isinstance(payload, ev.NoteEdited | ev.ScratchpadEdited | ev.Searched | ev.SearchRefused)
    ):
        return
    # Not the history: shortening a text adds the longer one to it.
    without_history = {"undo": (), "redo": ()}
    before, after = (
        len(each.model_copy(update=without_history).stored_json())
        for each in (state, apply(state, event))
    )
    if after > before:
        raise Refusal(
            gettext(
                "This task holds more than {max_state_chars:,} characters, which is "
                "the limit. Remove something, or submit it.",
                max_state_chars=MAX_STATE_CHARS,
            ),
            code="task_too_large",
        )


def _append(
    stream: AttemptStream, stamp: _EventStamp, cause: Command, name: str, payload: ev.Payload
) -> None:
    """Append what the server adds to a command, at the command's own time."""
    added = Command(f"{cause.client_event_id}/{name}", payload, cause.client_ts, cause.age_ms)
    stream.append(stamp.event(stream.state, added))


def _give(
    stream: AttemptStream, stamp: _EventStamp, cause: Command, payloads: Sequence[ev.Payload]
) -> None:
    for number, payload in enumerate(payloads, start=1):
        _append(stream, stamp, cause, f"seed-{number}", payload)


def _carry_aids(
    context: AttemptContext, stream: AttemptStream, stamp: _EventStamp, cause: Command
) -> None:
    """Bring bookmarks and scratchpad up to what other tasks of the batch have made of them."""
    if not context.protocol.aids.link_tasks or context.review or context.imported:
        return
    payload = carried_payload(stream.batch_aids(), stream.state.aids)
    if payload is not None:
        _append(stream, stamp, cause, "aids", payload)


class _EventStamp:
    """Puts the commands of one call on the attempt's time line."""

    def __init__(
        self,
        context: AttemptContext,
        stream: AttemptStream,
        now: datetime,
        timelines: Timelines,
    ) -> None:
        self._context = context
        self._stream = stream
        self._now = now
        self._timelines = timelines
        self._position: Position | None = None  # of ``now``
        self.has_corrected = False

    def elapsed(self, state: AttemptState, command: Command) -> int:
        """When the command happened, milliseconds since the attempt's first event."""
        age_ms = max(0, command.age_ms)
        if self._position is None:
            attempt_id = self._context.attempt_id
            count = partial(self._client_count_ms, state, command.client_ts, age_ms)
            self._position = self._timelines.record(attempt_id, state, self._now, count)
        return max(state.elapsed_ms, self._position.elapsed_ms - age_ms)

    def take_correction(self) -> ev.TimeCorrected | None:
        """The mark that goes before the first event that is stored, or None."""
        is_timed = not (self._context.imported or self._context.review)
        if self.has_corrected or self._position is None or not is_timed:
            return None
        self.has_corrected = self._position.correction is not None
        return self._position.correction

    def _client_count_ms(
        self, state: AttemptState, client_ts: str | None, age_ms: int
    ) -> int | None:
        if state.last_seq == 0:
            # The time line begins when the first event happened, not when it was received.
            return age_ms
        return client_count_ms(self._stream.last_of_client(), state, client_ts, age_ms)

    def event(
        self, state: AttemptState, command: Command, document_version: int | None = None
    ) -> ev.Event:
        return ev.Event(
            attempt_id=self._context.attempt_id,
            seq=state.last_seq + 1,
            server_ts=iso(self._now),
            client_ts=command.client_ts,
            elapsed_ms=self.elapsed(state, command),
            actor=self._context.actor,
            client_event_id=command.client_event_id,
            payload=command.payload,
            document_version=document_version,
        )


class _SeenVersion:
    """The documents, that of a command's payload or of its box in the version that was seen."""

    def __init__(self, documents: DocumentSource, command: Command) -> None:
        self._documents = documents
        self._document = getattr(command.payload, "document", None)
        self._version = command.document_version
        self._info: DocumentInfo | None = None

    def document(self, name: str, version: int | None = None) -> DocumentInfo | None:
        if version is None and self._document in (None, name):
            version = self._version
        self._info = self._documents.document(name, version)
        return self._info

    def document_names(self) -> DocumentNames:
        return self._documents.document_names()

    @property
    def version(self) -> int | None:
        """What is stored: None for the first version, and where no document was seen."""
        if self._document is not None:
            self.document(self._document)
        return None if self._info is None or self._info.version == 1 else self._info.version


def _receipt(event: ev.Event, *, repeated: bool) -> Receipt:
    return Receipt(
        client_event_id=event.client_event_id,
        seq=event.seq,
        server_ts=event.server_ts,
        elapsed_ms=event.elapsed_ms,
        repeated=repeated,
    )
