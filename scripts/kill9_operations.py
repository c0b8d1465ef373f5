"""Backups, restores and index builds of ``scripts/kill9``, killed while the server runs."""

from __future__ import annotations

import random
import shutil
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from threading import Event as Flag
from threading import Thread

LONGEST_S = 10.0
"""Seconds after which a command is killed; on an idle machine most take two."""
PATIENCE_S = 300.0


class Operator(Thread):
    """An administrator whose commands are killed at random times.

    Args:
        root: the workspace.
        folder: for backups and restored workspaces.

    Attributes:
        ended: number of completed commands by name.
        killed: number of killed commands by name.
        wrong: problems as sentences.
    """

    def __init__(self, root: Path, folder: Path, seed: int) -> None:
        super().__init__(name="operator", daemon=True)
        self._root = root
        self._backup = folder / "backup.tar"
        self._restored = folder / "restored"
        self._rng = random.Random(f"{seed}/operator")
        self.finish = Flag()
        self.ended: Counter[str] = Counter()
        self.killed: Counter[str] = Counter()
        self.wrong: list[str] = []

    def run(self) -> None:
        while not self.finish.is_set():
            name = self._rng.choice(["backup", "index", "restore"])
            if name != "restore" or self._backup.exists():
                self._command(name, self._rng.uniform(0, LONGEST_S))

    def check(self) -> None:
        """After all clients have stopped: each command works, and its output is complete."""
        self._verify(self._root)
        for name in ("index", "backup", "restore"):
            self._command(name, PATIENCE_S)

    def _command(self, name: str, seconds: float) -> None:
        """Run a command and kill it after a while; its output must be complete or absent."""
        root, backup, restored = map(str, (self._root, self._backup, self._restored))
        arguments = {
            "backup": ["backup", root, backup],
            "index": ["index", root, "--force"],
            "restore": ["restore", backup, restored],
        }
        if name == "backup":
            self._backup.unlink(missing_ok=True)  # so that any backup is from this run
        process = _started(arguments[name])
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
        _, output = process.communicate()
        killed = process.returncode == -signal.SIGKILL
        (self.killed if killed else self.ended)[name] += 1
        if process.returncode and not killed:
            self.wrong.append(f"{name} ended with {process.returncode}: {output[-300:]}")
        if self._restored.exists():
            _started(["index", restored]).communicate(timeout=PATIENCE_S)  # no backup has one
            self._verify(self._restored)
            shutil.rmtree(self._restored)
        elif name == "restore" and not killed:
            self.wrong.append("restore ended and left no workspace")

    def _verify(self, root: Path) -> None:
        process = _started(["verify", str(root)])
        output = "".join(process.communicate(timeout=PATIENCE_S))
        if process.returncode:
            self.wrong.append(f"{root.name}: {output[-500:]}")


def _started(arguments: list[str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", "from pagetrail.app.cli.main import main; main()", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
