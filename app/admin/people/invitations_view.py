"""Inviting people: the dialog that makes links, and the invitations that are still open."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.app.admin.actions import DONE, Asked, answer, dismiss, do
from pagetrail.app.admin.csv_files import csv_file
from pagetrail.app.services.addresses import invitation_path
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_minute, format_time, zone_name_at
from pagetrail.app.ui.public_address import public_url
from pagetrail.storage.people.accounts import ROLES, Person
from pagetrail.storage.people.administration import may_manage
from pagetrail.storage.people.invitations import (
    DEFAULT_DAYS,
    MAX_AT_ONCE,
    MAX_DAYS,
    MAX_NOTE,
    Invitation,
    invitations,
    invite,
    withdraw_invitation,
)
from pagetrail.storage.people.profiles import MAX_TAG


def invite_form(app: Services, person: Person, asked: Asked) -> None:
    """How many links, for whom and for how long; then the links, once."""
    if asked.result is not None:
        _links(asked.result)
        return
    st.caption(
        "Whoever opens the link chooses a name and a password and is signed in. Each link works "
        "once."
    )
    roles = [role for role in ROLES if may_manage(person, role)]
    role = st.selectbox("Role", roles, key="invite-role")
    note = st.text_input(
        "For", key="invite-note", max_chars=MAX_NOTE, placeholder="Optional",
        help="Only supervisors see this.",
    )  # fmt: skip
    group = st.text_input(
        "Group", key="invite-group", max_chars=MAX_TAG, placeholder="Optional",
        help="Accounts made with these links are in this group.",
    )  # fmt: skip
    days, count = st.columns(2)
    valid = days.number_input("Valid for days", 1, MAX_DAYS, DEFAULT_DAYS, key="invite-days")
    links = count.number_input("Number of links", 1, MAX_AT_ONCE, 1, key="invite-count")

    def act() -> list[tuple[str, Invitation]]:
        return [
            invite(app.workspace, person, role, days=valid, note=note or "", group=group or "")
            for _ in range(links)
        ]

    st.button(
        "Make the link" if links == 1 else f"Make {links} links", type="primary",
        key="invite-go", on_click=answer, args=(app, person, asked, act), kwargs={"stay": True},
    )  # fmt: skip


def _links(made: list[tuple[str, Invitation]]) -> None:
    rows = [
        (
            public_url(invitation_path(token)),
            each.role,
            each.note,
            format_minute(each.expires_at),
        )
        for token, each in made
    ]
    columns = ("link", "role", "for", f"valid until ({zone_name_at()})")
    until = rows[0][3]
    if len(rows) == 1:
        st.success(f"The link works once, until {until} {zone_name_at()}.")
        st.code(rows[0][0], language=None, wrap_lines=True)
    else:
        st.success(f"{len(rows)} links. Each works once, until {until} {zone_name_at()}.")
        st.dataframe(pd.DataFrame(rows, columns=list(columns)), hide_index=True, key="links")
        st.download_button(
            "Links (CSV)", partial(csv_file, columns, rows), file_name="invitations.csv",
            mime="text/csv", on_click="ignore", icon=":material/download:", key="links-csv",
        )  # fmt: skip
    st.caption(
        "Shown only this once and not stored. Pass it on; it can be withdrawn on this screen."
    )
    st.button("Done", type="primary", key=DONE, on_click=dismiss)


def open_invitations(app: Services, person: Person) -> None:
    """Those that nobody has used yet, each with a button to withdraw it."""
    found = invitations(app.workspace)
    if not found:
        return
    count = "1 open invitation" if len(found) == 1 else f"{len(found)} open invitations"
    with st.expander(count, icon=":material/mail:"):
        for each in found:
            who, until, act = st.columns([4, 5, 2], vertical_alignment="center")
            about = " · ".join(filter(None, (each.role, each.note, each.group)))
            who.markdown(f"**{literal(about)}**")
            by = f" · by {each.by}" if each.by else ""
            until.caption(literal(f"until {format_time(each.expires_at)}{by}"))
            act.button(
                "Withdraw", key=f"withdraw-invitation-{each.id}", on_click=do,
                disabled=not may_manage(person, each.role),
                args=(app, person, partial(withdraw_invitation, app.workspace, person, each.id)),
                kwargs={"done": "The invitation is withdrawn; its link is not valid any more."},
            )  # fmt: skip
