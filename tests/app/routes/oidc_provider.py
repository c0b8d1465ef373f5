"""An OpenID Connect provider whose key the tests know, in a process of its own."""

from __future__ import annotations

import json
import runpy
import sys

import pytest


def serve(key: str) -> None:
    """Serve on a free port, which is written to standard error.

    Args:
        key: the private key, as JSON.
    """
    from authlib import jose  # noqa: PLC0415 - warns where it is imported

    imported_key = jose.RSAKey.import_key(json.loads(key))
    pytest.MonkeyPatch().setattr(
        jose.RSAKey, "generate_key", classmethod(lambda _class, **_options: imported_key)
    )
    sys.argv[1:] = ["--port", "0"]
    runpy.run_module("oidc_provider_mock", run_name="__main__")
