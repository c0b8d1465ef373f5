"""The tests of this package share a server."""

from __future__ import annotations

from tests.e2e.support import shared_small_workspace
from tests.e2e.support.shared_fixtures import *  # noqa: F403 - pytest needs the names here
from tests.e2e.support.shared_server import template_of

template = template_of("shared small", shared_small_workspace.build)
"""The small workspace with many accounts."""
