"""How wide a screen of the server is."""

from __future__ import annotations

import streamlit as st


def wide() -> None:
    """Let tables of a dozen figures, each with its interval, take all the width there is."""
    st.html("<style>.stMainBlockContainer { max-width: 100rem; }</style>")
