"""Signed tokens that make a URL or request valid for one person only."""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeSerializer

from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.messages import gettext
from pagetrail.annotation.ports import Clock

LIFETIME_DAYS = 2
_SECONDS_A_DAY = 86_400


class Tokens:
    """Makes and checks tokens over (user, attempt, day of expiry).

    The same person gets the same token for the same attempt all day long, so that page images
    keep their URL and stay in the browser's cache.
    """

    def __init__(self, secret: str, clock: Clock) -> None:
        self._serializer = URLSafeSerializer(secret, salt="pagetrail-attempt")
        self._clock = clock

    def make(self, user_id: int, attempt_id: str) -> str:
        """A token for that person and attempt."""
        return str(self._serializer.dumps([user_id, attempt_id, self._today() + LIFETIME_DAYS]))

    def check(self, token: str, user_id: int) -> str:
        """The attempt id in a token that was made for this person.

        Raises:
            Forbidden: forged, expired, or somebody else's.
        """
        try:
            owner, attempt_id, last_day = self._serializer.loads(token)
        except (BadSignature, ValueError, TypeError) as error:
            raise Forbidden(
                gettext("This link is not valid. Open the task from “My batches”.")
            ) from error
        if owner != user_id:
            raise Forbidden(gettext("This link was made for somebody else."))
        if self._today() > last_day:
            raise Forbidden(gettext("This link has expired. Open the task from “My batches”."))
        return str(attempt_id)

    def _today(self) -> int:
        return int(self._clock.now().timestamp()) // _SECONDS_A_DAY
