"""The guide for annotators, and the guidelines of the campaigns they work on."""

from importlib.resources import files

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import services
from pagetrail.app.services.source_code import source_url
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import streamlit_markdown
from pagetrail.storage.batches.my_batches import campaign_guidelines

person = signed_in()
guide = (files("pagetrail.app") / "static" / "guide.md").read_text(encoding="utf-8")
guidelines = campaign_guidelines(services().workspace.engine, person.id)
names = [
    gettext("How Pagetrail works"),
    *(literal(gettext("Guidelines: {name}", name=name)) for name in guidelines),
]
tabs = st.tabs(names)
with tabs[0], st.container(width=820):
    st.markdown(guide)
    st.markdown(
        gettext(
            "Pagetrail is free software (AGPL-3.0). [Source code]({source_url})",
            source_url=source_url(),
        )
    )
for tab, text in zip(tabs[1:], guidelines.values(), strict=True):
    with tab, st.container(width=820):
        st.markdown(streamlit_markdown(text) or gettext("This campaign has no written guidelines."))
