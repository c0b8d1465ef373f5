"""``pagetrail replay``."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Any

import typer

from pagetrail.annotation.attempts.state import fold
from pagetrail.annotation.events import Event
from pagetrail.annotation.replay.script import SPAN_NAMES
from pagetrail.annotation.replay.timeline import TimelineEntry, timeline
from pagetrail.annotation.runs.record import without_times
from pagetrail.annotation.timing.durations import DEFAULT_IDLE_CAP_S, Timing, timing
from pagetrail.app.cli.options import Json, WorkspaceFolder
from pagetrail.app.cli.terminal import print_message, show_json, show_table
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.snapshot.snapshot import Snapshot, snapshot

_SHOWN_GAP_MS = 1_000

MAX_QUERIES = 10
"""Characters of an attempt's id in the list: enough to select it in the next call."""


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        "replay",
        help="Print an attempt's trajectory as a readable timeline: what happened when, how long "
        "each page was viewed, and how the time was spent. With --list, list the attempts.",
        epilog="Example: pagetrail replay my-workspace 3f2a9c",
    )(run)


def run(
    workspace: WorkspaceFolder,
    attempt: Annotated[
        str | None,
        typer.Argument(metavar="ATTEMPT", help="An attempt's id, or its first characters."),
    ] = None,
    list_: Annotated[
        bool, typer.Option("--list", help="List the attempts that have events.")
    ] = False,
    campaign: Annotated[
        str | None, typer.Option(help="With --list: only this campaign's attempts.")
    ] = None,
    idle_cap: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="Longer gaps count as idle.")
    ] = DEFAULT_IDLE_CAP_S,
    as_json: Json = False,
) -> None:
    if list_ == (attempt is not None):
        raise typer.BadParameter("Name an attempt, or list them with --list.")
    if campaign is not None and not list_:
        raise typer.BadParameter("--campaign goes with --list.")
    with snapshot(Workspace.open(workspace)) as database:
        if attempt is None:
            _list(database, campaign, as_json)
            return
        attempt_id = database.find_attempt(attempt)
        events = database.events(attempt_id)
    if as_json:
        show_json(_json(attempt_id, events, idle_cap))
    elif not events:
        print_message(f"Attempt {attempt_id} has no events: it was never opened.")
    else:
        _show(attempt_id, events, idle_cap)


def _list(database: Snapshot, campaign: str | None, as_json: bool) -> None:
    campaign_id = None if campaign is None else database.campaign(campaign).id
    rows = list(database.summaries(campaign_id))
    if as_json:
        show_json([asdict(row) for row in rows])
    elif not rows:
        print_message("No attempt has been opened yet.")
    else:
        show_table(
            ("attempt", "campaign", "task", "by", "status", "events", "last saved"),
            [
                (
                    r.id[:MAX_QUERIES],
                    r.campaign,
                    r.task,
                    r.user,
                    r.status,
                    r.events,
                    _clock_time(r.updated_at),
                )
                for r in rows
            ],
        )


def _json(attempt_id: str, events: list[Event], idle_cap: float) -> dict[str, Any]:
    return {
        "attempt_id": attempt_id,
        "idle_cap_s": idle_cap,
        "entries": [asdict(entry) for entry in timeline(events, idle_cap)],
        "timing": None if without_times(events) else asdict(timing(events)),
        "state": fold(events).model_dump(mode="json"),
    }


def _show(attempt_id: str, events: list[Event], idle_cap: float) -> None:
    rows: list[tuple[object, ...]] = []
    timed = not without_times(events)
    for entry in timeline(events, idle_cap):
        looked = "" if entry.dwell_ms is None else f"viewed {_seconds(entry.dwell_ms)}"
        at = _clock(entry.elapsed_ms) if timed else "–"
        rows.append((str(entry.seq), at, entry.text, looked))
        note = _gap(entry)
        if note:
            rows.append(("", "", note, ""))
    show_table(
        ("#", "time", "what happened", "page"),
        rows,
        title=f"Attempt {attempt_id}, by {events[0].actor}, "
        f"from {_clock_time(events[0].server_ts)}",
    )
    if timed:
        show_table(("time", "h:mm:ss"), _totals(timing(events)))
    else:
        print_message("The run was imported from a file that does not say when things happened.")


def _gap(entry: TimelineEntry) -> str:
    if entry.next_ms is None:
        return ""
    if entry.idle_ms:
        return f"   … {_clock(entry.next_ms)} without an event, {_clock(entry.idle_ms)} of it idle"
    if entry.next_kind is not None and entry.next_kind != "work" and entry.next_ms >= _SHOWN_GAP_MS:
        return f"   … {_clock(entry.next_ms)} {SPAN_NAMES[entry.next_kind]}"
    return ""


def _totals(times: Timing) -> list[tuple[object, ...]]:
    totals = [
        ("wall, first to last event", times.wall_ms),
        *((f"active, gaps up to {cap} s", ms) for cap, ms in times.active_ms.items()),
        (SPAN_NAMES["paused"], times.paused_ms),
        (SPAN_NAMES["hidden"], times.hidden_ms),
        (SPAN_NAMES["handed_in"], times.handed_in_ms),
        ("until submitted", times.submit_elapsed_ms),
        ("until the first search", times.first_search_ms),
        ("until the first page", times.first_page_ms),
        ("until the first citation", times.first_citation_ms),
    ]
    return [(name, "–" if ms is None else _clock(ms)) for name, ms in totals]


def _clock_time(timestamp: str) -> str:
    return timestamp[:19].replace("T", " ") + " UTC"


def _clock(ms: int) -> str:
    seconds, rest = divmod(ms, 1_000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}.{rest // 100}"


def _seconds(ms: int) -> str:
    return f"{ms / 1000:.1f} s"
