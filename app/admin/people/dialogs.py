"""Dialogs that create or change accounts, and show first passwords once."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.admin.actions import DONE, Asked, answer, asked, dialog, dismiss
from pagetrail.app.admin.csv_files import csv_file
from pagetrail.app.admin.people.invitations_view import invite_form
from pagetrail.app.admin.people.profile_dialog import profile_form
from pagetrail.app.services.composition import Services
from pagetrail.app.ui.markdown_escape import literal
from pagetrail.storage.people.accounts import ROLES, Person
from pagetrail.storage.people.administration import (
    NOT_REPLACED,
    add_account,
    anonymise,
    change_role,
    may_manage,
    rename,
    reset_password,
    set_active,
)
from pagetrail.storage.people.bulk_accounts import (
    Added,
    BadLine,
    Lines,
    add_lines,
    make_password,
    read_lines,
)
from pagetrail.storage.people.credentials import MAX_NAME, MAX_PASSWORD, MIN_PASSWORD
from pagetrail.storage.people.overview import PersonRow

_MAY = {
    "annotator": "Annotators work on the batches assigned to them and see nothing else.",
    "supervisor": "Supervisors see and review everybody's work, manage campaigns and batches, "
    "and add annotators.",
    "admin": "Admins can do everything supervisors can, and change anybody's role.",
}
_ONCE = "It is shown only this once and not stored. Pass it on; it can be changed after signing in."


def show_dialog(app: Services, person: Person, rows: list[PersonRow]) -> None:
    """The open dialog of this section, if there is one."""
    open_ = asked(
        "add",
        "add-many",
        "invite",
        "profile",
        "role",
        "password",
        "rename",
        "anonymise",
        "deactivate",
    )
    if open_ is None:
        return
    row = next((row for row in rows if row.person.name == open_.about), None)
    if open_.kind == "add":
        dialog("Add a person", open_, lambda a: _add_account(app, person, a))
    elif open_.kind == "add-many":
        dialog("Add several people", open_, lambda a: _add_many(app, person, a), width="large")
    elif open_.kind == "invite":
        dialog("Invite people", open_, lambda a: invite_form(app, person, a), width="medium")
    elif row is None:
        dismiss()
    elif open_.kind == "profile":
        dialog(f"Profile of {open_.about}", open_, lambda a: profile_form(app, person, a))
    elif open_.kind == "role":
        dialog(f"Role of {open_.about}", open_, lambda a: _role(app, person, a, row))
    elif open_.kind == "password":
        dialog(f"New password for {open_.about}", open_, lambda a: _password(app, person, a))
    elif open_.kind == "rename":
        dialog(f"Rename {open_.about}", open_, lambda a: _rename(app, person, a, row))
    elif open_.kind == "anonymise":
        dialog(f"Anonymise {open_.about}?", open_, lambda a: _anonymise(app, person, a, row))
    else:
        dialog(f"Deactivate {open_.about}?", open_, lambda a: _deactivate(app, person, a, row))


def _add_account(app: Services, person: Person, asked: Asked) -> None:
    if asked.result is not None:
        added: Added = asked.result
        _first_password(
            f"{added.person.name} can sign in as {added.person.role}. The pseudonym in exports is "
            f"{added.person.pseudonym}.",
            added.password,
        )
        return
    name = st.text_input("Name to sign in with", key="new-name", max_chars=MAX_NAME)
    roles = [role for role in ROLES if may_manage(person, role)]
    role = st.selectbox("Role", roles, key="new-role")
    st.caption(_MAY[role])
    typed = _choose_password()

    def act() -> Added:
        password = make_password() if typed is None else typed
        made = add_account(app.workspace, person, (name or "").strip(), role, password)
        return Added(made, password if typed is None else "")

    st.button(
        "Add", type="primary", key="add-go", on_click=answer, args=(app, person, asked, act),
        kwargs={"stay": True},
    )  # fmt: skip


def _password(app: Services, person: Person, asked: Asked) -> None:
    if asked.result is not None:
        _first_password(f"{asked.about} has a new password.", asked.result)
        return
    st.markdown(literal(f"{asked.about} will be signed out everywhere and needs the new password."))
    typed = _choose_password()

    def act() -> str:
        password = make_password() if typed is None else typed
        reset_password(app.workspace, person, asked.about, password)
        return password if typed is None else ""

    st.button(
        "Reset the password", type="primary", key="password-go", on_click=answer,
        args=(app, person, asked, act), kwargs={"stay": True},
    )  # fmt: skip


def _choose_password() -> str | None:
    """The password typed; None if one is to be generated."""
    if st.toggle("Generate a password", value=True, key="password-made"):
        return None
    return str(
        st.text_input(
            "Password",
            type="password",
            key="password-typed",
            autocomplete="new-password",
            max_chars=MAX_PASSWORD,
            help=f"At least {MIN_PASSWORD} characters.",
        )
    )


def _first_password(sentence: str, password: str) -> None:
    st.success(literal(sentence))
    if password:
        st.code(password, language=None)
        st.caption(_ONCE)
    st.button("Done", type="primary", key=DONE, on_click=dismiss)


def _role(app: Services, person: Person, asked: Asked, row: PersonRow) -> None:
    roles = [role for role in ROLES if role != row.person.role and may_manage(person, role)]
    role = st.selectbox("New role", roles, key="other-role")
    st.markdown(literal(_MAY[role]))
    st.caption(
        literal(
            f"{asked.about} is {_a(row.person.role)} now. The change takes effect immediately, "
            f"even in open sessions. The pseudonym in exports stays {row.person.pseudonym}. "
            f"{_open_batches(row)}"
        )
    )
    st.button(
        literal(f"Make {asked.about} {_a(role)}"), type="primary", key="role-go", on_click=answer,
        args=(
            app, person, asked,
            lambda: change_role(app.workspace, person, asked.about, role),
        ),
        kwargs={"done": f"{asked.about} now has the role {role}."},
    )  # fmt: skip


def _deactivate(app: Services, person: Person, asked: Asked, row: PersonRow) -> None:
    st.markdown(
        literal(
            f"{asked.about} is signed out everywhere at once, cannot sign in and gets no more "
            "batches. Work done so far stays and counts."
        )
    )
    st.caption(
        literal(
            f"{_open_batches(row)} The slots of unfinished batches become free for "
            "others. Activating the account undoes this."
            if row.open_batches
            else "Activating the account undoes this."
        )
    )
    st.button(
        literal(f"Deactivate {asked.about}"), type="primary", key="deactivate-go",
        on_click=answer,
        args=(
            app, person, asked,
            lambda: set_active(app.workspace, person, asked.about, False),
        ),
        kwargs={"done": f"{asked.about} can no longer sign in."},
    )  # fmt: skip


def _rename(app: Services, person: Person, asked: Asked, row: PersonRow) -> None:
    new = st.text_input("New name to sign in with", key="other-name", max_chars=MAX_NAME)
    st.caption(
        literal(
            f"The name changes everywhere and {asked.about} is signed out. The pseudonym in "
            f"exports stays {row.person.pseudonym}. {NOT_REPLACED}"
        )
    )
    name = (new or "").strip()
    st.button(
        "Rename", type="primary", key="rename-go", disabled=not name, on_click=answer,
        args=(app, person, asked, lambda: rename(app.workspace, person, asked.about, name)),
        kwargs={"done": f"{asked.about} is now called {name}."},
    )  # fmt: skip


def _anonymise(app: Services, person: Person, asked: Asked, row: PersonRow) -> None:
    st.markdown(
        literal(
            f"{row.person.pseudonym} takes the place of the name everywhere, and nobody can sign "
            "in to the account any more. Work done so far stays and counts. This cannot be undone."
        )
    )
    st.caption(literal(f"{_open_batches(row)} {NOT_REPLACED}"))
    sure = st.checkbox("Anonymise for good", key="anonymise-sure")
    st.button(
        "Anonymise", type="primary", key="anonymise-go", disabled=not sure, on_click=answer,
        args=(app, person, asked, lambda: anonymise(app.workspace, person, asked.about)),
        kwargs={"done": f"The account is closed; its name is {row.person.pseudonym} everywhere."},
    )  # fmt: skip


def _a(role: str) -> str:
    return f"an {role}" if role[:1] == "a" else f"a {role}"


def _open_batches(row: PersonRow) -> str:
    if not row.open_batches:
        return ""
    if row.open_batches == 1:
        return "One open batch stays assigned."
    return f"{row.open_batches} open batches stay assigned."


def _add_many(app: Services, person: Person, asked: Asked) -> None:
    if asked.result is not None:
        _added(*asked.result)
        return
    roles = [role for role in ROLES if may_manage(person, role)]
    text = st.text_area(
        "One person per line: name, or name,role",
        key="many-lines",
        height=200,
        placeholder="Ada\nBruno,annotator",
        max_chars=100_000,
        help=f"Roles: {', '.join(roles)}. Without one, the person is an annotator.",
    )
    lines = Lines()
    if text and text.strip():
        try:
            lines = read_lines(app.workspace, person, text)
        except PagetrailError as error:
            st.error(literal(error.message))
        _bad_lines(lines.bad, "These lines cannot be added")
    count = len(lines.good)
    st.caption("Each gets a password of their own, shown only once, in the next step.")
    st.button(
        "Add 1 person" if count == 1 else f"Add {count} people",
        type="primary", key="many-go", disabled=not count, on_click=answer,
        args=(app, person, asked, lambda: add_lines(app.workspace, person, lines)),
        kwargs={"stay": True},
    )  # fmt: skip


def _added(added: list[Added], bad: list[BadLine]) -> None:
    count = "1 person" if len(added) == 1 else f"{len(added)} people"
    st.success(f"{count} added.")
    columns = ("name", "role", "pseudonym", "password")
    rows = [(a.person.name, a.person.role, a.person.pseudonym, a.password) for a in added]
    if rows:
        st.dataframe(pd.DataFrame(rows, columns=list(columns)), hide_index=True, key="many-added")
        st.caption("The passwords are shown only this once and not stored.")
        st.download_button(
            "Names and passwords (CSV)", partial(csv_file, columns, rows),
            file_name="passwords.csv", mime="text/csv", on_click="ignore",
            icon=":material/download:", key="many-csv",
        )  # fmt: skip
    _bad_lines(bad, "Not added")
    st.button("Done", type="primary", key=DONE, on_click=dismiss)


def _bad_lines(bad: list[BadLine], title: str) -> None:
    if not bad:
        return
    st.warning(f"{title}: {len(bad)}. This does not affect the others.")
    st.dataframe(
        pd.DataFrame([(line.line, line.text, line.reason) for line in bad],
                     columns=["line", "text", "reason"]),
        hide_index=True, key="many-bad",
    )  # fmt: skip
