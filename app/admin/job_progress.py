"""A background job on the screen: its progress while it runs, its outcome afterwards."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import run_supervisor_action
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, format_time
from pagetrail.storage.database.tables import Job
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit

REFRESH_S = 1.0


def job_view(app: Services, kind: str, *, pausable: bool = False) -> bool:
    """Show the last job of a kind; returns whether it is still running.

    While it runs, the fragment runs again every second in every tab that shows it; when it ends,
    the whole page is rerun.
    """
    job = app.jobs.last(kind)
    if job is None:
        return False
    if job.has_ended:
        _finished_job(job)
        return False
    st.fragment(_running_job, run_every=REFRESH_S)(app, kind, job.id, pausable)
    return True


def _running_job(app: Services, kind: str, id_: int, pausable: bool) -> None:
    job = app.jobs.last(kind)
    if job is None or job.id != id_ or job.has_ended:
        st.rerun(scope="app")
        return
    with st.container(border=True, key=f"job-{kind}"):
        proportion = min(1.0, job.done / job.total) if job.total else 0.0
        st.progress(proportion, text=literal(_progress(job)))
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(literal(gettext("{title} · started by {by}", title=job.title, by=job.by)))
            st.space("stretch")
            if pausable:
                is_paused = job.state == "paused"
                # Separate keys: to Streamlit, one key is one button whatever its label, and a
                # late click would do the opposite of what was clicked.
                st.button(
                    gettext("Resume") if is_paused else gettext("Pause"),
                    key=f"job-{'resume' if is_paused else 'pause'}-{kind}",
                    icon=":material/play_arrow:" if is_paused else ":material/pause:",
                    on_click=_pause,
                    args=(kind, id_, not is_paused),
                )
            st.button(
                gettext("Cancel"),
                key=f"job-cancel-{kind}",
                icon=":material/close:",
                on_click=_cancel,
                args=(kind, id_, job.title),
            )


def _progress(job: Job) -> str:
    phase = gettext(job.phase) or gettext("Starting")
    text = (
        gettext(
            "{phase}: {done} of {total}",
            phase=phase,
            done=format_number(job.done),
            total=format_number(job.total),
        )
        if job.total
        else f"{phase} …"
    )
    return gettext("{progress} (paused)", progress=text) if job.state == "paused" else text


def _finished_job(job: Job) -> None:
    time = format_time(job.ended_at or job.started_at)
    text = literal(f"{job.title} ({job.by}, {time}): {job.message}")
    if job.state == "failed":
        st.error(text)
    elif job.state == "cancelled":
        st.warning(text)
    else:
        st.caption(text)


def _cancel(kind: str, id_: int, title: str) -> None:
    def act(app: Services, person: Person) -> str | None:
        if app.jobs.cancel(kind, id_):
            audit(app.workspace, person, f"{kind}_cancelled", title)
            return None
        return gettext("It had already ended.")

    run_supervisor_action(f"cancel {kind}", act)


def _pause(kind: str, id_: int, is_paused: bool) -> None:
    def act(app: Services, _person: Person) -> str | None:
        return None if app.jobs.pause(kind, id_, on=is_paused) else gettext("It had already ended.")

    run_supervisor_action(f"pause {kind}", act)
