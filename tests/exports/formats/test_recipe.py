"""The recipe "An export format" of docs/extending.md: one module, listed once, and its section."""

from __future__ import annotations

import json
import re
from importlib import import_module
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from pagetrail.annotation.errors import PagetrailError
from pagetrail.app.admin.exporting.export_form import ExportOrder
from pagetrail.app.cli.data.export import register
from pagetrail.exports import formats
from pagetrail.exports.formats.export_format import Format
from pagetrail.exports.run import FORMATS, export, formats_by_gold, formats_with
from scripts.format_tables import PAGE, with_format_tables
from tests.docs.test_pages import undocumented_formats
from tests.support.factory import make_workspace, record_attempts

MODULE = '''
"""The number of submitted attempts of each person."""

from collections import Counter

from pagetrail.exports.formats.export_format import COMPARED_WITH_GOLD, Format
from pagetrail.exports.reading.attempts import works_by_people
from pagetrail.exports.reading.source import WrittenFiles
from pagetrail.exports.writing.file_formats import JsonLines

FILE = "attempts.jsonl"


def write(source, folder):
    tally = WrittenFiles(counts={"rows": 0})
    attempts = Counter(attempt.name for attempt in works_by_people(source, tally))
    with JsonLines(folder / FILE) as lines:
        for name, n in sorted(attempts.items()):
            lines.write({"annotator": name, "attempts": n})
        tally.rows[FILE] = tally.counts["rows"] = lines.rows
    return tally


FORMAT = Format(
    name="attempt-counts",
    summary="how many attempts each person submitted",
    purpose="how many attempts each person submitted, for payment",
    applies_to="any",
    write=write,
    options=frozenset({"undecided"}),
    gold=COMPARED_WITH_GOLD,
)
'''


@pytest.fixture
def toy_format(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Format:
    """The format of a module in a folder of its own, entered in the list for one test."""
    folder = tmp_path / "modules"
    folder.mkdir()
    (folder / "attempt_counts.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.setattr(formats, "__path__", [*formats.__path__, str(folder)])
    module = import_module("pagetrail.exports.formats.attempt_counts")
    toy_format: Format = module.FORMAT
    monkeypatch.setitem(FORMATS, toy_format.name, toy_format)
    return toy_format


@pytest.mark.usefixtures("toy_format")
def test_the_command_knows_a_new_format(tmp_path: Path) -> None:
    """It is in the help with its options, is written, and names its file in the manifest."""
    workspace = make_workspace(tmp_path / "ws")
    record_attempts(workspace)
    app = typer.Typer(rich_markup_mode="rich")
    register(app)
    runner = CliRunner(env={"COLUMNS": "300"})
    text = " ".join(runner.invoke(app, ["--help"]).stdout.replace("│", " ").split())
    assert "attempt-counts: how many attempts each person submitted" in text
    assert f"{', '.join(FORMATS)}." in text
    # The sentences of options are made with the module, in which a real format is listed.
    takers, with_gold = (
        [name for name in names if name != "attempt-counts"]
        for names in (formats_with("undecided"), formats_by_gold())
    )
    assert f"Of {', '.join(takers)}: only answers" in text
    assert f"{', '.join(with_gold)}." in text
    assert "attempt-counts" in formats_with("undecided") and "attempt-counts" in formats_by_gold()
    out = tmp_path / "out"
    command = (workspace.root, "--campaign", "Otters", "--format", "attempt-counts", "--out", out)
    result = runner.invoke(app, [*map(str, command), "--json"])
    assert result.exit_code == 0, result.output
    manifest = json.loads(result.stdout)
    assert manifest["format"] == "attempt-counts"
    assert [entry["path"] for entry in manifest["files"]] == ["attempts.jsonl"]
    rows = (out / "attempts.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(rows[0]) == {"annotator": "annotator-1", "attempts": 2}


@pytest.mark.usefixtures("toy_format")
def test_options_that_a_new_format_does_not_declare_are_refused(tmp_path: Path) -> None:
    """With the formats that take them; nothing is written."""
    workspace = make_workspace(tmp_path / "ws")
    with pytest.raises(PagetrailError, match="attempt-counts holds no runs") as refused:
        export(workspace, "Otters", "attempt-counts", tmp_path / "out", originals=True)
    assert refused.value.code == "originals_not_taken"
    assert not (tmp_path / "out").exists()


@pytest.mark.usefixtures("toy_format")
def test_screen_and_docs_know_a_new_format() -> None:
    """Options reach its folder's name; the docs have its rows, and its section is missing."""
    order = ExportOrder("c", ("attempt-counts",), False, 200, True, undecided=True, originals=True)
    assert order.folder("attempt-counts") == "c-attempt-counts-adjudicated-undecided"
    docs = with_format_tables(PAGE.read_text(encoding="utf-8"))
    assert (
        "| [`attempt-counts`](formats.md#attempt-counts) | any "
        "| how many attempts each person submitted, for payment |" in docs
    )
    assert re.search(r"\| `runs`, .*`attempt-counts` \| people's and systems' work", docs)
    assert undocumented_formats("") >= {"madqa", "attempt-counts"}
    assert undocumented_formats("## trec and attempt-counts\n").isdisjoint(
        {"trec", "attempt-counts"}
    )
