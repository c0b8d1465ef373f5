"""Names of files for ids: two ids never share a file, whatever the file system folds."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from pagetrail.exports.run import export
from pagetrail.exports.writing.file_formats import FileNames
from pagetrail.storage.importers.tasks.importer import import_tasks
from tests.storage.importers.runs.run_data import bare, run
from tests.storage.task_data import write_jsonl
from tests.support.factory import make_workspace

ids = st.text(st.sampled_from("qQ1äÄßſ.a\u0308 /"), min_size=1, max_size=4)


def folded(name: str) -> str:
    """The name as macOS and Windows compare it."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


@given(st.lists(ids, unique=True, max_size=8))
def test_ids_get_files_that_differ_in_more_than_case(given_ids: list[str]) -> None:
    """Each id has one name, and the first of several keeps its plain one."""
    names = FileNames()
    stems = [names[id_] for id_ in given_ids]
    assert len({folded(stem) for stem in stems}) == len(given_ids)
    assert [names[id_] for id_ in given_ids] == stems
    assert all("/" not in stem and stem.strip(".") for stem in stems)


def test_plain_names_stay() -> None:
    """Only the second of two is changed."""
    names = FileNames()
    assert names["Q1"] == "Q1" and names["q1"].startswith("q1-") and names["Q1"] == "Q1"


def test_no_two_files_of_an_export_differ_in_case_only(tmp_path: Path) -> None:
    """Trajectories and originals of the tasks ``Q1`` and ``q1``."""
    workspace = make_workspace(tmp_path / "ws")
    tasks = [{"id": id_, "question": f"{id_}?"} for id_ in ("Q1", "q1")]
    import_tasks(workspace, write_jsonl(tmp_path / "t.jsonl", tasks), campaign="Case")
    rows = write_jsonl(tmp_path / "r.jsonl", [bare("Q1"), bare("q1")])
    assert run(workspace, rows, campaign="Case").imported == 2
    export(workspace, "Case", "atif", tmp_path / "out", originals=True)
    files = [str(path.relative_to(tmp_path)) for path in (tmp_path / "out").rglob("*.json")]
    assert len(files) == len({folded(file) for file in files}) == 5
