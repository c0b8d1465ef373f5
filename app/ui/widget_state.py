"""Choices that several screens have under one name, so that they go along from one to the next."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st


def forget_stranger(key: str, options: Collection[str]) -> None:
    """Drop a choice that this screen does not offer, as another's “any campaign”.

    To be called before the widget of that key is drawn.
    """
    if key in st.session_state and st.session_state[key] not in options:
        del st.session_state[key]
