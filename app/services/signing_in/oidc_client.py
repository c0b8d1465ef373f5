"""Talking to an OpenID Connect service with Authlib; imported where single sign-on is set up only.

Authorization code with PKCE, state and nonce (RFC 9700; OpenID Connect Core 1.0, section 3.1).
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from ssl import SSLCertVerificationError
from typing import Any

from authlib.common.urls import add_params_to_uri
from authlib.integrations.base_client import OAuthError
from authlib.integrations.httpx_client import AsyncOAuth2Client
from httpx2 import HTTPError, HTTPStatusError, InvalidURL, create_ssl_context
from joserfc.errors import JoseError

from pagetrail.annotation.messages import N_, gettext
from pagetrail.app.services.signing_in.logout_tokens import read_logout_token
from pagetrail.app.services.signing_in.service_description import (
    REQUEST_S,
    Description,
    MisconfiguredService,
    PublishedDescription,
)
from pagetrail.app.services.signing_in.service_tokens import (
    ClockDifference,
    WrongToken,
    check_answer_issuer,
    check_id_token,
    signed_claims,
)
from pagetrail.app.services.signing_in.single_sign_on import OldAnswer, SignInFailed
from pagetrail.storage.people.single_sign_out import SignedOut

_TOTAL_S = 15.0
"""Seconds for everything that is asked of the service for one request of a browser."""
_MAX_REASON = 300
_FAILURES = (OAuthError, HTTPError, InvalidURL, JoseError, ValueError, KeyError, TypeError,
             RuntimeError, TimeoutError)  # fmt: skip
"""What is raised when a service does not answer, or answers nonsense."""
_CANCELLED = N_("{service} did not let you in, or you cancelled.")
_USED = N_("This sign-in was used already, or took too long. Sign in again.")
_SILENT = N_("{service} does not respond at the moment. Try again in a few minutes.")
_MISCONFIGURED = N_(
    "{service} and this server are not set up for each other, so trying again does not help. Tell "
    "whoever runs this server."
)
_INVALID = N_(
    "The answer of {service} could not be verified. Try again; if it happens again, tell whoever "
    "runs this server."
)
_CLOCKS = N_(
    "The clocks of {service} and this server differ, so trying again does not help. Tell whoever "
    "runs this server."
)
_BY_CODE = {
    "access_denied": _CANCELLED,
    "login_required": _CANCELLED,
    "interaction_required": _CANCELLED,
    "consent_required": _CANCELLED,
    "invalid_grant": _USED,
    "temporarily_unavailable": _SILENT,
    "server_error": _SILENT,
}
"""Error codes of RFC 6749, sections 4.1.2.1 and 5.2, and OpenID Connect Core 1.0, 3.1.2.6."""


@dataclass(frozen=True)
class SignInRequest:
    """What a browser was sent to the service with, and what the answer must fit.

    Attributes:
        verifier: of the code (PKCE).
        fresh_since: when it was asked for a sign-in now, seconds since 1970; None where an earlier
            one will do.
    """

    callback_url: str
    state: str
    nonce: str
    verifier: str
    fresh_since: float | None = None


class OidcClient:
    """A client of one service."""

    def __init__(self, issuer: str, name: str, client_id: str, secret: str, scopes: str) -> None:
        self._name, self._client_id, self._secret = name, client_id, secret
        self._scopes = scopes
        # Made once: reading the trusted certificates takes longer than a request.
        self._tls = create_ssl_context()
        self._published = PublishedDescription(issuer, self._tls)

    async def sign_in_url(self, request: SignInRequest) -> str:
        """The address of the service's sign-in page, which leads back to the callback.

        Raises:
            SignInFailed: the service does not answer.
        """
        fresh = {} if request.fresh_since is None else {"prompt": "login", "max_age": "0"}
        try:
            async with asyncio.timeout(_TOTAL_S):
                description = await self._published.current()
            url, _ = self._oauth(description, request.callback_url).create_authorization_url(
                description.metadata["authorization_endpoint"],
                state=request.state,
                code_verifier=request.verifier,
                nonce=request.nonce,
                **fresh,
            )
        except _FAILURES as error:
            raise self._failed(error) from error
        return str(url)

    async def claims(self, request: SignInRequest, answer: Mapping[str, str]) -> Mapping[str, Any]:
        """What the service says about whoever comes back from it, verified.

        Args:
            answer: the fields with which the browser came back.

        Raises:
            SignInFailed: the person declined, or the service's answer is not valid.
        """
        try:
            async with asyncio.timeout(_TOTAL_S):
                description = await self._published.current()
                check_answer_issuer(answer, description.metadata)
                if "error" in answer:
                    raise OAuthError(answer["error"], answer.get("error_description"))
                async with self._oauth(description, request.callback_url) as oauth:
                    token, description = await self._token(oauth, description, request, answer)
                    claims, description = await self._signed(token["id_token"], description)
                    check_id_token(
                        claims,
                        description.issuer,
                        self._client_id,
                        request.nonce,
                        request.fresh_since,
                    )
                    return await self._with_user_info(oauth, description, claims)
        except _FAILURES as error:
            raise self._failed(error, answer.get("code", ""), request.verifier) from error

    async def signed_out(self, token: str) -> SignedOut:
        """Who has signed out of the service, as its logout token says.

        Raises:
            SignInFailed: the token is not the service's, or not for us.
        """
        try:
            async with asyncio.timeout(_TOTAL_S):
                claims, description = await self._signed(token, await self._published.current())
            return read_logout_token(claims, description.issuer, self._client_id)
        except _FAILURES as error:
            message = gettext("This is no valid logout token.")
            raise SignInFailed(message, self._reason(error)) from error

    async def sign_out_url(self, return_url: str) -> str:
        """The service's sign-out address; ``return_url`` if it has no such page."""
        try:
            async with asyncio.timeout(_TOTAL_S):
                metadata = (await self._published.current()).metadata
            query = {"post_logout_redirect_uri": return_url, "client_id": self._client_id}
            return str(add_params_to_uri(metadata["end_session_endpoint"], list(query.items())))
        except _FAILURES:
            return return_url

    def _oauth(self, description: Description, callback_url: str) -> AsyncOAuth2Client:
        return AsyncOAuth2Client(
            self._client_id,
            self._secret or None,
            scope=self._scopes,
            redirect_uri=callback_url,
            code_challenge_method="S256",
            token_endpoint=description.metadata["token_endpoint"],
            timeout=REQUEST_S,
            verify=self._tls,
        )

    async def _token(
        self,
        oauth: AsyncOAuth2Client,
        description: Description,
        request: SignInRequest,
        answer: Mapping[str, str],
    ) -> tuple[Mapping[str, Any], Description]:
        """The service's tokens for the code; asked again where its address has changed."""

        async def fetch(newest: Description) -> Mapping[str, Any]:
            token: Mapping[str, Any] = await oauth.fetch_token(
                newest.metadata["token_endpoint"],
                grant_type="authorization_code",
                code=answer["code"],
                code_verifier=request.verifier,
            )
            return token

        try:
            return await fetch(description), description
        except (HTTPError, ValueError):
            renewed = await self._published.renewed(description)
            address = description.metadata["token_endpoint"]
            if renewed is None or renewed.metadata["token_endpoint"] == address:
                raise
            return await fetch(renewed), renewed

    async def _signed(
        self, token: str, description: Description
    ) -> tuple[Mapping[str, Any], Description]:
        """The claims of a token; its signature is checked again with keys that are newer."""
        try:
            return signed_claims(token, description.keys, description.metadata), description
        except (JoseError, WrongToken):
            renewed = await self._published.renewed(description)
            if renewed is None:
                raise
            return signed_claims(token, renewed.keys, renewed.metadata), renewed

    async def _with_user_info(
        self, oauth: AsyncOAuth2Client, description: Description, claims: Mapping[str, Any]
    ) -> Mapping[str, Any]:
        address = description.metadata.get("userinfo_endpoint")
        if not address:
            return claims
        response = await oauth.get(address)
        response.raise_for_status()
        more = response.json()
        if more["sub"] != claims["sub"]:
            raise ValueError("the user info is about somebody else")
        if more.get("email") != claims.get("email", more.get("email")):
            more.pop("email_verified", None)  # it is about another address
        return {**more, **claims}

    def _failed(self, error: Exception, *secrets: str) -> SignInFailed:
        message = self._advice(error)
        kind = OldAnswer if message == _USED else SignInFailed
        return kind(gettext(message, service=self._name), self._reason(error, *secrets))

    @staticmethod
    def _advice(error: Exception) -> str:
        """What the person reads."""
        match error:
            case OAuthError():
                return _BY_CODE.get(str(error.error), _MISCONFIGURED)
            case MisconfiguredService():
                return _MISCONFIGURED
            case ClockDifference():
                return _CLOCKS
            case HTTPStatusError() if error.response.status_code < 500:
                return _MISCONFIGURED
            case HTTPError() if _has_bad_certificate(error):
                return _MISCONFIGURED
            case HTTPError() | InvalidURL() | TimeoutError():
                return _SILENT
            case _:
                return _INVALID

    def _reason(self, error: Exception, *secrets: str) -> str:
        """What the log says, without secrets and in one line, whatever the service has written."""
        match error:
            case OAuthError():
                words = f"{error.error}: {error.description}"
            case HTTPStatusError(response=response, request=request):
                words = f"status {response.status_code} of {request.url.copy_with(query=None)}"
            case KeyError():
                words = f"the answer has no {error}"
            case TimeoutError():
                words = f"no answer within {_TOTAL_S:.0f} seconds"
            case WrongToken() | MisconfiguredService():
                words = str(error)
            case _:
                words = f"{type(error).__name__} {error}"
        for secret in (self._secret, *secrets):
            words = words.replace(secret, "…") if secret else words
        return "".join(sign if sign.isprintable() else " " for sign in words[:_MAX_REASON])


def _has_bad_certificate(error: BaseException) -> bool:
    cause = error.__cause__ or error.__context__
    return isinstance(error, SSLCertVerificationError) or (
        cause is not None and _has_bad_certificate(cause)
    )
