"""The reference of ``page_turn``: pages as ``st.image``, turned by Streamlit's own button."""

import sys
from pathlib import Path

import streamlit as st

from pagetrail.storage.corpus.pdf_pages import PdfPages

DPI = 150


@st.cache_resource
def _pdf() -> PdfPages:
    return PdfPages()


@st.cache_data
def _picture(path: str, number: int) -> bytes:
    return _pdf().render_jpeg(Path(path), number, DPI)


def _turn() -> None:
    st.session_state["page"] += 1


st.set_page_config(layout="wide")
st.session_state.setdefault("page", 1)
document = sys.argv[1:][int(st.query_params.get("document", "0"))]
st.button("Next page", on_click=_turn)
st.image(_picture(document, st.session_state["page"]), width="stretch")
