"""Keeps what has been entered for a new campaign, even in folded parts of the form.

Streamlit forgets the value of a widget that is not drawn, and folded parts are not drawn, so that
the form opens fast. Their values are kept here until the form is opened again.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

_OPEN = "campaign-new"
_DRAFT = "new-campaign-draft"


def begin_draft() -> None:
    """Open an empty form."""
    st.session_state[_DRAFT] = {}
    st.session_state[_OPEN] = True


def end_draft() -> None:
    """Close the form and discard what was entered."""
    st.session_state[_DRAFT] = {}
    st.session_state[_OPEN] = False


def is_drafting() -> bool:
    """Whether the form is open."""
    return bool(st.session_state.get(_OPEN))


def draft_values(part: str) -> dict[str, Any]:
    """The values of one part of the form, to read and change."""
    draft: dict[str, dict[str, Any]] = st.session_state.setdefault(_DRAFT, {})
    return draft.setdefault(part, {})
