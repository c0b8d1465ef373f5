"""Accounts: who may sign in, under which name, and what the database knows about passwords."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from argon2 import PasswordHasher
from sqlalchemy import select

from pagetrail.annotation.clock import ManualClock
from pagetrail.annotation.errors import ConflictError, NotFoundError, PagetrailError
from pagetrail.storage.database.tables import Audit, LoginSession, User
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people import accounts as people
from pagetrail.storage.people import credentials
from pagetrail.storage.people.administration import change_role, set_active
from pagetrail.storage.people.audit import audit
from pagetrail.storage.people.login_sessions import close_session, open_session, session_user
from pagetrail.storage.people.system_roles import GOLD_USER, REVIEW
from tests.storage.task_data import add_people
from tests.support.at_once import run_at_once
from tests.support.shortcuts import PRODUCT_HASHER, PRODUCT_PSEUDONYM

PASSWORD = "correct horse"


def _stored_hash(workspace: Workspace, name: str) -> str:
    with workspace.engine.connect() as connection:
        rows = connection.execute(select(User.password_hash).where(User.name == name))
        return str(rows.scalar_one())


def test_the_right_password_signs_in_and_a_wrong_one_does_not(workspace: Workspace) -> None:
    """Only name and password together give the person; the case of the name is free."""
    ada = people.add_user(workspace, "Ada", "annotator", PASSWORD)
    assert people.authenticate(workspace, "Ada", PASSWORD) == ada
    assert people.authenticate(workspace, "ADA", PASSWORD) == ada
    assert people.authenticate(workspace, "Ada", PASSWORD + " ") is None
    assert people.authenticate(workspace, "Ada", "") is None
    assert people.authenticate(workspace, "Eva", PASSWORD) is None


def test_only_an_argon2id_hash_is_stored(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The product's own parameters: argon2id, 19 MiB, two passes, salted."""
    monkeypatch.setattr(credentials, "HASHER", PRODUCT_HASHER)
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    people.add_user(workspace, "Eva", "annotator", PASSWORD)
    stored = _stored_hash(workspace, "Ada")
    assert stored.startswith("$argon2id$v=19$m=19456,t=2,p=1$")
    assert stored != _stored_hash(workspace, "Eva")
    assert PASSWORD not in stored


def test_an_unknown_name_costs_the_same_hashing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Known, unknown and system names each cost exactly one verification."""
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    add_people(workspace, ["gpt"], role="system")
    people.authenticate(workspace, "nobody", PASSWORD)
    calls = []
    verify = PasswordHasher.verify

    def counting_verify(self: PasswordHasher, hash: str, password: str) -> bool:
        calls.append(1)
        return verify(self, hash, password)

    monkeypatch.setattr(PasswordHasher, "verify", counting_verify)
    for name in ("Ada", "nobody", "gpt"):
        calls.clear()
        assert people.authenticate(workspace, name, "wrong password") is None
        assert len(calls) == 1


def test_an_old_hash_is_renewed_at_sign_in(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the parameters rise, hashes follow as people sign in, and only with the right word."""
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    old = _stored_hash(workspace, "Ada")
    monkeypatch.setattr(
        credentials, "HASHER", PasswordHasher(time_cost=2, memory_cost=16, parallelism=1)
    )
    assert people.authenticate(workspace, "Ada", "wrong password") is None
    assert _stored_hash(workspace, "Ada") == old
    assert people.authenticate(workspace, "Ada", PASSWORD) is not None
    renewed = _stored_hash(workspace, "Ada")
    assert "m=16,t=2" in renewed
    assert people.authenticate(workspace, "Ada", PASSWORD) is not None
    assert _stored_hash(workspace, "Ada") == renewed


@pytest.mark.parametrize("name", ["Ada", "ADA", "ada"])
def test_names_are_unique_in_any_case(workspace: Workspace, name: str) -> None:
    """Ada and ADA would be one person to everybody but the computer."""
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    with pytest.raises(ConflictError, match="There is a user Ada already"):
        people.add_user(workspace, name, "supervisor", PASSWORD)


def test_composed_and_decomposed_spelling_are_one(workspace: Workspace) -> None:
    """Keyboards write é in one or two characters; name and password match either way."""
    people.add_user(workspace, "Rene\u0301", "annotator", "pass word e\u0301")
    assert people.authenticate(workspace, "Ren\u00e9", "pass word \u00e9") is not None
    with pytest.raises(ConflictError):
        people.add_user(workspace, "Ren\u00e9", "annotator", PASSWORD)


@pytest.mark.parametrize("name", ["", " ", " Ada", "Ada ", "A\nda", "A\0", "\ud800", "x" * 61])
def test_names_that_cannot_be_typed_or_read_are_refused(workspace: Workspace, name: str) -> None:
    """1 to 60 visible characters, no space around them."""
    with pytest.raises(PagetrailError) as caught:
        people.add_user(workspace, name, "annotator", PASSWORD)
    assert caught.value.code == "invalid_name"
    caught.value.message.encode()
    assert people.list_people(workspace) == []


@pytest.mark.parametrize("name", ["x" * 60, "O'Brien <b>", "李小龍", "Ana María", "a/../b"])
def test_unusual_names_are_names(workspace: Workspace, name: str) -> None:
    """Markup, slashes and other scripts are just characters."""
    people.add_user(workspace, name, "annotator", PASSWORD)
    assert people.find_person(workspace, name).name == name


@pytest.mark.parametrize("password", ["", "1234567", "x" * 1_001, "\ud800" * 8])
def test_unusable_passwords_are_refused(workspace: Workspace, password: str) -> None:
    """Too short, too long for the hash, or not text; nothing is stored."""
    with pytest.raises(PagetrailError) as caught:
        people.add_user(workspace, "Ada", "annotator", password)
    assert caught.value.code == "invalid_password"
    assert password == "" or password not in caught.value.message
    assert people.list_people(workspace) == []
    assert people.authenticate(workspace, "Ada", password) is None


def test_unknown_roles_are_refused(workspace: Workspace) -> None:
    """Nobody can make a system user, or a role that the program does not know."""
    for role in ("system", "owner", ""):
        with pytest.raises(PagetrailError) as caught:
            people.add_user(workspace, "Ada", role, PASSWORD)
        assert caught.value.code == "invalid_role"


def test_pseudonyms_are_random_and_stay(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They tell the role and nothing else, not who came first; older ones stay as they were."""
    people.add_user(workspace, "Old", "annotator", PASSWORD)
    monkeypatch.setattr(people, "new_pseudonym", PRODUCT_PSEUDONYM)
    names = [f"Person {n:02d}" for n in range(12)]
    for name in names:
        people.add_user(workspace, name, "annotator", PASSWORD)
    set_active(workspace, None, names[0], False)
    set_active(workspace, None, names[0], True)
    pseudonyms = {p.name: p.pseudonym for p in people.list_people(workspace)}
    assert pseudonyms.pop("Old") == "annotator-01"
    assert all(
        re.fullmatch("annotator-[2-9b-z]{5}", pseudonym) for pseudonym in pseudonyms.values()
    )
    # Twelve in the order of joining by chance: once in 479 million runs.
    in_order = [pseudonyms[name] for name in names]
    assert len(set(in_order)) == len(names) and in_order != sorted(in_order)
    change_role(workspace, None, names[1], "supervisor")
    assert people.find_person(workspace, names[1]).pseudonym == pseudonyms[names[1]]


def test_a_pseudonym_that_is_taken_is_not_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chance may repeat itself."""
    signs = iter("2222233333")
    monkeypatch.setattr("secrets.choice", lambda _signs: next(signs))
    assert PRODUCT_PSEUDONYM({"admin-22222"}, "admin") == "admin-33333"


def test_deactivation_bars_sign_in_and_ends_sessions_for_good(workspace: Workspace) -> None:
    """An old cookie does not come to life again with the account."""
    ada = people.add_user(workspace, "Ada", "annotator", PASSWORD)
    token = open_session(workspace, ada.id, timedelta(hours=1))
    assert set_active(workspace, None, "ada", False).active is False
    assert people.authenticate(workspace, "Ada", PASSWORD) is None
    assert session_user(workspace, token) is None
    assert set_active(workspace, None, "Ada", True) == ada
    assert session_user(workspace, token) is None
    assert people.authenticate(workspace, "Ada", PASSWORD) == ada


def test_a_new_password_replaces_the_old_and_ends_sessions(workspace: Workspace) -> None:
    """Whoever knew the old password is out, signed in or not."""
    ada = people.add_user(workspace, "Ada", "annotator", PASSWORD)
    token = open_session(workspace, ada.id, timedelta(hours=1))
    people.set_password(workspace, "Ada", "battery staple")
    assert session_user(workspace, token) is None
    assert people.authenticate(workspace, "Ada", PASSWORD) is None
    assert people.authenticate(workspace, "Ada", "battery staple") == ada


def test_system_users_cannot_get_a_password(workspace: Workspace) -> None:
    """An imported run stays somebody who cannot sign in."""
    add_people(workspace, ["gpt"], role="system")
    with pytest.raises(ConflictError, match="imported run"):
        people.set_password(workspace, "gpt", PASSWORD)


def test_an_unknown_name_lists_who_there_is(workspace: Workspace) -> None:
    """The way out of a typing mistake is in the message, without the owner of the gold."""
    people.add_user(workspace, "Ada", "annotator", PASSWORD)
    add_people(workspace, [GOLD_USER], role=REVIEW)
    with pytest.raises(NotFoundError, match=r"no user 'Eva'\. Users: Ada\."):
        set_active(workspace, None, "Eva", False)


def test_sessions_end_at_their_time_and_when_closed(workspace: Workspace) -> None:
    """A session lives to the moment of its end, not beyond; closing it ends it at once."""
    clock = ManualClock(datetime(2026, 5, 1, tzinfo=UTC))
    ada = people.add_user(workspace, "Ada", "annotator", PASSWORD, clock=clock)
    first, second = (
        open_session(workspace, ada.id, timedelta(minutes=10), clock=clock) for _ in range(2)
    )
    close_session(workspace, second)
    close_session(workspace, "unknown \ud800")
    clock.advance(seconds=599)
    assert session_user(workspace, first, clock=clock) == ada
    assert session_user(workspace, second, clock=clock) is None
    clock.advance(seconds=1)
    assert session_user(workspace, first, clock=clock) is None


def test_tokens_are_long_different_and_not_stored(workspace: Workspace) -> None:
    """256 bits each; a stolen database holds no token that a browser could send."""
    clock = ManualClock(datetime(2026, 5, 1, tzinfo=UTC))
    ada = people.add_user(workspace, "Ada", "annotator", PASSWORD)
    tokens = {open_session(workspace, ada.id, timedelta(hours=1), clock=clock) for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 43 for token in tokens)
    with workspace.engine.connect() as connection:
        stored = set(connection.execute(select(LoginSession.token_sha256)).scalars())
    assert len(stored) == 20
    assert not stored & tokens
    assert session_user(workspace, stored.pop(), clock=clock) is None
    clock.advance(seconds=3_600)
    open_session(workspace, ada.id, timedelta(hours=1), clock=clock)
    with workspace.engine.connect() as connection:
        assert len(connection.execute(select(LoginSession)).all()) == 1


def test_two_people_added_at_once_get_different_pseudonyms(workspace: Workspace) -> None:
    """The numbering and the check of names hold under concurrent writers."""
    outcomes: list[object] = []

    def add(name: str) -> None:
        try:
            outcomes.append(people.add_user(workspace, name, "annotator", PASSWORD).pseudonym)
        except ConflictError:
            outcomes.append("taken")

    run_at_once([partial(add, name) for name in ("Ada", "ada", "Bob", "Cy", "Di")])
    numbered = [f"annotator-{n:02d}" for n in (1, 2, 3, 4)]
    assert sorted(map(str, outcomes)) == [*numbered, "taken"]


def test_the_audit_log_takes_any_text(workspace: Workspace) -> None:
    """Hostile text from a request is noted in a storable form, cut to a bounded length."""
    clock = ManualClock(datetime(2026, 5, 1, tzinfo=UTC))
    audit(workspace, "a\0\ud800", "refused", "x" * 5_000, clock=clock)
    with workspace.engine.connect() as connection:
        row = connection.execute(select(Audit)).one()
    assert row.at == "2026-05-01T00:00:00.000000Z"
    assert row.actor == "a\\0\\ud800"
    assert len(row.detail) == 2_000
