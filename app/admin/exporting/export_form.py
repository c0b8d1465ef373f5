"""The export form: campaign, formats and options."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

import streamlit as st

from pagetrail.annotation.attempts.submission import WHICH, Which
from pagetrail.app.admin.actions import act, ask, asked, confirm, say
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_time
from pagetrail.app.ui.submission_choice import SUBMISSION_HELP, SUBMISSIONS
from pagetrail.app.ui.widget_state import forget_stranger
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
from pagetrail.exports.writing.file_formats import file_name
from pagetrail.exports.writing.stored_exports import all_finished
from pagetrail.storage.corpus.page_images import MAX_DPI, MIN_DPI
from pagetrail.storage.database.job_states import Job
from pagetrail.storage.people.accounts import Person, audit

_LISTED = 3


def _enumerated(names: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


class Order(NamedTuple):
    """An export that has been asked for.

    Attributes:
        decided: use the gold decided in review, where a format can.
        submission: which submission of each attempt counts.
        undecided: only answers for people to judge, where a format can.
        originals: add the files that runs were imported from, where a format can.
    """

    campaign: str
    formats: tuple[str, ...]
    identify: bool
    dpi: int
    decided: bool
    submission: Which = "first"
    undecided: bool = False
    originals: bool = False

    @property
    def folders(self) -> dict[str, str]:
        """Format → name of its folder."""
        return {name: self.folder(name) for name in self.formats}

    def folder(self, format_: str) -> str:
        """The folder of a format; each combination of options that matter has its own."""
        by_gold = f"-{ADJUDICATED}" if self.decided and format_ in formats_by_gold() else ""
        later = self.submission != "first" and has_submissions(format_, by_gold or None)
        parts = (
            by_gold,
            f"-{self.submission}" if later else "",
            "-undecided" if self.undecided and format_ in formats_with("undecided") else "",
            "-originals" if self.originals and format_ in formats_with("originals") else "",
            "-named" if self.identify else "",
        )
        name = file_name(f"{self.campaign}-{format_}{''.join(parts)}")
        # A hidden folder would look like an unfinished one.
        return f"%2E{name[1:]}" if name.startswith(".") else name


def export_form(app: Services, campaigns: list[str], *, going: bool) -> None:
    """Draw the form, and the confirmation before an earlier export is replaced."""
    forget_stranger("campaign", campaigns)
    campaign = st.selectbox("Campaign", campaigns, key="campaign", bind="query-params")
    st.markdown("**Formats**")
    with st.container(height=310, border=True):
        for name, format_ in FORMATS.items():
            st.checkbox(f"**{name}**: {literal(format_.summary)}", key=f"format-{name}")
    chosen = [name for name in FORMATS if st.session_state.get(f"format-{name}")]
    names_place, dpi_place = st.columns([6, 5], vertical_alignment="bottom")
    with names_place:
        identify = st.checkbox("Show annotators' real names", key="identify")
        decided = _option(
            "Use the gold decided in review",
            "decided",
            formats_by_gold(),
            chosen,
            "Instead of people's work, or of the gold that tasks came with",
        )
        undecided = _option(
            "Only answers for people to judge",
            "undecided",
            formats_with("undecided"),
            chosen,
            "Answers that the rule leaves undecided or that only their spelling decides",
        )
        originals = _option(
            "Add imported originals",
            "originals",
            formats_with("originals"),
            chosen,
            "In a folder called originals",
        )
    submission = dpi_place.selectbox(
        "Submission",
        WHICH,
        format_func=SUBMISSIONS.__getitem__,
        key="submission",
        help=SUBMISSION_HELP,
    )
    dpi = dpi_place.number_input(
        "Page images, dpi", MIN_DPI, MAX_DPI, PAGE_DPI, key="dpi", help="Where a format has them."
    )
    if identify:
        st.warning(
            "The files will name your annotators: do not publish or share them. Otherwise "
            "annotators appear under their pseudonyms."
        )
    st.button(
        "Export",
        key="export",
        type="primary",
        icon=":material/file_export:",
        disabled=going or not chosen,
        help="Choose a format first." if not chosen else None,
        on_click=_start_or_ask,
        args=(
            Order(
                campaign=campaign,
                formats=tuple(chosen),
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
    label: str, key: str, formats: Collection[str], chosen: Sequence[str], explanation: str
) -> bool:
    """A checkbox that applies to some formats only, and says so."""
    return st.checkbox(
        label,
        key=key,
        disabled=not set(chosen) & set(formats),
        help=f"{explanation}: {_enumerated([*formats])}. Other formats do not change.",
    )


def _start_or_ask(order: Order) -> None:
    def do(app: Services, person: Person) -> str | None:
        there = {export.name: export for export in all_finished(app.workspace)}
        replaced = [there[folder] for folder in order.folders.values() if folder in there]
        if replaced:
            ask("replace", order=order, replaced=replaced)
        else:
            _start(app, person, order)
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
        _start_export,
        open_.details["order"],
    )


def _replaced(export: FinishedExport) -> str:
    return (
        f"{export.name} of campaign {export.campaign}, written "
        f"{format_time(export.written_at)}, is replaced once the new one is complete."
    )


def _start_export(order: Order) -> None:
    def do(app: Services, person: Person) -> str | None:
        _start(app, person, order)
        return None

    act("export", do)


def _start(app: Services, person: Person, order: Order) -> None:
    listed = ", ".join(order.formats[:_LISTED]) + (" …" if len(order.formats) > _LISTED else "")
    title = f"Export of {order.campaign} as {listed}"
    job = {
        "do": "export",
        "campaign": order.campaign,
        "formats": [list(entry) for entry in order.folders.items()],
        "identify": order.identify,
        "dpi": order.dpi,
        "submission": order.submission,
        "by_gold": [name for name in order.formats if order.decided and name in formats_by_gold()],
        "undecided": _chosen_with("undecided", order) if order.undecided else [],
        "originals": _chosen_with("originals", order) if order.originals else [],
    }

    def ended(job: Job) -> None:
        app.security_log.record(job.by, f"export_{job.state}", f"{title}: {job.message}")

    app.jobs.start("export", title, person.name, job, ended)
    detail = f"{order.campaign} as {', '.join(order.formats)}"
    detail += ", with the gold decided in review" if job["by_gold"] else ""
    detail += ", final submissions" if order.submission == "final" else ""
    detail += ", only answers to judge" if job["undecided"] else ""
    detail += ", with originals" if job["originals"] else ""
    detail += ", with names" if order.identify else ""
    audit(app.workspace, person.name, "export_started", detail)
    say("info", "The export runs in the background. You may leave or close this page.")


def _chosen_with(option: Option, order: Order) -> list[str]:
    return [name for name in order.formats if name in formats_with(option)]
