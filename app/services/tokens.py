"""Signed tokens that make a URL or request valid for one person only."""

from __future__ import annotations

from itsdangerous import BadSignature, URLSafeSerializer

from pagetrail.annotation.errors import Forbidden
from pagetrail.annotation.messages import gettext


class Tokens:
    """Makes and checks tokens over (user, attempt).

    A token is good in a session of its person only, so it needs no end of its own: a tab that is
    open for days goes on. The same person always gets the same token for the same attempt, so that
    page images keep their URL and stay in the browser's cache.
    """

    def __init__(self, secret: str) -> None:
        self._serializer = URLSafeSerializer(secret, salt="pagetrail-attempt")

    def make(self, user_id: int, attempt_id: str) -> str:
        """A token for that person and attempt."""
        return str(self._serializer.dumps([user_id, attempt_id]))

    def check(self, token: str, user_id: int) -> str:
        """The attempt id in a token that was made for this person.

        Raises:
            Forbidden: forged, or somebody else's.
        """
        try:
            # Tokens of earlier versions, in tabs that are still open, have a day behind.
            owner, attempt_id, *_ = self._serializer.loads(token)
        except (BadSignature, ValueError, TypeError) as error:
            raise Forbidden(
                gettext("This link is not valid. Open the task from “My batches”.")
            ) from error
        if owner != user_id:
            raise Forbidden(gettext("This link was made for somebody else."))
        return str(attempt_id)
