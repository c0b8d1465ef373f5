"""Guesses are stopped; owners, colleagues and the audit log are not their victims."""

from __future__ import annotations

from hashlib import sha256

import pytest
from sqlalchemy import select

from pagetrail.app.services import security_log
from pagetrail.app.services.client_addresses import limited_address
from pagetrail.app.services.composition import Services
from pagetrail.app.services.security_log import MAX_SIGN_IN_PAIRS
from pagetrail.app.services.signing_in.sign_ins import (
    PER_ACCOUNT,
    PER_ADDRESS,
    PER_PAIR,
    SignIns,
    TooManyAttempts,
)
from pagetrail.storage.database.tables import SignInAttempt
from pagetrail.storage.people import accounts
from pagetrail.storage.people.accounts import Person, find_person
from tests.app.conftest import PASSWORD
from tests.support.audit_log import audited

CLIENT_ADDRESS = "192.0.2.1"


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash that costs nothing: there are hundreds of guesses."""
    monkeypatch.setattr(accounts, "verify_password", lambda _stored, password: password == PASSWORD)
    monkeypatch.setattr(accounts, "is_outdated", lambda _stored: False)


def _sign_in(
    guard: SignIns,
    name: str,
    password: str = PASSWORD,
    address: str = CLIENT_ADDRESS,
    device: str = "",
) -> Person | None:
    return guard.check(guard.admit(name, address, device or None), password)


def _flood(guard: SignIns, name: str, address: str = CLIENT_ADDRESS, *, device: str = "") -> int:
    """Guess until it is refused; returns how many guesses were looked at."""
    for count in range(1_000):
        try:
            assert _sign_in(guard, name, "wrong", address, device) is None
        except TooManyAttempts:
            return count
    raise AssertionError("there is no limit")


def _failures(services: Services) -> list[tuple[str, str]]:
    entries = audited(services.workspace, "sign-in failed")
    return [(actor, detail) for actor, _, detail in entries]


def test_guesses_from_one_address_lock_nobody_else_out(services: Services) -> None:
    """Not a colleague there, nor the owner elsewhere, nor the owner there in a known browser."""
    guard = services.sign_ins
    device = guard.device("alma", None)
    assert _flood(guard, "alma") == PER_PAIR
    assert _sign_in(guard, "bruno") is not None
    assert _sign_in(guard, "alma", address="192.0.2.9") is not None
    assert _sign_in(guard, "alma", device=device) is not None
    with pytest.raises(TooManyAttempts):
        _sign_in(guard, "alma")


def test_a_device_counts_for_its_own_account(services: Services) -> None:
    """Somebody else's browser, an invented and a damaged cookie are worth nothing."""
    guard = services.sign_ins
    foreign = guard.device("bruno", None)
    cookie = guard.device("alma", None)
    _flood(guard, "alma")
    for device in (foreign, "invented", cookie[:-2], "x" * 5_000):
        with pytest.raises(TooManyAttempts):
            _sign_in(guard, "alma", device=device)
    assert guard.device("ALMA", cookie) == cookie
    assert guard.device("alma", foreign) != foreign
    assert _flood(guard, "alma", device=cookie) == PER_PAIR


def test_guesses_from_everywhere_at_one_account_are_bounded(services: Services) -> None:
    """The owner still signs in where she has before."""
    guard = services.sign_ins
    device = guard.device("alma", None)
    looked_at = sum(_flood(guard, "alma", f"198.51.100.{n}") for n in range(20))
    assert looked_at == PER_ACCOUNT
    assert _sign_in(guard, "alma", device=device) is not None


def test_an_ipv6_network_counts_as_one_address(services: Services) -> None:
    """Whoever has a /64 network has 2⁶⁴ addresses; the next network is somebody else's."""
    guard = services.sign_ins
    looked_at = sum(_flood(guard, "alma", f"2001:db8:0:1::{n:x}") for n in range(20))
    assert looked_at == PER_PAIR
    with pytest.raises(TooManyAttempts):
        for number in range(PER_ADDRESS + 1):
            _sign_in(guard, f"name {number}", "wrong", f"2001:db8:0:1:{number:x}::1")
    assert _sign_in(guard, "alma", address="2001:db8:0:2::1") is not None


@pytest.mark.parametrize(
    ("address", "counted_as"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("2001:DB8:0:1:2::3", "2001:db8:0:1::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::1", "::/64"),
        ("", ""),
        ("unknown", "unknown"),
        ("192.0.2.1, 192.0.2.2", "192.0.2.1, 192.0.2.2"),
    ],
)
def test_what_limits_count_an_address_as(address: str, counted_as: str) -> None:
    """Networks for IPv6; what a proxy passes on and is no address stays as it is."""
    assert limited_address(address) == counted_as


def test_guesses_at_many_accounts_from_one_address_are_bounded(services: Services) -> None:
    """A success of the guesser's own in between does not start the count again."""
    guard = services.sign_ins
    with pytest.raises(TooManyAttempts):
        for number in range(PER_ADDRESS + 1):
            _sign_in(guard, f"name {number}", "wrong")
            if number % 10 == 0:
                _sign_in(guard, "bruno")
    assert _sign_in(guard, "bruno", address="192.0.2.9") is not None


def test_guesses_on_the_account_page_are_bounded_by_session(services: Services) -> None:
    """A tab left open does not keep the owner's own session from changing the password."""
    guard, alma = services.sign_ins, find_person(services.workspace, "alma")
    for _ in range(PER_PAIR):
        assert not guard.confirm(alma, "wrong", "left open")
    with pytest.raises(TooManyAttempts):
        guard.confirm(alma, PASSWORD, "left open")
    assert guard.confirm(alma, PASSWORD, "another")
    assert _sign_in(guard, "alma") is not None


def test_failures_take_few_lines_of_the_audit_log(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One for the first and one for the rest, per account and address; and so many in all."""
    guard = services.sign_ins
    for _ in range(30):
        with pytest.raises(TooManyAttempts):
            _flood(guard, "alma")
            _sign_in(guard, "alma")
    assert _failures(services) == [("alma", f"from {CLIENT_ADDRESS}")]
    monkeypatch.setattr(security_log, "SIGN_IN_PERIOD_S", -1)
    guard.failed_log.close()
    assert [actor for actor, _ in _failures(services)] == ["alma", "alma"]
    assert _failures(services)[1][1].startswith("67 more from")
    monkeypatch.setattr(security_log, "SIGN_IN_PERIOD_S", 600)
    for number in range(500):
        guard.failed_log.record(f"name {number}", CLIENT_ADDRESS)
    guard.failed_log.close()
    assert len(_failures(services)) == 2 + MAX_SIGN_IN_PAIRS + 2


def test_another_server_goes_on_counting(services: Services) -> None:
    """Each new server of the workspace knows what others have counted; a success clears it for all.

    Neither a name nor an address can be read from what is stored.
    """
    secret = services.workspace.meta("secret") or ""
    servers = [SignIns(services.workspace, secret) for _ in range(2)]
    for number in range(PER_PAIR - 1):
        assert _sign_in(servers[number % 2], "alma", "wrong") is None
    assert _sign_in(servers[0], "alma") is not None
    assert _sign_in(servers[1], "alma", "wrong") is None
    assert _flood(servers[0], "alma") == PER_PAIR - 1
    with pytest.raises(TooManyAttempts):
        _sign_in(SignIns(services.workspace, secret), "alma")
    with services.workspace.engine.connect() as connection:
        digests = set(connection.execute(select(SignInAttempt.digest)).scalars())
    assert len(digests) == 3
    assert digests.isdisjoint(
        {sha256(key).hexdigest()[:32] for key in (b"alma", CLIENT_ADDRESS.encode())}
    )
