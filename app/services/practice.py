"""The practice workspace: a small one inside the workspace's folder, for practice tasks alone.

It has documents, campaigns, events and a search index of its own, so that nothing done there can
reach the collection, its rankings, progress, metrics or exports. It is made by the server when the
machine is quiet, or when somebody first practises, holds no names, is in no backup and may be
deleted at any time.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from pagetrail.annotation.errors import NotFoundError
from pagetrail.app.services.addresses import PREFIX
from pagetrail.storage.database.location import DATABASE_NAME
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.people.accounts import Person

PRACTICE_PREFIX = f"{PREFIX}/practice"
"""Below it the routes of tasks work on the practice workspace."""

_FOLDER = "practice"


def practice_folder(root: Path) -> Path:
    """Where the practice workspace of a workspace is, or will be."""
    return root / _FOLDER


def open_practice(root: Path) -> Workspace:
    """The practice workspace of the workspace in ``root``.

    Raises:
        NotFoundError: nobody has practised since it was last deleted.
    """
    folder = practice_folder(root)
    if not (folder / DATABASE_NAME).is_file():
        raise NotFoundError("This practice task is gone. Start another one from My batches.")
    return Workspace.open(folder)


def practising_person(person: Person) -> Person:
    """The person as the practice workspace knows them: without a name, and without more rights."""
    return replace(person, name=person.pseudonym, role="annotator")
