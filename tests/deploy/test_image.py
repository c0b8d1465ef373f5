"""The image of ``deploy/replicas/Dockerfile``: built without an engine, run, and what is in it."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pymupdf
import pytest

from tests.deploy.servers import answers, wait
from tests.e2e.support.server_process import free_port

ROOT = Path(__file__).parents[2]
DOCKERFILE = ROOT / "deploy" / "replicas" / "Dockerfile"
PACKAGES = "/usr/local/lib/python3.11/dist-packages"
CONTEXT = ("annotation", "app", "exports", "storage", "pagetrail")
_STORAGE = "/var/tmp"


class Build:
    """buildah on storage of its own."""

    def __init__(self, program: str, folder: str) -> None:
        self.command = [program, "--root", f"{folder}/root", "--runroot", f"{folder}/run"]
        self.command += ["--storage-driver", "vfs"]

    def __call__(self, *arguments: object) -> str:
        """What it writes to standard output."""
        process = subprocess.run(
            [*self.command, *map(str, arguments)],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"TMPDIR": _STORAGE},
        )
        assert process.returncode == 0, f"{process.stdout[-2000:]}{process.stderr[-2000:]}"
        return process.stdout.strip()


@pytest.fixture(scope="module")
def build() -> Iterator[Build]:
    """buildah, where it can build."""
    program = shutil.which("buildah")
    if program is None or os.getuid() != 0:
        pytest.skip("buildah is not installed, or the user is not root: the image is not built")
    with TemporaryDirectory(dir=_STORAGE) as folder:
        yield Build(program, folder)


@pytest.fixture(scope="module")
def image(build: Build) -> str:
    """The built image; its base is Debian's Python, made here under the name in the file."""
    debootstrap = shutil.which("debootstrap", path=f"{os.environ['PATH']}:/usr/sbin")
    if debootstrap is None:
        pytest.skip("debootstrap is not installed: the image is not built")
    with TemporaryDirectory(dir=_STORAGE) as folder:
        packages = "--include=python3,python3-pip,ca-certificates"
        command = [debootstrap, "--variant=minbase", packages, "bookworm", folder]
        made = subprocess.run(command, capture_output=True, text=True, check=False)
        if made.returncode:
            pytest.skip(f"Debian's packages are not within reach: {made.stdout[-500:]}")
        base = Path(folder)
        next(base.glob("usr/lib/python3*/EXTERNALLY-MANAGED")).unlink()
        (base / "usr" / "bin" / "python").symlink_to("python3")
        container = build("from", "scratch")
        build("add", "--quiet", container, folder, "/")
    names = set(re.findall(r"^FROM (\S+)", DOCKERFILE.read_text("utf-8"), re.MULTILINE))
    build("commit", "--quiet", container, *names)
    build("rm", container)
    volumes = [f"--volume={path}:{path}:ro" for path in package_sources()]
    options = ["--isolation", "chroot", "--pull-never", *volumes, "-f", DOCKERFILE]
    build("bud", *options, "-t", "pagetrail-test", ROOT)
    return "pagetrail-test"


def package_sources() -> list[Path]:
    """pip's configuration of this machine, and the folders and certificates that it names."""
    configuration = subprocess.run(
        ["pip", "config", "list"], stdout=subprocess.PIPE, text=True, check=False
    ).stdout
    named = re.findall(r"(?<![\w/:.])(?:file://)?(/[\w./-]+)", configuration)
    paths = {Path(path) for path in ("/etc/pip.conf", "/etc/xdg/pip", "/etc/ssl/certs", *named)}
    return sorted(
        path
        for path in paths
        if path.exists() and not any(other in path.parents for other in paths)
    )


def test_the_build_sees_the_package_only(build: Build, tmp_path: Path) -> None:
    """What .dockerignore leaves out does not reach the build: secrets, history, workspaces."""
    context = tmp_path / "context"
    for name in CONTEXT:
        shutil.copytree(ROOT / name, context / name, symlinks=True)
    for name in (".dockerignore", "pyproject.toml", "constraints.txt", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, context)
    for name in (".env", ".git/config", "deploy/replicas/.env", "ws/pagetrail.sqlite3"):
        (context / name).parent.mkdir(parents=True, exist_ok=True)
        (context / name).write_text("secret")
    (tmp_path / "Dockerfile").write_text("FROM scratch\nCOPY . /src\n")
    build("bud", "--isolation", "chroot", "-f", tmp_path / "Dockerfile", "-t", "context", context)
    container = build("from", "context")
    source = Path(build("mount", container)) / "src"
    names = {path.name for path in source.iterdir()}
    files = [path for path in source.rglob("*") if path.is_file()]
    assert names == {*CONTEXT, "pyproject.toml", "constraints.txt", "README.md", "LICENSE"}
    assert not [path for path in files if path.suffix == ".pyc" or path.read_bytes() == b"secret"]
    build("rm", container)


def test_the_image_ingests_searches_and_serves(
    build: Build, image: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """As the user of the image; its size and its largest parts are printed."""
    container = build("from", "--pull-never", image)
    top = Path(build("mount", container))
    assert not (top / "src").exists() and not [*top.rglob("constraints.txt")]
    report = subprocess.run(
        ["du", "-m", "-d1", top / PACKAGES[1:], top / "usr"], stdout=subprocess.PIPE, check=True
    )
    sizes = [line.split("\t") for line in report.stdout.decode().splitlines()]
    largest = sorted(((int(size), path) for size, path in sizes), reverse=True)[:15]
    size = build("images", "--format", "{{.Size}}", image)
    with capsys.disabled():
        lines = [f"{size:>6} MB  {path.removeprefix(str(top))}" for size, path in largest]
        print(f"\nThe image has {size}.", *lines, sep="\n")  # noqa: T201 - asked for
    with pymupdf.open() as document:
        document.new_page().insert_text((72, 72), "otters")
        document.save(top / "home" / "pagetrail" / "otters.pdf")
    (top / "home" / "pagetrail" / "otters.pdf").chmod(0o644)
    run = ("run", "--isolation", "chroot", container, "--", "pagetrail")
    build(*run, "init", "/workspace/ws")
    build(*run, "ingest", "/workspace/ws", "/home/pagetrail/otters.pdf")
    assert "otters.pdf" in build(*run, "search", "/workspace/ws", "otters", "--json")
    port, log = free_port(), tmp_path / "log"
    with log.open("wb") as output:
        serve = [*build.command, *run, "serve", "/workspace/ws", "--port", port]
        server = subprocess.Popen(
            [*map(str, serve)], stdout=output, stderr=output, start_new_session=True
        )
    try:
        wait(lambda: answers(port, "/readyz"), log)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait(60)
