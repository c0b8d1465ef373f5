"""Names and passwords, checked within limits that stop whoever guesses and nobody else.

Failures count against the pair of account and address, the address and the account; an IPv6 address
counts as its /64 network. A browser in
which somebody has signed in before holds a device cookie for that account and is counted by
itself, so that guesses made elsewhere, or by a colleague behind the same address, do not lock the
owner out. The way is known as device cookies (OWASP, "Slow Down Online Guessing Attacks with Device
Cookies"). The counts are in the database: they hold for all servers, and across restarts.
"""

from __future__ import annotations

import hmac
import secrets
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256

from itsdangerous import BadSignature, URLSafeSerializer

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.client_addresses import limited_address
from pagetrail.app.services.security_log import FailedSignInLog
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person, authenticate
from pagetrail.storage.people.credentials import verify_password
from pagetrail.storage.people.sign_in_attempts import (
    LONGEST_WINDOW,
    Limit,
    count_attempt,
    forget_attempts,
)

WINDOW = timedelta(minutes=2)
PER_PAIR = 8
PER_ADDRESS = 200
"""More than the people of a course who sign in at once from behind one address."""
PER_ACCOUNT = 40
"""In ``LONGEST_WINDOW``."""


@dataclass(frozen=True)
class Attempt:
    """An attempt within the limits.

    Attributes:
        digest: of what a success clears, whatever failed before.
        rows: the rows in which it is counted.
    """

    name: str
    address: str
    digest: str
    rows: Sequence[int]


class TooManyAttempts(PagetrailError):
    """The limit of failures is reached; the password was not looked at."""

    code = "too_many_attempts"


class SignIns:
    """Checks passwords for the sign-in page and the account page.

    Args:
        secret: of the workspace.
        verify: tells whether a password made a stored hash.
    """

    def __init__(
        self,
        workspace: Workspace,
        secret: str,
        verify: Callable[[str | None, str], bool] = verify_password,
    ) -> None:
        self._workspace = workspace
        self._verify = verify
        self._serializer = URLSafeSerializer(secret, salt="pagetrail-device")
        self._secret = secret.encode()
        self.failed_log = FailedSignInLog(workspace)

    def admit(self, name: str, address: str, device: str | None) -> Attempt:
        """Count an attempt, before its outcome is known: many at once do not slip through.

        Args:
            address: the client's, as the server knows it.
            device: the browser's device cookie, if it has one.

        Raises:
            TooManyAttempts: wait before the next one.
        """
        account = _account(name)
        if self._knows(device, account):
            device_limit = self._limit("device", f"{account}|{device}")
            if rows := count_attempt(self._workspace, [device_limit]):
                return Attempt(name, address, device_limit.digest, rows)
        client = limited_address(address)
        return self._admitted(
            name,
            address,
            self._limit("pair", f"{account}|{client}"),
            self._limit("address", client, PER_ADDRESS),
            self._limit("account", account, PER_ACCOUNT, LONGEST_WINDOW),
        )

    def check(self, attempt: Attempt, password: str) -> Person | None:
        """Whose name and password these are; None when they are nobody's."""
        person = authenticate(self._workspace, attempt.name, password, self._verify)
        if person is None:
            self.failed_log.record(attempt.name, attempt.address)
            return None
        forget_attempts(self._workspace, attempt.rows, attempt.digest)
        return person

    def confirm(self, person: Person, password: str, session: str) -> bool:
        """Whether it is the password of the signed-in person.

        Args:
            session: what is counted: each session by itself, so that neither a tab left open nor
                guesses at the sign-in page keep the owner from changing the password.

        Raises:
            TooManyAttempts: wait before the next one.
        """
        session_limit = self._limit("session", session)
        attempt = self._admitted(person.name, "the account page", session_limit)
        return self.check(attempt, password) is not None

    def device(self, name: str, cookie: str | None) -> str:
        """The device cookie for the account: the one that the browser has, or a new one."""
        account = _account(name)
        if cookie is not None and self._knows(cookie, account):
            return cookie
        return str(self._serializer.dumps([account, secrets.token_hex(8)]))

    def _admitted(self, name: str, address: str, *limits: Limit) -> Attempt:
        rows = count_attempt(self._workspace, limits)
        if not rows:
            self.failed_log.record(name, address)
            raise TooManyAttempts(gettext("Too many attempts. Wait two minutes, then try again."))
        return Attempt(name, address, limits[0].digest, rows)

    def _limit(
        self, kind: str, key: str, attempts: int = PER_PAIR, window: timedelta = WINDOW
    ) -> Limit:
        message = f"{kind}|{key}".encode("utf-8", "surrogatepass")
        digest = hmac.new(self._secret, message, sha256).hexdigest()[:32]
        return Limit(digest, attempts, window)

    def _knows(self, device: str | None, account: str) -> bool:
        try:
            return bool(device) and self._serializer.loads(device or "")[0] == account
        except (BadSignature, TypeError, LookupError):
            return False


def _account(name: str) -> str:
    """The name as accounts are compared, of fixed length and not to be read in a cookie."""
    folded = unicodedata.normalize("NFC", name).casefold()
    return sha256(folded.encode("utf-8", "surrogatepass")).hexdigest()[:24]
