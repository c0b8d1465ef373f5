"""The select box for the submission that counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pagetrail.annotation.attempts.submission import SubmissionVersion
from pagetrail.annotation.messages import N_, gettext

_LABELS: Mapping[SubmissionVersion, str] = {"first": N_("First"), "final": N_("Final")}


def submission_select(container: Any, **options: Any) -> SubmissionVersion:
    """Show the select box in a container; options as of ``st.selectbox``."""
    submission: SubmissionVersion = container.selectbox(
        gettext("Submission"),
        list(_LABELS),
        format_func=lambda choice: gettext(_LABELS[choice]),
        key="submission",
        help=gettext(
            "First: what was submitted before anybody returned the task, commented "
            "on it or showed its gold. Final: the last submission. Changes after "
            "the first submission are counted."
        ),
        **options,
    )
    return submission
