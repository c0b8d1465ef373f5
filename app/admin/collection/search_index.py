"""The search index: whether it is current and valid, and rebuilding it."""

from __future__ import annotations

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import run_supervisor_action
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.jobs.requests import IndexCheckRequest, IndexRequest, JobRequest
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_number, format_time
from pagetrail.storage.corpus.overview import CollectionState
from pagetrail.storage.database.tables import Job
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit
from pagetrail.storage.search.status import index_facts, index_warning

KIND = "index"


def index_card(app: Services, state: CollectionState) -> None:
    """Show the state of the search index."""
    with st.container(border=True, height="stretch"):
        st.header(gettext("Search index"), anchor=False)
        facts = index_facts(app.workspace)
        warning = index_warning(app.workspace, facts)
        if warning is not None:
            st.warning(warning)
        if facts is not None:
            st.caption(
                literal(
                    gettext(
                        "{pages} pages · {engine} · built {time} · identity {identity}",
                        pages=format_number(facts.pages),
                        engine=facts.engine,
                        time=format_time(facts.built_at),
                        identity=facts.identity[:12],
                    )
                )
            )
        busy = job_view(app, KIND, pausable=True)
        if busy:
            return
        with st.container(horizontal=True, gap="small"):
            current = facts is not None and facts.current and facts.is_complete
            st.button(
                gettext("Check"),
                key="index-check",
                icon=":material/fact_check:",
                help=gettext("Compare the whole index with the collection’s texts."),
                disabled=facts is None,
                on_click=_start,
                args=("Check of the index", IndexCheckRequest(), "index_check_started"),
            )
            st.button(
                gettext("Rebuild"),
                key="index-build",
                icon=":material/refresh:",
                type="secondary" if current else "primary",
                help=gettext(
                    "The server does this itself after each change. Searches use the present index "
                    "until the new one is complete; a cancelled build does not change it."
                ),
                disabled=not state.pages,
                on_click=_start,
                args=("Build of the index", IndexRequest(force=True), "index_build_started"),
            )


def _start(title: str, request: JobRequest, action: str) -> None:
    def act(app: Services, person: Person) -> str | None:
        def record_outcome(job: Job) -> None:
            app.security_log.record(job.by, f"{request.do}_{job.state}", f"{title}: {job.message}")

        app.jobs.start(title, person.name, request, record_outcome)
        audit(app.workspace, person, action, title)
        return None

    run_supervisor_action("index", act)
