"""Archives whose members lead elsewhere or unpack to gigabytes, and links to private addresses."""

from __future__ import annotations

import json
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.importers.files.recognition import kind_of_file
from pagetrail.storage.importers.files.row_files import read_task_file
from pagetrail.storage.importers.links import connection
from pagetrail.storage.importers.links.download import Limits, download
from pagetrail.storage.importers.preannotations.formats import read_preannotations
from pagetrail.storage.importers.retrieval.collection import read_collection
from pagetrail.storage.importers.runs.formats import open_runs

QUERY = json.dumps({"_id": "a", "text": "Where do otters live?"})
QRELS = "query-id\tcorpus-id\tscore\na\treport.pdf-1\t1\n"
TRAJECTORY = json.dumps(
    {
        "schema_version": "ATIF-v1.4",
        "session_id": "s",
        "agent": {"name": "bot", "version": "1"},
        "steps": [{"step_id": 1, "source": "user", "message": "Where do otters live?"}],
    }
)

IMPORTERS: dict[str, Callable[[Path], object]] = {
    "collection": read_collection,
    "runs": lambda path: list(open_runs(path).runs()),
    "inspect": lambda path: list(open_runs(path, "inspect").runs()),
    "recognition": kind_of_file,
}

PATHS = {
    "parent": "../../outside/{}",
    "absolute": "{outside}/{}",
    "backslashes": "..\\..\\outside\\{}",
    "drive": "C:\\outside\\{}",
    "home": "~/outside/{}",
    "dots": "qrels/../../../outside/{}",
    "control characters": "a\x1b[31m\r\n/{}",
    "direction": "a\u202ekcab/{}",
    "long": "x" * 300 + "/{}",
    "folder of that name": "{}/{}",
}
"""Ways to write where a member belongs."""

MEMBERS = {
    "queries.jsonl": QUERY,
    "qrels.tsv": QRELS,
    "trajectory.json": TRAJECTORY,
    "samples/a.json": "{}",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which temporary files are made as well; an archive goes to ``in``."""
    for name in ("in", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    return tmp_path


def write_archive(path: Path, members: list[tuple[str, str]], mode: int = 0) -> Path:
    """A zip of these names and contents, each with this mode of Unix."""
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        for name, content in members:
            info = ZipInfo("x")
            info.filename = name  # as it is: ZipInfo would end it at a NUL
            info.external_attr = mode << 16
            info.compress_type = ZIP_DEFLATED
            archive.writestr(info, content)
    return path


def files_below(folder: Path) -> dict[str, bytes]:
    """Every file with its content, links as what they point to."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*")}


def read(importer: str, path: Path) -> None:
    """Import it; a refusal is one printable line that names the archive."""
    try:
        IMPORTERS[importer](path)
    except InputFileError as error:
        assert path.name in error.message
        assert error.message.isprintable()
        assert len(error.message) < 1_000


@pytest.mark.parametrize("importer", IMPORTERS)
def test_no_member_is_written_outside(importer: str, tree: Path) -> None:
    """Whatever its path says, and nothing of it stays in the temporary folder."""
    for number, pattern in enumerate(PATHS.values()):
        members = [
            (pattern.format(*[name] * pattern.count("{}"), outside=tree / "outside"), content)
            for name, content in MEMBERS.items()
        ]
        write_archive(tree / "in" / f"{number}.zip", members)
    before = files_below(tree)
    for path in sorted((tree / "in").iterdir()):
        read(importer, path)
        assert files_below(tree) == before


@pytest.mark.parametrize("importer", IMPORTERS)
def test_links_are_not_followed(importer: str, tree: Path) -> None:
    """A member marked as a symbolic link is a file that has the link's target as its text."""
    secret = tree / "secret.jsonl"
    secret.write_text(json.dumps({"_id": "leaked", "text": "leaked"}))
    members = [(name, str(secret)) for name in MEMBERS]
    path = write_archive(tree / "in" / "links.zip", members, stat.S_IFLNK | 0o777)
    try:
        assert "leaked" not in str(IMPORTERS[importer](path))
    except InputFileError as error:
        assert "leaked" not in error.message


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("queries.jsonl", "queries.jsonl"),
        ("a/b/queries.jsonl", "c/b/queries.jsonl"),
        ("b/queries.jsonl", "..\\b\\queries.jsonl"),
    ],
)
def test_two_members_for_one_file_are_refused(first: str, second: str, tree: Path) -> None:
    """Which of them would be read is nobody's guess."""
    path = write_archive(
        tree / "in" / "twice.zip", [(first, QUERY), (second, QUERY), ("qrels.tsv", QRELS)]
    )
    with pytest.raises(InputFileError, match=r"several files .*queries\.jsonl\. Unpack"):
        read_collection(path)


def test_zeros_by_the_gigabyte_are_refused(tree: Path) -> None:
    """No real collection is packed to a hundredth; the disk gets no more than that."""
    path = write_archive(
        tree / "in" / "bomb.zip",
        [(f"{number}.tsv", "\0" * 2**25) for number in range(4)] + [("queries.jsonl", QUERY)],
    )
    assert path.stat().st_size < 200_000
    with pytest.raises(InputFileError, match=r"unpacks to more than 100 times its size"):
        read_collection(path)
    assert not any((tree / "temporary").iterdir())


def test_an_archive_within_an_archive_is_not_unpacked(tree: Path) -> None:
    """Neither as a member of a collection nor of a log: its content is no text."""
    inner = write_archive(tree / "in" / "inner.zip", list(MEMBERS.items())).read_bytes()
    path = tree / "in" / "outer.zip"
    with ZipFile(path, "w") as archive:
        archive.writestr("corpus.zip", inner)
        archive.writestr("queries.jsonl", QUERY)
        archive.writestr("qrels/test.tsv", QRELS)
        archive.writestr("samples/a.json", inner)
    assert [row.data["question"] for row in read_collection(path).rows] == ["Where do otters live?"]
    (run,) = open_runs(path, "inspect").runs()
    assert run.record is None
    assert run.reason.startswith("is not JSON")


def test_archives_are_unpacked_in_a_separate_process(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server, where a supervisor uploads one, only waits."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("unpacked in this process")

    path = write_archive(
        tree / "in" / "c.zip", [("queries.jsonl", QUERY), ("qrels/test.tsv", QRELS)]
    )
    monkeypatch.setattr(ZipFile, "open", refuse)
    assert len(read_collection(path).rows) == 1


class _Redirecting(BaseHTTPRequestHandler):
    """Redirects every request to the same path of another address of this machine."""

    def do_GET(self) -> None:
        server = self.server
        assert isinstance(server, _RedirectingServer)
        server.paths.append(self.path)
        self.send_response(302)
        self.send_header("Location", f"http://127.0.0.2:{server.server_port}/secret.pdf")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""


class _RedirectingServer(ThreadingHTTPServer):
    paths: list[str]


@pytest.fixture
def redirecting() -> Iterator[_RedirectingServer]:
    """On all addresses of this machine."""
    server = _RedirectingServer(("", 0), _Redirecting)
    server.paths = []
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def test_a_public_host_cannot_redirect_into_a_private_network(
    redirecting: _RedirectingServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each address on the way is checked, and the last one is not asked."""
    monkeypatch.setattr(connection, "is_public", lambda address: address == "127.0.0.1")
    url = f"http://127.0.0.1:{redirecting.server_port}/a.pdf"
    (tmp_path / "links.jsonl").write_text(json.dumps({"document": "a.pdf", "url": url}))
    report = download(tmp_path / "links.jsonl", tmp_path / "to", Limits(max_s=20))
    assert [failed.code for failed in report.failed] == ["not_allowed"]
    assert redirecting.paths == ["/a.pdf"]


def test_no_import_fetches_what_a_file_links_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Addresses in tasks, elements and runs are text: nothing is looked up, nothing connected."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("an address was looked up")

    monkeypatch.setattr("socket.getaddrinfo", refuse)
    monkeypatch.setattr("socket.create_connection", refuse)
    url = "http://169.254.169.254/latest/meta-data"
    rows: dict[str, object] = {
        "tasks": {"question": url, "evidence": [{"document": url, "page": 1}], "image": url},
        "trajectory": json.loads(TRAJECTORY.replace("Where do otters live?", url)),
        "coco": {
            "images": [{"id": 1, "file_name": url, "coco_url": url, "width": 9, "height": 9}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [1, 1, 2, 2]}],
            "categories": [{"id": 1, "name": "table"}],
        },
        "studio": [{"data": {"image": url}, "predictions": [{"result": []}]}],
    }
    for name, row in rows.items():
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(row), encoding="utf-8")
        for importer in (*IMPORTERS.values(), read_task_file, read_preannotations):
            with suppress(InputFileError):
                importer(path)
