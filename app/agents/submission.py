"""Submissions of agents: checked as a whole before any of it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import uuid4

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.context import AttemptContext
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState, apply
from pagetrail.annotation.attempts.validation.events import check_event
from pagetrail.annotation.clock import iso
from pagetrail.annotation.errors import ALREADY_SUBMITTED, Refusal
from pagetrail.app.services.composition import Services

_MAX_MESSAGES = 5


@dataclass(frozen=True)
class Problem:
    """A citation that is not valid, and why."""

    document: str
    page: int
    code: str
    message: str


class SubmissionRefused(Refusal):
    """A submission with invalid citations; nothing of it was stored.

    Attributes:
        problems: one per invalid citation, in the order given.
    """

    code = "citations_refused"

    def __init__(self, problems: Sequence[Problem]) -> None:
        messages = " ".join(problem.message for problem in problems[:_MAX_MESSAGES])
        more = (
            f" And {len(problems) - _MAX_MESSAGES} more." if len(problems) > _MAX_MESSAGES else ""
        )
        super().__init__(
            f"Nothing was submitted. {messages}{more} Correct the citations and submit again.",
            field="evidence",
        )
        self.problems = list(problems)


@dataclass(frozen=True)
class Draft:
    """A submission before it is recorded.

    Attributes:
        text: the answer box; None keeps it as it is.
        citations: pages to cite in addition to those already cited.
    """

    text: str | None
    citations: tuple[ev.CitationAdded, ...]
    submission: ev.Submitted


def commands(draft: Draft, state: AttemptState, request_id: str) -> list[Command]:
    """The commands that submit the draft from a state; the last one is the submission."""
    edits: list[ev.Payload] = []
    if draft.text is not None and draft.text != state.answer_text:
        edits.append(ev.AnswerEdited(text=draft.text))
    for citation in draft.citations:
        if not state.cites(citation.document, citation.page):
            edits.append(citation)
    edit_commands = [
        # No id given by a caller can have a slash.
        Command(f"{request_id}/{uuid4().hex}", payload)
        for payload in edits
    ]
    # Stored only if all before it were stored and nobody else has written meanwhile.
    last = Command(
        request_id,
        draft.submission,
        based_on=state.last_seq + len(edit_commands),
    )
    return [*edit_commands, last]


def rehearse(
    services: Services,
    context: AttemptContext,
    state: AttemptState,
    submission_commands: Sequence[Command],
) -> None:
    """Try the commands on a copy of the state.

    Raises:
        SubmissionRefused: citations are not valid.
        Refusal: the answer, or the submission itself, is refused.
    """
    problems: list[Problem] = []
    elapsed = services.recorder.elapsed_ms(context.attempt_id, state)
    for command in submission_commands:
        payload = command.payload
        if isinstance(payload, ev.Submitted) and problems:
            break
        try:
            check_event(services.corpus, context, state, payload, elapsed)
        except Refusal as refusal:
            if not isinstance(payload, ev.CitationAdded) or refusal.code == ALREADY_SUBMITTED:
                raise
            problems.append(Problem(payload.document, payload.page, refusal.code, refusal.message))
            continue
        state = apply(state, _as_event(services, context, state, command))
    if problems:
        raise SubmissionRefused(problems)


def _as_event(
    services: Services, context: AttemptContext, state: AttemptState, command: Command
) -> ev.Event:
    return ev.Event(
        attempt_id=context.attempt_id,
        seq=state.last_seq + 1,
        server_ts=iso(services.clock.now()),
        client_ts=None,
        elapsed_ms=state.elapsed_ms,
        actor=context.actor,
        client_event_id=command.client_event_id,
        payload=command.payload,
    )
