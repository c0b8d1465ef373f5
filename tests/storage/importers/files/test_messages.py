"""Messages name uploaded and unpacked files as people know them, and nothing is cut from them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagetrail.annotation.errors import InputFileError
from pagetrail.storage.database.storable_text import named_in_messages, printable
from pagetrail.storage.importers.files.bounded_reading import read_in_worker
from pagetrail.storage.importers.files.rows import refuse


def refuse_naming_data(path: Path, data: str) -> None:
    """A reader's refusal that quotes what is in the file."""
    refuse(path, f"has the unknown id {data}.")


def test_a_folder_is_named_as_its_owner_knows_it(tmp_path: Path) -> None:
    """Inner names first, then those of the folder around; other paths stay as they are."""
    outer, inner = tmp_path / "sent", tmp_path / "unpacked"
    with named_in_messages(outer, "The files"):
        archive = printable(outer / "a.zip")
        with named_in_messages(inner, archive, prefix=f"{archive}: "):
            assert printable(inner / "x" / "q.jsonl") == "a.zip: x/q.jsonl"
            assert printable(inner) == "a.zip"
        assert (printable(outer), printable(outer / "b.csv")) == ("The files", "b.csv")
        assert printable(f"{outer}-2/b.csv") == f"{outer}-2/b.csv"
    assert printable(outer / "b.csv") == str(outer / "b.csv")


def test_readers_in_other_processes_name_it_too(tmp_path: Path) -> None:
    """Also where what they quote looks like the folder: only names of files are shortened."""
    file, quoted = tmp_path / "b.csv", f"{tmp_path}/q1"
    file.touch()
    with named_in_messages(tmp_path, "The files"), pytest.raises(InputFileError) as raised:
        read_in_worker(refuse_naming_data, file, quoted, advice="Split it.")
    assert raised.value.message == f"b.csv has the unknown id {quoted}."
    assert raised.value.problem == f"has the unknown id {quoted}."
