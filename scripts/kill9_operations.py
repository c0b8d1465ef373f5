"""Backups, restores, index builds and imports of ``scripts/kill9``, killed beside the server."""

from __future__ import annotations

import json
import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from threading import Event as Flag
from threading import Thread

from sqlalchemy import func, select

from pagetrail.storage.database.tables import Campaign, Task
from pagetrail.storage.database.workspace import Workspace

LONGEST_S = 10.0
"""Seconds after which a command is killed; on an idle machine most take two."""
PATIENCE_S = 300.0
COMMANDS = ("backup", "index", "restore", "import")
TASKS_IMPORTED = 200


class Operator(Thread):
    """An administrator whose commands are killed at random times.

    Args:
        root: the workspace.
        folder: for backups and restored workspaces.
        names: of the commands to run, from ``COMMANDS``.

    Attributes:
        ended: number of completed commands by name.
        killed: number of killed commands by name.
        wrong: problems as sentences.
    """

    def __init__(
        self, root: Path, folder: Path, seed: int, names: Sequence[str] = COMMANDS
    ) -> None:
        super().__init__(name="operator", daemon=True)
        self._root = root
        self._backup = folder / "backup.tar"
        self._restored = folder / "restored"
        self._rng = random.Random(f"{seed}/operator")
        self._names = names
        self._tasks = folder / "imported.jsonl"
        self._imported: dict[str, bool] = {}
        """Whether the import was completed, by campaign."""
        self.finish = Flag()
        self.ended: Counter[str] = Counter()
        self.killed: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self.finish.is_set():
            name = self._rng.choice(self._names)
            if name != "restore" or self._backup.exists():
                self._command(name, self._rng.uniform(0, LONGEST_S))

    def check(self) -> None:
        """After all clients have stopped: each command works, and its output is complete."""
        self._verify(self._root)
        for name in sorted(self._names, key=("import", "index", "backup", "restore").index):
            self._command(name, PATIENCE_S)
        self._check_imports()

    def _command(self, name: str, seconds: float) -> None:
        """Run a command and kill it after a while; its output must be complete or absent."""
        root, backup, restored = map(str, (self._root, self._backup, self._restored))
        campaign = f"Imported {len(self._imported) + 1}"
        arguments = {
            "import": ["import-tasks", root, str(self._tasks), "--campaign", campaign],
            "backup": ["backup", root, backup],
            "index": ["index", root, "--force"],
            "restore": ["restore", backup, restored],
        }
        if name == "backup":
            self._backup.unlink(missing_ok=True)  # so that any backup is from this run
        if name == "import":
            tasks = [{"question": f"{campaign}, {number}?"} for number in range(TASKS_IMPORTED)]
            self._tasks.write_text("\n".join(map(json.dumps, tasks)), encoding="utf-8")
        process = _started(arguments[name])
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        _, output = process.communicate()
        killed = process.returncode == -signal.SIGKILL
        (self.killed if killed else self.ended)[name] += 1
        if name == "import":
            self._imported[campaign] = process.returncode == 0
        # The database may be down while an import runs, which it says.
        is_refused = name == "import" and output.startswith("Error: ")
        if process.returncode and not killed and not is_refused:
            self.wrong.append(f"{name} ended with {process.returncode}: {output[-300:]}")
        if self._restored.exists():
            _started(["index", restored]).communicate(timeout=PATIENCE_S)  # no backup has one
            self._verify(self._restored)
            shutil.rmtree(self._restored)
        elif name == "restore" and not killed:
            self.wrong.append("restore ended and left no workspace")

    def _check_imports(self) -> None:
        """A completed import has all of its tasks, a killed one all or none."""
        workspace = Workspace.open(self._root)
        query = select(Campaign.name, func.count(Task.id)).join(Task).group_by(Campaign.name)
        with workspace.engine.connect() as connection:
            counts = dict(connection.execute(query).tuples().all())
        workspace.engine.dispose()
        for campaign, has_ended in self._imported.items():
            count = counts.get(campaign, 0)
            if count != TASKS_IMPORTED and (has_ended or count):
                self.wrong.append(f"{campaign} has {count} of {TASKS_IMPORTED} tasks")

    def _verify(self, root: Path) -> None:
        process = _started(["verify", str(root)])
        output = "".join(process.communicate(timeout=PATIENCE_S))
        if process.returncode:
            self.wrong.append(f"{root.name}: {output[-500:]}")


def _started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "pagetrail", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
