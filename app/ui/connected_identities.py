"""The sign-ins of a service that are connected with an account: shown, told of and removed."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.current_user import session_token
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_day
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.identities import (
    ConnectedIdentity,
    Identity,
    identities_of,
    remove_identity,
)
from pagetrail.storage.people.login_sessions import is_of_service
from pagetrail.storage.people.preferences import set_preferences


def identity_words(app: Services, connected: ConnectedIdentity) -> str:
    """The service, its id of the account, and since when it is connected."""
    service, identity = app.single_sign_on, connected.identity
    is_current = service is not None and service.issuer == identity.issuer
    return gettext(
        "{service}, account {subject}, connected on {day}",
        service=f"{service.name} ({identity.issuer})"
        if service and is_current
        else identity.issuer,
        subject=identity.subject,
        day=format_day(connected.connected_at[:10]),
    )


def list_identities(
    app: Services, identities: list[ConnectedIdentity], remove: Callable[[Identity], None]
) -> None:
    """One line each, with a button that removes it."""
    for number, connected in enumerate(identities):
        line, button = st.columns([5, 2], vertical_alignment="center")  # room for “Entfernen”
        line.write(literal(identity_words(app, connected)))
        button.button(
            gettext("Remove"),
            key=f"remove-identity-{number}",
            on_click=remove,
            args=(connected.identity,),
        )


def show_own_identities(app: Services, person: Person) -> None:
    """The part of Account with the person's own, if there are any."""

    def remove(identity: Identity) -> None:
        try:
            remove_identity(app.workspace, person, person.name, identity)
        except PagetrailError as error:
            st.session_state["identity-problem"] = error.message

    identities = identities_of(app.workspace, person)
    if not identities:
        return
    st.header(gettext("Single sign-on"))
    st.caption(
        gettext(
            "Whoever signs in there gets into this account. Removing a sign-in ends the sessions "
            "that it has opened."
        )
    )
    if problem := st.session_state.pop("identity-problem", ""):
        st.error(literal(problem))
    list_identities(app, identities, remove)


def tell_of_new_identities(app: Services, person: Person) -> None:
    """Say what was connected since; to who has signed in with the account's password."""
    new = [connected for connected in identities_of(app.workspace, person) if connected.is_new]
    if not new or is_of_service(app.workspace, session_token()):
        return
    st.warning(
        literal(
            gettext(
                "Single sign-on was connected with your account: {sign_ins}. If that was not you, "
                "remove it on the page under your name, and change your password.",
                sign_ins="; ".join(identity_words(app, connected) for connected in new),
            )
        )
    )

    def confirm() -> None:
        set_preferences(app.workspace, person.id, identities_seen_at=new[0].connected_at)

    st.button(gettext("That was me"), key="identities-seen", on_click=confirm)
