"""What a service's logout token must say to be believed.

OpenID Connect Back-Channel Logout 1.0, sections 2.4 and 2.6.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from pagetrail.app.services.signing_in.service_tokens import WrongToken, require_claims
from pagetrail.storage.people.single_sign_out import REMEMBERED, SignedOut

_EVENT = "http://schemas.openid.net/event/backchannel-logout"
_MAX_AGE_S = REMEMBERED.total_seconds() / 2
_MAX_ID = 255


def read_logout_token(claims: Mapping[str, Any], issuer: str, client_id: str) -> SignedOut:
    """What the claims of a signed token say.

    Args:
        issuer: of the service, as it writes it.

    Raises:
        WrongToken: it is another kind of token, too old, for somebody else, or about nobody.
    """
    require_claims(claims, issuer, client_id, ("iat", "jti", "events"))
    events = claims["events"]
    if not isinstance(events, dict) or not isinstance(events.get(_EVENT), dict):
        raise WrongToken("not a logout token")
    if "nonce" in claims:
        raise WrongToken("a logout token has no nonce")
    if time.time() - claims["iat"] > _MAX_AGE_S:
        raise WrongToken("a logout token is used at once")
    subject, session = (_text(claims.get(name, "")) for name in ("sub", "sid"))
    if not subject and not session:
        raise WrongToken("neither sub nor sid")
    return SignedOut(issuer.rstrip("/"), _text(claims["jti"]), subject, session)


def _text(claim: object) -> str:
    if not isinstance(claim, str) or len(claim) > _MAX_ID:
        raise WrongToken("not a name")
    return claim
