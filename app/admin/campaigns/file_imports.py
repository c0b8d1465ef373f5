"""The forms by which files are imported into a campaign as background jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import BadRequest
from pagetrail.annotation.events.transcripts import MAX_MODEL
from pagetrail.annotation.messages import N_, gettext
from pagetrail.annotation.protocols.protocol import Protocol
from pagetrail.app.admin.actions import (
    current_dialog,
    open_dialog,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.admin.campaigns.campaign_summary import campaign_lines, later_changes
from pagetrail.app.admin.campaigns.protocol_choice import ProtocolChoice
from pagetrail.app.admin.campaigns.sent_files import import_folder
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.jobs import imports
from pagetrail.app.jobs.imports import FileImport
from pagetrail.app.jobs.requests import job_request
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.campaigns.verdict_sets import JudgeInfo
from pagetrail.storage.database.statuses import ARCHIVED, CLOSED
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.tables import Job
from pagetrail.storage.importers.tasks.campaign_settings import MAX_CAMPAIGN_NAME
from pagetrail.storage.importers.tasks.element_importer import takes_elements
from pagetrail.storage.people.accounts import Person, audit
from pagetrail.storage.progress.campaign_state import campaign_state

_NEW_CAMPAIGN = "new_from_elements"
_COLUMNS = [N_("file"), N_("line"), N_("id"), N_("what"), N_("reason")]
_SET_COLUMNS = [
    N_("set"), N_("judge"), N_("model"), N_("version"), N_("round"), N_("run"), N_("date"),
    N_("prompt"), N_("verdicts"),
]  # fmt: skip
_TASK_SIZES = {"page": N_("One per page"), "document": N_("One per document")}

RequestFields = dict[str, Any]
"""Fields of an import's request, as its inputs have them."""


def _no_inputs(_app: Services, _campaign: str) -> RequestFields:
    return {}


@dataclass(frozen=True)
class ImportForm:
    """How an import is offered on a campaign's screen.

    Attributes:
        file_import: what its job does with the files.
        key: the keys of the widgets begin with it.
        files_label, files_help: of the upload.
        button: what starts the job.
        heading: above the form; None if the view has only this form, or begins with it.
        about: what the files are and what comes of them.
        is_offered: whether campaigns of a protocol can import such files.
        closed: said instead of the form in a campaign that is ``closed_statuses``.
        summary: shows what has been imported before.
        first_inputs, inputs: show the inputs above and below the upload, and return their values.
        required: fields of the request that must not be empty.
    """

    file_import: FileImport
    key: str
    files_label: str
    button: str
    files_help: str | None = None
    heading: str | None = None
    about: str | None = None
    is_offered: Callable[[Protocol], bool] = lambda protocol: True
    closed: str | None = None
    closed_statuses: tuple[str, ...] = (CLOSED, ARCHIVED)
    summary: Callable[[Services, str], None] = lambda app, campaign: None
    first_inputs: Callable[[Services, str], RequestFields] = _no_inputs
    inputs: Callable[[Services, str], RequestFields] = _no_inputs
    required: tuple[str, ...] = ()


def show_import(app: Services, campaign: CampaignSummary, form: ImportForm) -> None:
    """The form in an existing campaign, if its protocol has a use for such files."""
    if not form.is_offered(protocol_of_campaign(app.workspace, campaign.name)):
        return
    if form.heading is not None:
        st.header(gettext(form.heading), anchor=False)
    if form.about is not None:
        st.caption(gettext(form.about))
    form.summary(app, campaign.name)
    if form.closed is not None and campaign.status in form.closed_statuses:
        _show_last_import(app, form.file_import, campaign.name)
        st.info(gettext(form.closed, status=gettext(campaign.status)))
        return
    _show_upload(app, form, campaign.name, key=campaign.name)


def _show_upload(
    app: Services,
    form: ImportForm,
    campaign: str,
    *,
    key: str,
    settings: Mapping[str, Any] | None = None,
    button: str | None = None,
    ready: bool = True,
    on_click: Callable[..., None] | None = None,
) -> None:
    """The files with their inputs, and the job's outcome.

    Args:
        key: of this upload among those of the form.
        settings: of the campaign to be created; None for an existing one.
        button: another label of the button.
        ready: whether everything else that is required has been entered.
        on_click: called with campaign, files and fields; by default it starts the job.
    """
    file_import = form.file_import
    busy = _show_last_import(app, file_import, campaign)
    fields = {**(settings or {}), **form.first_inputs(app, campaign)}
    uploaded = st.file_uploader(
        gettext(form.files_label),
        type=list(file_import.suffixes),
        accept_multiple_files=file_import.takes_several,
        key=f"{form.key}-{'files' if file_import.takes_several else 'file'}-{key}",
        help=None if form.files_help is None else gettext(form.files_help),
    )
    fields |= form.inputs(app, campaign)
    files = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    st.button(
        gettext(button or form.button),
        type="primary",
        key=f"{form.key}-import",
        disabled=busy or not (files and ready and all(fields[name] for name in form.required)),
        on_click=on_click or _start_import,
        args=(campaign, files, fields) if on_click else (file_import, campaign, files, fields),
    )


def _show_last_import(app: Services, file_import: FileImport, campaign: str) -> bool:
    """The last job with the rows that it left out; returns whether it is still running."""
    busy = job_view(app, file_import.kind)
    job = app.jobs.last(file_import.kind)
    if job is not None and job.result.get("campaign") == campaign and job.result.get("rows"):
        show_table(
            pd.DataFrame(job.result["rows"], columns=_COLUMNS).astype(str),
            max_height=300,
            column_config={"reason": st.column_config.TextColumn(width="large")},
        )
    return busy


def _start_import(
    file_import: FileImport, campaign: str, files: Sequence[Any], fields: RequestFields
) -> None:
    """Callback: store the files for the job's process, and start it."""
    kind = file_import.kind
    title = file_import.title.format(campaign=campaign, **fields)

    def act(app: Services, person: Person) -> str | None:
        request_fields = {**fields, "do": kind, "campaign": campaign, "by": person.name}
        if "mapping" in fields:
            request_fields["mapping"] = _parse_mapping(fields["mapping"])

        def record_outcome(job: Job) -> None:
            audit(app.workspace, job.by, f"{kind}_{job.state}", f"{title}: {job.message}")

        with import_folder(app.workspace, files) as folder:
            request = job_request({**request_fields, "folder": str(folder)})
            app.jobs.start(title, person.name, request, record_outcome)
        names = ", ".join(printable(file.name) for file in files)
        audit(app.workspace, person.name, f"{kind}_started", f"{title}: {names}")
        return None

    run_supervisor_action("import files", act)


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
        _show_upload(
            app,
            ELEMENTS,
            name,
            key="new",
            settings=settings,
            button=N_("Check and create from the elements…"),
            ready=ready,
            on_click=_confirm_first,
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
            _start_import,
            imports.ELEMENTS,
            state.subject,
            files,
            state.details["fields"],
            wide=True,
        )


def _confirm_first(campaign: str, files: Sequence[Any], fields: RequestFields) -> None:
    """Callback: describe the campaign before it is created."""
    open_dialog(_NEW_CAMPAIGN, campaign, files=files, fields=fields)


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


def _text_input(label: str, key: str, **options: Any) -> str:
    return (st.text_input(label, key=key, **options) or "").strip()


def _system_input(key: str, placeholder: str) -> RequestFields:
    name = _text_input(
        gettext("Name of the system"), key, max_chars=60, width=320, placeholder=placeholder
    )
    return {"system": name}


def _run_system(_app: Services, campaign: str) -> RequestFields:
    return _system_input(f"run-system-{campaign}", "bm25-agent")


def _run_inputs(_app: Services, campaign: str) -> RequestFields:
    with st.container(horizontal=True, gap="small"):
        search_tools = _text_input(
            gettext("Tools that search"),
            f"run-search-tools-{campaign}",
            placeholder="bm25_search",
            help=gettext("In addition to search_documents; separate several with commas."),
        )
        other_tools = _text_input(
            gettext("Other tools with search-like names"),
            f"run-other-tools-{campaign}",
            placeholder="web_search",
            help=gettext(
                "The import stops at a tool whose name looks like a search and is in neither list."
            ),
        )
    strict = st.toggle(
        gettext("Import nothing if anything would be left out"), key=f"run-strict-{campaign}"
    )
    return {
        "search_tools": _split_names(search_tools),
        "other_tools": _split_names(other_tools),
        "strict": strict,
    }


def _boxes_system(_app: Services, campaign: str) -> RequestFields:
    return _system_input(f"boxes-system-{campaign}", "layout-model")


def _box_inputs(app: Services, campaign: str) -> RequestFields:
    labels = [label.name for label in protocol_of_campaign(app.workspace, campaign).boxes.labels]
    with st.container(horizontal=True, gap="small"):
        label = st.selectbox(
            gettext("Label of other boxes"),
            labels,
            index=None,
            key=f"boxes-label-{campaign}",
            placeholder=labels[0] if len(labels) == 1 else gettext("None: they are left out"),
            disabled=len(labels) < 2,
            help=gettext("Of boxes without a class, or with one that is not a label here."),
        )
        source = _source_inputs(
            "boxes-{}-" + campaign, gettext("The document of all boxes, whatever the files say.")
        )
    source |= _mapping_input(f"boxes-map-{campaign}")
    all_tasks = st.toggle(
        gettext("The system worked on every task: one without boxes found none"),
        key=f"boxes-all-{campaign}",
    )
    return {**source, "label": label or "", "all_tasks": all_tasks}


def _element_inputs(_app: Services, _campaign: str) -> RequestFields:
    with st.container(horizontal=True, gap="small"):
        grouping = st.selectbox(
            gettext("Tasks"),
            list(_TASK_SIZES),
            format_func=lambda size: gettext(_TASK_SIZES[size]),
            key="element-per",
        )
        source = _source_inputs(
            "element-{}", gettext("The document of all elements, whatever the files say.")
        )
    source |= _mapping_input("element-map")
    skip_bad = st.toggle(gettext("Leave out pages that already have a task"), key="element-skip")
    return {**source, "grouping": grouping, "skip_bad": skip_bad}


def _source_inputs(key: str, document_help: str) -> RequestFields:
    """Which document the files are about, and whose work in them is read.

    Args:
        key: of the widgets, with braces for what they ask for.
    """
    document = _text_input(
        gettext("Document"),
        key.format("document"),
        placeholder=gettext("As the files say"),
        help=document_help,
    )
    annotator = _text_input(
        gettext("Annotator"),
        key.format("annotator"),
        placeholder=gettext("All"),
        help=gettext("Of an export of several people: whose work to read."),
    )
    return {"document": document, "annotator": annotator}


def _mapping_input(key: str) -> RequestFields:
    mapping = st.text_area(
        gettext("Classes to read as others"),
        key=key,
        height=80,
        placeholder=gettext("Caption=Text"),
        help=gettext("One per line: class in the files = class of the campaign."),
    )
    return {"mapping": mapping or ""}


def _verdict_inputs(_app: Services, campaign: str) -> RequestFields:
    name = _text_input(
        gettext("Name of the set"),
        f"verdicts-name-{campaign}",
        max_chars=MAX_CAMPAIGN_NAME,
        width=320,
        placeholder="gpt-judge",
    )
    return {"name": name, "judge": _judge_inputs(campaign)}


def _judge_inputs(campaign: str) -> JudgeInfo:
    """Who judged; what the file's rows say of it takes precedence."""

    def text(label: str, name: str, help_: str | None = None) -> str | None:
        key = f"verdicts-{name}-{campaign}"
        return _text_input(label, key, max_chars=MAX_CAMPAIGN_NAME, help=help_) or None

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


def _draft_inputs(_app: Services, campaign: str) -> RequestFields:
    with st.container(horizontal=True, gap="small"):
        model = _text_input(
            gettext("Model"),
            f"drafts-model-{campaign}",
            max_chars=MAX_CAMPAIGN_NAME,
            placeholder="qwen3-vl-32b",
            help=gettext("For rows that do not state theirs."),
        )
        version = _text_input(
            gettext("Version"),
            f"drafts-version-{campaign}",
            max_chars=MAX_CAMPAIGN_NAME,
            help=gettext("Of the model or its prompt, likewise."),
        )
    return {"model": model, "version": version}


def _round_model_input(key: str) -> RequestFields:
    model = _text_input(
        gettext("Model"),
        key,
        max_chars=MAX_MODEL,
        width=320,
        help=gettext("Where a row of the file names none."),
    )
    return {"model": model}


def _patch_model(_app: Services, campaign: str) -> RequestFields:
    return _round_model_input(f"patches-model-{campaign}")


def _patch_inputs(_app: Services, campaign: str) -> RequestFields:
    reopen_accepted = st.toggle(
        gettext("Also pages that were accepted without an edit"), key=f"patches-reopen-{campaign}"
    )
    return {"reopen_accepted": reopen_accepted}


def _table_model(_app: Services, campaign: str) -> RequestFields:
    return _round_model_input(f"tables-model-{campaign}")


def _split_names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",") if name.strip()]


def _parse_mapping(text: str) -> dict[str, str]:
    pairs = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        old, equals, new = line.rpartition("=")
        if not equals or not old.strip() or not new.strip():
            raise BadRequest(gettext("“{line}” is not of the form class=class.", line=line[:80]))
        pairs[old.strip()] = new.strip()
    return pairs


RUNS = ImportForm(
    imports.RUNS,
    "run",
    N_("Results, a zip, or all files of a folder of trajectories"),
    N_("Import the runs"),
    about=N_(
        "Results of an agent on this campaign’s tasks: MADQA results, an Inspect log, ATIF "
        "trajectories, conversations as OpenAI has them, or LangChain traces. Each run is "
        "replayed, measured and exported like a person’s work."
    ),
    closed=N_("Runs cannot be imported into a campaign that is {status}. Reopen it first."),
    first_inputs=_run_system,
    inputs=_run_inputs,
    required=("system",),
)
BOXES = ImportForm(
    imports.BOXES,
    "boxes",
    N_("Files of boxes"),
    N_("Import the boxes"),
    files_help=N_("COCO, ParseBench, Label Studio, or JSON Lines of boxes; recognised by content."),
    heading=N_("Boxes of a system"),
    about=N_(
        "Boxes that a model drew on this campaign’s pages. Results compare them with people’s "
        "boxes under “Agreement”. A box belongs to the task that it names, or else to the only "
        "task with its page."
    ),
    is_offered=lambda protocol: protocol.boxes.enabled,
    closed=N_("Boxes cannot be imported into a campaign that is {status}. Reopen it first."),
    first_inputs=_boxes_system,
    inputs=_box_inputs,
    required=("system",),
)
VERDICTS = ImportForm(
    imports.VERDICTS,
    "verdicts",
    N_("Verdicts"),
    N_("Import the verdicts"),
    heading=N_("External verdicts"),
    about=N_(
        "One row per answer with task, system and verdict (correct, partial or wrong). The "
        "named set can then be chosen on Results under “Verdicts of”."
    ),
    summary=_show_verdict_sets,
    first_inputs=_verdict_inputs,
    required=("name",),
)
DRAFTS = ImportForm(
    imports.DRAFTS,
    "drafts",
    N_("Drafts"),
    N_("Import the drafts"),
    about=N_(
        "A model’s proposals for gold: one row per task with an answer, pages, grades or "
        "boxes, and its reasons. Reviewers see them in a column of their own and take, edit "
        "or reject them; annotators never see them. The export answers-to-merge writes what a "
        "model needs to merge annotators’ answers."
    ),
    closed=N_("A campaign that is {status} can only be read. Reopen it first."),
    closed_statuses=(ARCHIVED,),
    first_inputs=_draft_inputs,
)
ELEMENTS = ImportForm(
    imports.ELEMENTS,
    "element",
    N_("Element files"),
    N_("Add tasks from the elements"),
    files_help=N_(
        "ParseBench, COCO, Label Studio, or JSON Lines of elements; recognised by content."
    ),
    heading=N_("From a model’s elements"),
    is_offered=takes_elements,
    inputs=_element_inputs,
)
PATCHES = ImportForm(
    imports.PATCHES,
    "patches",
    N_("Patches"),
    N_("Begin the next round"),
    heading=N_("Next round of texts"),
    about=N_(
        "A model’s patches for the texts that the export “transcripts” wrote: JSON Lines with "
        "task, text_sha256 and patches. Each page goes back to the person who submitted it. "
        "Rows for other texts are listed, and nothing that people did is replaced."
    ),
    is_offered=lambda protocol: protocol.transcript.enabled,
    first_inputs=_patch_model,
    inputs=_patch_inputs,
)
TABLES = ImportForm(
    imports.TABLES,
    "tables",
    N_("Fixed tables"),
    N_("Begin the next round"),
    heading=N_("Next round of tables"),
    about=N_(
        "The tables that a model fixed for the requests that the export “table-fixes” wrote: JSON "
        "Lines with task, tables_sha256 and tables. Each task goes back to the person who "
        "submitted it, who confirms only what changed. Rows for other tables are listed, and "
        "nothing that people did is replaced."
    ),
    is_offered=lambda protocol: protocol.tables.enabled,
    first_inputs=_table_model,
)
