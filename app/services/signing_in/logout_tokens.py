"""What a service's logout token must say to be believed.

OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from joserfc import jwt
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry

from pagetrail.storage.people.single_sign_out import REMEMBERED, SignedOut

_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_LEEWAY_S = 120
"""Seconds that the service's clock may differ, as Authlib has it for ID tokens."""
_MAX_AGE_S = REMEMBERED.total_seconds() / 2
_MAX_ID = 255


def verify_logout_token(
    token: str, keys: KeySet, metadata: Mapping[str, Any], client_id: str
) -> SignedOut:
    """What the token says.

    Raises:
        JoseError: it is no token, not signed by one of the keys, too old, or for somebody else.
        ValueError: it is another kind of token, or says nothing about anybody.
    """
    supported = metadata.get("id_token_signing_alg_values_supported") or ["RS256"]
    # A shared secret or no signature would let others write one.
    algorithms = [
        algorithm
        for algorithm in supported
        if algorithm != "none" and not algorithm.startswith("HS")
    ]
    registry = JWSRegistry(algorithms=algorithms, strict_check_header=False)
    claims = jwt.decode(token, keys, registry=registry).claims
    required = jwt.JWTClaimsRegistry(
        leeway=_LEEWAY_S,
        iss={"essential": True, "value": metadata["issuer"]},
        aud={"essential": True, "value": client_id},
        iat={"essential": True},
        jti={"essential": True},
        events={"essential": True},
    )
    required.validate(claims)
    events = claims["events"]
    if not isinstance(events, dict) or not isinstance(events.get(_EVENT), dict):
        raise ValueError("not a logout token")
    if "nonce" in claims:
        raise ValueError("a logout token has no nonce")
    if required.now - claims["iat"] > _MAX_AGE_S:
        raise ValueError("a logout token is used at once")
    subject, session = (_text(claims.get(name, "")) for name in ("sub", "sid"))
    if not subject and not session:
        raise ValueError("neither sub nor sid")
    return SignedOut(str(metadata["issuer"]).rstrip("/"), _text(claims["jti"]), subject, session)


def _text(claim: object) -> str:
    if not isinstance(claim, str) or len(claim) > _MAX_ID:
        raise ValueError("not a name")
    return claim
