"""What this server remembers of people who are at the sign-in service: in the browser, signed.

The state of each attempt goes to the service and comes back, so that tabs do not disturb each other
and no attempt forgets where the person wanted to go. It counts only in the browser that has the
cookie with whose key it was made. Nonce and verifier are made of both.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from itsdangerous import BadData, SignatureExpired, URLSafeTimedSerializer

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.services.signing_in.single_sign_on import Newcomer, OldAnswer
from pagetrail.storage.people.identities import Identity

if TYPE_CHECKING:
    from pagetrail.app.services.signing_in.oidc_client import SignInRequest

LIFETIME = timedelta(minutes=10)
_TOO_LATE = N_("That took longer than ten minutes. Sign in again.")
_OTHER_BROWSER = N_(
    "This sign-in was not started in this browser, or its cookies were deleted. Sign in again."
)


@dataclass(frozen=True)
class Attempt:
    """An attempt to sign in at the service.

    Attributes:
        is_connecting: whether an account here is to be connected with the service's.
        fresh_since: as of ``SignInRequest``.
    """

    state: str
    nonce: str
    verifier: str
    next_path: str
    is_connecting: bool
    fresh_since: float | None
    browser: str

    def request(self, callback_url: str) -> SignInRequest:
        """What the service is asked for."""
        # Authlib is an extra.
        from pagetrail.app.services.signing_in.oidc_client import SignInRequest  # noqa: PLC0415

        return SignInRequest(callback_url, self.state, self.nonce, self.verifier, self.fresh_since)


@dataclass(frozen=True)
class Arrival:
    """Somebody whom the service has signed in, on the page of the first sign-in.

    Attributes:
        token: carries all this in the page.
        is_connecting: as of ``Attempt``; the sign-in was a fresh one then.
        signed_in_at: seconds since 1970.
    """

    token: str
    newcomer: Newcomer
    next_path: str
    is_connecting: bool
    signed_in_at: float


class SignInAttempts:
    """Signs and reads what is remembered.

    Args:
        secret: of the workspace.
    """

    def __init__(self, secret: str) -> None:
        self._secret = secret.encode()
        self._states = URLSafeTimedSerializer(secret, salt="pagetrail_oidc")
        self._arrivals = URLSafeTimedSerializer(secret, salt="pagetrail_newcomer")

    def begin(
        self, browser: str, next_path: str, *, is_fresh: bool, is_connecting: bool
    ) -> Attempt:
        """A new attempt in a browser with this key."""
        content = {
            "id": secrets.token_urlsafe(12),
            "next": next_path,
            "browser": self._digest("browser", browser),
            "fresh": is_fresh,
            "connect": is_connecting,
        }
        return self.resumed(str(self._states.dumps(content)), browser)

    def resumed(self, state: str, browser: str) -> Attempt:
        """The attempt of a state that has come back.

        Raises:
            OldAnswer: it is of another browser, older than ten minutes, or not ours.
        """
        content, since = self._loaded(self._states, state, browser)
        return Attempt(
            state,
            self._digest("nonce", f"{browser}|{state}"),
            self._digest("verifier", f"{browser}|{state}"),
            content["next"],
            content["connect"],
            since if content["fresh"] else None,
            browser,
        )

    def sign_newcomer(self, newcomer: Mapping[str, Any], attempt: Attempt) -> str:
        """The token of somebody who arrives by the attempt."""
        content = {
            "newcomer": newcomer,
            "next": attempt.next_path,
            "browser": self._digest("browser", attempt.browser),
            "connect": attempt.is_connecting,
        }
        return str(self._arrivals.dumps(content))

    def arrival(self, token: str, browser: str) -> Arrival:
        """Who arrived.

        Raises:
            OldAnswer: as ``resumed``.
        """
        content, at = self._loaded(self._arrivals, token, browser)
        stored = content["newcomer"]
        newcomer = Newcomer(**{**stored, "identity": Identity(**stored["identity"])})
        return Arrival(token, newcomer, content["next"], content["connect"], at)

    def next_path(self, token: str) -> str:
        """Where the person of a state or of an arrival wanted to go, however old it is; or ""."""
        for serializer in (self._states, self._arrivals):
            try:
                return str(serializer.loads(token)["next"])
            except BadData:
                continue
        return ""

    def _loaded(
        self, serializer: URLSafeTimedSerializer, token: str, browser: str
    ) -> tuple[dict[str, Any], float]:
        """The content, and when it was signed."""
        try:
            content, at = serializer.loads(
                token, max_age=int(LIFETIME.total_seconds()), return_timestamp=True
            )
        except SignatureExpired as error:
            raise OldAnswer(gettext(_TOO_LATE), "older than ten minutes") from error
        except BadData as error:
            raise OldAnswer(gettext(_OTHER_BROWSER), "not a state of this server") from error
        if not hmac.compare_digest(content["browser"], self._digest("browser", browser)):
            raise OldAnswer(gettext(_OTHER_BROWSER), "started in another browser")
        return dict(content), at.timestamp()

    def _digest(self, purpose: str, text: str) -> str:
        digest = hmac.new(self._secret, f"{purpose}|{text}".encode(), sha256).digest()
        return urlsafe_b64encode(digest).decode().rstrip("=")
