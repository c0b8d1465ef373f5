"""Dialogs that create or change accounts, and show first passwords once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import N_, gettext, ngettext
from pagetrail.app.admin.actions import (
    DONE_KEY,
    DialogState,
    answer_button,
    close_dialog,
    current_dialog,
    run_action,
    show_dialog,
)
from pagetrail.app.admin.people.invitations_view import invite_form
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.connected_identities import list_identities
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.app.ui.notation import day_format
from pagetrail.app.ui.tables import show_table
from pagetrail.exports.writing.spreadsheet_csv import spreadsheet_csv
from pagetrail.storage.people.absences import absence_of, set_absence
from pagetrail.storage.people.accounts import ROLES, Person, role_phrase
from pagetrail.storage.people.administration import (
    NOT_REPLACED,
    add_account,
    anonymise,
    change_role,
    rename,
    reset_password,
    set_active,
)
from pagetrail.storage.people.bulk_accounts import (
    BadLine,
    CheckedLines,
    NewAccount,
    add_lines,
    make_password,
    read_lines,
)
from pagetrail.storage.people.credentials import MAX_NAME, MAX_PASSWORD, MIN_PASSWORD
from pagetrail.storage.people.email_addresses import MAX_ADDRESS, address_of, set_address
from pagetrail.storage.people.identities import Identity, identities_of, remove_identity
from pagetrail.storage.people.overview import PersonRow
from pagetrail.storage.people.profiles import (
    MAX_TAGS,
    Profile,
    all_profiles,
    set_profile,
    tags_in_use,
)
from pagetrail.storage.people.roles import may_manage

_NewPeopleForm = Callable[[Services, Person, DialogState], None]
_PersonForm = Callable[[Services, Person, DialogState, PersonRow], None]

_ROLE_HELP = {
    "annotator": N_("Annotators work on the batches assigned to them and see nothing else."),
    "supervisor": N_(
        "Supervisors see and review everybody's work, manage campaigns and "
        "batches, and add annotators."
    ),
    "admin": N_("Admins can do everything supervisors can, and change anybody's role."),
}
_SHOWN_ONCE = N_(
    "It is shown only this once and not stored. Pass it on; it can be changed after signing in."
)


def _account_form(app: Services, person: Person, state: DialogState) -> None:
    if state.result is not None:
        added: NewAccount = state.result
        _show_first_password(
            gettext(
                "{person} can sign in as {role}. The pseudonym in exports is {pseudonym}.",
                person=added.person.name,
                role=gettext(added.person.role),
                pseudonym=added.person.pseudonym,
            ),
            added.password,
        )
        return
    name = st.text_input(gettext("Name to sign in with"), key="new-name", max_chars=MAX_NAME)
    roles = [role for role in ROLES if may_manage(person, role)]
    role = st.selectbox(gettext("Role"), roles, format_func=gettext, key="new-role")
    st.caption(gettext(_ROLE_HELP[role]))
    typed_password = _choose_password()

    def add() -> NewAccount:
        password = make_password() if typed_password is None else typed_password
        account = add_account(app.workspace, person, (name or "").strip(), role, password)
        return NewAccount(account, password if typed_password is None else "")

    answer_button(gettext("Add"), "add-go", app, person, state, add, keep_open=True)


def _password_form(app: Services, person: Person, state: DialogState, row: PersonRow) -> None:
    if state.result is not None:
        _show_first_password(
            gettext("{subject} has a new password.", subject=state.subject), state.result
        )
        return
    st.markdown(
        literal(
            gettext(
                "{subject} will be signed out everywhere and needs the new password.",
                subject=state.subject,
            )
        )
    )
    typed_password = _choose_password()
    removes_identities = bool(identities_of(app.workspace, row.person)) and st.checkbox(
        gettext("Remove single sign-on too"), key="password-identities"
    )

    def reset() -> str:
        password = make_password() if typed_password is None else typed_password
        reset_password(
            app.workspace,
            person,
            state.subject,
            password,
            with_identities_removed=removes_identities,
        )
        return password if typed_password is None else ""

    answer_button(
        gettext("Reset the password"), "password-go", app, person, state, reset, keep_open=True
    )


def _identities_form(app: Services, person: Person, state: DialogState, row: PersonRow) -> None:
    st.caption(
        literal(
            gettext(
                "Whoever signs in there gets into the account of {subject}. Removing a sign-in "
                "ends the sessions that it has opened.",
                subject=state.subject,
            )
        )
    )

    def remove(identity: Identity) -> None:
        run_action(
            app,
            person,
            lambda: remove_identity(app.workspace, person, state.subject, identity),
            gettext("{subject} is disconnected from single sign-on.", subject=state.subject),
        )
        close_dialog()

    list_identities(app, identities_of(app.workspace, row.person), remove)


def _choose_password() -> str | None:
    """The typed password; None if one is to be generated."""
    if st.toggle(gettext("Generate a password"), value=True, key="password-made"):
        return None
    return str(
        st.text_input(
            gettext("Password"),
            type="password",
            key="password-typed",
            autocomplete="new-password",
            max_chars=MAX_PASSWORD,
            help=gettext("At least {min_password} characters.", min_password=MIN_PASSWORD),
        )
    )


def _show_first_password(sentence: str, password: str) -> None:
    st.success(literal(sentence))
    if password:
        st.code(password, language=None)
        st.caption(gettext(_SHOWN_ONCE))
    st.button(gettext("Done"), type="primary", key=DONE_KEY, on_click=close_dialog)


def _role_form(app: Services, person: Person, state: DialogState, row: PersonRow) -> None:
    roles = [role for role in ROLES if role != row.person.role and may_manage(person, role)]
    role = st.selectbox(gettext("New role"), roles, format_func=gettext, key="other-role")
    st.markdown(literal(gettext(_ROLE_HELP[role])))
    st.caption(
        literal(
            gettext(
                "{person} is {role} now. The change takes effect immediately, even in "
                "open sessions. The pseudonym in exports stays {pseudonym}.",
                person=state.subject,
                role=role_phrase(row.person.role),
                pseudonym=row.person.pseudonym,
            )
            + _open_batches_sentence(row)
        )
    )
    answer_button(
        literal(gettext("Make {person} {role}", person=state.subject, role=role_phrase(role))),
        "role-go",
        app,
        person,
        state,
        lambda: change_role(app.workspace, person, state.subject, role),
        success_message=gettext(
            "{subject} now has the role {role}.", subject=state.subject, role=gettext(role)
        ),
    )


def _deactivate_form(app: Services, person: Person, state: DialogState, row: PersonRow) -> None:
    st.markdown(
        literal(
            gettext(
                "{subject} is signed out everywhere at once, cannot sign in and gets "
                "no more batches. Work done so far stays and counts.",
                subject=state.subject,
            )
        )
    )
    st.caption(
        literal(
            ngettext(
                "{number} open batch stays assigned. The slots of unfinished batches become free "
                "for others. Activating the account undoes this.",
                "{number} open batches stay assigned. The slots of unfinished batches become free "
                "for others. Activating the account undoes this.",
                row.open_batches,
            )
            if row.open_batches
            else gettext("Activating the account undoes this.")
        )
    )
    answer_button(
        literal(gettext("Deactivate {subject}", subject=state.subject)),
        "deactivate-go",
        app,
        person,
        state,
        lambda: set_active(app.workspace, person, state.subject, False),
        success_message=gettext("{subject} can no longer sign in.", subject=state.subject),
    )


def _rename_form(app: Services, person: Person, state: DialogState, row: PersonRow) -> None:
    typed_name = st.text_input(
        gettext("New name to sign in with"), key="other-name", max_chars=MAX_NAME
    )
    st.caption(
        literal(
            gettext(
                "The name changes everywhere and {person} is signed out. The pseudonym in exports "
                "stays {pseudonym}. {exceptions}",
                person=state.subject,
                pseudonym=row.person.pseudonym,
                exceptions=gettext(NOT_REPLACED),
            )
        )
    )
    new_name = (typed_name or "").strip()
    answer_button(
        gettext("Rename"),
        "rename-go",
        app,
        person,
        state,
        lambda: rename(app.workspace, person, state.subject, new_name),
        success_message=gettext(
            "{subject} is now called {name}.", subject=state.subject, name=new_name
        ),
        disabled=not new_name,
    )


def _anonymise_form(app: Services, person: Person, state: DialogState, row: PersonRow) -> None:
    st.markdown(
        literal(
            gettext(
                "{pseudonym} takes the place of the name everywhere, and nobody can "
                "sign in to the account any more. Work done so far stays and counts. "
                "This cannot be undone.",
                pseudonym=row.person.pseudonym,
            )
        )
    )
    st.caption(literal(gettext(NOT_REPLACED) + _open_batches_sentence(row)))
    confirmed = st.checkbox(gettext("Anonymise for good"), key="anonymise-sure")
    answer_button(
        gettext("Anonymise"),
        "anonymise-go",
        app,
        person,
        state,
        lambda: anonymise(app.workspace, person, state.subject),
        success_message=gettext(
            "The account is closed; its name is {pseudonym} everywhere.",
            pseudonym=row.person.pseudonym,
        ),
        disabled=not confirmed,
    )


def _open_batches_sentence(row: PersonRow) -> str:
    """A sentence to append, or nothing."""
    if not row.open_batches:
        return ""
    return " " + ngettext(
        "{number} open batch stays assigned.",
        "{number} open batches stay assigned.",
        row.open_batches,
    )


def _bulk_form(app: Services, person: Person, state: DialogState) -> None:
    if state.result is not None:
        _show_added(*state.result)
        return
    roles = [role for role in ROLES if may_manage(person, role)]
    text = st.text_area(
        gettext("One person per line: name, or name,role"),
        key="many-lines",
        height=200,
        placeholder="Ada\nBruno,annotator",
        max_chars=100_000,
        help=gettext(
            "Roles: {roles}. Without one, the person is an annotator.", roles=", ".join(roles)
        ),
    )
    lines = CheckedLines()
    if text and text.strip():
        try:
            lines = read_lines(app.workspace, person, text)
        except PagetrailError as error:
            st.error(literal(error.message))
        _show_bad_lines(lines.bad, gettext("These lines cannot be added"))
    count = len(lines.good)
    st.caption(gettext("Each gets a password of their own, shown only once, in the next step."))
    answer_button(
        ngettext("Add {number} person", "Add {number} people", count),
        "many-go",
        app,
        person,
        state,
        lambda: add_lines(app.workspace, person, lines),
        keep_open=True,
        disabled=not count,
    )


def _show_added(added: list[NewAccount], bad: list[BadLine]) -> None:
    st.success(ngettext("{number} person added.", "{number} people added.", len(added)))
    columns = (N_("name"), N_("role"), N_("pseudonym"), N_("password"))
    rows = [(a.person.name, a.person.role, a.person.pseudonym, a.password) for a in added]
    if rows:
        show_table(pd.DataFrame(rows, columns=list(columns)), key="many-added")
        st.caption(gettext("The passwords are shown only this once and not stored."))
        st.download_button(
            gettext("Names and passwords (CSV)"), partial(spreadsheet_csv, columns, rows),
            file_name="passwords.csv", mime="text/csv", on_click="ignore",
            icon=":material/download:", key="many-csv",
        )  # fmt: skip
    _show_bad_lines(bad, gettext("Not added"))
    st.button(gettext("Done"), type="primary", key=DONE_KEY, on_click=close_dialog)


def _show_bad_lines(bad: list[BadLine], title: str) -> None:
    if not bad:
        return
    st.warning(
        gettext(
            "{title}: {number}. This does not affect the others.",
            title=title,
            number=len(bad),
        )
    )
    show_table(
        pd.DataFrame([(line.line, line.text, line.reason) for line in bad],
                     columns=["line", "text", "reason"]),
        key="many-bad",
    )  # fmt: skip


def _profile_form(app: Services, person: Person, state: DialogState, _row: PersonRow) -> None:
    """Choose tags in use, or type new ones."""
    profiles = all_profiles(app.workspace)
    tags, profile = tags_in_use(profiles.values()), profiles.get(state.subject, Profile())
    st.caption(
        gettext("Batches can be assigned by these tags. Choose existing ones or type new ones.")
    )
    languages = st.multiselect(
        gettext("Languages"), tags.languages, profile.languages, accept_new_options=True,
        max_selections=MAX_TAGS, key="profile-languages", placeholder=gettext("de, French, …"),
    )  # fmt: skip
    skills = st.multiselect(
        gettext("Skills"),
        tags.skills,
        profile.skills,
        accept_new_options=True,
        max_selections=MAX_TAGS,
        key="profile-skills",
        placeholder=gettext("charts, law, …"),
    )
    group = st.selectbox(
        gettext("Group"),
        tags.groups,
        index=tags.groups.index(profile.group) if profile.group else None,
        accept_new_options=True,
        key="profile-group",
        placeholder=gettext("None"),
    )
    stored = absence_of(app.workspace, state.subject) or (None, None)
    first_column, last_column = st.columns(2)
    # Two fields: Streamlit does not send a range while only one end is filled in.
    first = first_column.date_input(
        gettext("Away from"), stored[0], key="profile-away-from", format=day_format(),
        help=gettext("Batches are not assigned to them on these days, in UTC."),
    )  # fmt: skip
    last = last_column.date_input(
        gettext("Last day away"), stored[1], key="profile-away-until", format=day_format(),
    )  # fmt: skip
    is_incomplete = (first is None) != (last is None)
    if is_incomplete:
        st.caption(gettext("Choose both days, or none."))
    email = st.text_input(
        gettext("E-mail"),
        address_of(app.workspace, state.subject),
        key="profile-email",
        max_chars=MAX_ADDRESS,
        placeholder=gettext("Optional; for reminders only"),
        help=gettext(
            "Reminders of deadlines go there when the server sends them. No export has it."
        ),
    )

    def save() -> None:
        set_address(app.workspace, person, state.subject, email or "")
        set_profile(
            app.workspace, person, state.subject, languages=languages, skills=skills,
            group=group or "",
        )  # fmt: skip
        set_absence(
            app.workspace,
            person,
            state.subject,
            None if first is None or last is None else (first, last),
        )

    answer_button(
        gettext("Save"),
        "profile-go",
        app,
        person,
        state,
        save,
        success_message=gettext("The profile of {subject} is saved.", subject=state.subject),
        disabled=is_incomplete,
    )


_NEW_PEOPLE_DIALOGS: dict[str, tuple[str, _NewPeopleForm, Literal["small", "medium", "large"]]] = {
    "add": (N_("Add a person"), _account_form, "small"),
    "add-many": (N_("Add several people"), _bulk_form, "large"),
    "invite": (N_("Invite people"), invite_form, "medium"),
}
_PERSON_DIALOGS: dict[str, tuple[str, _PersonForm]] = {
    "profile": (N_("Profile of {subject}"), _profile_form),
    "role": (N_("Role of {subject}"), _role_form),
    "password": (N_("New password for {subject}"), _password_form),
    "identities": (N_("Single sign-on of {subject}"), _identities_form),
    "rename": (N_("Rename {subject}"), _rename_form),
    "anonymise": (N_("Anonymise {subject}?"), _anonymise_form),
    "deactivate": (N_("Deactivate {subject}?"), _deactivate_form),
}


def show_people_dialog(app: Services, person: Person, rows: list[PersonRow]) -> None:
    """The open dialog of this section, if there is one."""
    opened = current_dialog(*_NEW_PEOPLE_DIALOGS, *_PERSON_DIALOGS)
    if opened is None:
        return
    if opened.kind in _NEW_PEOPLE_DIALOGS:
        title, new_people_form, width = _NEW_PEOPLE_DIALOGS[opened.kind]
        show_dialog(gettext(title), opened, partial(new_people_form, app, person), width=width)
        return
    row = next((row for row in rows if row.person.name == opened.subject), None)
    if row is None:
        close_dialog()
        return
    title, person_form = _PERSON_DIALOGS[opened.kind]
    show_dialog(
        gettext(title, subject=opened.subject),
        opened,
        lambda state: person_form(app, person, state, row),
    )
