"""The tests of this package share a server, which has a few sentences in French."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pagetrail.storage.database.workspace import Workspace
from tests.e2e.support import home_workspace
from tests.e2e.support.server_process import ServerProcess
from tests.e2e.support.shared_server import server, template_of, workspace

__all__ = ["server", "workspace"]

template = template_of("home", home_workspace.build)
"""The workspace with long and short lists of batches."""

_FRENCH = """
msgid "My batches"
msgstr "Mes lots"

msgid "Appearance and language"
msgstr "Apparence et langue"

msgid "There is nothing at this address."
msgstr "Il n'y a rien à cette adresse."
"""


@pytest.fixture(scope="package")
def shared_server(
    workspace: Workspace, port: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ServerProcess]:
    """A server for the workspace, with the file that a translator adds."""
    locales = tmp_path_factory.mktemp("locale")
    file = locales / "fr" / "LC_MESSAGES" / "pagetrail.po"
    file.parent.mkdir(parents=True)
    file.write_text(_FRENCH, encoding="utf-8")
    process = ServerProcess(workspace.root, port)
    process.locales = locales
    with process:
        yield process
