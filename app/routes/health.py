"""Health, readiness and metrics, for load balancers and monitoring."""

from __future__ import annotations

import hmac
import os

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pagetrail.app.services.composition import services

METRICS_TOKEN_VARIABLE = "PAGETRAIL_METRICS_TOKEN"  # a name, no secret
_RETRY_AFTER_S = 5


async def _healthz(_request: Request) -> Response:
    """Whether work can be stored: 200, or 503 with the reason."""
    return _answer([await run_in_threadpool(services().health.storage_problem)])


async def _readyz(_request: Request) -> Response:
    """Whether annotators can work: work can be stored, and the search is ready.

    An unreachable bucket is reported but does not fail, or a proxy would remove all servers.
    """

    def look() -> tuple[list[str | None], str | None]:
        app = services()
        health = app.health
        if problem := health.storage_problem():
            return [problem], None  # the others would wait for a database that is frozen
        return [health.search_problem(), app.warm_up.problem()], health.files_problem()

    return _answer(*await run_in_threadpool(look))


def _answer(problems: list[str | None], remark: str | None = None) -> Response:
    """Args: remark: what is wrong although people can work."""
    warnings = {} if remark is None else {"files": remark}
    reasons = list(dict.fromkeys(problem for problem in problems if problem))
    if reasons:
        answer = {"status": "unwell", "reason": " ".join(reasons), **warnings}
        return JSONResponse(answer, 503, {"Retry-After": str(_RETRY_AFTER_S)})
    return JSONResponse({"status": "ok", **warnings})


async def _metrics(request: Request) -> Response:
    token = os.environ.get(METRICS_TOKEN_VARIABLE, "")
    authorization = request.headers.get("authorization", "")
    if not token:
        return PlainTextResponse(
            f"Metrics are off. Set {METRICS_TOKEN_VARIABLE} and send it as a bearer token.\n", 403
        )
    if not hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode()):
        return PlainTextResponse(
            "Send the metrics token: Authorization: Bearer TOKEN.\n",
            401,
            headers={"WWW-Authenticate": "Bearer"},
        )
    numbers = await run_in_threadpool(services().health.numbers)
    lines = [
        line
        for name, value in numbers.items()
        for line in (f"# TYPE pagetrail_{name} gauge", f"pagetrail_{name} {value}")
    ]
    return PlainTextResponse("\n".join(lines) + "\n")


def routes() -> list[Route]:
    """``/healthz``, ``/readyz`` and ``/metrics``; they contain no personal data."""
    return [
        Route("/healthz", _healthz, methods=["GET"]),
        Route("/readyz", _readyz, methods=["GET"]),
        Route("/metrics", _metrics, methods=["GET"]),
    ]
