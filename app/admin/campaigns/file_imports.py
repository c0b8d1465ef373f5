"""Importing agents' runs, verdicts on answers and models' elements as background jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import BadRequest
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    open_dialog,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.campaigns.campaign_summary import campaign_lines, later_changes
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.admin.campaigns.sent_files import TABLE_TYPES, import_folder
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.jobs.requests import job_request
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.database.statuses import OPEN
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.tables import Job
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.importers.tasks.element_importer import takes_elements
from pagetrail.storage.people.accounts import Person, audit
from pagetrail.storage.progress.campaign_state import campaign_state

RUNS, ELEMENTS, VERDICTS = "import_run", "import_elements", "import_verdicts"
BOXES = "import_boxes"
PATCHES = "import_patches"
DRAFTS = "import_drafts"
_NEW_CAMPAIGN = "new_from_elements"
RUN_TYPES = ["jsonl", "ndjson", "json", "eval", "zip"]
ELEMENT_TYPES = ["jsonl", "ndjson", "json"]
_COLUMNS = [N_("file"), N_("line"), N_("id"), N_("what"), N_("reason")]
_SET_COLUMNS = [
    N_("set"), N_("judge"), N_("model"), N_("version"), N_("round"), N_("run"), N_("date"),
    N_("prompt"), N_("verdicts"),
]  # fmt: skip
_TASK_SIZES = {"page": N_("One per page"), "document": N_("One per document")}


def show_runs(app: Services, campaign: CampaignSummary) -> None:
    """An agent's run on an existing campaign's tasks."""
    st.caption(
        gettext(
            "Results of an agent on this campaign’s tasks: MADQA results, an Inspect log, ATIF "
            "trajectories, conversations as OpenAI has them, or LangChain traces. Each run is "
            "replayed, measured and exported like a person’s work."
        )
    )
    busy = job_view(app, RUNS)
    show_skipped_rows(app, RUNS, campaign.name)
    if campaign.status != OPEN:
        st.info(
            gettext(
                "Runs cannot be imported into a campaign that is {status}. Reopen it first.",
                status=gettext(campaign.status),
            )
        )
        return
    system = st.text_input(
        gettext("Name of the system"), key=f"run-system-{campaign.name}", max_chars=60, width=320,
        placeholder="bm25-agent",
    )  # fmt: skip
    files = st.file_uploader(
        gettext("Results, a zip, or all files of a folder of trajectories"), type=RUN_TYPES,
        accept_multiple_files=True, key=f"run-files-{campaign.name}",
    )  # fmt: skip
    with st.container(horizontal=True, gap="small"):
        search_tools = st.text_input(
            gettext("Tools that search"),
            key=f"run-search-tools-{campaign.name}",
            placeholder="bm25_search",
            help=gettext("In addition to search_documents; separate several with commas."),
        )
        other_tools = st.text_input(
            gettext("Other tools with search-like names"),
            key=f"run-other-tools-{campaign.name}",
            placeholder="web_search",
            help=(
                gettext(
                    "The import stops at a tool whose name looks like a search and is in neither "
                    "list."
                )
            ),
        )
    strict = st.toggle(
        gettext("Import nothing if anything would be left out"), key=f"run-strict-{campaign.name}"
    )
    st.button(
        gettext("Import the runs"),
        type="primary",
        key="run-import",
        disabled=busy or not files or not (system or "").strip(),
        on_click=start_import,
        args=(
            RUNS,
            campaign.name,
            f"Importing runs of {system} into {campaign.name}",
            files,
            {
                "system": (system or "").strip(),
                "strict": strict,
                "search_tools": _names(search_tools),
                "other_tools": _names(other_tools),
            },
        ),
    )


def show_boxes(app: Services, campaign: CampaignSummary) -> None:
    """Boxes that a system drew on the pages of the campaign, if it has any."""
    protocol = protocol_of_campaign(app.workspace, campaign.name)
    if not protocol.boxes.enabled:
        return
    st.header(gettext("Boxes of a system"), anchor=False)
    st.caption(
        gettext(
            "Boxes that a model drew on this campaign’s pages. Results compare them with people’s "
            "boxes under “Agreement”. A box belongs to the task that it names, or else to the only "
            "task with its page."
        )
    )
    busy = job_view(app, BOXES)
    show_skipped_rows(app, BOXES, campaign.name)
    if campaign.status != OPEN:
        st.info(
            gettext(
                "Boxes cannot be imported into a campaign that is {status}. Reopen it first.",
                status=gettext(campaign.status),
            )
        )
        return
    system = st.text_input(
        gettext("Name of the system"), key=f"boxes-system-{campaign.name}", max_chars=60, width=320,
        placeholder="layout-model",
    )  # fmt: skip
    files = st.file_uploader(
        gettext("Files of boxes"),
        type=ELEMENT_TYPES,
        accept_multiple_files=True,
        key=f"boxes-files-{campaign.name}",
        help=gettext(
            "COCO, ParseBench, Label Studio, or JSON Lines of boxes; recognised by content."
        ),
    )
    labels = [label.name for label in protocol.boxes.labels]
    with st.container(horizontal=True, gap="small"):
        label = st.selectbox(
            gettext("Label of other boxes"),
            labels,
            index=None,
            key=f"boxes-label-{campaign.name}",
            placeholder=labels[0] if len(labels) == 1 else gettext("None: they are left out"),
            disabled=len(labels) < 2,
            help=gettext("Of boxes without a class, or with one that is not a label here."),
        )
        document = st.text_input(
            gettext("Document"), key=f"boxes-document-{campaign.name}",
            placeholder=gettext("As the files say"),
            help=gettext("The document of all boxes, whatever the files say."),
        )  # fmt: skip
        annotator = st.text_input(
            gettext("Annotator"), key=f"boxes-annotator-{campaign.name}",
            placeholder=gettext("All"),
            help=gettext("Of an export of several people: whose work to read."),
        )  # fmt: skip
    mapping = st.text_area(
        gettext("Classes to read as others"),
        key=f"boxes-map-{campaign.name}",
        height=80,
        placeholder=gettext("Caption=Text"),
        help=gettext("One per line: class in the files = class of the campaign."),
    )
    all_tasks = st.toggle(
        gettext("The system worked on every task: one without boxes found none"),
        key=f"boxes-all-{campaign.name}",
    )
    name = (system or "").strip()
    st.button(
        gettext("Import the boxes"),
        type="primary",
        key="boxes-import",
        disabled=busy or not files or not name,
        on_click=start_import,
        args=(
            BOXES,
            campaign.name,
            f"Importing boxes of {name} into {campaign.name}",
            files,
            {
                "system": name,
                "label": label or "",
                "document": (document or "").strip(),
                "annotator": (annotator or "").strip(),
                "mapping": mapping or "",
                "all_tasks": all_tasks,
            },
        ),
    )


def show_verdicts(app: Services, campaign: CampaignSummary) -> None:
    """Verdicts on the campaign's answers from an external judge or data set."""
    st.header(gettext("External verdicts"), anchor=False)
    st.caption(
        gettext(
            "One row per answer with task, system and verdict (correct, partial or wrong). The "
            "named set can then be chosen on Results under “Verdicts of”."
        )
    )
    _show_verdict_sets(app, campaign.name)
    busy = job_view(app, VERDICTS)
    show_skipped_rows(app, VERDICTS, campaign.name)
    name = st.text_input(
        gettext("Name of the set"),
        key=f"verdicts-name-{campaign.name}",
        max_chars=MAX_CAMPAIGN_NAME,
        width=320,
        placeholder="gpt-judge",
    )
    judge = _judge_inputs(campaign.name)
    file = st.file_uploader(
        gettext("Verdicts"), type=TABLE_TYPES, key=f"verdicts-file-{campaign.name}"
    )
    st.button(
        gettext("Import the verdicts"),
        type="primary",
        key="verdicts-import",
        disabled=busy or file is None or not (name or "").strip(),
        on_click=start_import,
        args=(
            VERDICTS,
            campaign.name,
            f"Importing verdicts of {name} on {campaign.name}",
            [] if file is None else [file],
            {"name": (name or "").strip(), "judge": judge},
        ),
    )


def _show_verdict_sets(app: Services, campaign: str) -> None:
    """The imported sets and their judges."""
    sets = campaign_state(app.workspace, campaign).verdicts
    if not sets:
        return
    rows = [
        (
            stored.name,
            stored.info.judge,
            stored.info.model,
            stored.info.version,
            stored.info.round,
            stored.info.run,
            stored.info.judged_on,
            stored.info.prompt_label,
            stored.verdicts,
        )
        for stored in sets
    ]
    frame = pd.DataFrame(rows, columns=_SET_COLUMNS)
    show_table(frame.astype({"round": "Int64", "run": "Int64"}), max_height=300)


def _judge_inputs(campaign: str) -> JudgeInfo:
    """Who judged; what the file's rows say of it takes precedence."""

    def text(label: str, name: str, help_: str | None = None) -> str | None:
        key = f"verdicts-{name}-{campaign}"
        value = st.text_input(label, key=key, max_chars=MAX_CAMPAIGN_NAME, help=help_)
        return (value or "").strip() or None

    def number(label: str, name: str, help_: str) -> int | None:
        key = f"verdicts-{name}-{campaign}"
        value = st.number_input(label, min_value=1, value=None, step=1, key=key, help=help_)
        return None if value is None else int(value)

    with st.expander(gettext("Who judged"), icon=":material/gavel:"):
        with st.container(horizontal=True, gap="small"):
            judge = text(
                gettext("Judge"), "judge", gettext("The same name for all rounds and runs.")
            )
            model = text(gettext("Model"), "model")
            version = text(gettext("Version"), "version")
        with st.container(horizontal=True, gap="small"):
            round_ = number(gettext("Round"), "round", gettext("Of developing the prompt."))
            run = number(gettext("Run"), "run", gettext("Of several with the same prompt."))
            date = st.date_input(gettext("Date"), value=None, key=f"verdicts-date-{campaign}")
        prompt = st.text_area(
            gettext("Prompt, or a hash of it"), key=f"verdicts-prompt-{campaign}", height=80
        )
    return JudgeInfo(
        judge=judge,
        model=model,
        prompt=(prompt or "").strip() or None,
        version=version,
        round=round_,
        run=run,
        judged_on=None if date is None else date.isoformat(),
    )


def show_elements(app: Services, campaign: CampaignSummary) -> None:
    """More tasks for an existing campaign, from a model's elements."""
    if takes_elements(protocol_of_campaign(app.workspace, campaign.name)):
        st.header(gettext("From a model’s elements"), anchor=False)
        element_files(app, campaign.name, {}, gettext("Add tasks from the elements"))


def show_patches(app: Services, campaign: CampaignSummary) -> None:
    """A model's answers to submitted texts, which begin the next round."""
    if not protocol_of_campaign(app.workspace, campaign.name).transcript.enabled:
        return
    st.header(gettext("Next round of texts"), anchor=False)
    st.caption(
        gettext(
            "A model’s patches for the texts that the export “transcripts” wrote: JSON Lines with "
            "task, text_sha256 and patches. Each page goes back to the person who submitted it. "
            "Rows for other texts are listed, and nothing that people did is replaced."
        )
    )
    busy = job_view(app, PATCHES)
    show_skipped_rows(app, PATCHES, campaign.name)
    model = st.text_input(
        gettext("Model"),
        key=f"patches-model-{campaign.name}",
        max_chars=200,
        width=320,
        help=gettext("Where a row of the file names none."),
    )
    file = st.file_uploader(
        gettext("Patches"), type=ELEMENT_TYPES, key=f"patches-file-{campaign.name}"
    )
    reopen_accepted = st.toggle(
        gettext("Also pages that were accepted without an edit"),
        key=f"patches-reopen-{campaign.name}",
    )
    st.button(
        gettext("Begin the next round"),
        type="primary",
        key="patches-import",
        disabled=busy or file is None,
        on_click=start_import,
        args=(
            PATCHES,
            campaign.name,
            f"Importing patches for {campaign.name}",
            [] if file is None else [file],
            {"model": (model or "").strip(), "reopen_accepted": reopen_accepted},
        ),
    )


def show_new_elements(
    app: Services, name: str, choice: ProtocolChoice, seed: int, guidelines: str, *, ready: bool
) -> None:
    """A new campaign from a model's elements, and the confirmation before it is created."""
    settings = {
        "protocol": choice.protocol,
        "seed": seed,
        "guidelines": guidelines,
    }
    with st.expander(gettext("From a model’s elements instead"), icon=":material/data_object:"):
        element_files(
            app, name, settings, gettext("Check and create from the elements…"), ready=ready
        )
    state = current_dialog(_NEW_CAMPAIGN)
    if state is not None:
        files = state.details["files"]
        names = ", ".join(printable(file.name) for file in files)
        show_confirmation(
            state,
            gettext("Create “{subject}”?", subject=state.subject),
            [
                gettext("Its tasks come from the elements in {names}.", names=names),
                *campaign_lines(choice, guidelines),
                later_changes(pilot=choice.protocol.pilot.enabled),
            ],
            gettext("Create the campaign"),
            "element-create",
            _start_elements,
            state.subject,
            files,
            state.details["options"],
            wide=True,
        )


def element_files(
    app: Services,
    campaign: str,
    campaign_settings: Mapping[str, Any],
    label: str,
    *,
    ready: bool = True,
) -> None:
    """The files with their options, and the job's outcome.

    Args:
        campaign_settings: settings of the new campaign; empty for an existing one.
        ready: whether everything else that is required has been entered.
    """
    busy = job_view(app, ELEMENTS)
    show_skipped_rows(app, ELEMENTS, campaign)
    files = st.file_uploader(
        gettext("Element files"),
        type=ELEMENT_TYPES,
        accept_multiple_files=True,
        key=f"element-files-{bool(campaign_settings)}",
        help=gettext(
            "ParseBench, COCO, Label Studio, or JSON Lines of elements; recognised by content."
        ),
    )
    with st.container(horizontal=True, gap="small"):
        task_size = st.selectbox(
            gettext("Tasks"),
            list(_TASK_SIZES),
            format_func=lambda size: gettext(_TASK_SIZES[size]),
            key="element-per",
        )
        document = st.text_input(
            gettext("Document"), key="element-document", placeholder=gettext("As the files say"),
            help=gettext("The document of all elements, whatever the files say."),
        )  # fmt: skip
        annotator = st.text_input(
            gettext("Annotator"), key="element-annotator", placeholder=gettext("All"),
            help=gettext("Of an export of several people: whose work to read."),
        )  # fmt: skip
    mapping = st.text_area(
        gettext("Classes to read as others"),
        key="element-map",
        height=80,
        placeholder=gettext("Caption=Text"),
        help=gettext("One per line: class in the files = class of the campaign."),
    )
    skip = st.toggle(gettext("Leave out pages that already have a task"), key="element-skip")
    options = {
        **campaign_settings, "grouping": task_size, "document": (document or "").strip(),
        "annotator": (annotator or "").strip(), "mapping": mapping or "", "skip_bad": skip,
    }  # fmt: skip
    st.button(
        label,
        type="primary",
        key="element-import",
        disabled=busy or not files or not ready,
        on_click=_confirm_first if campaign_settings else _start_elements,
        args=(campaign, files, options),
    )


def _confirm_first(campaign: str, files: Sequence[Any], options: dict[str, Any]) -> None:
    """Callback: describe the campaign before it is created."""
    open_dialog(_NEW_CAMPAIGN, campaign, files=files, options=options)


def _start_elements(campaign: str, files: Sequence[Any], options: dict[str, Any]) -> None:
    """Callback: start the import."""
    start_import(
        ELEMENTS,
        campaign,
        f"Importing elements into {campaign}",
        files,
        options,
    )


def start_import(
    kind: str, campaign: str, title: str, files: Sequence[Any], options: dict[str, Any]
) -> None:
    """Callback: store the files for the job's process, and start it."""

    def act(app: Services, person: Person) -> str | None:
        fields = {**options, "do": kind, "campaign": campaign}
        if "mapping" in fields:
            fields["mapping"] = _mapping(fields["mapping"])
        if kind == PATCHES:
            fields["by"] = person.name

        def record_outcome(job: Job) -> None:
            audit(app.workspace, job.by, f"{kind}_{job.state}", f"{title}: {job.message}")

        with import_folder(app.workspace, files) as folder:
            request = job_request({**fields, "folder": str(folder)})
            app.jobs.start(title, person.name, request, record_outcome)
        names = ", ".join(printable(file.name) for file in files)
        audit(app.workspace, person.name, f"{kind}_started", f"{title}: {names}")
        return None

    run_supervisor_action("import files", act)


def _names(text: str | None) -> list[str]:
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def _mapping(text: str) -> dict[str, str]:
    pairs = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        old, equals, new = line.rpartition("=")
        if not equals or not old.strip() or not new.strip():
            raise BadRequest(gettext("“{line}” is not of the form class=class.", line=line[:80]))
        pairs[old.strip()] = new.strip()
    return pairs


def show_skipped_rows(app: Services, kind: str, campaign: str) -> None:
    """Rows that the last import into this campaign left out."""
    job = app.jobs.last(kind)
    if job is None or job.result.get("campaign") != campaign or not job.result.get("rows"):
        return
    rows = job.result["rows"]
    show_table(
        pd.DataFrame(rows, columns=_COLUMNS).astype(str),
        max_height=300,
        column_config={"reason": st.column_config.TextColumn(width="large")},
    )
