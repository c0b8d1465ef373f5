"""Exports that are in a folder: listed by their manifests, packed, removed whole."""

from __future__ import annotations

from pathlib import Path
from zipfile import ZipFile

import pytest

from pagetrail.annotation.errors import NotFoundError
from pagetrail.exports.reading.source import LeftOut
from pagetrail.exports.run import export
from pagetrail.exports.writing import export_list
from pagetrail.exports.writing.output_folder import new_folder
from tests.support.factory import make_workspace, record_attempts


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two exports, a folder of somebody's own, and a leftover."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    out = workspace.exports_dir
    export(workspace, "Otters", "trajectories", out / "Otters-trajectories")
    export(workspace, "Otters", "gold", out / "Otters-gold-named", identify=True)
    (out / "mine").mkdir()
    (out / "mine" / "notes.txt").write_text("mine", encoding="utf-8")
    (out / ".Otters-madqa-abc").mkdir()
    (out / "link").symlink_to(out / "Otters-gold-named")
    return out


def test_complete_exports_are_listed_with_what_they_left_out(folder: Path) -> None:
    """What is no export of this program is passed over; sizes are those on disk."""
    exports = {entry.name: entry for entry in export_list.finished_exports(folder)}
    assert set(exports) == {"Otters-trajectories", "Otters-gold-named"}
    identified = exports["Otters-gold-named"]
    assert (identified.campaign, identified.format, identified.identified) == (
        "Otters",
        "gold",
        True,
    )
    assert LeftOut("task", "no_gold", 1) in identified.left_out
    for entry in exports.values():
        files = [path for path in (folder / entry.name).rglob("*") if path.is_file()]
        assert (entry.files, entry.bytes) == (len(files), sum(f.stat().st_size for f in files))


def test_what_was_cut_off_is_listed_apart(folder: Path) -> None:
    """One that is being written is in neither list."""
    assert [left.name for left in export_list.unfinished_exports(folder)] == [".Otters-madqa-abc"]
    with new_folder(folder / "new") as writing:
        (writing / "part.txt").write_text("half", encoding="utf-8")
        assert len(export_list.unfinished_exports(folder)) == 1
        with pytest.raises(NotFoundError):
            export_list.remove_unfinished(folder, ".new.unfinished")
        assert len(export_list.finished_exports(folder)) == 2
    export_list.remove_unfinished(folder, ".Otters-madqa-abc")
    assert export_list.unfinished_exports(folder) == []


def test_a_zip_has_every_file_and_the_same_bytes_each_time(folder: Path, tmp_path: Path) -> None:
    """Below the export's name, byte for byte."""
    source = folder / "Otters-trajectories"
    export_list.zip_to(source, tmp_path / "a.zip")
    export_list.zip_to(source, tmp_path / "b.zip")
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with ZipFile(tmp_path / "a.zip") as archive:
        assert archive.testzip() is None
        packed = {name: archive.read(name) for name in archive.namelist()}
    assert packed == {
        f"Otters-trajectories/{path.relative_to(source).as_posix()}": path.read_bytes()
        for path in source.rglob("*")
        if path.is_file()
    }


def test_an_export_is_removed_whole_and_once(folder: Path) -> None:
    """Only its folder goes; a second removal is told that it is gone."""
    export_list.remove_export(folder, "Otters-gold-named")
    assert [entry.name for entry in export_list.finished_exports(folder)] == ["Otters-trajectories"]
    assert not (folder / "Otters-gold-named").exists()
    assert len(export_list.unfinished_exports(folder)) == 1
    with pytest.raises(NotFoundError, match="no export 'Otters-gold-named' any more"):
        export_list.remove_export(folder, "Otters-gold-named")


@pytest.mark.parametrize("name", ["mine", "..", ".Otters-madqa-abc", "link", "", "../ws", "."])
def test_nothing_else_can_be_removed(folder: Path, name: str) -> None:
    """Folders of one's own, leftovers, links and paths are no exports."""
    before = sorted(folder.rglob("*"))
    with pytest.raises(NotFoundError):
        export_list.remove_export(folder, name)
    assert sorted(folder.rglob("*")) == before


@pytest.mark.parametrize("name", ["mine", "Otters-gold-named", "..", "."])
def test_only_leftovers_are_removed_as_leftovers(folder: Path, name: str) -> None:
    """A complete export is not one."""
    with pytest.raises(NotFoundError):
        export_list.remove_unfinished(folder, name)
    assert (folder / "mine" / "notes.txt").is_file()
