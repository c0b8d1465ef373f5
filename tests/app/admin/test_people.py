"""Administration of people from the entry point: what is stored, noted, shown once and refused."""

from __future__ import annotations

import threading
from datetime import date, timedelta
from typing import Any

import pandas as pd
import pytest
import streamlit as st
from sqlalchemy import select
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from pagetrail.annotation.costs.pay_rate import PayRate
from pagetrail.app.admin.people import hours_view as hours_module
from pagetrail.app.services.composition import Services
from pagetrail.storage.campaigns.lookup import list_campaigns
from pagetrail.storage.campaigns.pay_rates import set_rate, stored_rates
from pagetrail.storage.database.tables import Audit, User
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people import administration as people_admin
from pagetrail.storage.people.absences import absence_of
from pagetrail.storage.people.accounts import Person
from pagetrail.storage.people.audit import audit_entries
from pagetrail.storage.people.email_addresses import address_of
from pagetrail.storage.people.identities import Identity, connect_identity, identities_of
from pagetrail.storage.people.login_sessions import open_session, session_user
from pagetrail.storage.people.profiles import Profile, all_profiles, set_profile
from pagetrail.storage.progress.hours import Hours
from tests.app.conftest import PASSWORD
from tests.app.screens import at_screen
from tests.support.at_once import run_at_once


@pytest.fixture
def staffed(services: Services) -> Services:
    """The small workspace with an admin and a system too."""
    people.add_user(services.workspace, "root", "admin", PASSWORD)
    people.add_user(services.workspace, "<b>*eve*</b>", "annotator", PASSWORD)
    return services


def _part(services: Services, name: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    return at_screen(services, name, monkeypatch, "administration").run()


def _press(at: AppTest, key: str) -> AppTest:
    return at.button(key=key).click().run()


def _choose(at: AppTest, name: str) -> AppTest:
    return at.selectbox(key="people-who").select(name).run()


def _acts(services: Services) -> list[tuple[str, str, str]]:
    return [(e.actor, e.action, e.detail) for e in reversed(audit_entries(services.workspace))]


def _person(services: Services, name: str) -> Person:
    return people.find_person(services.workspace, name)


def _frame(at: AppTest, column: str) -> pd.DataFrame:
    """The table that has this column."""
    return next(frame.value for frame in at.dataframe if column in frame.value.columns)


def _texts(at: AppTest) -> str:
    kinds: tuple[Any, ...] = (at.error, at.success, at.warning, at.markdown, at.caption, at.code)
    return "\n".join(str(element.value) for kind in kinds for element in kind)


def test_an_annotator_sees_nothing_of_it(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A refusal, no table, no button, and a line in the log."""
    at = _part(staffed, "alma", monkeypatch)
    assert not at.exception
    assert [error.value for error in at.error] == [
        "This page is for supervisors. The access was noted."
    ]
    assert not at.dataframe and not at.button
    assert _acts(staffed) == [("alma", "forbidden screen", "administration")]


def test_everybody_is_listed_with_their_work(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Roles, pseudonyms and batches; the filter narrows the table."""
    at = _part(staffed, "sven", monkeypatch)
    assert not at.exception
    table = at.dataframe[0].value
    assert list(table["Name"]) == ["alma", "bruno", "sven", "root", "<b>*eve*</b>"]
    assert list(table["Open batches"]) == [2, 2, 0, 0, 0]
    at.text_input(key="people-find").input("SUPERVISOR-01").run()
    assert list(at.dataframe[0].value["Name"]) == ["sven"]
    at.text_input(key="people-find").input("nobody at all").run()
    assert "Change the filter" in at.info[0].value


def test_a_person_is_added_with_a_password_that_is_shown_once(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It signs in, is in no table and no note, and is gone once the dialog is done with."""
    at = _press(_part(staffed, "sven", monkeypatch), "add-person")
    at.text_input(key="new-name").input(" zoë ").run()
    at = _press(at, "add-go")
    assert not at.exception
    password = at.code[0].value
    assert people.authenticate(staffed.workspace, "zoë", password) == _person(staffed, "zoë")
    assert _acts(staffed) == [("sven", "user_added", "zoë as annotator")]
    with staffed.workspace.engine.connect() as connection:
        stored = [str(row) for t in (User, Audit) for row in connection.execute(select(t))]
    assert not [row for row in stored if password in row]
    at = _press(at, "done")
    assert password not in _texts(at)
    assert password not in repr(at.session_state)
    assert "zoë" in list(at.dataframe[0].value["Name"])


def test_rates_are_set_and_people_see_their_own_hours(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is no rate stays in the dialog with the reason; alma sees what she is paid, alone."""
    campaign = list_campaigns(staffed.workspace)[0].name
    set_rate(staffed.workspace, None, campaign, "bruno", PayRate.parse("77", "hour", "EUR"))
    hours = [
        Hours(name, "", "", 2, 0, 3_600_000, campaign, PayRate.parse(amount, "task", "EUR"))
        for name, amount in (("alma", "0.335"), ("bruno", "77"))
    ]
    monkeypatch.setattr(
        hours_module, "working_hours",
        lambda *_, user_id=None, **__: hours[:1] if user_id else hours,
    )  # fmt: skip
    at = _part(staffed, "sven", monkeypatch)
    at.session_state["hours-open"] = True
    at = _press(at.run(), "hours-rates")
    at.selectbox(key="rate-person").select("alma").run()
    at.text_input(key=f"rate-amount-{campaign}-alma").set_value("much").run()
    at = _press(at, "rate-save")
    assert "is no rate" in _texts(at)
    at.text_input(key=f"rate-amount-{campaign}-alma").set_value("0.335").run()
    at.selectbox(key=f"rate-unit-{campaign}-alma").select("task").run()
    at = _press(at, "rate-save")
    assert "is saved" in _texts(at) and "154.67 EUR to pay" in _texts(at)
    assert [(e.person, str(e.rate)) for e in stored_rates(staffed.workspace)] == [
        ("alma", "0.335 EUR per task"), ("bruno", "77 EUR per hour")
    ]  # fmt: skip
    assert _acts(staffed)[-1][:2] == ("sven", "rate_changed")
    monkeypatch.setattr(type(st.context), "locale", "de-DE")
    account_screen = at_screen(staffed, "alma", monkeypatch, "account")
    account_screen.session_state["own-hours-open"] = True
    account_screen.run()
    assert list(_frame(account_screen, "Hours")["Payment"]) == [0.67]
    assert "77" not in _texts(account_screen) and "bruno" not in _texts(account_screen)
    assert "0,67 EUR to pay" in _texts(account_screen)
    cells = account_screen.dataframe[0].proto.arrow_data.styler.display_values
    displayed_cells = convert_arrow_bytes_to_pandas_df(cells).iloc[0]
    assert list(displayed_cells)[2:] == ["1,000000", "0,335 EUR per task", "0,67"]


def test_profile_is_saved_and_searchable(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tags of the dialog are stored, shown in the table, and what the table is searched by."""
    set_profile(staffed.workspace, None, "bruno", group="North")
    at = _press(_choose(_part(staffed, "sven", monkeypatch), "alma"), "profile")
    at.multiselect(key="profile-languages").set_value(["de", "fr"]).run()
    at.selectbox(key="profile-group").set_value("North").run()
    at.text_input(key="profile-email").set_value("alma@example.org").run()
    at.date_input(key="profile-away-from").set_value(date(2026, 12, 1)).run()
    assert at.button(key="profile-go").disabled, "a half absence would be lost"
    at.date_input(key="profile-away-until").set_value(date(2026, 12, 24)).run()
    at = _press(at, "profile-go")
    assert absence_of(staffed.workspace, "alma") == (date(2026, 12, 1), date(2026, 12, 24))
    assert address_of(staffed.workspace, "alma") == "alma@example.org"
    assert not at.exception
    assert all_profiles(staffed.workspace)["alma"] == Profile(("de", "fr"), (), "North")
    at.text_input(key="people-find").input("FR").run()
    assert list(at.dataframe[0].value["Name"]) == ["alma"]
    assert list(at.dataframe[0].value["Group"]) == ["North"]


def test_initial_password_disappears_with_the_screen(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays while it is looked at, and does not come back after a look at another screen."""
    at = _press(_part(staffed, "sven", monkeypatch), "add-person")
    at.text_input(key="new-name").input("zoë").run()
    at = _press(at, "add-go")
    password = at.code[0].value
    assert at.run().code[0].value == password
    at.switch_page("views/account.py").run()
    at.switch_page("views/administration.py").run()
    assert not at.code
    assert password not in repr(at.session_state)


def test_a_typed_password_is_not_shown_back(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is too short is refused with a sentence, and nobody is added."""
    at = _press(_part(staffed, "root", monkeypatch), "add-person")
    at.selectbox(key="new-role").select("admin")
    at.toggle(key="password-made").set_value(False)
    at.text_input(key="new-name").input("zoë").run()
    at.text_input(key="password-typed").input("short").run()
    at = _press(at, "add-go")
    assert "A password has 8 to 1,000 characters" in at.error[0].value
    assert "zoë" not in [p.name for p in people.list_people(staffed.workspace)]
    at.text_input(key="password-typed").input("long enough, this one").run()
    at = _press(at, "add-go")
    assert not at.code
    assert "long enough" not in _texts(at)
    assert _person(staffed, "zoë").role == "admin"


def test_taken_or_reserved_name_is_explained(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog stays open with what was typed."""
    at = _press(_part(staffed, "sven", monkeypatch), "add-person")
    for name, message in (("ALMA", "There is a user alma already"), ("\u200b", "cannot be seen")):
        at.text_input(key="new-name").input(name).run()
        at = _press(at, "add-go")
        assert message in at.error[0].value
        assert at.text_input(key="new-name").value == name
    assert _acts(staffed) == []


def test_supervisors_cannot_grant_higher_roles(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only annotators to add, no role button, and other supervisors cannot be touched."""
    at = _press(_part(staffed, "sven", monkeypatch), "add-person")
    assert at.selectbox(key="new-role").options == ["annotator"]
    at = _choose(_part(staffed, "sven", monkeypatch), "root")
    for key in ("change-role", "reset-password", "deactivate"):
        assert at.button(key=key).disabled
    assert "Only admins can change supervisors and admins." in _texts(at)
    at = _choose(at, "alma")
    assert at.button(key="change-role").disabled
    assert not at.button(key="reset-password").disabled


def test_role_change_takes_effect_at_once(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The open session of that person has the new rights, and not the old ones, from then on."""
    token = open_session(staffed.workspace, _person(staffed, "sven").id, timedelta(days=1))
    held_by_sven = _choose(_part(staffed, "sven", monkeypatch), "alma")
    held_by_sven = _press(held_by_sven, "deactivate")
    at = _press(_choose(_part(staffed, "root", monkeypatch), "sven"), "change-role")
    at.selectbox(key="other-role").select("annotator").run()
    at = _press(at, "role-go")
    assert not at.exception
    assert at.success[0].value == "sven now has the role annotator."
    signed_in = session_user(staffed.workspace, token)
    assert signed_in is not None and signed_in.role == "annotator"
    # sven's screen still shows the dialog: pressing its button does nothing any more.
    monkeypatch.setattr("pagetrail.app.ui.current_user.person_of", lambda _s, _c: signed_in)
    held_by_sven = _press(held_by_sven, "deactivate-go")
    assert _person(staffed, "alma").active
    assert "This page is for supervisors" in held_by_sven.error[0].value
    actions = [(actor, action) for actor, action, _ in _acts(staffed)]
    assert actions == [
        ("root", "role_changed"),
        ("sven", "forbidden act"),
        ("sven", "forbidden screen"),
    ]


def test_a_person_is_renamed_and_anonymised(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Supervisors rename annotators; anonymising and the mapping are for admins, and confirmed."""
    at = _choose(_part(staffed, "sven", monkeypatch), "alma")
    assert "anonymise" not in [button.key for button in at.button]
    assert "mapping-csv" not in [button.key for button in at.get("download_button")]
    at = _press(at, "rename")
    at.text_input(key="other-name").input("Alma B.").run()
    at = _press(at, "rename-go")
    assert "alma is now called Alma B" in at.success[0].value
    at = _press(_choose(_part(staffed, "root", monkeypatch), "Alma B."), "anonymise")
    assert at.button(key="anonymise-go").disabled
    at.checkbox(key="anonymise-sure").check().run()
    at = _press(at, "anonymise-go")
    assert not at.exception
    assert not _person(staffed, "annotator-01").active
    assert _acts(staffed) == [
        ("sven", "user_renamed", "annotator-01"),
        ("root", "user_anonymised", "annotator-01"),
    ]


def test_a_password_is_reset_and_signs_the_person_out(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The session is void, the shown password works; a second press changes nothing."""
    token = open_session(staffed.workspace, _person(staffed, "alma").id, timedelta(days=1))
    at = _press(_choose(_part(staffed, "sven", monkeypatch), "alma"), "reset-password")
    at = _press(at, "password-go")
    assert session_user(staffed.workspace, token) is None
    assert people.authenticate(staffed.workspace, "alma", PASSWORD) is None
    assert people.authenticate(staffed.workspace, "alma", at.code[0].value) is not None
    assert _acts(staffed) == [("sven", "password_set", "alma")]
    with pytest.raises(KeyError):
        at.button(key="password-go")


def test_deactivating_asks_first_and_activating_undoes_it(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The dialog says what happens to the batches; a name with markup stays text."""
    at = _press(_choose(_part(staffed, "root", monkeypatch), "alma"), "deactivate")
    assert _person(staffed, "alma").active
    assert "signed out everywhere at once" in _texts(at)
    assert "2 open batches stay assigned" in _texts(at)
    at = _press(at, "deactivate-go")
    assert not _person(staffed, "alma").active
    at = _press(_choose(at, "alma"), "activate")
    assert _person(staffed, "alma").active
    assert [action for _, action, _ in _acts(staffed)] == ["user_deactivated", "user_activated"]
    at = _press(_choose(at, "<b>*eve*</b>"), "deactivate")
    assert "\\<b\\>\\*eve\\*\\</b\\> is signed out" in _texts(at)


def test_signed_out_person_changes_nothing(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A tab that is still open after its session ended: the last press of a button is void."""
    at = _press(_choose(_part(staffed, "root", monkeypatch), "alma"), "deactivate")
    monkeypatch.setattr("pagetrail.app.ui.current_user.person_of", lambda _services, _cookies: None)
    at = _press(at, "deactivate-go")
    assert _person(staffed, "alma").active
    assert [title.value for title in at.title] == ["Signed out"]
    assert _acts(staffed) == []


def test_admins_cannot_lock_themselves_out(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One's own account has no button that works; behind the button the rule holds too."""
    at = _choose(_part(staffed, "root", monkeypatch), "root")
    assert "your own account" in _texts(at)
    for key in ("change-role", "reset-password", "deactivate"):
        assert at.button(key=key).disabled


def test_conflicting_action_is_refused_with_an_explanation(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tabs of two admins: the second to make alma a supervisor is told that she is one."""
    at = _press(_choose(_part(staffed, "root", monkeypatch), "alma"), "change-role")
    at.selectbox(key="other-role").select("supervisor").run()
    people_admin.change_role(staffed.workspace, None, "alma", "supervisor")
    at = _press(at, "role-go")
    assert [e.value for e in at.error] == ["alma is a supervisor already."] or not at.exception
    assert [actor for actor, _, _ in _acts(staffed)] == ["command line"]


def test_pasted_people_are_added_except_for_the_bad_lines(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bad lines are shown before and after, the passwords once; all is in the log."""
    at = _press(_part(staffed, "sven", monkeypatch), "add-many")
    at.text_area(key="many-lines").input("Cleo\nalma\nDan,admin\ncmd|x,annotator").run()
    assert list(_frame(at, "reason")["line"]) == [2, 3]
    at = _press(at, "many-go")
    assert not at.exception
    added = _frame(at, "password")
    assert list(added["name"]) == ["Cleo", "cmd|x"]
    for name, password in zip(added["name"], added["password"], strict=True):
        assert people.authenticate(staffed.workspace, name, password) is not None
    assert [detail for _, _, detail in _acts(staffed)] == [
        "Cleo as annotator",
        "cmd|x as annotator",
    ]
    at = _press(at, "done")
    assert not [frame for frame in at.dataframe if "password" in frame.value.columns]


def test_the_audit_log_is_shown_and_filtered(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Newest first, narrowed by text and action."""
    for name in ("alma", "bruno"):
        people_admin.set_active(staffed.workspace, None, name, False)
    at = _part(staffed, "sven", monkeypatch)
    at.session_state["audit-open"] = True
    at.run()
    table = _frame(at, "detail")
    assert list(table["detail"]) == ["bruno", "alma"]
    at.text_input(key="audit-text").input("alma").run()
    assert list(_frame(at, "detail")["detail"]) == ["alma"]
    at.text_input(key="audit-text").input("nothing like it").run()
    assert "No entries match." in _texts(at)


def test_two_clicks_at_once_add_one_person(services: Services) -> None:
    """The same act from two sessions: one account, one note."""
    admin = people.add_user(services.workspace, "root", "admin", PASSWORD)
    barrier = threading.Barrier(2)
    failed: list[Exception] = []

    def add() -> None:
        barrier.wait()
        try:
            people_admin.add_account(services.workspace, admin, "zoë", "annotator", PASSWORD)
        except people_admin.ConflictError as error:
            failed.append(error)

    run_at_once([add for _ in range(2)])
    assert len(failed) == 1
    assert _acts(services) == [("root", "user_added", "zoë as annotator")]


def test_sign_ins_are_removed_by_who_manages_the_account(
    staffed: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of them in its dialog, all of them with a new password; both are noted."""
    workspace, alma = staffed.workspace, _person(staffed, "alma")
    for subject in ("one", "two"):
        identity = Identity("https://id.example", subject)
        connect_identity(workspace, alma, identity, "annotator", clock=staffed.clock)
    at = _press(_choose(_part(staffed, "root", monkeypatch), "alma"), "identities")
    at = _press(at, "remove-identity-0")
    assert not at.exception and len(identities_of(workspace, alma)) == 1
    at = _press(_choose(_part(staffed, "root", monkeypatch), "alma"), "reset-password")
    at.checkbox(key="password-identities").check().run()
    assert not _press(at, "password-go").exception
    assert identities_of(workspace, alma) == []
    noted = [act for act in _acts(staffed) if act[1] == "identity_removed"]
    assert noted == [
        ("root", "identity_removed", "alma: https://id.example"),
        ("root", "identity_removed", "alma: all"),
    ]
