"""Routes of the screen of a task under review. For supervisors only."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import BadRequest, NotFoundError
from pagetrail.annotation.events.base import MAX_REASON, MAX_TEXT, Name, PageNumber
from pagetrail.annotation.events.returning import Difference
from pagetrail.annotation.events.review import (
    MAX_TEXT_DECISIONS,
    MAX_VARIANTS,
    Confidence,
    DatasetAnswers,
    ErrorNames,
    MergeMethod,
    TextDecision,
)
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.readable_errors import describe
from pagetrail.annotation.review import Pick
from pagetrail.app.reviewing.task_data import ReviewData, preview, review_data
from pagetrail.app.routes.common import guarded, json_body, whole_number
from pagetrail.app.services.composition import Services
from pagetrail.app.services.supervisor_rights import require_supervisor
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.review.actions import ReviewedVersion, ReviewerRemarks

_ID = r"^[A-Za-z0-9_.:-]+$"
ShortText = Annotated[str, Field(max_length=300)]
PageKey = tuple[Name, PageNumber]


class _StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PickRequest(_StrictModel):
    """What a reviewer chose for one part; see ``Pick``."""

    how: MergeMethod
    side: str | None = Field(default=None, max_length=100)
    sides: list[ShortText] = Field(default_factory=list, max_length=MAX_VARIANTS)
    texts: list[Annotated[str, Field(max_length=MAX_TEXT)]] = Field(
        default_factory=list, max_length=MAX_VARIANTS
    )
    pages: list[PageKey] = Field(default_factory=list, max_length=2_000)
    rejected: list[PageKey] = Field(default_factory=list, max_length=2_000)
    rows: list[tuple[ShortText, Name | None, PageNumber | None, ShortText]] = Field(
        default_factory=list, max_length=5_000
    )
    boxes: list[tuple[ShortText, ShortText]] = Field(default_factory=list, max_length=5_000)
    at: list[tuple[Name, PageNumber, ShortText]] = Field(default_factory=list, max_length=2_000)
    text_decisions: list[TextDecision] = Field(default_factory=list, max_length=MAX_TEXT_DECISIONS)


class ReviewRequest(_StrictModel):
    """A request that stores something, under an id of the browser."""

    id: str = Field(min_length=1, max_length=90, pattern=_ID)


class ReviewedVersionRequest(_StrictModel):
    """The state of the work that the reviewer saw."""

    sources: dict[ShortText, int] = Field(max_length=1_000)
    gold_seq: int = Field(ge=0)
    pending: list[ShortText] = Field(default_factory=list, max_length=1_000)


class TakeRequest(ReviewRequest):
    """Take a task to review it, also from somebody else."""

    take_over: bool = False


class PreviewRequest(_StrictModel):
    """Show the draft that selections give."""

    picks: dict[ShortText, PickRequest] = Field(default_factory=dict, max_length=200)


class DraftRequest(ReviewRequest):
    """Store the draft that selections give."""

    picks: dict[ShortText, PickRequest] = Field(default_factory=dict, max_length=200)
    reviewed_version: ReviewedVersionRequest


class DecideRequest(ReviewRequest):
    """Accept gold; without selections, the stored draft."""

    picks: dict[ShortText, PickRequest] | None = Field(max_length=200)
    reason: str = Field(default="", max_length=MAX_REASON)
    errors: ErrorNames = ()
    confidence: Confidence | None = None
    dataset_answers: DatasetAnswers = "kept"
    reviewed_version: ReviewedVersionRequest


class ReopenRequest(ReviewRequest):
    """Reopen gold."""

    reason: str = Field(max_length=MAX_REASON)


class UndoRequest(ReviewRequest):
    """Undo a decision, the event of that number."""

    decision: int = Field(ge=1)


class HandleRequest(ReviewRequest):
    """Mark a flag or skip as handled."""

    attempt: str = Field(max_length=100)
    handled: bool = True


class RejectDraftRequest(ReviewRequest):
    """Reject a model's draft, or withdraw the rejection."""

    draft: str = Field(max_length=100)
    rejected: bool = True
    reason: str = Field(default="", max_length=MAX_REASON)


class ReturnRequest(ReviewRequest):
    """Send a task back to its annotator."""

    attempt: str = Field(max_length=100)
    comment: str = Field(min_length=1, max_length=MAX_TEXT)
    differences: list[Difference] = Field(default_factory=list, max_length=200)


class CommentRequest(ReviewRequest):
    """Comment on somebody's work."""

    attempt: str = Field(max_length=100)
    text: str = Field(min_length=1, max_length=MAX_TEXT)


def _picks(picks: dict[str, PickRequest]) -> dict[str, Pick]:
    return {
        part: Pick(
            how=pick.how,
            side=pick.side,
            sides=tuple(dict.fromkeys(pick.sides)),
            texts=tuple(pick.texts),
            rows=tuple(dict.fromkeys(pick.rows)),
            pages=tuple(pick.pages),
            rejected=tuple(pick.rejected),
            boxes=tuple(pick.boxes),
            at={(document, page): attempt for document, page, attempt in pick.at},
            text_decisions=tuple(pick.text_decisions),
        )
        for part, pick in picks.items()
    }


def _reviewed_version(reviewed: ReviewedVersionRequest) -> ReviewedVersion:
    return ReviewedVersion(reviewed.sources, reviewed.gold_seq, reviewed.pending)


def _take_task(app: Services, person: Person, task: int, body: TakeRequest) -> None:
    app.reviews.take(task, person.name, body.id, take_over=body.take_over)


def _release(app: Services, person: Person, task: int, body: ReviewRequest) -> None:
    app.reviews.release(task, person.name, body.id)


def _draft(app: Services, person: Person, task: int, body: DraftRequest) -> None:
    app.reviews.put_together(
        task, person.name, _picks(body.picks), _reviewed_version(body.reviewed_version), body.id
    )


def _decide(app: Services, person: Person, task: int, body: DecideRequest) -> None:
    picks = None if body.picks is None else _picks(body.picks)
    remarks = ReviewerRemarks(body.errors, body.confidence, body.dataset_answers)
    app.reviews.decide(
        task,
        person.name,
        picks,
        body.reason,
        _reviewed_version(body.reviewed_version),
        body.id,
        remarks,
    )


def _take_up(app: Services, person: Person, task: int, body: ReopenRequest) -> None:
    app.reviews.take_up(task, person.name, body.reason, body.id)


def _undo(app: Services, person: Person, task: int, body: UndoRequest) -> None:
    app.reviews.undo(task, person.name, body.decision, body.id)


def _handle(app: Services, person: Person, task: int, body: HandleRequest) -> None:
    _of_task(app, person, task, body.attempt)
    app.reviews.handle(task, person.name, body.attempt, body.id, handled=body.handled)


def _reject_draft(app: Services, person: Person, task: int, body: RejectDraftRequest) -> None:
    app.reviews.reject_draft(
        task, person.name, body.draft, body.id, reason=body.reason, rejected=body.rejected
    )


def _return(app: Services, person: Person, task: int, body: ReturnRequest) -> None:
    _of_task(app, person, task, body.attempt)
    app.reviews.send_back(body.attempt, person.name, body.comment, tuple(body.differences), body.id)


def _comment(app: Services, person: Person, task: int, body: CommentRequest) -> None:
    _of_task(app, person, task, body.attempt)
    app.reviews.comment(body.attempt, person.name, body.text, body.id)


def _of_task(app: Services, person: Person, task: int, attempt: str) -> None:
    if attempt not in {
        participant.attempt for participant in app.reviews.streams.task_work(task).attempts
    }:
        app.security_log.record(person.name, "refused review", f"{task}: {attempt[:200]}")
        raise NotFoundError(gettext("This is not an annotator's work on this task."))


def _act(
    model: type[Any], act: Callable[[Services, Person, int, Any], None]
) -> Callable[[Request, Services, Person], Any]:
    async def handler(request: Request, app: Services, person: Person) -> Response:
        task = _task(request)
        await run_in_threadpool(require_supervisor, app, person, f"review {task}")
        body = await _body(request, app, person, model)

        def act_on_task() -> ReviewData:
            act(app, person, task, body)
            return _review_data(app, person, request)

        return JSONResponse(await run_in_threadpool(act_on_task))

    return handler


async def _body(request: Request, app: Services, person: Person, model: type[Any]) -> Any:
    """The validated body; requests that no genuine client sends are recorded in the audit log."""
    try:
        return _read_body(model, await json_body(request))
    except BadRequest as problem:
        detail = f"review {_task(request)}: {problem.message}"
        await run_in_threadpool(app.security_log.record, person.name, "refused request", detail)
        raise


def _read_body(model: type[Any], body: object) -> Any:
    try:
        return model.model_validate(body)
    except ValidationError as error:
        raise BadRequest(
            gettext("This request is not of the agreed form: {problem}", problem=describe(error))
        ) from error


def _task(request: Request) -> int:
    return whole_number(str(request.path_params["task"]))


def _review_data(app: Services, person: Person, request: Request) -> ReviewData:
    """The task in the queue it was opened from; with the dataset's gold once that was asked for."""
    queue, dataset = (request.query_params.get(name, "") for name in ("queue", "dataset"))
    return review_data(app, person, _task(request), queue, shows_dataset=dataset == "1")


async def _show(request: Request, app: Services, person: Person) -> Response:
    task = _task(request)
    await run_in_threadpool(require_supervisor, app, person, f"review {task}")
    return JSONResponse(await run_in_threadpool(_review_data, app, person, request))


async def _preview(request: Request, app: Services, person: Person) -> Response:
    task = _task(request)
    await run_in_threadpool(require_supervisor, app, person, f"review {task}")
    body = await _body(request, app, person, PreviewRequest)
    return JSONResponse(await run_in_threadpool(preview, app, task, _picks(body.picks)))


ACTS: dict[str, tuple[type[BaseModel], Callable[[Services, Person, int, Any], None]]] = {
    "take": (TakeRequest, _take_task),
    "release": (ReviewRequest, _release),
    "draft": (DraftRequest, _draft),
    "decide": (DecideRequest, _decide),
    "undo": (UndoRequest, _undo),
    "take-up": (ReopenRequest, _take_up),
    "handle": (HandleRequest, _handle),
    "reject-draft": (RejectDraftRequest, _reject_draft),
    "return": (ReturnRequest, _return),
    "comment": (CommentRequest, _comment),
}


def routes(prefix: str) -> list[Route]:
    """The routes below ``prefix``."""
    at = f"{prefix}/reviews/{{task}}"
    return [
        Route(at, guarded(_show, "long"), methods=["GET"]),
        Route(f"{at}/preview", guarded(_preview, "long"), methods=["POST"]),
        *(
            Route(f"{at}/{name}", guarded(_act(model, act)), methods=["POST"])
            for name, (model, act) in ACTS.items()
        ),
    ]
