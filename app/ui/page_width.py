"""How wide a screen of the server is."""

from __future__ import annotations

import streamlit as st


def wide() -> None:
    """Use the full width, for tables with a dozen numbers and their intervals."""
    st.html("<style>.stMainBlockContainer { max-width: 100rem; }</style>")
