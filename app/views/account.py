"""The account of the signed-in person: sign out, own hours, password."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.admin.people.hours_view import show_own_hours
from pagetrail.app.services.composition import services
from pagetrail.app.services.languages import languages, own_name, preferred_language
from pagetrail.app.services.source_code import source_url
from pagetrail.app.ui.connected_identities import show_own_identities
from pagetrail.app.ui.current_user import session_token, signed_in
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.page import reload_page
from pagetrail.app.ui.personal_keys import show_keys
from pagetrail.storage.people.accounts import set_password
from pagetrail.storage.people.identities import identities_of, uses_password
from pagetrail.storage.people.login_sessions import close_session, session_digest
from pagetrail.storage.people.preferences import preferences_of, set_preferences

THEME_LABELS = {"system": N_("System"), "light": N_("Light"), "dark": N_("Dark")}

person = signed_in()
st.title(literal(person.name))
st.write(
    gettext(
        "Signed in as {role}. Your pseudonym in exports is **{pseudonym}**.",
        role=gettext(person.role),
        pseudonym=literal(person.pseudonym),
    )
)


def sign_out() -> None:
    """End the session; the server closes its tabs, which lead to the sign-in page."""
    close_session(services().workspace, session_token())


st.button(gettext("Sign out"), icon=":material/logout:", on_click=sign_out)


def choose_appearance() -> None:
    """Theme and language of the interface; the page is loaded again with what was chosen."""
    workspace = services().workspace
    preferences = preferences_of(workspace, person.id)

    def store() -> None:
        set_preferences(
            workspace,
            person.id,
            theme=st.session_state["theme"],
            language=st.session_state["language"],
        )
        st.session_state["preferences-changed"] = True

    st.header(gettext("Appearance and language"))
    st.segmented_control(
        gettext("Theme"),
        list(THEME_LABELS),
        default=preferences.theme,
        required=True,
        format_func=lambda theme: gettext(THEME_LABELS[theme]),
        key="theme",
        on_change=store,
    )
    browser = preferred_language(st.context.locale or "")
    choices = ["", *languages()]
    st.selectbox(
        gettext("Language of the interface"),
        choices,
        index=choices.index(preferences.language) if preferences.language in choices else 0,
        format_func=lambda language: (
            own_name(language)
            if language
            else gettext("Same as browser ({language})", language=own_name(browser))
        ),
        help=gettext(
            "Questions, documents and a campaign’s own texts are not translated. Numbers and dates "
            "follow your browser’s settings."
        ),
        key="language",
        on_change=store,
        width=420,
    )
    if "preferences-changed" in st.session_state:
        reload_page()


choose_appearance()
show_keys(services().workspace, person)
show_own_hours(services(), person)


st.markdown(
    gettext("Pagetrail is free software (AGPL-3.0). [Source code]({address})", address=source_url())
)


def change_password() -> None:
    """Show the form and process it."""
    st.header(gettext("Change password"))
    with st.form("password", clear_on_submit=True, width=420):
        old = st.text_input(
            gettext("Current password"), type="password", autocomplete="current-password"
        )
        new = st.text_input(
            gettext("New password"),
            type="password",
            autocomplete="new-password",
            help=gettext("At least 8 characters."),
        )
        repeated = st.text_input(
            gettext("New password again"), type="password", autocomplete="new-password"
        )
        removes_identities = bool(identities_of(services().workspace, person)) and st.checkbox(
            gettext("Remove single sign-on too"), key="password-identities"
        )
        submitted = st.form_submit_button(gettext("Change password"), type="primary")
    if submitted:
        app, session = services(), session_digest(session_token())
        try:
            if new != repeated:
                st.error(gettext("The two new passwords differ. Type the same one twice."))
            elif not app.sign_ins.confirm(person, old, session):
                st.error(gettext("The current password is wrong."))
            else:
                set_password(
                    app.workspace,
                    person.name,
                    new,
                    keep=session,
                    with_identities_removed=removes_identities,
                )
                st.success(
                    gettext("Your password has been changed. You are signed out everywhere else.")
                )
        except PagetrailError as error:
            st.error(literal(error.message))


show_own_identities(services(), person)
if uses_password(services().workspace, person):
    change_password()
else:
    st.write(
        gettext("You sign in with your organisation’s service, so there is no password to change.")
    )
