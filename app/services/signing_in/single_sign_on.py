"""Single sign-on with an organisation's service (OpenID Connect), as the environment sets it up.

Roles follow the service: each sign-in gives the highest role that a person's groups, or an address
that the service has verified, is listed for. Whoever is listed for none cannot sign in.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pagetrail.annotation.errors import PagetrailError
from pagetrail.annotation.extras import install_command
from pagetrail.annotation.messages import gettext
from pagetrail.storage.people.confusable_names import without_formula_start
from pagetrail.storage.people.credentials import MAX_NAME
from pagetrail.storage.people.identities import Identity

if TYPE_CHECKING:
    from pagetrail.app.services.signing_in.oidc_client import OidcClient

ISSUER = "PAGETRAIL_OIDC_ISSUER"
CLIENT_ID = "PAGETRAIL_OIDC_CLIENT_ID"
CLIENT_SECRET = "PAGETRAIL_OIDC_CLIENT_SECRET"
NAME = "PAGETRAIL_OIDC_NAME"
SCOPES = "PAGETRAIL_OIDC_SCOPES"
GROUPS_CLAIM = "PAGETRAIL_OIDC_GROUPS_CLAIM"
LISTS = {
    "admin": "PAGETRAIL_OIDC_ADMINS",
    "supervisor": "PAGETRAIL_OIDC_SUPERVISORS",
    "annotator": "PAGETRAIL_OIDC_ANNOTATORS",
}
"""Role, the highest first → who gets it: groups, addresses, ``@domain``, or ``*`` for everybody."""
_MAX_SUBJECT = 255
"""Characters; OpenID Connect Core 1.0, section 2, allows no more."""
_MAX_ACCOUNT = 200
_LOOPBACK = ("localhost", "127.0.0.1", "::1")


class SignInFailed(PagetrailError):
    """The service did not say who somebody is, or somebody who may not sign in.

    Attributes:
        reason: for the log, in one line, without secrets and without who it is.
    """

    code = "sign_in_failed"

    def __init__(self, message: str, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


class OldAnswer(SignInFailed):
    """The answer was used before, or comes too late; whoever it signed in has no use for it."""


@dataclass(frozen=True)
class Newcomer:
    """Somebody whom the service has signed in.

    Attributes:
        name: what they could be called here; "" for no idea.
        account: what the service calls the account: name and address, as far as it says them.
        session: the service's session (``sid``); "" where it names none.
    """

    identity: Identity
    role: str
    name: str
    account: str
    session: str = ""


@dataclass(frozen=True)
class SingleSignOn:
    """An organisation's service.

    Attributes:
        issuer: its address, without a slash at the end.
        name: what people call it.
        lists: role → whom it is for, see ``LISTS``.
        groups_claim: where it says which groups somebody is in.
    """

    issuer: str
    client_id: str
    client_secret: str
    name: str
    scopes: str
    groups_claim: str
    lists: Mapping[str, frozenset[str]]

    @cached_property
    def client(self) -> OidcClient:
        """Talks to the service.

        Raises:
            PagetrailError: Authlib is not installed.
        """
        try:
            # Authlib is an extra.
            from pagetrail.app.services.signing_in.oidc_client import OidcClient  # noqa: PLC0415
        except ModuleNotFoundError as error:
            raise PagetrailError(
                gettext(
                    "{issuer} is set, and single sign-on needs Authlib. Install it with: "
                    "{install_command}",
                    issuer=ISSUER,
                    install_command=install_command("sso"),
                )
            ) from error
        return OidcClient(self.issuer, self.name, self.client_id, self.client_secret, self.scopes)

    def newcomer(self, claims: Mapping[str, Any]) -> Newcomer:
        """Who the verified claims are about.

        Raises:
            SignInFailed: they name nobody, or somebody who is listed for no role.
        """
        subject = claims.get("sub")
        if not isinstance(subject, str) or not 0 < len(subject) <= _MAX_SUBJECT:
            raise SignInFailed(
                gettext("{name} did not say whose account this is.", name=self.name),
                "sub is missing, or too long",
            )
        role = self._role(claims)
        if role is None:
            raise self._refusal(claims)
        session = claims.get("sid")
        return Newcomer(
            Identity(self.issuer, subject),
            role,
            _display_name(claims),
            _account_name(claims) or subject,
            session if isinstance(session, str) and len(session) <= _MAX_SUBJECT else "",
        )

    def _refusal(self, claims: Mapping[str, Any]) -> SignInFailed:
        """What somebody can do who is listed for no role."""
        if self._role({**claims, "email_verified": True}) is None:
            return SignInFailed(
                gettext(
                    "{name} knows you, but your account may not use this workspace. Ask your "
                    "supervisor to have it added.",
                    name=self.name,
                ),
                "neither the groups nor the address is listed for a role",
            )
        return SignInFailed(
            gettext(
                "{name} has not verified that {address} is your address, and this workspace admits "
                "people by verified addresses. Verify it there, then sign in again.",
                name=self.name,
                address=claims["email"],
            ),
            "the address is listed for a role, and email_verified is not true",
        )

    def _role(self, claims: Mapping[str, Any]) -> str | None:
        groups = claims.get(self.groups_claim)
        group_names = (
            [groups] if isinstance(groups, str) else groups if isinstance(groups, list) else []
        )
        # A group may be called like an address, and is none.
        marks = {group for group in group_names if isinstance(group, str) and "@" not in group}
        address = claims.get("email")
        if isinstance(address, str) and claims.get("email_verified") is True and "@" in address:
            marks |= {address.casefold(), f"@{address.casefold().rpartition('@')[2]}"}
        marks.add("*")
        return next((role for role, members in self.lists.items() if marks & members), None)


def single_sign_on(environment: Mapping[str, str]) -> SingleSignOn | None:
    """The service that the environment names; None for local accounts only.

    Raises:
        PagetrailError: a setting is missing or cannot be right; names it.
    """
    settings = {
        key: value.strip() for key, value in environment.items() if key.startswith("PAGETRAIL")
    }
    issuer = settings.get(ISSUER, "").rstrip("/")
    if not issuer:
        return None
    _check_address(issuer)
    if not settings.get(CLIENT_ID):
        raise PagetrailError(
            gettext(
                "{issuer} is set, {client_id} is not. Set both or neither.",
                issuer=ISSUER,
                client_id=CLIENT_ID,
            )
        )
    lists = {role: _parse_list(settings.get(variable, "")) for role, variable in LISTS.items()}
    if not any(lists.values()):
        raise PagetrailError(
            gettext(
                "Nobody may sign in by single sign-on. Set {annotator} to groups, addresses, "
                "@domain or * (likewise {supervisor} and {admin}).",
                annotator=LISTS["annotator"],
                supervisor=LISTS["supervisor"],
                admin=LISTS["admin"],
            )
        )
    return SingleSignOn(
        issuer,
        settings[CLIENT_ID],
        settings.get(CLIENT_SECRET, ""),
        settings.get(NAME) or "single sign-on",
        settings.get(SCOPES) or "openid profile email",
        settings.get(GROUPS_CLAIM) or "groups",
        lists,
    )


def _check_address(issuer: str) -> None:
    parts = urlsplit(issuer)
    local = parts.scheme == "http" and parts.hostname in _LOOPBACK
    if not (parts.hostname and (parts.scheme == "https" or local)):
        raise PagetrailError(
            gettext(
                "{variable} is {address}; it has to begin with https://.",
                variable=ISSUER,
                address=json.dumps(issuer),
            )
        )


def _parse_list(text: str) -> frozenset[str]:
    """The entries of a list; addresses in lower case, since the case of groups may count."""
    entries = (entry.strip() for entry in text.split(","))
    return frozenset(entry.casefold() if "@" in entry else entry for entry in entries if entry)


def _account_name(claims: Mapping[str, Any]) -> str:
    texts = (claims.get("name"), claims.get("email") or claims.get("preferred_username"))
    printable = (text.strip() for text in texts if isinstance(text, str) and text.isprintable())
    return ", ".join(text for text in printable if text)[:_MAX_ACCOUNT]


def _display_name(claims: Mapping[str, Any]) -> str:
    for claim in ("name", "preferred_username", "email"):
        text = claims.get(claim)
        if isinstance(text, str) and text.strip() and text.isprintable():
            name = without_formula_start(text.strip()).partition("@")[0]
            return name[:MAX_NAME].strip()
    return ""
