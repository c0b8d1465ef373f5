"""What to export: campaign, formats, options; and starting it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from app.admin.acting import act, ask, asked, confirm, say
from app.choices import forget_stranger
from app.jobs import Job
from app.literal import literal
from app.wiring import Services
from exports.files import file_name
from exports.finished import FinishedExport, finished
from exports.run import ABOUT, FORMATS
from exports.source import PAGE_DPI
from storage.page_images import MAX_DPI, MIN_DPI
from storage.people import Person, audit

_LISTED = 3


def export_form(app: Services, campaigns: list[str], *, going: bool) -> None:
    """Draw the form, and the question before an earlier export is replaced."""
    forget_stranger("campaign", campaigns)
    campaign = st.selectbox("Campaign", campaigns, key="campaign", bind="query-params")
    st.markdown("**Formats**")
    with st.container(height=310, border=True):
        for name in FORMATS:
            st.checkbox(f"**{name}**: {literal(ABOUT[name])}", key=f"format-{name}")
    names_place, dpi_place = st.columns([6, 5], vertical_alignment="bottom")
    identify = names_place.checkbox("Annotators under their own names", key="identify")
    dpi = dpi_place.number_input(
        "Page images, dpi", MIN_DPI, MAX_DPI, PAGE_DPI, key="dpi", help="Where a format has them."
    )
    if identify:
        st.warning(
            "The files will name your annotators. Do not publish or pass them on as they are; "
            "without this they appear as annotator-01, annotator-02, …"
        )
    chosen = [name for name in FORMATS if st.session_state.get(f"format-{name}")]
    st.button(
        "Export",
        key="export",
        type="primary",
        icon=":material/file_export:",
        disabled=going or not chosen,
        help="Choose a format first." if not chosen else None,
        on_click=_start_or_ask,
        args=(campaign, chosen, identify, int(dpi)),
    )
    _replace_dialog()


def folder_name(campaign: str, format_: str, *, identify: bool) -> str:
    """Where an export goes: one with names never takes the place of one without."""
    name = file_name(f"{campaign}-{format_}{'-named' if identify else ''}")
    # A hidden folder would look like one that was cut off.
    return f"%2E{name[1:]}" if name.startswith(".") else name


def _start_or_ask(campaign: str, formats: list[str], identify: bool, dpi: int) -> None:
    def do(app: Services, person: Person) -> str | None:
        there = {export.name: export for export in finished(app.workspace.exports_dir)}
        replaced = [
            there[folder]
            for name in formats
            if (folder := folder_name(campaign, name, identify=identify)) in there
        ]
        order = (campaign, formats, identify, dpi)
        if replaced:
            ask("replace", order=order, replaced=replaced)
        else:
            _start(app, person, *order)
        return None

    act("export", do)


def _replace_dialog() -> None:
    open_ = asked("replace")
    if open_ is None:
        return
    confirm(
        open_,
        "Replace earlier exports?",
        [_replaced(export) for export in open_.details["replaced"]],
        "Replace",
        "replace",
        _do,
        *open_.details["order"],
    )


def _replaced(export: FinishedExport) -> str:
    return (
        f"{export.name} of campaign {export.campaign}, written "
        f"{export.written_at:%Y-%m-%d %H:%M} UTC, gives way to the new one once that is complete."
    )


def _do(campaign: str, formats: list[str], identify: bool, dpi: int) -> None:
    def do(app: Services, person: Person) -> str | None:
        _start(app, person, campaign, formats, identify, dpi)
        return None

    act("export", do)


def _start(
    app: Services,
    person: Person,
    campaign: str,
    formats: Sequence[str],
    identify: bool,
    dpi: int,
) -> None:
    listed = ", ".join(formats[:_LISTED]) + (" …" if len(formats) > _LISTED else "")
    title = f"Export of {campaign} as {listed}"
    order = {
        "do": "export",
        "campaign": campaign,
        "formats": [[name, folder_name(campaign, name, identify=identify)] for name in formats],
        "identify": identify,
        "dpi": dpi,
    }

    def ended(job: Job) -> None:
        app.notes.note(job.by, f"export_{job.state}", f"{title}: {job.message}")

    app.jobs.start("export", title, person.name, order, ended)
    detail = f"{campaign} as {', '.join(formats)}{', with names' if identify else ''}"
    audit(app.workspace, person.name, "export_started", detail)
    say("info", "The export runs beside the server. You may leave this page or close it.")
