"""Drawing a stratified random sample of a campaign into another one, as a background job."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import run_supervisor_action
from pagetrail.app.admin.assignment_report import assign_to_everybody, assignment_notes
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES, import_folder, on_disk
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.jobs.requests import SampleDrawRequest
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.sampling import SampleAllocation, known_fields, table_fields
from pagetrail.storage.batches.assignments import planned_assignments
from pagetrail.storage.campaigns.lookup import CampaignSummary
from pagetrail.storage.campaigns.samples import SampleKind
from pagetrail.storage.database.tables import Job
from pagetrail.storage.importers.tasks.campaign_settings import (
    MAX_CAMPAIGN_NAME,
    check_campaign_name,
)
from pagetrail.storage.importers.tasks.importer import MAX_SEED
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit
from pagetrail.storage.progress.campaign_state import campaign_state

SAMPLE = "draw_sample"
MOST = 100_000
_KINDS: dict[SampleKind, str] = {
    "predictions": N_("Answers, to judge"),
    "tasks": N_("Tasks"),
    "pages": N_("Pages of the collection"),
}
_ALLOCATIONS: dict[SampleAllocation, str] = {
    "proportional": N_("In proportion to their size"),
    "equal": N_("As many of each"),
    "undecided": N_("All undecided, and so many decided"),
    "neyman": N_("Where judging helps most (second draw)"),
}
_COLUMNS = [N_("All"), N_("Drawn"), N_("Drawn now"), N_("Inclusion probability")]


def show_sample(app: Services, campaign: CampaignSummary) -> None:
    """The form, and the strata of the last sample that was drawn from this campaign."""
    st.caption(
        gettext(
            "Draws a random sample into another campaign and stores seed, strata and inclusion "
            "probabilities with it. Judged answers then give the accuracy of all, with an "
            "interval, on Results under “Verdicts of”. Draw again with the same strata and seed "
            "for more."
        )
    )
    busy = job_view(app, SAMPLE)
    _last_strata(app, campaign.name)
    kind = st.segmented_control(
        gettext("What to draw"),
        list(_KINDS),
        format_func=lambda kind: gettext(_KINDS[kind]),
        default="predictions",
        required=True,
        key=f"sample-kind-{campaign.name}",
    )
    with st.container(horizontal=True, gap="small"):
        into = st.text_input(
            gettext("Into campaign"),
            key=f"sample-into-{campaign.name}",
            max_chars=MAX_CAMPAIGN_NAME,
            placeholder=gettext("New, or one with an earlier draw"),
            help=gettext(
                "A new campaign judges answers, has this campaign’s protocol for tasks, and "
                "grades pages. Create it first for other settings."
            ),
        )
        n = st.number_input(
            gettext("How many"),
            min_value=1,
            max_value=MOST,
            value=200,
            step=50,
            key=f"sample-n-{campaign.name}",
        )
        seed = st.number_input(
            gettext("Seed"),
            min_value=0,
            max_value=MAX_SEED,
            value=7,
            key=f"sample-seed-{campaign.name}",
        )
    fields = known_fields(app.workspace, campaign.name, kind)
    page_fields = None
    if kind == "pages":
        page_fields, columns = _page_fields_upload(campaign.name)
        fields = [*fields, *(column for column in columns if column not in fields)]
    strata = st.multiselect(
        gettext("Stratify by"),
        fields,
        default=fields[:1] if kind == "predictions" else [],
        key=f"sample-strata-{kind}-{campaign.name}",
        placeholder=gettext("Nothing: a simple random sample"),
    )
    with st.container(horizontal=True, gap="small"):
        allocation = st.selectbox(
            gettext("How many of each stratum"),
            list(_ALLOCATIONS) if kind == "predictions" else ["proportional", "equal"],
            format_func=lambda name: gettext(_ALLOCATIONS[name]),
            key=f"sample-allocation-{kind}-{campaign.name}",
        )
        has_judge = kind == "predictions" and allocation != "undecided"
        verdicts = _verdict_choice(app, campaign.name) if has_judge else None
    st.button(
        gettext("Draw the sample"),
        type="primary",
        key="sample-draw",
        disabled=busy or not (into or "").strip(),
        on_click=_start,
        args=(
            (into or "").strip(),
            int(n),
            tuple(strata),
            None if kind == "pages" else campaign.name,
            kind,
            int(seed),
            verdicts,
            allocation,
            page_fields,
        ),
    )


def _page_fields_upload(campaign: str) -> tuple[Any, list[str]]:
    """The table of fields of pages and its fields; None and no fields without a usable one."""
    file = st.file_uploader(
        gettext("Fields of pages"),
        type=TABLE_TYPES,
        key=f"sample-page-fields-{campaign}",
        help=gettext(
            "Optional: a table with document and page, or document alone, and columns to stratify "
            "pages by, such as domain."
        ),
    )
    if file is None:
        return None, []
    try:
        with on_disk([file]) as ((path,),):
            columns = table_fields(path)
    except PagetrailError as error:
        st.error(literal(error.message))
        return None, []
    st.caption(literal(gettext("Fields in the table: {fields}", fields=", ".join(columns) or "–")))
    return file, columns


def _verdict_choice(app: Services, campaign: str) -> str | None:
    """The set of verdicts; None if there is none, for the answer rule."""
    names = [stored.name for stored in campaign_state(app.workspace, campaign).verdicts]
    if not names:
        st.caption(gettext("No verdicts are imported: the answer rule is the judge."))
        return None
    return st.selectbox(gettext("Verdicts"), names, key=f"sample-verdicts-{campaign}")


def _last_strata(app: Services, campaign: str) -> None:
    job = app.jobs.last(SAMPLE)
    if job is None or job.result.get("source") not in (campaign, ""):
        return
    strata = job.result.get("strata")
    if strata:
        columns = [*map(str, job.result["fields"]), *_COLUMNS]
        show_table(pd.DataFrame(strata, columns=columns), max_height=300)
    if job.result.get("to_judge"):
        _show_judges(app, str(job.result["to_judge"]))


def _show_judges(app: Services, campaign: str) -> None:
    """Who would judge the drawn answers, until they are assigned."""
    try:
        planned = planned_assignments(app.workspace, campaign)
    except PagetrailError:
        return  # closed, renamed or deleted since
    if not planned.created and not planned.shortfall:
        return
    n_batches = Counter(name for _, name in planned.created)
    title = gettext("Who will judge")
    st.markdown(f"**{title}**")
    if n_batches:
        columns = [gettext("Judge"), gettext("Batches")]
        show_table(pd.DataFrame(sorted(n_batches.items()), columns=columns), max_height=300)
    for _, sentence in assignment_notes(planned):
        st.caption(literal(sentence))
    st.button(
        gettext("Assign to these people"),
        type="primary",
        key="sample-assign",
        disabled=not n_batches,
        on_click=assign_to_everybody,
        args=(campaign,),
    )


def _start(
    into: str,
    n: int,
    fields: tuple[str, ...],
    source: str | None,
    kind: SampleKind,
    seed: int,
    verdicts: str | None,
    allocation: SampleAllocation,
    page_fields: Any,
) -> None:
    """Callback: start the draw."""

    def act(app: Services, person: Person) -> str | None:
        check_campaign_name(into)
        with ExitStack() as stack:
            folder = None
            if page_fields is not None:
                folder = str(stack.enter_context(import_folder(app.workspace, [page_fields])))
            start(app, person, folder)
        return None

    def start(app: Services, person: Person, folder: str | None) -> None:
        request = SampleDrawRequest(
            into=into,
            n=n,
            fields=fields,
            source=source,
            what=kind,
            seed=seed,
            verdicts=verdicts,
            allocation=allocation,
            by=person.name,
            folder=folder,
        )
        title = f"Drawing {n:,} {kind} into {into}"

        def record_outcome(job: Job) -> None:
            audit(app.workspace, job.by, f"{SAMPLE}_{job.state}", f"{title}: {job.message}")

        app.jobs.start(title, person.name, request, record_outcome)

    run_supervisor_action("draw a sample", act)
