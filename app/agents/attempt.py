"""An agent's attempt at one task: each call is checked and logged like a person's click."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.recorder import Command
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.attempts.validation.events import check_event
from pagetrail.annotation.errors import (
    ALREADY_SUBMITTED,
    ConflictError,
    NotFoundError,
    QueryRefused,
    Refusal,
)
from pagetrail.annotation.protocols.fields import Value
from pagetrail.app.agents.payloads import (
    BoxUnit,
    agent_step,
    box_drawn,
    citation,
    draft,
    for_agents,
    identifier,
    make_payload,
    model_turn,
    page_origin,
    png,
    stored_name,
)
from pagetrail.app.agents.replies import PageRead, SearchReply, StateReply, search_reply, state_of
from pagetrail.app.agents.submission import commands, rehearse
from pagetrail.app.services.composition import Services
from pagetrail.app.workspace.annotator_actions import own_attempt
from pagetrail.app.workspace.search import run_search
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.attempts.system_tasks import check_access
from pagetrail.storage.people.accounts import Person

IMAGE_DPI = 110
"""A letter page then has 935 × 1210 pixels: small print can be read, and a reply stays small."""

_TRIES = 5
_COMPARED_FIELDS = (
    "document",
    "page",
    "box",
    "field",
    "value",
    "text",
    "tool",
    "arguments",
    "reason",
    "rect",
    "label",
    "model",
    "calls",
    "usage",
)
"""The payload fields that tell a repeated call from a different call with the same id."""


class AgentAttempt:
    """A system's attempt at a task, made by ``AgentClient.open``. Thread-safe.

    It holds ids only: several processes may work on one attempt, and any may be killed at any
    moment. Each method takes a ``request_id`` chosen by the caller (letters, digits and ``_.:-``,
    at most 80): a call repeated with the same id is answered, not executed again.

    Every method raises:
        Refusal: the protocol or the attempt's state forbid it; see ``code`` and ``message``.
        ConflictError: the campaign is closed, or the system is deactivated.
        BadRequest: an argument is malformed.
        TooManyRequests: more events than people may send; see ``retry_after_s``.
        StorageError: the database failed; nothing was stored, try again.
    """

    def __init__(self, services: Services, system: Person, attempt_id: str, session: str) -> None:
        self._services = services
        self._system = system
        self._session = session
        self._versions: dict[str, int] = {}  # of the documents that it has read
        self.id = attempt_id

    def search_documents(self, query: str, *, request_id: str | None = None) -> SearchReply:
        """Search the collection, with the ranking, result limit and time limit people have.

        Raises:
            QueryRefused: the query is empty, not parseable, too broad or too slow. The refusal is
                logged, as a person's would be.
        """
        self._check_access()
        call = identifier(request_id)
        self._is_repeated(request_id, ("searched", "search_refused"), query=query)
        self._wake()
        self._wait_for_rate(size=len(query))
        try:
            reply, _ = run_search(
                self._services, self._system, self.id, {"id": call, "query": query}
            )
        except Refusal as refusal:
            raise for_agents(refusal) from refusal
        if reply["refusal"] is not None:
            raise QueryRefused(reply["refusal"]["message"], code=self._reason(call))
        return search_reply(reply)

    def read_page(
        self,
        document: str,
        page: int,
        *,
        image: bool = False,
        dpi: int = IMAGE_DPI,
        request_id: str | None = None,
    ) -> PageRead:
        """View a page: its text and, on request, its image as PNG.

        Args:
            page: 1-based.
            dpi: resolution of the image, 24–300.

        Raises:
            NotFoundError: the dpi is out of range.
            CorpusError: the image cannot be rendered; nothing was logged.
        """
        self._check_access()
        self._wake()
        row, state = self._attempt_row(), self._state()
        document = stored_name(self._services.corpus, document)
        payload = make_payload(
            ev.PageViewed,
            document=document,
            page=page,
            **page_origin(state, row.pages(), document, page),
        )
        repeated = self._is_repeated(request_id, ("page_viewed",), document=document, page=page)
        if not repeated:
            try:
                check_event(self._services.corpus, row.context(), state, payload)
            except Refusal as refusal:
                raise for_agents(refusal) from refusal
        info = self._services.corpus.document(document)
        if info is None:
            raise NotFoundError(f"There is no document {document} in this collection.")
        text = self._services.corpus.page_text(document, page)
        picture = None
        if image:
            picture = png(self._services.images.jpeg(info.sha256, page, dpi))
        self._versions[document] = info.version
        self._record(payload, request_id)
        return PageRead(document, page, info.n_pages, text, picture)

    def step(
        self,
        text: str = "",
        *,
        tool: str | None = None,
        arguments: object = None,
        request_id: str | None = None,
    ) -> None:
        """Log something the agent wrote, or a tool of its own it called; long texts are cut."""
        self._act(agent_step(text, tool, arguments), request_id)

    def report_usage(
        self,
        model: str,
        *,
        calls: int = 1,
        request_id: str | None = None,
        **usage: float,
    ) -> None:
        """Log what a call of the agent's model used, before what it asked for.

        The attempt's usage is the sum, which is unknown if a call leaves a value out that others
        state. Report before ``submit``: nothing is recorded after it.

        Args:
            model: name, by which the price table is read.
            calls: number of calls that the usage sums up.
            usage: fields of ``ModelUsage``: ``input_tokens`` (with cached ones), ``cached_tokens``,
                ``cache_write_tokens``, ``output_tokens`` (with reasoning), ``reasoning_tokens``,
                ``total_tokens``, ``cost_usd``, ``latency_ms``.
        """
        self._act(model_turn(model, calls, usage), request_id)

    def cite(self, document: str, page: int, *, request_id: str | None = None) -> None:
        """Cite a page as evidence."""
        payload = citation(self._services.corpus, self._state(), document, page)
        self._act(payload, request_id)

    def uncite(self, document: str, page: int, *, request_id: str | None = None) -> None:
        """Remove a citation."""
        name = stored_name(self._services.corpus, document)
        self._act(make_payload(ev.CitationRemoved, document=name, page=page), request_id)

    def set_field(
        self,
        field: str,
        value: Value | Sequence[str],
        *,
        document: str | None = None,
        page: int | None = None,
        box: str | None = None,
        request_id: str | None = None,
    ) -> None:
        """Set a field of the task, of a page or of a box; None clears it."""
        if isinstance(value, list):
            value = tuple(value)
        document = stored_name(self._services.corpus, document)
        payload = make_payload(
            ev.FieldSet, field=field, value=value, document=document, page=page, box=box
        )
        self._act(payload, request_id)

    def draw_box(
        self,
        document: str,
        page: int,
        box: Sequence[float],
        label: str | None = None,
        *,
        unit: BoxUnit = "fraction",
        request_id: str | None = None,
    ) -> str:
        """Draw a box on a page; returns its id.

        Args:
            box: x0, y0, x1, y1, from the top left of the page as displayed.
            label: one of the campaign's labels; by default its only one.
            unit: ``fraction`` of the page's width and height, 0–1, or ``points``.
        """
        document = stored_name(self._services.corpus, document)
        info = self._services.corpus.document(document)
        if info is None or not 1 <= page <= info.n_pages:
            raise NotFoundError(f"There is no page {page} of a document {document} here.")
        call = identifier(request_id)
        labels = [entry.name for entry in self._attempt_row().protocol.boxes.labels]
        payload = box_drawn(call, document, page, box, unit, info.pages[page - 1], label, labels)
        self._act(payload, call)
        return call

    def delete_box(self, box: str, *, request_id: str | None = None) -> None:
        """Delete a box by its id."""
        self._act(make_payload(ev.BoxDeleted, box=box), request_id)

    def submit(
        self,
        answer: str | Sequence[str] | None = None,
        citations: Sequence[tuple[str, int]] = (),
        outcome: ev.Outcome | None = None,
        *,
        confidence: float | None = None,
        request_id: str | None = None,
    ) -> StateReply:
        """Submit the task, once; everything is stored together or not at all.

        Args:
            answer: the answers, or one text; None keeps the current answer.
            citations: (document, page) pairs to cite in addition to earlier ones.
            outcome: ``answered``, ``not_found``, ``unanswerable`` or ``completed``; by default
                ``completed`` if the task takes no answer, else ``answered``.
            confidence: how sure the agent is that the answer is right, from 0 to 1.

        Raises:
            SubmissionRefused: citations are not valid; ``problems`` lists all of them.
            ConflictError: others kept changing the attempt meanwhile; submit again.
        """
        self._check_access()
        if self._is_repeated(request_id, ("submitted",)):
            return self.state()
        call = identifier(request_id)
        self._wake()
        row = self._attempt_row()
        for _ in range(_TRIES):
            state = self._state()
            submission = draft(
                self._services.corpus, row, state, answer, citations, outcome, confidence
            )
            submission_commands = [
                replace(command, document_version=self._seen_version(command.payload))
                for command in commands(submission, state, call)
            ]
            try:
                rehearse(self._services, row.context(), state, submission_commands)
            except Refusal as refusal:
                if refusal.code == ALREADY_SUBMITTED and self._is_repeated(
                    request_id, ("submitted",)
                ):
                    return self.state()  # by another process, under this very id
                raise for_agents(refusal) from refusal
            self._wait_for_rate(*(command.payload for command in submission_commands))
            recorded = self._services.recorder.record(row.context(), submission_commands)
            if call not in recorded.refusals:
                return state_of(self._services, row, recorded.state)
            for reason in recorded.refusals.values():
                if reason.code != "outdated":
                    raise for_agents(reason)
        raise ConflictError("This task is being changed by another process. Submit again.")

    def skip(self, reason: str, *, request_id: str | None = None) -> StateReply:
        """Put the task aside for good, with a reason."""
        self._act(make_payload(ev.Skipped, reason=reason), request_id)
        return self.state()

    def state(self) -> StateReply:
        """The attempt's state, also in a closed campaign."""
        return state_of(self._services, self._attempt_row(), self._state())

    def begin(self, request_id: str | None = None) -> None:
        """Log that the task was opened or reopened; a submitted task is only read."""
        if self._state().status not in ("submitted", "skipped"):
            self._record(ev.Opened(session=self._session), request_id)

    def leave(self) -> None:
        """Stop the task's clock until the next call, as closing the browser tab does."""
        state = self._state()
        if state.status == "open" and not state.hidden:
            command = Command(identifier(None), ev.TabHidden())
            self._services.recorder.record(self._attempt_row().context(), [command])

    def _act(self, payload: ev.Payload, request_id: str | None) -> None:
        self._check_access()
        fields = {
            name: getattr(payload, name) for name in _COMPARED_FIELDS if hasattr(payload, name)
        }
        if self._is_repeated(request_id, (payload.type,), **fields):
            return
        self._wake()
        self._record(payload, request_id)

    def _record(self, payload: ev.Payload, request_id: str | None) -> None:
        call = identifier(request_id)
        self._wait_for_rate(payload)
        outcome = self._services.recorder.record(
            self._attempt_row().context(),
            [Command(call, payload, document_version=self._seen_version(payload))],
        )
        refusal = outcome.refusals.get(call)
        if refusal is not None:
            raise for_agents(refusal)

    def _seen_version(self, payload: ev.Payload) -> int | None:
        return self._versions.get(getattr(payload, "document", ""))

    def _wait_for_rate(self, *payloads: ev.Payload, size: int = 0) -> None:
        """Wait until events of these payloads, or one of this size, are within people's limits.

        Raises:
            TooManyRequests: the wait would be too long.
        """
        size += sum(len(payload.model_dump_json()) for payload in payloads)
        rates = self._services.event_rates
        time.sleep(rates.wait(self._system.id, max(1, len(payloads)), size))

    def _is_repeated(self, request_id: str | None, types: Sequence[str], **fields: object) -> bool:
        """Whether this call was already made with this id.

        Raises:
            ConflictError: the id was used for a different call.
        """
        if request_id is None:
            return False
        identifier(request_id)
        events = self._services.log.events(self.id)
        stored = next((e for e in events if e.client_event_id == request_id), None)
        if stored is None:
            return False
        is_same_call = stored.type in types and all(
            getattr(stored.payload, name) == value for name, value in fields.items()
        )
        if not is_same_call:
            raise ConflictError(
                f"The request id {request_id!r} was used for another call of this task. Every "
                "call needs its own.",
                code="request_id_used",
            )
        return True

    def _wake(self) -> None:
        """Resume the clock if another process has left the task."""
        state = self._state()
        if state.hidden and state.status == "open":
            self._record(ev.TabShown(), None)

    def _check_access(self) -> None:
        check_access(self._services.workspace, self._attempt_row().campaign, self._system)

    def _attempt_row(self) -> AttemptRow:
        return own_attempt(self._services, self._system, self.id)

    def _state(self) -> AttemptState:
        return self._services.log.state(self.id)

    def _reason(self, search_id: str) -> str:
        """The code of a refused search, which is only in the log."""
        for event in self._services.log.events(self.id):
            payload = event.payload
            if isinstance(payload, ev.SearchRefused) and payload.search_id == search_id:
                return payload.reason
        return QueryRefused.code
