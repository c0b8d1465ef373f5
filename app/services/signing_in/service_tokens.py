"""What a service's tokens, and its answers in the browser, must say to be believed.

OpenID Connect Core 1.0, sections 3.1.3.7 and 10.1; RFC 9207 for the issuer of an answer.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from joserfc import jwt
from joserfc.errors import BadSignatureError, JoseError, KeyParameterError
from joserfc.jwk import JWKRegistry, Key
from joserfc.jws import JWSRegistry

LEEWAY_S = 120
"""Seconds that the service's clock may differ."""
_FRESH_LEEWAY_S = 5
"""Seconds that a sign-in may be older than the request for it; rounding, and slow networks."""
_ALGORITHMS = (
    *(f"{family}{bits}" for family in ("RS", "PS", "ES") for bits in (256, 384, 512)),
    "EdDSA",
    "Ed25519",
)
"""Without shared secrets and unsigned tokens, which others could write."""
_MAX_KEYS = 50


class WrongToken(ValueError):
    """A token that is signed, and is not what was asked for. The message is for the log."""


class ClockDifference(WrongToken):
    """By this server's clock the token is of another time."""


def readable_keys(key_set: object) -> tuple[list[Key], int]:
    """The keys for signatures in a service's key set, and how many could not be read.

    Raises:
        ValueError: it is no key set.
    """
    entries = key_set.get("keys") if isinstance(key_set, dict) else None
    if not isinstance(entries, list):
        raise ValueError("the key set has no list of keys")
    keys, unreadable = [], 0
    for entry in entries[:_MAX_KEYS]:
        if isinstance(entry, dict) and (entry.get("use") == "enc" or entry.get("kty") == "oct"):
            continue
        try:
            keys.append(JWKRegistry.import_key(entry))
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            unreadable += 1
    return keys, unreadable


def signed_claims(token: str, keys: Sequence[Key], metadata: Mapping[str, Any]) -> dict[str, Any]:
    """The claims of a token that one of the keys has signed.

    Raises:
        JoseError: it is no token.
        WrongToken: none of the keys has signed it.
    """
    stated = metadata.get("id_token_signing_alg_values_supported")
    accepted = [name for name in _ALGORITHMS if name in stated] if isinstance(stated, list) else []
    registry = JWSRegistry(algorithms=accepted or ["RS256"], strict_check_header=False)

    # Services leave out the ids of keys, or use one again, so each key is tried.
    for key in keys:
        try:
            return dict(jwt.decode(token, key, registry=registry).claims)
        except (BadSignatureError, KeyParameterError):
            continue
    raise WrongToken(f"signed by none of the service's {len(keys)} keys")


def check_id_token(
    claims: Mapping[str, Any], issuer: str, client_id: str, nonce: str, fresh_since: float | None
) -> None:
    """Check what an ID token says.

    Args:
        fresh_since: when a sign-in at the service was asked for, seconds since 1970; None where an
            earlier one will do.

    Raises:
        ClockDifference: it has expired, or is from the future.
        WrongToken: it is for somebody else, or of another request, or of an earlier sign-in.
    """
    require_claims(claims, issuer, client_id, ("sub", "exp", "iat"))
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    party = claims.get("azp")
    if party is None and len(audiences) > 1:
        raise WrongToken("several audiences and no authorised party (azp)")
    if party is not None and party != client_id:
        raise WrongToken("the authorised party (azp) is another client")
    if claims.get("nonce") != nonce:
        raise WrongToken("the nonce is not that of the request")
    if fresh_since is None:
        return
    auth_time = claims.get("auth_time")
    if not isinstance(auth_time, int | float) or isinstance(auth_time, bool):
        raise WrongToken("a new sign-in was asked for, and there is no auth_time")
    # Both are times of the service's clock, which may differ from this one's.
    if claims["iat"] - auth_time > time.time() - fresh_since + _FRESH_LEEWAY_S:
        raise WrongToken("a new sign-in was asked for, and auth_time is of an earlier one")


def require_claims(
    claims: Mapping[str, Any], issuer: str, client_id: str, required: Sequence[str]
) -> None:
    """Check issuer, audience and times, and that the required claims are there.

    Raises:
        ClockDifference: it has expired, or is from the future.
        WrongToken: any other is wrong.
    """
    missing = [name for name in ("iss", "aud", *required) if claims.get(name) is None]
    if missing:
        raise WrongToken(f"without {', '.join(missing)}")
    if claims["iss"] != issuer:
        raise WrongToken("the issuer (iss) is another one")
    audiences = claims["aud"] if isinstance(claims["aud"], list) else [claims["aud"]]
    if client_id not in audiences:
        raise WrongToken("the audience (aud) is another client")
    if not isinstance(claims.get("sub", ""), str):
        raise WrongToken("sub is no text")
    times = jwt.JWTClaimsRegistry(leeway=LEEWAY_S)
    for name, check in (("exp", times.validate_exp), ("iat", times.validate_iat),
                        ("nbf", times.validate_nbf)):  # fmt: skip
        if name in claims:
            try:
                check(claims[name])
            except JoseError as error:
                raise ClockDifference(f"{name} is not of this time") from error


def check_answer_issuer(answer: Mapping[str, str], metadata: Mapping[str, Any]) -> None:
    """Check who has sent the browser back (RFC 9207).

    Raises:
        WrongToken: it was another service, or the service does not say so although it would.
    """
    states_issuer = metadata.get("authorization_response_iss_parameter_supported") is True
    issuer = answer.get("iss")
    if (states_issuer or issuer is not None) and issuer != metadata["issuer"]:
        raise WrongToken("the answer in the browser is of another issuer (iss)")
