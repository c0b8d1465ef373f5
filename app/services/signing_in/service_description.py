"""What a sign-in service publishes about itself: its addresses, and the keys of its signatures."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from ssl import SSLContext
from time import monotonic
from typing import Any

from httpx2 import AsyncClient, HTTPError, InvalidURL
from joserfc.jwk import Key

from pagetrail.app.services.signing_in.service_tokens import readable_keys

REQUEST_S = 10.0
"""Seconds for a connection, and for each part of an answer."""
_KEPT_S = 600.0
"""Seconds after which a description is read again for the next sign-in."""
_AGAIN_S = 60.0
"""Seconds between two readings because of failures: anybody can send a token that fails."""
_log = logging.getLogger("pagetrail.server")


class MisconfiguredService(ValueError):
    """The service is not what the settings say. The message is for the log."""


@dataclass(frozen=True)
class Description:
    """What a service published.

    Attributes:
        metadata: as of OpenID Connect Discovery 1.0, section 3.
    """

    metadata: Mapping[str, Any]
    keys: Sequence[Key]

    @property
    def issuer(self) -> str:
        """The service's address as it writes it."""
        return str(self.metadata["issuer"])


class PublishedDescription:
    """Reads a service's description, and reads it again when it may have changed.

    Args:
        issuer: the service's address, without a slash at the end.
        tls: whose certificates are trusted.
    """

    def __init__(self, issuer: str, tls: SSLContext) -> None:
        self._issuer, self._tls = issuer, tls
        self._current: Description | None = None
        self._read_at = self._failed_at = -_KEPT_S

    async def current(self) -> Description:
        """The description, at most ten minutes old if the service answers.

        Raises:
            HTTPError, ValueError: it could never be read.
        """
        description = self._current
        if description is None:
            return await self._read()
        if monotonic() - max(self._read_at, self._failed_at) > _KEPT_S:
            return await self.renewed(description) or description
        return description

    async def renewed(self, failed: Description) -> Description | None:
        """A newer description than one with which something failed; None where there is none.

        The service is asked at most once a minute.
        """
        if self._current is not failed:
            return self._current
        if monotonic() - self._failed_at < _AGAIN_S:
            return None
        self._failed_at = monotonic()
        try:
            return await self._read()
        except (HTTPError, InvalidURL, ValueError) as error:
            _log.warning("The description of %s cannot be read again: %r", self._issuer, error)
            return None

    async def _read(self) -> Description:
        # Redirects are not followed: the addresses are the service's own.
        async with AsyncClient(timeout=REQUEST_S, verify=self._tls) as client:
            metadata = await _json(client, f"{self._issuer}/.well-known/openid-configuration")
            stated = metadata.get("issuer")
            if str(stated).rstrip("/") != self._issuer:
                raise MisconfiguredService(f"it calls itself {str(stated)[:200]!r}")
            for name in ("authorization_endpoint", "token_endpoint", "jwks_uri"):
                if not isinstance(metadata.get(name), str):
                    raise MisconfiguredService(f"its description has no {name}")
            keys, unreadable = readable_keys(await _json(client, metadata["jwks_uri"]))
        if unreadable:
            _log.warning("keys of %s that cannot be read are skipped: %d", self._issuer, unreadable)
        self._current, self._read_at = Description(metadata, keys), monotonic()
        return self._current


async def _json(client: AsyncClient, url: str) -> dict[str, Any]:
    response = await client.get(url)
    response.raise_for_status()
    content = response.json()
    if not isinstance(content, dict):
        raise ValueError(f"{url} is no JSON object")
    return content
