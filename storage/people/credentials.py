"""Rules for names and passwords, and password hashing (argon2id)."""

from __future__ import annotations

import unicodedata
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.messages import gettext

MAX_NAME = 60
MIN_PASSWORD = 8
MAX_PASSWORD = 1_000

# 19 MiB, two passes (OWASP Password Storage Cheat Sheet): argon2-cffi's default of 64 MiB a
# sign-in would break the server's memory budget when a whole team signs in at once.
HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)


def check_name(name: str) -> str:
    """The name in Unicode's composed form.

    Raises:
        PagetrailError: empty, too long, unprintable, or with space around it.
    """
    composed = unicodedata.normalize("NFC", name)
    if not composed or len(composed) > MAX_NAME:
        raise PagetrailError(
            gettext(
                "A name has 1 to {max_name} characters, not {composed_count}.",
                max_name=MAX_NAME,
                composed_count=len(composed),
            ),
            code="invalid_name",
        )
    if not composed.isprintable() or composed != composed.strip():
        raise PagetrailError(
            gettext(
                "The name {composed!r} has space around it or characters that cannot "
                "be seen. Leave them out.",
                composed=composed,
            ),
            code="invalid_name",
        )
    return composed


def check_password(password: str) -> str:
    """The password in Unicode's composed form, which does not depend on the keyboard.

    Raises:
        PagetrailError: too short, too long, or not text.
    """
    composed = _normal(password)
    if not MIN_PASSWORD <= len(composed) <= MAX_PASSWORD:
        raise PagetrailError(
            gettext(
                "A password has {min_password} to {max_password:,} characters. This "
                "one has {composed_count:,}.",
                min_password=MIN_PASSWORD,
                max_password=MAX_PASSWORD,
                composed_count=len(composed),
            ),
            code="invalid_password",
        )
    try:
        composed.encode()
    except UnicodeEncodeError as error:
        raise PagetrailError(
            gettext("The password is not valid text (UTF-8)."), code="invalid_password"
        ) from error
    return composed


def hash_password(password: str) -> str:
    """The argon2id hash of an allowed password, with salt and parameters.

    Raises:
        PagetrailError: the password is not allowed (code ``invalid_password``).
    """
    return HASHER.hash(check_password(password))


def verify_password(stored: str | None, password: str) -> bool:
    """Whether the password matches the hash. Without a hash it does the same work and fails."""
    secret = _normal(password)
    try:
        secret.encode()
        HASHER.verify(stored or _decoy(), secret[:MAX_PASSWORD])
    except (VerificationError, InvalidHashError, UnicodeEncodeError):
        return False
    return stored is not None and len(secret) <= MAX_PASSWORD


def is_outdated(stored: str) -> bool:
    """Whether the hash has other parameters than the current ones."""
    return HASHER.check_needs_rehash(stored)


def _normal(password: str) -> str:
    return unicodedata.normalize("NFC", password)


@cache
def _decoy() -> str:
    return HASHER.hash("nobody has this password")
