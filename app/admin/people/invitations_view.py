"""Inviting people: the dialog that makes links, and the invitations that are still open."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.app.admin.actions import (
    DONE_KEY,
    DialogState,
    action_button,
    answer_button,
    close_dialog,
)
from pagetrail.app.services.addresses import invitation_path
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import format_minute, format_time, zone_name_at
from pagetrail.app.ui.page import public_url
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.people.accounts import ROLES, Person
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
from pagetrail.storage.people.roles import may_manage


def invite_form(app: Services, person: Person, state: DialogState) -> None:
    """Choose role, validity and number of links; then the links are shown once."""
    if state.result is not None:
        _links(state.result)
        return
    st.caption(
        gettext(
            "Whoever opens the link chooses a name and a password and is signed in. Each link "
            "works once."
        )
    )
    roles = [role for role in ROLES if may_manage(person, role)]
    role = st.selectbox(gettext("Role"), roles, format_func=gettext, key="invite-role")
    note = st.text_input(
        gettext("For"), key="invite-note", max_chars=MAX_NOTE, placeholder=gettext("Optional"),
        help=gettext("Only supervisors see this."),
    )  # fmt: skip
    group = st.text_input(
        gettext("Group"), key="invite-group", max_chars=MAX_TAG, placeholder=gettext("Optional"),
        help=gettext("Accounts made with these links are in this group."),
    )  # fmt: skip
    days, count = st.columns(2)
    valid = days.number_input(
        gettext("Valid for days"), 1, MAX_DAYS, DEFAULT_DAYS, key="invite-days"
    )
    links = count.number_input(gettext("Number of links"), 1, MAX_AT_ONCE, 1, key="invite-count")

    def make_links() -> list[tuple[str, Invitation]]:
        return [
            invite(app.workspace, person, role, days=valid, note=note or "", group=group or "")
            for _ in range(links)
        ]

    answer_button(
        ngettext("Make the link", "Make {number} links", links),
        "invite-go",
        app,
        person,
        state,
        make_links,
        keep_open=True,
    )


def _links(new_invitations: list[tuple[str, Invitation]]) -> None:
    rows = [
        (
            public_url(invitation_path(token)),
            invitation.role,
            invitation.note,
            format_minute(invitation.expires_at),
        )
        for token, invitation in new_invitations
    ]
    columns = (N_("link"), N_("role"), N_("for"), f"valid until ({zone_name_at()})")
    expiry = f"{rows[0][3]} {zone_name_at()}"
    if len(rows) == 1:
        st.success(gettext("The link works once, until {expiry}.", expiry=expiry))
        st.code(rows[0][0], language=None, wrap_lines=True)
    else:
        st.success(
            gettext(
                "{number} links. Each works once, until {expiry}.",
                number=len(rows),
                expiry=expiry,
            )
        )
        show_table(
            pd.DataFrame(rows, columns=list(columns)),
            key="links",
            column_config={columns[-1]: gettext("valid until ({zone})", zone=zone_name_at())},
        )
        st.download_button(
            gettext("Links (CSV)"), partial(spreadsheet_csv, columns, rows),
            file_name="invitations.csv",
            mime="text/csv", on_click="ignore", icon=":material/download:", key="links-csv",
        )  # fmt: skip
    st.caption(
        gettext("Shown only once and not stored. Pass it on; you can withdraw it on this screen.")
    )
    st.button(gettext("Done"), type="primary", key=DONE_KEY, on_click=close_dialog)


def open_invitations(app: Services, person: Person) -> None:
    """Unused invitations, each with a button to withdraw it."""
    unused = invitations(app.workspace)
    if not unused:
        return
    count = ngettext("{number} open invitation", "{number} open invitations", len(unused))
    with st.expander(count, icon=":material/mail:"):
        for invitation in unused:
            recipient, validity, button_column = st.columns([4, 5, 2], vertical_alignment="center")
            details = " · ".join(
                filter(None, (gettext(invitation.role), invitation.note, invitation.group))
            )
            recipient.markdown(f"**{literal(details)}**")
            until = gettext("until {time}", time=format_time(invitation.expires_at))
            by = gettext("by {person}", person=invitation.by) if invitation.by else ""
            validity.caption(literal(" · ".join(filter(None, (until, by)))))
            with button_column:
                action_button(
                    gettext("Withdraw"),
                    f"withdraw-invitation-{invitation.id}",
                    app,
                    person,
                    partial(withdraw_invitation, app.workspace, person, invitation.id),
                    gettext("The invitation is withdrawn; its link no longer works."),
                    disabled=not may_manage(person, invitation.role),
                )
