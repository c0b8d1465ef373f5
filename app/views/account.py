"""The account of the signed-in person: change the password, sign out."""

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.services.addresses import PREFIX
from pagetrail.app.services.composition import services
from pagetrail.app.ui.current_user import signed_in
from pagetrail.storage.people.accounts import authenticate, set_password

person = signed_in()
st.title(person.name)
st.write(f"Signed in as {person.role}. Your pseudonym in exports is **{person.pseudonym}**.")
st.link_button("Sign out", f"{PREFIX}/logout", icon=":material/logout:")

st.subheader("Change password")
with st.form("password", clear_on_submit=True, width=420):
    old = st.text_input("Current password", type="password", autocomplete="current-password")
    new = st.text_input(
        "New password", type="password", autocomplete="new-password", help="At least 8 characters."
    )
    again = st.text_input("New password again", type="password", autocomplete="new-password")
    asked = st.form_submit_button("Change password", type="primary")
if asked:
    workspace = services().workspace
    if new != again:
        st.error("The two new passwords differ. Type the same one twice.")
    elif authenticate(workspace, person.name, old) is None:
        st.error("The current password is not right.")
    else:
        try:
            set_password(workspace, person.name, new)
        except PagetrailError as error:
            st.error(error.message)
        else:
            st.success("Your password has been changed.")
