"""The export form: campaign, formats and options."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import streamlit as st

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.messages import gettext
from pagetrail.app.admin.actions import (
    current_dialog,
    open_dialog,
    queue_message,
    run_supervisor_action,
    show_confirmation,
)
from pagetrail.app.jobs.requests import ExportRequest
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_time
from pagetrail.app.ui.page import drop_unavailable_choice
from pagetrail.app.ui.submission_choice import submission_select
from pagetrail.exports.formats.export_format import Option
from pagetrail.exports.reading.source import PAGE_DPI
from pagetrail.exports.run import (
    ADJUDICATED,
    FORMATS,
    formats_by_gold,
    formats_with,
    has_submissions,
)
from pagetrail.exports.writing.export_list import FinishedExport
from pagetrail.exports.writing.file_formats import encoded_stem
from pagetrail.exports.writing.stored_exports import all_finished
from pagetrail.storage.corpus.page_images import MAX_DPI, MIN_DPI
from pagetrail.storage.database.tables import Job
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit

_MAX_LISTED = 3


def _join_names(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


class ExportOrder(NamedTuple):
    """A requested export.

    Attributes:
        decided: use the gold decided in review, if the format can.
        submission: which submission of each attempt counts.
        undecided: only answers for people to judge, if the format can.
        originals: add the files that runs were imported from, if the format can.
    """

    campaign: str
    formats: tuple[str, ...]
    identify: bool
    dpi: int
    decided: bool
    submission: SubmissionVersion = "first"
    undecided: bool = False
    originals: bool = False

    @property
    def folders(self) -> dict[str, str]:
        """Format → name of its folder."""
        return {name: self.folder(name) for name in self.formats}

    def folder(self, format_: str) -> str:
        """The folder of a format; each relevant combination of options has its own."""
        by_gold = f"-{ADJUDICATED}" if self.decided and format_ in formats_by_gold() else ""
        is_later = self.submission != "first" and has_submissions(format_, by_gold or None)
        parts = (
            by_gold,
            f"-{self.submission}" if is_later else "",
            "-undecided" if self.undecided and format_ in formats_with("undecided") else "",
            "-originals" if self.originals and format_ in formats_with("originals") else "",
            "-named" if self.identify else "",
        )
        name = encoded_stem(f"{self.campaign}-{format_}{''.join(parts)}")
        # A hidden folder would look like an unfinished one.
        return f"%2E{name[1:]}" if name.startswith(".") else name


def export_form(campaigns: list[str], *, is_running: bool) -> None:
    """Show the form, and the confirmation before an earlier export is replaced."""
    drop_unavailable_choice("campaign", campaigns)
    campaign = st.selectbox(gettext("Campaign"), campaigns, key="campaign", bind="query-params")
    st.markdown(gettext("**Formats**"))
    with st.container(height=310, border=True):
        for name, format_ in FORMATS.items():
            st.checkbox(f"{name}: {literal(gettext(format_.summary))}", key=f"format-{name}")
    formats = [name for name in FORMATS if st.session_state.get(f"format-{name}")]
    names_column, dpi_column = st.columns([6, 5], vertical_alignment="bottom")
    with names_column:
        identify = st.checkbox(gettext("Show annotators' real names"), key="identify")
        decided = _option(
            gettext("Use the gold decided in review"),
            "decided",
            formats_by_gold(),
            formats,
            gettext("In place of annotators' work, or of the gold that tasks came with"),
        )
        undecided = _option(
            gettext("Only answers for people to judge"),
            "undecided",
            formats_with("undecided"),
            formats,
            gettext("What the rule leaves undecided, and a random share of what it decided"),
        )
        originals = _option(
            gettext("Add imported originals"),
            "originals",
            formats_with("originals"),
            formats,
            gettext("In a folder called originals"),
        )
    submission = submission_select(dpi_column)
    dpi = dpi_column.number_input(
        gettext("Page images, dpi"),
        MIN_DPI,
        MAX_DPI,
        PAGE_DPI,
        key="dpi",
        help=gettext("Only for formats with page images."),
    )
    if identify:
        st.warning(
            gettext(
                "The files will name your annotators: do not publish or share them. Otherwise "
                "annotators appear under their pseudonyms."
            )
        )
    st.button(
        gettext("Export"),
        key="export",
        type="primary",
        icon=":material/file_export:",
        disabled=is_running or not formats,
        help=gettext("Choose a format first.") if not formats else None,
        on_click=_start_or_ask,
        args=(
            ExportOrder(
                campaign=campaign,
                formats=tuple(formats),
                identify=identify,
                dpi=int(dpi),
                decided=decided,
                submission=submission,
                undecided=undecided,
                originals=originals,
            ),
        ),
    )
    _replace_dialog()


def _option(
    label: str, key: str, formats: Collection[str], selected: Sequence[str], explanation: str
) -> bool:
    """A checkbox that applies to some formats only."""
    return st.checkbox(
        label,
        key=key,
        disabled=not set(selected) & set(formats),
        help=gettext(
            "{explanation}: {formats}. Other formats do not change.",
            explanation=explanation,
            formats=_join_names([*formats]),
        ),
    )


def _start_or_ask(order: ExportOrder) -> None:
    def act(app: Services, person: Person) -> str | None:
        existing = {export.name: export for export in all_finished(app.workspace)}
        replaced = [existing[folder] for folder in order.folders.values() if folder in existing]
        if replaced:
            open_dialog("replace", order=order, replaced=replaced)
        else:
            _start(app, person, order)
        return None

    run_supervisor_action("export", act)


def _replace_dialog() -> None:
    state = current_dialog("replace")
    if state is None:
        return
    show_confirmation(
        state,
        gettext("Replace earlier exports?"),
        [_replacement_sentence(export) for export in state.details["replaced"]],
        gettext("Replace"),
        "replace",
        _start_export,
        state.details["order"],
    )


def _replacement_sentence(export: FinishedExport) -> str:
    return gettext(
        "{export} of campaign {campaign}, written {written_at}, is replaced "
        "once the new one is complete.",
        export=export.name,
        campaign=export.campaign,
        written_at=format_time(export.written_at),
    )


def _start_export(order: ExportOrder) -> None:
    def act(app: Services, person: Person) -> str | None:
        _start(app, person, order)
        return None

    run_supervisor_action("export", act)


def _start(app: Services, person: Person, order: ExportOrder) -> None:
    formats = ", ".join(order.formats[:_MAX_LISTED]) + (
        " …" if len(order.formats) > _MAX_LISTED else ""
    )
    title = f"Export of {order.campaign} as {formats}"
    gold_formats = formats_by_gold() if order.decided else ()
    request = ExportRequest(
        campaign=order.campaign,
        formats=tuple(order.folders.items()),
        identify=order.identify,
        dpi=order.dpi,
        submission=order.submission,
        by_gold=tuple(name for name in order.formats if name in gold_formats),
        undecided=_selected_with("undecided", order) if order.undecided else (),
        originals=_selected_with("originals", order) if order.originals else (),
    )

    def record_outcome(job: Job) -> None:
        app.security_log.record(job.by, f"export_{job.state}", f"{title}: {job.message}")

    app.jobs.start(title, person.name, request, record_outcome)
    detail = f"{order.campaign} as {', '.join(order.formats)}"
    detail += ", with the gold decided in review" if request.by_gold else ""
    detail += ", final submissions" if order.submission == "final" else ""
    detail += ", only answers to judge" if request.undecided else ""
    detail += ", with originals" if request.originals else ""
    detail += ", with names" if order.identify else ""
    audit(app.workspace, person, "export_started", detail)
    queue_message(
        "info", gettext("The export runs in the background. You may leave or close this page.")
    )


def _selected_with(option: Option, order: ExportOrder) -> tuple[str, ...]:
    return tuple(name for name in order.formats if name in formats_with(option))
