"""Event payloads made from an agent's arguments: validated, and with how a page was reached."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal
from uuid import uuid4

from PIL import Image
from pydantic import ValidationError

from pagetrail.annotation import events as ev
from pagetrail.annotation.attempts.page_state import Search
from pagetrail.annotation.attempts.state import AttemptState
from pagetrail.annotation.errors import ALREADY_SUBMITTED, BadRequest, Refusal
from pagetrail.annotation.events.agents import MAX_ARGUMENTS, MAX_STEP_TEXT
from pagetrail.annotation.geometry.box import DECIMALS, PageSize
from pagetrail.annotation.readable_errors import describe, short_value
from pagetrail.app.agents.submission import Draft
from pagetrail.storage.attempts.queries import AttemptRow
from pagetrail.storage.corpus.documents import Corpus

BoxUnit = Literal["fraction", "points"]

_MAX_USAGE = {"cost_usd": 10**12, "latency_ms": 10**12}
"""Most dollars and milliseconds of one report."""
_MAX_TOKENS = 10**15
_ROUNDED = 0.002
"""By which a fraction may leave the page."""
_REQUEST_ID = re.compile(r"[A-Za-z0-9_.:-]{1,80}")


def identifier(request_id: str | None) -> str:
    """The id of a call: the caller's own, or a new one.

    Raises:
        BadRequest: it is malformed.
    """
    if request_id is None:
        return uuid4().hex
    if not isinstance(request_id, str) or not _REQUEST_ID.fullmatch(request_id):
        raise BadRequest(
            f"The request id {str(request_id)[:100]!r} is not valid. Use at most 80 letters, "
            "digits and _.:- characters."
        )
    return request_id


def make_payload(kind: Callable[..., Any], **fields: object) -> Any:
    """The payload.

    Raises:
        BadRequest: a value is malformed.
    """
    try:
        return kind(**fields)
    except ValidationError as error:
        raise BadRequest(f"This cannot be recorded: {describe(error)}") from error


def for_agents(refusal: Refusal) -> Refusal:
    """The refusal, worded for agents, who cannot reopen a task."""
    if refusal.code != ALREADY_SUBMITTED:
        return refusal
    return Refusal(
        "This task is already submitted or skipped. Agents submit a task once; continue with "
        "another.",
        code=ALREADY_SUBMITTED,
    )


def page_origin(
    state: AttemptState, given_pages: Sequence[tuple[str, int]] | None, document: str, page: int
) -> dict[str, Any]:
    """How a page was reached: from the last search's results, the given pages, or by a jump."""
    if given_pages is not None and (document, page) in given_pages:
        return {"via": "given"}
    ran = [search for search in state.searches if search.refusal is None]
    origin = _origin(ran[-1:], document, page)
    return {"via": "result" if origin else "jump", **origin}


def _origin(searches: Sequence[Search], document: str, page: int) -> dict[str, Any]:
    """The newest of the searches that returned the page, and the page's rank in it."""
    for search in reversed(searches):
        if (document, page) in search.results:
            rank = search.results.index((document, page)) + 1
            return {"search_id": search.search_id, "rank": rank}
    return {}


def stored_name(corpus: Corpus, name: Any) -> Any:
    """The stored name of the document that an agent means; values without a document as given."""
    return corpus.stored_name(name) if isinstance(name, str) else name


def citation(corpus: Corpus, state: AttemptState, document: str, page: int) -> ev.CitationAdded:
    """A citation, with the newest search that returned the page."""
    document = stored_name(corpus, document)
    payload: ev.CitationAdded = make_payload(
        ev.CitationAdded,
        document=document,
        page=page,
        **_origin(state.searches, document, page),
    )
    return payload


def agent_step(text: str, tool: str | None, arguments: object) -> ev.AgentStep:
    """What an agent wrote, or a tool of its own that it called; long texts are cut.

    Raises:
        BadRequest: an argument is not of the agreed form.
    """
    arguments_text = "" if arguments is None else arguments
    if not isinstance(arguments_text, str):
        try:
            arguments_text = json.dumps(arguments_text, ensure_ascii=False)
        except (TypeError, ValueError) as error:
            raise BadRequest(f"The arguments are not JSON values: {error}") from error
    payload: ev.AgentStep = make_payload(
        ev.AgentStep, text=text[:MAX_STEP_TEXT], tool=tool, arguments=arguments_text[:MAX_ARGUMENTS]
    )
    return payload


def box_drawn(
    box_id: str,
    document: str,
    page: int,
    box: Sequence[float],
    unit: BoxUnit,
    size: PageSize,
    label: str | None,
    labels: Sequence[str],
) -> ev.BoxDrawn:
    """A new box; what protrudes by rounding is cut off at the edges of the page.

    Args:
        size: of the page.
        label: None for the only one of ``labels``.

    Raises:
        BadRequest: the label is missing, or the box is not four numbers of this unit.
    """
    if label is None:
        if len(labels) != 1:
            raise BadRequest(f"Give the box a label: {', '.join(labels) or 'there are none'}.")
        label = labels[0]
    if unit not in ("fraction", "points"):
        raise BadRequest(f"The unit {str(unit)[:100]!r} is neither 'fraction' nor 'points'.")
    if (
        isinstance(box, str)
        or len(box) != 4
        or not all(isinstance(edge, int | float) and math.isfinite(edge) for edge in box)
    ):
        raise BadRequest(f"A box is four numbers x0, y0, x1, y1, not {repr(box)[:100]}.")
    if unit == "fraction":
        if not all(-_ROUNDED <= edge <= 1 + _ROUNDED for edge in box):
            raise BadRequest(
                f"The box {repr(box)[:100]} is not in fractions of the page, which are from 0 to 1."
            )
        scale = (size.width, size.height, size.width, size.height)
        box = [min(max(edge, 0.0), 1.0) * length for edge, length in zip(box, scale, strict=True)]
    payload: ev.BoxDrawn = make_payload(
        ev.BoxDrawn,
        box=box_id,
        document=document,
        page=page,
        rect=[round(float(edge), DECIMALS) for edge in box],
        label=label,
    )
    return payload


def model_turn(model: str, calls: int, usage: Mapping[str, object]) -> ev.AgentTurn:
    """A turn of the agent's model with what its calls used.

    Raises:
        BadRequest: no usage is given, or a value is malformed, negative or too large.
    """
    if all(value is None for value in usage.values()):
        raise BadRequest("Give tokens, cost_usd or latency_ms.")
    for name, value in usage.items():
        if isinstance(value, bool | str):
            raise BadRequest(f"usage.{name} must be a number, not {short_value(value)}.")
        limit = _MAX_USAGE.get(name, _MAX_TOKENS)
        if isinstance(value, int | float) and limit < value < math.inf:
            raise BadRequest(f"usage.{name} must be at most {limit:,}, not {short_value(value)}.")
    payload: ev.AgentTurn = make_payload(
        ev.AgentTurn, model=model or None, calls=calls, usage=dict(usage)
    )
    return payload


def draft(
    corpus: Corpus,
    row: AttemptRow,
    state: AttemptState,
    answer: str | Sequence[str] | None,
    citations: Sequence[tuple[str, int]],
    outcome: ev.Outcome | None,
    confidence: float | None,
) -> Draft:
    """The submission.

    Raises:
        BadRequest: an argument is malformed, or answer and outcome contradict each other.
    """
    takes_no_answer = row.protocol.answer.kind == "off" or row.context().form(state).ended
    outcome = outcome or ("completed" if takes_no_answer else "answered")
    text = None
    if answer is not None:
        items = [answer] if isinstance(answer, str) else list(answer)
        text = _answer_text(items, prose=row.protocol.answer.kind == "text")
    if text and outcome in ("not_found", "unanswerable"):
        raise BadRequest(
            f"An answer and the outcome “{outcome}” contradict each other. Give only one."
        )
    submission: ev.Submitted = make_payload(ev.Submitted, outcome=outcome, confidence=confidence)
    make_payload(ev.AnswerEdited, text=text or "")
    return Draft(text, tuple(_citations(corpus, state, citations)), submission)


def _citations(
    corpus: Corpus, state: AttemptState, pages: Sequence[tuple[str, int]]
) -> list[ev.CitationAdded]:
    """One payload per page, in the order given."""
    citations: dict[tuple[str, int], ev.CitationAdded] = {}
    for document_page in pages:
        try:
            document, page = document_page
        except (TypeError, ValueError) as error:
            raise BadRequest(
                f"A citation is a document and a page, such as ('report.pdf', 3), not "
                f"{repr(document_page)[:100]}."
            ) from error
        payload = citation(corpus, state, document, page)
        citations.setdefault((payload.document, payload.page), payload)
    return list(citations.values())


def _answer_text(items: Sequence[object], *, prose: bool) -> str:
    """The text of the answer box: one answer per line, or prose as it is."""
    lines = []
    for number, item in enumerate(items, start=1):
        if not isinstance(item, str):
            raise BadRequest(f"Answer {number} must be text, not {type(item).__name__}.")
        if not prose and len(item.strip().splitlines()) > 1:
            raise BadRequest(
                f"Answer {number} has a line break. Each answer is one line; give several answers "
                "as several items."
            )
        if item.strip():
            lines.append(item if prose else item.strip())
    return "\n".join(lines)


def png(jpeg: bytes) -> bytes:
    """The image as PNG."""
    encoded = io.BytesIO()
    with Image.open(io.BytesIO(jpeg)) as picture:
        picture.save(encoded, "PNG")
    return encoded.getvalue()
