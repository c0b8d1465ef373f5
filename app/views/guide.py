"""The guide for annotators and the guidelines of their campaigns, on one page with contents."""

import streamlit as st

from pagetrail.annotation.messages import gettext
from pagetrail.annotation.protocols.preset_texts import translate_guidelines
from pagetrail.app.services.composition import services
from pagetrail.app.services.source_code import source_url
from pagetrail.app.ui.current_user import signed_in
from pagetrail.app.ui.guide_sections import GUIDE_SECTIONS
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.markdown_rendering import streamlit_markdown
from pagetrail.storage.batches.my_batches import campaign_guidelines
from pagetrail.storage.people.preferences import set_preferences

CONTENTS = "contents"
TOUR_ASKED = "tour-asked"

account = signed_in()
guidelines = {
    f"guidelines-{number}": guideline
    for number, guideline in enumerate(
        campaign_guidelines(services().workspace.engine, account.id).items(), start=1
    )
}


def _show_tour_again() -> None:
    """Callback: the next task begins with the tour."""
    set_preferences(services().workspace, account.id, tour="next task")
    st.session_state[TOUR_ASKED] = True


def _contents() -> str:
    lines = [f"* [{gettext(title)}](#{anchor})" for anchor, title, _ in GUIDE_SECTIONS]
    if guidelines:
        heading = gettext("Guidelines of your campaigns")
        lines.append(f"* [{heading}](#guidelines)")
    lines += [f"    * [{literal(name)}](#{anchor})" for anchor, (name, _) in guidelines.items()]
    return "\n".join(lines)


def _tour() -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(
            gettext("Show the tour again"),
            key="tour-again",
            icon=":material/tour:",
            on_click=_show_tour_again,
        )
        if st.session_state.get(TOUR_ASKED):
            st.page_link(
                "views/batches.py",
                label=gettext("The next task that you open begins with the tour. My batches"),
                icon=":material/inventory_2:",
            )


with st.container(width=820):
    st.title(gettext("Guide"), anchor=False)
    if services().offers_tour:
        _tour()
    st.header(gettext("Contents"), anchor=CONTENTS)
    st.markdown(_contents())
    back_words = gettext("Back to the contents")
    back = f"[{back_words}](#{CONTENTS})"
    for anchor, title, text in GUIDE_SECTIONS:
        st.header(gettext(title), anchor=anchor)
        st.markdown(gettext(text))
        st.markdown(back)
    if guidelines:
        st.header(gettext("Guidelines of your campaigns"), anchor="guidelines")
    for anchor, (name, text) in guidelines.items():
        st.subheader(literal(name), anchor=anchor)
        st.markdown(
            streamlit_markdown(translate_guidelines(text), below_level=3)
            or gettext("This campaign has no written guidelines.")
        )
        st.markdown(back)
    st.markdown(
        gettext(
            "Pagetrail is free software (AGPL-3.0). [Source code]({source_url})",
            source_url=source_url(),
        )
    )
