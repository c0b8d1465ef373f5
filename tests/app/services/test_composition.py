"""Services opened from the environment, as ``pagetrail serve`` names it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pagetrail.app.cli.workspaces import serve
from pagetrail.app.services import composition
from pagetrail.storage.database.workspace import Workspace


def test_cache_limit_option_reaches_the_server(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In GB for people, in bytes within; 2 GB unless told."""
    limits = []

    def run(*_arguments: object, **_options: object) -> None:
        composition.replace_services(None)
        limits.append(composition.services().cache_limit)

    monkeypatch.setattr(serve, "run", run)
    monkeypatch.setattr(os, "environ", dict(os.environ))
    serve.serve(Path(workspace.root), cache_limit=0.5)
    serve.serve(Path(workspace.root))
    composition.replace_services(None)
    assert limits == [500_000_000, 2_000_000_000]
