"""The files of ``deploy/``, with the check of the program that they are for, or with our own."""

from __future__ import annotations

import shutil
import subprocess
from fnmatch import fnmatch
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"


@pytest.mark.parametrize("name", ["pagetrail.service", "pagetrail@.service"])
def test_units_are_valid(name: str, tmp_path: Path) -> None:
    """systemd has nothing to say but that the program is not at its example's path here."""
    program = shutil.which("systemd-analyze")
    if program is None:
        pytest.skip("systemd-analyze is not installed")
    text = (DEPLOY / name).read_text(encoding="utf-8")
    unit = tmp_path / name
    unit.write_text(text.replace("/srv/pagetrail/.venv/bin/pagetrail", "/bin/true"), "utf-8")
    check = subprocess.run([program, "verify", unit], capture_output=True, text=True, check=False)
    assert (check.returncode, check.stderr) == (0, "")


def test_compose_is_valid() -> None:
    """Where Docker's compose is installed; it needs no engine for that."""
    docker = shutil.which("docker")
    if docker is None or subprocess.run([docker, "compose", "version"], check=False).returncode:
        pytest.skip("docker compose is not installed")
    environment = {"SITE": "localhost", "COOKIE_SECRET": "x", "DATABASE_PASSWORD": "x"}
    command = [docker, "compose", "-f", str(DEPLOY / "replicas" / "compose.yaml"), "config", "-q"]
    subprocess.run(command, check=True, env=environment)


def test_the_image_is_made_of_the_package_only() -> None:
    """Whatever is next to the code (secrets, history, workspaces) is not sent to the build."""
    patterns = [
        line
        for line in (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line and not line.startswith("#")
    ]

    def is_sent(path: str) -> bool:
        sent = True
        for pattern in patterns:
            bare = pattern.removeprefix("!")
            parts = path.split("/")
            beginnings = ["/".join(parts[:n]) for n in range(1, len(parts) + 1)]
            loose = bare.removeprefix("**/")
            if any(fnmatch(start, bare) or fnmatch(start, loose) for start in beginnings) or (
                bare.startswith("**/") and any(fnmatch(part, loose) for part in parts)
            ):
                sent = pattern.startswith("!")
        return sent

    for path in (".env", "deploy/replicas/.env", ".git/config", "ws/pagetrail.sqlite3", ".venv/x",
                 "node_modules/x", "tests/conftest.py", "app/components/frontend/page/main.ts",
                 "app/__pycache__/main.pyc"):  # fmt: skip
        assert not is_sent(path), path
    for path in ("pyproject.toml", "constraints.txt", "README.md", "LICENSE", "app/main.py",
                 "app/components/assets/workspace.js", "pagetrail/__init__.py"):  # fmt: skip
        assert is_sent(path), path
        assert (ROOT / path).exists(), path
