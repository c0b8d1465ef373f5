"""The forms by which files are imported into a campaign as background jobs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
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
from pagetrail.app.admin.campaigns.sent_files import import_folder
from pagetrail.app.admin.job_progress import job_view
from pagetrail.app.jobs.requests import ImportRequest
from pagetrail.app.operations.forms import Expander, Input, Row
from pagetrail.app.operations.operation import FileImport
from pagetrail.app.operations.registry import file_import
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.tables import show_table
from pagetrail.storage.campaigns.lookup import CampaignSummary, protocol_of_campaign
from pagetrail.storage.database.storable_text import printable
from pagetrail.storage.database.tables import Job
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit
from pagetrail.storage.progress.campaign_state import campaign_state

_NEW_CAMPAIGN = "new_from_elements"
_COLUMNS = [N_("file"), N_("line"), N_("id"), N_("what"), N_("reason")]
_SET_COLUMNS = [
    N_("set"), N_("judge"), N_("model"), N_("version"), N_("round"), N_("run"), N_("date"),
    N_("prompt"), N_("verdicts"),
]  # fmt: skip
RequestFields = dict[str, Any]
"""Fields of an import's request, as its inputs have them."""


def show_import(
    app: Services,
    campaign: CampaignSummary,
    name: str,
    show_earlier: Callable[[Services, str], None] | None = None,
) -> None:
    """The form of an import in a campaign, if its protocol has a use for such files.

    Args:
        show_earlier: shows what has been imported before.
    """
    operation = file_import(name)
    form = operation.form
    if not form.is_offered(protocol_of_campaign(app.workspace, campaign.name)):
        return
    if form.heading is not None:
        st.header(gettext(form.heading), anchor=False)
    if form.about is not None:
        st.caption(gettext(form.about))
    if show_earlier is not None:
        show_earlier(app, campaign.name)
    if form.closed is not None and campaign.status in form.closed_statuses:
        _show_last_import(app, operation, campaign.name)
        st.info(gettext(form.closed, status=gettext(campaign.status)))
        return
    _show_upload(app, operation, campaign.name, key=campaign.name)


def _show_upload(
    app: Services,
    operation: type[FileImport],
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
        on_click: called with the same arguments as ``_start_import``, which is the default.
    """
    form, files_to_send = operation.form, operation.files
    busy = _show_last_import(app, operation, campaign)
    fields = {**(settings or {}), **_show_inputs(form.above, app, campaign, (form.key, key))}
    several = files_to_send.uploads_several
    uploaded = st.file_uploader(
        gettext(form.files_label),
        type=list(files_to_send.suffixes),
        accept_multiple_files=several,
        key=f"{form.key}-{'files' if several else 'file'}-{key}",
        help=None if form.files_help is None else gettext(form.files_help),
    )
    fields |= _show_inputs(form.below, app, campaign, (form.key, key))
    files = uploaded if isinstance(uploaded, list) else [uploaded] if uploaded else []
    st.button(
        gettext(button or form.button),
        type="primary",
        key=f"{form.key}-import",
        disabled=busy or not (files and ready and fields.keys() >= set(form.required)),
        on_click=on_click or _start_import,
        args=(operation, campaign, files, fields),
    )


def _show_last_import(app: Services, operation: type[FileImport], campaign: str) -> bool:
    """The last job with the rows that it left out; returns whether it is still running."""
    busy = job_view(app, operation.kind())
    job = app.jobs.last(operation.kind())
    if job is not None and job.result.get("campaign") == campaign and job.result.get("rows"):
        show_table(
            pd.DataFrame(job.result["rows"], columns=_COLUMNS).astype(str),
            max_height=300,
            column_config={"reason": st.column_config.TextColumn(width="large")},
        )
    return busy


def _start_import(
    operation: type[FileImport], campaign: str, files: Sequence[Any], fields: RequestFields
) -> None:
    """Callback: store the files for the job's process, and start it."""
    kind = operation.kind()
    title = operation.title.format(campaign=campaign, **fields)

    def act(app: Services, person: Person) -> str | None:
        request_fields = {**fields, "campaign": campaign}
        if "mapping" in fields:
            request_fields["mapping"] = _parse_mapping(fields["mapping"])

        def record_outcome(job: Job) -> None:
            audit(app.workspace, job.by, f"{kind}_{job.state}", f"{title}: {job.message}")

        with import_folder(app.workspace, files) as folder:
            request = ImportRequest(
                operation=operation.name, fields=request_fields, folder=str(folder), by=person.name
            )
            app.jobs.start(title, person.name, request, record_outcome)
        names = ", ".join(printable(file.name) for file in files)
        audit(app.workspace, person, f"{kind}_started", f"{title}: {names}")
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
        "new": True,
    }
    with st.expander(gettext("From a model’s elements instead"), icon=":material/data_object:"):
        _show_upload(
            app,
            file_import("import-elements"),
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
            state.details["operation"],
            state.subject,
            files,
            state.details["fields"],
            wide=True,
        )


def _confirm_first(
    operation: type[FileImport], campaign: str, files: Sequence[Any], fields: RequestFields
) -> None:
    """Callback: describe the campaign before it is created."""
    open_dialog(_NEW_CAMPAIGN, campaign, operation=operation, files=files, fields=fields)


def show_verdict_sets(app: Services, campaign: str) -> None:
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


def _show_inputs(
    rows: Sequence[Row | Expander], app: Services, campaign: str, keys: tuple[str, str]
) -> RequestFields:
    """The rows' inputs, and what was entered; what is empty is left out.

    Args:
        keys: what the widgets' keys begin and end with.
    """
    fields: RequestFields = {}
    for row in rows:
        if isinstance(row, Expander):
            with st.expander(gettext(row.label), icon=row.icon):
                fields |= _show_inputs(row.rows, app, campaign, keys)
            continue
        with st.container(horizontal=True, gap="small") if len(row) > 1 else nullcontext():
            for input_ in row:
                key = "-".join((keys[0], input_.field.replace("_", "-"), keys[1]))
                value = _show_input(input_, app, campaign, key)
                if value not in (None, "", []):
                    fields[input_.field] = value
    return fields


def _show_input(input_: Input, app: Services, campaign: str, key: str) -> Any:
    """One input and its value, as the request has it; pairs are parsed when they are sent."""
    label = gettext(input_.label)
    help_ = None if input_.help is None else gettext(input_.help)
    placeholder = None if input_.placeholder is None else gettext(input_.placeholder)
    if input_.kind == "toggle":
        return st.toggle(label, key=key, help=help_)
    if input_.kind == "choice":
        return st.selectbox(
            label,
            list(input_.choices),
            format_func=lambda choice: gettext(input_.choices[choice]),
            key=key,
            help=help_,
        )
    if input_.kind == "label":
        names = [box.name for box in protocol_of_campaign(app.workspace, campaign).boxes.labels]
        return st.selectbox(
            label,
            names,
            index=None,
            key=key,
            placeholder=names[0] if len(names) == 1 else placeholder,
            disabled=len(names) < 2,
            help=help_,
        )
    if input_.kind == "number":
        number = st.number_input(label, min_value=1, value=None, step=1, key=key, help=help_)
        return None if number is None else int(number)
    if input_.kind == "date":
        date = st.date_input(label, value=None, key=key, help=help_)
        return None if date is None else date.isoformat()
    if input_.kind in ("long text", "pairs"):
        text = st.text_area(label, key=key, height=80, placeholder=placeholder, help=help_)
        return (text or "").strip()
    text = st.text_input(
        label,
        key=key,
        max_chars=input_.max_chars,
        placeholder=placeholder,
        help=help_,
        width="stretch" if input_.width is None else input_.width,
    )
    text = (text or "").strip()
    return _split_names(text) if input_.kind == "names" else text


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
