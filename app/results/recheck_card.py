"""The card that lists what later corrections change in a campaign's collected work."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.results.recheck_computation import COMPUTE
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.computing import shared_result
from pagetrail.app.ui.notation import format_number
from pagetrail.app.ui.page import lazy_expander
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.reports.recheck.findings import ADVICE, FINDING_KINDS, LABELS, Recheck
from pagetrail.storage.progress.campaign_state import WorkspaceVersion

_MAX_HEIGHT_PX = 300
_TASK, _ATTEMPT, _ANNOTATOR, _DETAIL = N_("Task"), N_("Attempt"), N_("Annotator"), N_("Detail")


def show_recheck(app: Services, campaign: str, version: WorkspaceVersion, identify: bool) -> None:
    """Show the card, closed; it is computed once it is opened."""
    label = gettext("Recheck of collected work")
    with lazy_expander(label, "recheck", ":material/fact_check:") as is_open:
        if is_open:
            key = (version, campaign, identify)
            _show(shared_result(app, key, COMPUTE, campaign, identify, title=label))


def _show(recheck: Recheck) -> None:
    st.caption(
        gettext(
            "What later corrections of Pagetrail change in work that was already collected. "
            "Nothing is changed by this list."
        )
    )
    if not recheck.findings:
        st.markdown(gettext("Nothing that was collected is affected."))
    for kind in FINDING_KINDS:
        findings = recheck.of_kind(kind)
        if not findings:
            continue
        st.markdown(f"**{gettext(LABELS[kind])}: {format_number(len(findings))}**")
        rows = [(row.task, row.attempt, row.participant, row.detail) for row in findings]
        table = pd.DataFrame(rows, columns=[_TASK, _ATTEMPT, _ANNOTATOR, _DETAIL])
        show_table(table, max_height=_MAX_HEIGHT_PX, key=f"recheck-{kind}")
        st.markdown(gettext(ADVICE[kind]))
