"""Details below a replay: measures of one or two attempts, submissions, and the event table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.attempts.page_state import own_searches
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.replay.attempt_data import ReplaySide
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_count, format_number
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv


def show_measures(replays: list[ReplaySide]) -> None:
    """Show the measures; for two attempts as a table with their differences."""
    if len(replays) == 1:
        with st.container(horizontal=True):
            st.metric(gettext("State"), replays[0].state, border=True)
            for name, value, unit in _measures(replays[0]):
                st.metric(name, _format_measure(value, unit), border=True)
        return
    left, right = replays
    rows = [
        {
            N_("Measure"): gettext("State"),
            left.name: left.state,
            right.name: right.state,
            N_("Difference"): "",
        }
    ]
    for (name, first_value, unit), (_, second_value, _unit) in zip(
        _measures(left), _measures(right), strict=True
    ):
        difference = (
            None if first_value is None or second_value is None else second_value - first_value
        )
        rows.append(
            {
                N_("Measure"): name,
                left.name: _format_measure(first_value, unit),
                right.name: _format_measure(second_value, unit),
                N_("Difference"): "" if difference is None else _signed(difference, unit),
            }
        )
    frame = pd.DataFrame(rows)
    show_table(
        frame,
        width="content",
        column_config={
            name: st.column_config.TextColumn(
                alignment="right",
                help=gettext("The second minus the first.") if name == "Difference" else None,
            )
            for name in frame.columns[1:]
        },
    )


def show_answers(replays: list[ReplaySide]) -> None:
    """Show each attempt's submission, and the gold."""
    golds = list(dict.fromkeys(_gold(replay) for replay in replays))
    columns = st.columns(len(replays) + len(golds), gap="large")
    for column, replay in zip(columns, replays, strict=False):
        state = replay.replayed.state
        with column, st.container(border=True):
            title = gettext("Submitted") if state.status == "submitted" else gettext("So far")
            st.caption(title if len(replays) == 1 else literal(f"{title}: {replay.name}"))
            st.text("\n".join(state.answer) or gettext("No answer"))
            st.text(_pages((c.document, c.page) for c in state.citations))
            boxes = [box for box in state.boxes.boxes if not box.deleted]
            if boxes:
                pages = len({(box.document, box.page) for box in boxes})
                st.text(
                    format_count(
                        "{boxes} on {number} page",
                        "{boxes} on {number} pages",
                        pages,
                        boxes=format_count("{number} box", "{number} boxes", len(boxes)),
                    )
                )
            if state.note:
                st.caption(gettext("Note"))
                st.text(state.note)
    for column, (answer, evidence), replay in zip(
        columns[len(replays) :], golds, replays, strict=False
    ):
        with column, st.container(border=True):
            st.caption(
                gettext("Gold")
                if len(golds) == 1
                else literal(gettext("Gold of the task of {person}", person=replay.name))
            )
            st.text(answer)
            st.text(evidence)


def _gold(replay: ReplaySide) -> tuple[str, str]:
    record = replay.row.record
    variants = record.get("answer_variants") or []
    return (
        "\nor\n".join("\n".join(variant) for variant in variants) or gettext("No answer"),
        _pages((p["document"], p["page"]) for p in record.get("evidence") or []),
    )


def show_event_table(replays: list[ReplaySide]) -> None:
    """Show a table of all events; those of two attempts are merged by time."""
    rows = sorted(
        (row for number, replay in enumerate(replays) for row in _event_rows(replay, number)),
        key=lambda row: (row["t_ms"], row["side"]),
    )
    frame = pd.DataFrame(
        [
            {
                N_("Time (s)"): row["seconds"],
                N_("Who"): replays[row["side"]].name,
                N_("What"): row["text"],
                N_("Dwell (s)"): row["dwell"],
                N_("Idle (s)"): row["idle"],
            }
            for row in rows
        ],
        columns=["Time (s)", "Who", "What", "Dwell (s)", "Idle (s)"],
    )
    if len(replays) == 1:
        frame = frame.drop(columns="Who")
    show_table(
        frame,
        width="stretch",
        placeholder="",
        column_config={
            "Time (s)": st.column_config.NumberColumn(format="%.1f", width="small"),
            "What": st.column_config.TextColumn(width="large"),
            "Dwell (s)": st.column_config.NumberColumn(
                format="%.1f", width="small", help=gettext("How long the page was viewed.")
            ),
            "Idle (s)": st.column_config.NumberColumn(
                format="%.1f",
                width="small",
                help=gettext("The part of a gap that is not working time."),
            ),
        },
    )
    st.download_button(
        gettext("Events (CSV)"),
        lambda: events_csv(frame),
        file_name=f"replay-{'-'.join(_safe(s.row.attempt_id) for s in replays)}.csv",
        mime="text/csv",
        icon=":material/download:",
        on_click="ignore",
    )


def events_csv(frame: pd.DataFrame) -> bytes:
    """The table as CSV."""
    rows = ([None if pd.isna(v) else v for v in row] for row in frame.itertuples(index=False))
    return spreadsheet_csv(list(frame.columns), rows)


def _event_rows(replay: ReplaySide, number: int) -> Iterable[dict[str, Any]]:
    replayed = replay.replayed
    timed = replayed.script.timed
    for entry, timestamp in zip(replayed.entries, replayed.script.moments, strict=True):
        yield {
            "t_ms": timestamp.t_ms,
            "side": number,
            "seconds": timestamp.t_ms / 1000 if timed else None,
            "text": entry.text,
            "dwell": None if entry.dwell_ms is None else entry.dwell_ms / 1000,
            "idle": entry.idle_ms / 1000 if entry.idle_ms else None,
        }


def _measures(replay: ReplaySide) -> list[tuple[str, float | None, str]]:
    state, times = replay.replayed.state, replay.replayed.times
    timed = replay.replayed.script.timed
    return [
        (gettext("Searches"), len(own_searches(state.searches)), ""),
        (gettext("Page views"), state.n_page_views, ""),
        (gettext("Citations"), len(state.citations), ""),
        (gettext("Active time"), times.active_ms[60] / 1000 if timed else None, " s"),
        (gettext("Wall time"), times.wall_ms / 1000 if timed else None, " s"),
    ]


def _format_measure(value: float | None, unit: str) -> str:
    return gettext("Unknown") if value is None else f"{format_number(value)}{unit}"


def _signed(value: float, unit: str) -> str:
    return f"{value:+,.0f}{unit}".replace("-", "−") if round(value) else f"0{unit}"


def _pages(pages: Iterable[tuple[str, int]]) -> str:
    return "\n".join(
        gettext("{document}, page {page}", document=document, page=page) for document, page in pages
    ) or gettext("No page")


def _safe(attempt_id: str) -> str:
    return re.sub(r"[^\w-]", "_", attempt_id)[:8]
