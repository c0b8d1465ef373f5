"""Every format over every protocol's work: complete, accounted for, repeatable, and nameless."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from pagetrail.annotation.errors import PagetrailError
from pagetrail.exports.run import FORMATS, export
from pagetrail.exports.writing.left_out import LEFT_OUT
from pagetrail.storage.database.workspace import Workspace
from tests.exports.campaigns import CAMPAIGN
from tests.exports.conftest import Exported, StageOf, load
from tests.exports.worked_campaigns import SCENES

PAIRS = [
    ("relevance", "vidore"),
    ("relevance", "labels"),
    ("verify", "coco"),
    ("verify", "labelstudio"),
    ("verify", "parsebench"),
    ("qa_review", "reviews"),
    ("author", "authored"),
]


def files_of(folder: Path) -> dict[str, bytes]:
    """Every file below the folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("format_", FORMATS)
@pytest.mark.parametrize("scene", SCENES)
def test_any_format_of_any_campaign(scene: str, format_: str, exported: Exported) -> None:
    """It is written, the manifest lists exactly its files, and what is not in it is counted
    for a reason that the terminal has words for.
    """
    manifest, out = exported(scene, format_)
    files = files_of(out)
    assert load(out / "manifest.json")["format"] == format_
    files.pop("manifest.json")
    assert [entry["path"] for entry in manifest.files] == sorted(files)
    for entry in manifest.files:
        assert entry["sha256"] == hashlib.sha256(files[entry["path"]]).hexdigest()
    unworded = {entry.reason for entry in manifest.left_out} - set(LEFT_OUT)
    assert not unworded, f"add words for {unworded} to exports/writing/left_out.py"
    attempts = sum(entry.count for entry in manifest.left_out if entry.what == "attempt")
    assert attempts <= manifest.counts["campaign_attempts"]
    # Attempt ids of these campaigns hold the name; real ones are random.
    for name, data in files.items():
        if not name.endswith((".jpg", ".parquet")):
            for person in (b"Ada", b"Grace", b"Mary"):
                assert data.count(person) == data.count(b"-" + person)
                assert person.decode() not in name


@pytest.mark.parametrize(("scene", "format_"), PAIRS)
def test_twice_the_same_bytes(
    scene: str, format_: str, exported: Exported, stage_of: StageOf, tmp_path: Path
) -> None:
    """Past a reopened workspace every byte is the same, images and Parquet included."""
    _, out = exported(scene, format_)
    reopened = Workspace.open(stage_of(scene).workspace.root)
    export(reopened, CAMPAIGN, format_, tmp_path / "again")
    assert files_of(tmp_path / "again") == files_of(out)


@pytest.mark.parametrize(("scene", "format_"), PAIRS)
def test_names_only_when_asked_for(
    scene: str, format_: str, stage_of: StageOf, tmp_path: Path
) -> None:
    """With ``identify`` the manifest says so and no pseudonym is left."""
    stage = stage_of(scene)
    manifest = export(stage.workspace, CAMPAIGN, format_, tmp_path / "out", identify=True)
    assert manifest.identified
    for name, data in files_of(tmp_path / "out").items():
        assert b"annotator-1" not in data, name


@pytest.mark.parametrize("dpi", [0, 23, 301])
def test_a_dpi_that_pages_are_not_drawn_at(dpi: int, stage_of: StageOf, tmp_path: Path) -> None:
    """The error names the limits, and nothing is written."""
    with pytest.raises(PagetrailError, match="24 to 300 dpi"):
        export(stage_of("verify").workspace, CAMPAIGN, "coco", tmp_path / "out", dpi=dpi)
    assert not (tmp_path / "out").exists()
