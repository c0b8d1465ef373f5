"""Health and metrics, for load balancers and monitoring."""

from __future__ import annotations

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.composition import services
from pagetrail.storage.progress.totals import totals


async def _healthz(_request: Request) -> Response:
    def work() -> dict[str, int]:
        return totals(services().workspace.engine)

    try:
        await run_in_threadpool(work)
    except (PagetrailError, OSError) as error:
        return JSONResponse({"status": "unwell", "reason": str(error)}, 503)
    return JSONResponse({"status": "ok"})


async def _metrics(_request: Request) -> Response:
    def work() -> dict[str, int]:
        return totals(services().workspace.engine)

    counts = await run_in_threadpool(work)
    lines = [
        line
        for name, value in counts.items()
        for line in (f"# TYPE pagetrail_{name} gauge", f"pagetrail_{name} {value}")
    ]
    return PlainTextResponse("\n".join(lines) + "\n")


def routes() -> list[Route]:
    """``/healthz`` and ``/metrics``: counts only, nothing about anybody."""
    return [
        Route("/healthz", _healthz, methods=["GET"]),
        Route("/metrics", _metrics, methods=["GET"]),
    ]
