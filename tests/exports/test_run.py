"""An export as a whole: complete or absent, accounted for, and never over somebody's files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path

import pytest

from pagetrail.annotation.errors import ConflictError, NotFoundError, OutputError
from pagetrail.exports import run
from pagetrail.exports.reading.source import Source, WrittenFiles
from pagetrail.exports.run import FORMATS, export
from pagetrail.storage.database import migrations
from pagetrail.storage.database.workspace import Workspace
from tests.support.factory import make_workspace, record_attempts

MIGRATIONS = Path(str(migrations.__file__)).parent / "versions"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A workspace in which people have worked; the tests only read it."""
    workspace = make_workspace(tmp_path_factory.mktemp("run") / "ws")
    record_attempts(workspace)
    return workspace


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below the folder."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.fixture
def out(tmp_path: Path) -> Iterator[Path]:
    """Where to export to; nothing else may be left beside it."""
    yield tmp_path / "out"
    assert {path.name for path in tmp_path.iterdir()} <= {"out"}


@pytest.mark.parametrize("format_", FORMATS)
def test_the_manifest_accounts_for_every_file(
    workspace: Workspace, out: Path, format_: str
) -> None:
    """Paths, sizes, hashes and rows in the manifest are those of the files, and none is missing."""
    manifest = export(workspace, "Otters", format_, out)
    on_disk = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    assert on_disk == json.loads(json.dumps(manifest.to_json()))
    files = contents(out)
    files.pop("manifest.json")
    assert [entry["path"] for entry in on_disk["files"]] == sorted(files)
    for entry in on_disk["files"]:
        data = files[entry["path"]]
        assert entry["bytes"] == len(data)
        assert entry["sha256"] == hashlib.sha256(data).hexdigest()
        if entry["path"].endswith(".jsonl"):
            lines = data.split(b"\n")
            assert lines.pop() == b""
            assert entry["rows"] == len(lines) == len([json.loads(line) for line in lines])
            assert not data.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize("format_", FORMATS)
def test_twice_the_same_bytes(workspace: Workspace, out: Path, format_: str) -> None:
    """Repeating an export, over the old one and past a reopened database, changes no byte."""
    export(workspace, "Otters", format_, out)
    first = contents(out)
    export(Workspace.open(workspace.root), "Otters", format_, out, overwrite=True)
    assert contents(out) == first


def test_what_the_manifest_says(workspace: Workspace, out: Path) -> None:
    """Versions, settings, collection and indexes are there to trace an export back."""
    manifest = export(workspace, "Otters", "trajectories", out).to_json()
    assert manifest["product"] == {"name": "pagetrail", "version": version("pagetrail")}
    assert manifest["schema"] == max(path.name[:4] for path in MIGRATIONS.glob("0*.py"))
    assert manifest["campaign"]["protocol"]["search"]["top_k"] == 5
    assert manifest["campaign"]["seed"] == 7
    lines = "".join(
        f"{hashlib.sha256(name.encode()).hexdigest()}  {name}\n"
        for name in ("annual report.pdf", "b.pdf")
    )
    assert manifest["corpus"] == {
        "documents": 2,
        "pages": 15,
        "sha256": hashlib.sha256(lines.encode()).hexdigest(),
    }
    assert manifest["index"]["searched"] == ["index-1"]
    assert len(manifest["index"]["current"]) == 64
    assert manifest["counts"]["campaign_attempts"] == 8


def test_what_was_left_out_adds_up(workspace: Workspace, out: Path) -> None:
    """Rows and what was left out together are all attempts, each reason with its count."""
    manifest = export(workspace, "Otters", "madqa", out)
    left = {(entry.what, entry.reason): entry for entry in manifest.left_out}
    assert {key: (entry.count, entry.ids) for key, entry in left.items()} == {
        ("attempt", "never_opened"): (3, []),
        ("attempt", "status_open"): (1, ["3-Ada"]),
        ("attempt", "status_skipped"): (1, ["2-Grace"]),
        ("later submission", "reopened_by_the_annotator"): (1, ["1-Ada"]),
        ("search", "refused"): (1, []),
    }
    attempts = sum(entry.count for entry in manifest.left_out if entry.what == "attempt")
    assert attempts + manifest.counts["rows"] == manifest.counts["campaign_attempts"]


@pytest.mark.parametrize("format_", FORMATS)
def test_nobody_is_named(workspace: Workspace, out: Path, format_: str) -> None:
    """No byte and no file name holds an annotator's name, unless asked for."""
    export(workspace, "Otters", format_, out)
    # Attempt ids of the test workspace hold the name; real ones are random.
    for name, data in contents(out).items():
        if name.endswith(".parquet"):
            continue
        for person in (b"Ada", b"Grace"):
            assert data.count(person) == data.count(b"-" + person) + data.count(b"ask " + person)
            assert person.decode() not in name


def test_identified_exports_say_so(workspace: Workspace, out: Path) -> None:
    """With ``identify`` people appear under their names, and the manifest tells."""
    manifest = export(workspace, "Otters", "madqa", out, identify=True)
    assert manifest.identified
    assert set(contents(out / "by-annotator")) == {"Ada.jsonl", "Grace.jsonl"}
    row = json.loads((out / "results.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert row["model"] == "human:Ada"


def test_progress_counts_up_to_all(workspace: Workspace, out: Path) -> None:
    """The caller is told of each attempt, the last time with done equal to all."""
    steps: list[tuple[int, int]] = []
    export(workspace, "Otters", "madqa", out, progress=lambda *now: steps.append(now))
    assert steps == [(n, 5) for n in range(1, 6)]


def test_unknown_names(workspace: Workspace, out: Path) -> None:
    """A wrong campaign or format is named together with those there are."""
    with pytest.raises(NotFoundError, match=r"no campaign 'Badgers'. Campaigns: Otters"):
        export(workspace, "Badgers", "madqa", out)
    with pytest.raises(NotFoundError, match=r"Formats: madqa, trajectories, gold"):
        export(workspace, "Otters", "pdf", out)
    assert not out.exists()


def test_an_empty_folder_is_taken(workspace: Workspace, out: Path) -> None:
    """A folder that was made beforehand is no obstacle."""
    out.mkdir()
    export(workspace, "Otters", "gold", out)
    assert set(contents(out)) == {"README.md", "gold.jsonl", "manifest.json"}


def test_a_folder_in_use_is_left_alone(workspace: Workspace, out: Path) -> None:
    """Files that are not an export survive, with and without ``overwrite``."""
    out.mkdir()
    (out / "thesis.tex").write_text("years of work", encoding="utf-8")
    with pytest.raises(ConflictError, match="not empty"):
        export(workspace, "Otters", "gold", out)
    with pytest.raises(ConflictError, match="not an export"):
        export(workspace, "Otters", "gold", out, overwrite=True)
    (out / "manifest.json").write_text('["another program\'s"]', encoding="utf-8")
    with pytest.raises(ConflictError, match="not an export"):
        export(workspace, "Otters", "gold", out, overwrite=True)
    assert set(contents(out)) == {"thesis.tex", "manifest.json"}


def test_a_file_in_the_way(workspace: Workspace, out: Path) -> None:
    """A file of that name is not replaced."""
    out.write_text("mine", encoding="utf-8")
    with pytest.raises(ConflictError, match="not a folder"):
        export(workspace, "Otters", "gold", out, overwrite=True)
    assert out.read_text(encoding="utf-8") == "mine"


def test_overwriting_replaces_the_whole_folder(workspace: Workspace, out: Path) -> None:
    """Nothing of the export before stays behind."""
    export(workspace, "Otters", "madqa", out)
    export(workspace, "Otters", "gold", out, overwrite=True)
    assert set(contents(out)) == {"README.md", "gold.jsonl", "manifest.json"}


def test_a_failed_export_leaves_the_old_one(
    workspace: Workspace, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the disk fills half-way, the export that was there before is still there, whole."""
    export(workspace, "Otters", "gold", out)
    before = contents(out)

    def full_disk(source: Source, folder: Path) -> WrittenFiles:
        (folder / "half.jsonl").write_text("{", encoding="utf-8")
        raise OSError(28, "No space left on device")

    monkeypatch.setitem(run.FORMATS, "gold", replace(FORMATS["gold"], write=full_disk))
    with pytest.raises(OutputError, match="No space left"):
        export(workspace, "Otters", "gold", out, overwrite=True)
    assert contents(out) == before


def test_a_campaign_without_work(tmp_path: Path) -> None:
    """Exports of a campaign in which nobody has worked are empty files, not errors."""
    workspace = make_workspace(tmp_path / "ws")
    for format_ in FORMATS:
        manifest = export(workspace, "Otters", format_, tmp_path / format_)
        assert {e.reason: e.count for e in manifest.left_out} == (
            {
                "gold": {"no_gold": 1},
                "adjudicated": {"no_gold": 4},
                "runs": {"no_gold": 2, "never_opened": 8},
            }.get(format_, {"never_opened": 8})
        )
