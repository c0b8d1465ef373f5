"""Functions that the tests of computations have computed; each says that it was called."""

from __future__ import annotations

import os
import time
from pathlib import Path

from pagetrail.annotation.errors import Refusal
from pagetrail.storage.database.workspace import Workspace
from pagetrail.storage.workers.worker_main import ask_caller, send_progress


def pid(_workspace: Workspace, log: Path) -> int:
    """This process, which is noted in a file."""
    with log.open("a") as file:
        file.write(f"{os.getpid()}\n")
    return os.getpid()


def hang(workspace: Workspace, log: Path) -> None:
    """Say how far it is, and never end."""
    send_progress((1, 2, "steps done"))
    pid(workspace, log)
    while True:
        time.sleep(60)


def refuse(workspace: Workspace, log: Path) -> None:
    """A refusal."""
    pid(workspace, log)
    raise Refusal("No.", code="no")


def ask_twice(workspace: Workspace) -> list[object]:
    """The answer to a question, and the error that another one got."""
    answers: list[object] = [workspace.root.name, ask_caller("how many?")]
    try:
        ask_caller("who?")
    except Refusal as error:
        answers.append(error.message)
    return answers
