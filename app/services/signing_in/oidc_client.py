"""Talking to an OpenID Connect service with Authlib; imported where single sign-on is set up only.

Authorization code with PKCE, state and nonce (RFC 9700; OpenID Connect Core 1.0, section 3.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import Any

from authlib.integrations.base_client import OAuthError
from authlib.integrations.starlette_client import OAuth
from httpx2 import HTTPError, InvalidURL
from joserfc.errors import InvalidKeyIdError, JoseError
from joserfc.jwk import KeySet
from starlette.requests import Request
from starlette.responses import Response

from pagetrail.annotation.messages import gettext
from pagetrail.app.services.signing_in import logout_tokens
from pagetrail.app.services.signing_in.single_sign_on import SignInFailed
from pagetrail.storage.people.single_sign_out import SignedOut

_TIMEOUT_S = 10.0
_KEYS_AGAIN_S = 60.0
"""Seconds after which keys are asked for again because of a token of an unknown one."""
_FAILURES = (
    OAuthError,
    HTTPError,
    InvalidURL,
    JoseError,
    ValueError,
    KeyError,
    TypeError,
    RuntimeError,
)
"""What Authlib raises when a service does not answer, or answers nonsense."""


class OidcClient:
    """A client of one service. Requests need a ``session`` in their scope, a dict."""

    def __init__(self, issuer: str, name: str, client_id: str, secret: str, scopes: str) -> None:
        self._issuer, self._name, self._client_id = issuer, name, client_id
        self._keys_asked = -_KEYS_AGAIN_S
        self._app: Any = OAuth().register(
            "oidc",
            server_metadata_url=f"{issuer}/.well-known/openid-configuration",
            client_id=client_id,
            client_secret=secret or None,
            client_kwargs={
                "scope": scopes,
                "code_challenge_method": "S256",
                "timeout": _TIMEOUT_S,
            },
        )

    async def redirect(self, request: Request, callback_url: str) -> Response:
        """A redirect to the service's sign-in page, which leads back to the address.

        Raises:
            SignInFailed: the service does not answer.
        """
        try:
            await self._metadata()
            response: Response = await self._app.authorize_redirect(request, callback_url)
        except _FAILURES as error:
            raise self._failed(error) from error
        return response

    async def claims(self, request: Request) -> Mapping[str, Any]:
        """What the service says about whoever comes back from it, verified.

        Raises:
            SignInFailed: the person declined, the request is no answer to one of ours, or the
                service's answer is not valid.
        """
        try:
            metadata = await self._metadata()
            token = await self._app.authorize_access_token(request)
            claims = dict(token["userinfo"])  # of the ID token: signature, nonce, times checked
            if metadata.get("userinfo_endpoint"):
                more = await self._app.userinfo(token=token)
                if more["sub"] != claims["sub"]:
                    raise ValueError("the user info is about somebody else")
                claims = {**more, **claims}
        except _FAILURES as error:
            raise self._failed(error) from error
        return claims

    async def signed_out(self, token: str) -> SignedOut:
        """Who has signed out of the service, as its logout token says.

        Raises:
            SignInFailed: the token is not the service's, or not for us.
        """
        try:
            metadata = await self._metadata()
            try:
                keys = KeySet.import_key_set(await self._app.fetch_jwk_set())
                return logout_tokens.verify_logout_token(token, keys, metadata, self._client_id)
            except InvalidKeyIdError:
                # The service may have new keys, but anybody can invent a key's name.
                if monotonic() - self._keys_asked < _KEYS_AGAIN_S:
                    raise
                self._keys_asked = monotonic()
                keys = KeySet.import_key_set(await self._app.fetch_jwk_set(force=True))
                return logout_tokens.verify_logout_token(token, keys, metadata, self._client_id)
        except _FAILURES as error:
            raise SignInFailed(gettext("This is no valid logout token.")) from error

    async def sign_out_url(self, return_url: str) -> str:
        """The service's sign-out address; ``return_url`` if it has no such page."""
        try:
            if not (await self._metadata()).get("end_session_endpoint"):
                return return_url
            logout = await self._app.create_logout_url(return_url, client_id=self._client_id)
        except _FAILURES:
            return return_url
        return str(logout["url"])

    async def _metadata(self) -> Mapping[str, Any]:
        metadata: Mapping[str, Any] = await self._app.load_server_metadata()
        if str(metadata["issuer"]).rstrip("/") != self._issuer:
            self._app.server_metadata.clear()
            raise ValueError(f"the service calls itself {metadata['issuer']!r}")
        return metadata

    def _failed(self, error: Exception) -> SignInFailed:
        if getattr(error, "error", "") == "access_denied":
            return SignInFailed(
                gettext("{service} did not let you in, or you cancelled.", service=self._name)
            )
        return SignInFailed(
            gettext("Signing in with {service} did not work. Try again.", service=self._name)
        )
