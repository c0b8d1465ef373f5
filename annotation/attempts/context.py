"""What must be known of an attempt besides its events, and its time limit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pagetrail.annotation.attempts.forms import Form
from pagetrail.annotation.attempts.state import AttemptState, work_since
from pagetrail.annotation.events import Payload
from pagetrail.annotation.protocols.protocol import Protocol


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
        imported: whether a finished run is read in: what an agent did is kept as it was, also
            where the campaign's rules would have refused it.
        review: whether this is the gold stream of a task, in which supervisors are the actors.
    """

    attempt_id: str
    actor: str
    protocol: Protocol
    pages: frozenset[tuple[str, int]] | None = None
    given: tuple[tuple[str, int], ...] | None = None
    seeds: Callable[[], Sequence[Payload]] | None = None
    imported: bool = False
    review: bool = False

    def form(self, state: AttemptState) -> Form:
        """The protocol's questions over a state of this attempt."""
        return Form(self.protocol, state, self.given)


GRACE_MS = 5_000
"""What was typed when the time was up may still arrive this much later."""

TOLERANCE_MS = 2_000
"""So much earlier than here may the time be up by the browser's count, which the way of each
message moves a little. A submission is accepted as it is from this moment on."""


def over_by_ms(context: AttemptContext, state: AttemptState, elapsed_ms: int) -> int | None:
    """Milliseconds worked beyond the limit, negative before it; None where there is none.

    Args:
        elapsed_ms: the time, counted from the attempt's first event.
    """
    limit = context.protocol.clock.limit_s
    if limit is None or context.imported or context.review:
        return None
    return state.work_ms + work_since(state, elapsed_ms) - limit * 1_000


def accepts_unfinished(context: AttemptContext, state: AttemptState, elapsed_ms: int) -> bool:
    """Whether the task can be submitted as it is, whatever is missing."""
    over_ms = over_by_ms(context, state, elapsed_ms)
    return over_ms is not None and over_ms >= -TOLERANCE_MS
