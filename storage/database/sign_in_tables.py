"""The tables of how people sign in: open sessions, accounts elsewhere, and invitations."""

from __future__ import annotations

from sqlmodel import Field

from pagetrail.storage.database.base import Base


class LoginSession(Base, table=True):
    """A signed-in browser. Only the SHA-256 of the cookie's token is stored.

    ``service_session`` is the session of the service that somebody signed in with (``sid``), ""
    where it names none; NULL after signing in with a password.
    """

    __tablename__ = "login_session"
    token_sha256: str = Field(primary_key=True)
    user_id: int = Field(foreign_key="user_account.id", index=True)
    created_at: str
    expires_at: str
    service_session: str | None = None


class Identity(Base, table=True):
    """An account of a sign-in service (OpenID Connect) with which a person signs in."""

    __tablename__ = "identity"
    issuer: str = Field(primary_key=True)
    subject: str = Field(primary_key=True)
    user_id: int = Field(foreign_key="user_account.id", index=True)
    created_at: str


class Invitation(Base, table=True):
    """A link with which somebody makes an account. Only the SHA-256 of its token is stored.

    ``by_id`` is who made it; none for the command line.
    """

    __tablename__ = "invitation"
    id: int | None = Field(default=None, primary_key=True)
    token_sha256: str = Field(sa_column_kwargs={"unique": True})
    role: str
    note: str
    group: str
    by_id: int | None = Field(default=None, foreign_key="user_account.id")
    created_at: str
    expires_at: str


class SignInAttempt(Base, table=True):
    """An attempt to sign in that has not succeeded (yet), under one of the limits it counts for."""

    __tablename__ = "sign_in_attempt"
    id: int | None = Field(default=None, primary_key=True)
    digest: str = Field(index=True)
    at: str


class UsedLogoutToken(Base, table=True):
    """A sign-in service's request to end sessions, which counts once. Only a SHA-256 is stored."""

    __tablename__ = "used_logout_token"
    digest: str = Field(primary_key=True)
    used_at: str
