"""The practice workspace: a small workspace inside the workspace's folder.

It has separate documents, campaigns, events and a search index, so that practice cannot affect the
collection, rankings, progress, metrics or exports. The server builds it when the machine is idle or
when somebody first practises. It contains no names, is not backed up, and may be deleted at any
time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pagetrail.annotation.errors import NotFoundError
from pagetrail.annotation.messages import gettext
from pagetrail.app.services.addresses import PREFIX
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person

PRACTICE_PREFIX = f"{PREFIX}/practice"
"""Routes below this prefix use the practice workspace."""

_FOLDER = "practice"


def practice_folder(root: Path) -> Path:
    """Folder of a workspace's practice workspace."""
    return root / _FOLDER


def open_practice(root: Path) -> Workspace:
    """The practice workspace of the workspace in ``root``.

    Raises:
        NotFoundError: it does not exist.
    """
    folder = practice_folder(root)
    if not (folder / DATABASE_NAME).is_file():
        raise NotFoundError(
            gettext("This practice task is gone. Start another one from My batches.")
        )
    return Workspace.open(folder)


def practising_person(person: Person) -> Person:
    """The person in the practice workspace: a nameless annotator."""
    return replace(person, name=person.pseudonym, role="annotator")
